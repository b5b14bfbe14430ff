"""Errors that are the user's to mend: one line that says what, where, what was found and what would be right."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = [
    "ConfigError",
    "DataError",
    "MethodError",
    "NotApplicable",
    "UserError",
    "blamed",
    "is_one_line",
    "nearest",
    "one_line",
    "raised",
    "said",
    "show",
]


# Control characters, separators of lines, and surrogates that are halves of nothing.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class UserError(Exception):
    """A mistake the user can mend; the command line prints its one line and exits with 2.

    Parameters
    ----------
    what : str
        What is wrong, what was found, and what would be right.
    where : str, default ""
        The place: file and line, configuration key, column.
    """

    def __init__(self, what: str, where: str = "") -> None:
        self.what = _short(one_line(what))
        self.where = one_line(where)
        super().__init__(f"{self.where}: {self.what}" if where else self.what)

    def __reduce__(self) -> tuple[type[UserError], tuple[str, str]]:
        # Errors cross process borders (joblib); the default would call __init__ with the joined text only.
        return type(self), (self.what, self.where)


def is_one_line(text: str) -> bool:
    """Whether a text may stand in tables and files as it is: without line breaks, control signs, half characters."""
    return not _ODD.search(text)


def one_line(text: str) -> str:
    r"""Return a text as every terminal and file can hold it: in one line, without control signs or half characters.

    Examples
    --------
    >>> print(one_line("two\n  lines"), one_line("\x1b[31m"), one_line("\ud800"))
    two lines \x1b[31m \ud800
    """
    return _ODD.sub(lambda odd: odd[0].encode("unicode_escape").decode(), " ".join(text.split()))


def _short(text: str) -> str:
    """Cut what a damaged file may put into a message: the ends are what tells."""
    return text if len(text) <= 1000 else f"{text[:600]} ... {text[-300:]}"


class DataError(UserError):
    """A data file or data set that cannot be used as it is."""


class ConfigError(UserError):
    """An experiment file that is not valid."""


class MethodError(UserError):
    """An unknown method, or a parameter it cannot take."""


class NotApplicable(UserError):
    """A method that does not apply to a data set, with the reason. A result, not a crash."""


def nearest(name: str, valid: Iterable[str]) -> str:
    """Hint at the nearest valid name, or list what is valid.

    Parameters
    ----------
    name : str
        What was found.
    valid : iterable of str
        What would have been right.

    Returns
    -------
    str
        ``"did you mean 'x'?"`` or ``"valid: a, b, c"`` (at most 12 names).

    Examples
    --------
    >>> nearest("relief", ["nlc", "relieff"])
    "did you mean 'relieff'?"
    >>> nearest("zzz", ["nlc", "relieff"])
    'valid: nlc, relieff'
    """
    names = [str(v) for v in valid]
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    lower = {n.lower(): n for n in names}
    if not close and name.lower() in lower:
        close = [lower[name.lower()]]
    if close:
        return f"did you mean {close[0]!r}?"
    return "valid: " + ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")


def show(value: Any) -> str:
    """Return what was found as a message shows it: as it stands in YAML, and cut where it is long.

    Examples
    --------
    >>> show("12"), show(True), show(None), show([1, None])
    ("'12'", 'true', 'nothing', '[1, None]')
    >>> show(1 << 20000)
    'a number of 20001 bits'
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"
    try:
        text = str(value) if hasattr(value, "isoformat") else repr(value)  # dates as YAML has them
    except ValueError:  # a list with a number of thousands of digits
        return f"a {type(value).__name__} with a number too long to print"
    except Exception:  # an object of a user's that does not say what it is
        return f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= 60 else text[:57] + "..."


def said(error: BaseException) -> str:
    """Return the message of an error, whatever its class makes of it."""
    try:
        return str(error)
    except Exception:
        return "(its message cannot be printed)"


def raised(error: BaseException) -> str:
    """Return what an error says and where it was raised, for one that was not worded for users.

    Examples
    --------
    >>> try:
    ...     {}["x"]
    ... except KeyError as error:
    ...     raised(error).partition(" (")[0]
    "KeyError: 'x'"
    """
    import traceback  # here and below: they cost a part of a small command's time
    from pathlib import Path

    last = traceback.extract_tb(error.__traceback__)[-1]
    text = _short(one_line(f"{type(error).__name__}: {said(error)}"))
    # What does not even compile says its line itself; where the import stood then is nobody's business.
    return text if last.filename.startswith("<frozen") else f"{text} ({Path(last.filename).name}:{last.lineno})"


def _named(error: UserError, who: str) -> UserError:
    """Return an error that was worded for users, with the method's name in it; one class of ours for all of others."""
    text = said(error)
    if isinstance(error, NotApplicable):  # stands as the reason in a cell that names the method
        return error if type(error) is NotApplicable else NotApplicable(text)
    known = type(error).__module__ == __name__ and who.rpartition(":")[0] in text
    return error if known else MethodError(f"{who} {text}")


@contextmanager
def blamed(who: str, *passing: type[BaseException]) -> Iterator[None]:
    """Make one line that names a method of whatever goes wrong in code that is not ours.

    Parameters
    ----------
    who : str
        The method, and perhaps what it was to do.
    *passing : type
        Errors that mean something to the caller.

    Raises
    ------
    MethodError
        In place of any error that was not worded for users; an interrupt stays one.

    Examples
    --------
    >>> with blamed("mine: score()"):
    ...     1 / 0
    Traceback (most recent call last):
    ...
    fsbench.errors.MethodError: mine: score() failed with ZeroDivisionError: division by zero (<doctest ...>:2)
    """
    try:
        yield
    except BaseException as error:  # whatever it is, it must not end the run of the others
        if isinstance(error, (KeyboardInterrupt, *passing)):
            raise
        if isinstance(error, UserError):
            raise _named(error, who) from error
        text = raised(error)
        writes = "read-only" in text or "WRITEABLE" in text  # as numpy says it
        hint = "; data are read-only for methods: change a copy of them" if writes else ""
        raise MethodError(f"{who} failed with {text}{hint}") from error
