"""Data in the hands of code that is not ours: whatever it does to them, no other method sees it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from inspect import isabstract
from typing import Any

import numpy as np
import numpy.typing as npt

from fsbench.errors import MethodError, blamed
from fsbench.method import Method

__all__ = ["Lender", "builds_on_ours", "is_ours", "lend", "private", "read_only", "theirs"]

Array = npt.NDArray[Any]


@contextmanager
def theirs(who: str, *passing: type[BaseException]) -> Iterator[None]:
    """Call what is not ours: errors as of `blamed`, and what it sets for the whole process is set back.

    Parameters
    ----------
    who, *passing
        As for `blamed`.
    """
    filters: Any = warnings.filters
    # Not `catch_warnings`: it would have each warning shown anew that is to be shown once.
    rules, show = list(filters), warnings.showwarning
    try:
        with np.errstate(), blamed(who, *passing):
            yield
    finally:
        warnings.filters, warnings.showwarning = filters, show
        if filters != rules:
            filters[:] = rules


def is_ours(method: object) -> bool:
    """Whether a method comes with the package."""
    return _of_package(type(method))


def builds_on_ours(method: object) -> bool:
    """Whether a class of the user's is derived from a method of ours, and not only from what all methods are.

    Then our compiled code works on what the method is given. That code would be compiled anew for arrays that cannot
    be written to, so such a method is handed copies of its own.
    """
    return not isabstract(next(cls for cls in type(method).__mro__ if _of_package(cls) or cls is object))


def read_only(array: Array) -> Array:
    """Return a view that cannot be written to, nor made so by `setflags`; the array itself stays as it is.

    Examples
    --------
    >>> read_only(np.zeros(2)).setflags(write=True)
    Traceback (most recent call last):
    ...
    ValueError: cannot set WRITEABLE flag to True of this array
    """
    return np.asarray(memoryview(array).toreadonly())  # type: ignore[arg-type]  # an array is a buffer


def private(array: Array) -> Array:
    """Return a copy in the same layout."""
    return array.copy(order="K")


def lend(value: Any, hand: Callable[[Array], Array] = read_only) -> Any:
    """Return the same value with other arrays in it.

    Parameters
    ----------
    value : object
        A data set, a split, an array, or a list of such; anything else is returned as it is.
    hand : callable, default `read_only`
        From an array to what stands for it.

    Returns
    -------
    object
        Of the same kind; what a data set keeps in hidden fields, such as `Dataset.derived`, is not in it.
    """
    if isinstance(value, np.ndarray):
        return hand(value)
    if isinstance(value, list):
        return [lend(item, hand) for item in value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    fresh: dict[str, Any] = {}
    for f in fields(value):
        found = getattr(value, f.name)
        if isinstance(found, np.ndarray):
            fresh[f.name] = hand(found)
        elif f.name.startswith("_") and callable(f.default_factory):
            fresh[f.name] = f.default_factory()
    return replace(value, **fresh)


class Lender:
    """Lends values to one method that is not ours, and sees afterwards that they are what they were.

    What is lent are views that cannot be written to, or copies for a class that `builds_on_ours`.

    Parameters
    ----------
    method : Method
    """

    def __init__(self, method: Method) -> None:
        self._method, self._copies = method, builds_on_ours(method)
        self._last: tuple[Any, Any] = (None, None)  # a first value and its loan, for what is derived from it

    @contextmanager
    def lent(self, first: Any, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Lend values.

        Parameters
        ----------
        first : object
            As for `lend`; lent again as it is if it comes again, so that a method finds what it derived from it.
        *values : object
            As for `lend`; lent anew each time.

        Yields
        ------
        tuple
            What stands for the values.

        Raises
        ------
        MethodError
            A copy was written into.
        """
        hand = private if self._copies else read_only
        loan = self._last[1] if self._last[0] is first else lend(first, hand)
        loans = (loan, *(lend(value, hand) for value in values))
        self._last = (None, None)  # not to be used again if something fails
        yield loans
        if self._copies and not all(map(_same, _arrays(loans), _arrays((first, *values)))):
            label = self._method.label
            raise MethodError(f"{label}: wrote into the data it was given; they are to stay: change a copy of them")
        self._last = (first, loan)


def _of_package(cls: type) -> bool:
    """Whether a class is ours; the adapters stand for others' classes."""
    return cls.__module__.startswith("fsbench.") and not cls.__module__.endswith("sklearn_adapter")


def _arrays(value: Any) -> list[Array]:
    """Return the arrays within values, in order."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, list | tuple):
        return [array for item in value for array in _arrays(item)]
    found = [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else []
    return [array for array in found if isinstance(array, np.ndarray)]


def _same(a: Array, b: Array) -> bool:
    """Whether two arrays hold the same bits: NaN is equal to itself."""
    bits = f"u{b.itemsize}"
    return a.dtype == b.dtype and np.array_equal(a.view(bits), b.view(bits))
