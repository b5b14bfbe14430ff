"""Errors that are the user's to mend: one line that says what, where, what was found and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["ConfigError", "DataError", "MethodError", "NotApplicable", "UserError", "nearest"]


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
        self.what = _short(" ".join(what.split()))
        self.where = where
        super().__init__(f"{where}: {self.what}" if where else self.what)

    def __reduce__(self) -> tuple[type[UserError], tuple[str, str]]:
        # Errors cross process borders (joblib); the default would call __init__ with the joined text only.
        return type(self), (self.what, self.where)


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
