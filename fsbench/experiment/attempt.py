"""A value or the reason why there is none: what keeps one failing cell from sinking the others."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from fsbench.errors import NotApplicable, UserError, raised, said
from fsbench.experiment.cells import Cell, Record, Status
from fsbench.kernels.cache import loaded

__all__ = ["LONG", "Attempt", "attempt", "record_of", "timed"]

LONG = 5.0  # seconds from which on loading a kernel is no large part of an attempt's time

T = TypeVar("T")


@dataclass(frozen=True)
class Attempt(Generic[T]):
    """A value, or why there is none.

    Parameters
    ----------
    value : object, optional
        None unless the status is ok.
    status : {"ok", "skipped", "failed"}
    reason : str
        One line.
    seconds : float
        Wall time spent on it.
    """

    value: T | None
    status: Status = "ok"
    reason: str = ""
    seconds: float = 0.0

    def then(self, function: Callable[[T], Any]) -> Attempt[Any]:
        """Go on with the value; without one, hand the reason on.

        Parameters
        ----------
        function : callable
            Takes the value.

        Returns
        -------
        Attempt
            Of what the function returns, with the seconds of both.
        """
        if self.value is None:
            return self
        value = self.value
        following = attempt(lambda: function(value))
        return replace(following, seconds=self.seconds + following.seconds)


def attempt(function: Callable[[], T]) -> Attempt[T]:
    """Call a function and catch whatever goes wrong in it.

    Parameters
    ----------
    function : callable
        Takes nothing, returns anything but None.

    Returns
    -------
    Attempt
        Skipped on `NotApplicable`, failed on any other error.

    Examples
    --------
    >>> attempt(lambda: 1 / 0).status
    'failed'
    """
    start = time.perf_counter()
    try:
        value = function()
    except KeyboardInterrupt:
        raise
    except NotApplicable as error:
        return Attempt(None, "skipped", said(error))
    except BaseException as error:  # a method of the user must not end the run
        return Attempt(None, "failed", said(error) if isinstance(error, UserError) else raised(error))
    return Attempt(value, seconds=time.perf_counter() - start)


def timed(function: Callable[[], T]) -> Attempt[T]:
    """Attempt a function, once more if its time was in part that of loading or compiling a kernel.

    What takes long is not done twice: loading then is a small part of it, and what our own methods need was compiled
    before the run.

    Parameters
    ----------
    function : callable
        As for `attempt`; a second call must do the same work.

    Returns
    -------
    Attempt
    """
    before = loaded()
    made = attempt(function)
    return attempt(function) if loaded() != before and made.seconds < LONG else made


def record_of(cell: Cell, made: Attempt[Any]) -> Record:
    """Return what the store is told of a cell.

    Parameters
    ----------
    cell : Cell
    made : Attempt
        Its value, or why there is none.

    Returns
    -------
    Record
    """
    return Record(cell.key, cell.kind, made.status, made.value, made.reason, made.seconds)
