"""A method is a frozen dataclass: its fields are its parameters, and everything else follows from them."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Literal, Self, dataclass_transform

from fsbench.errors import MethodError, UserError, nearest, raised, show

__all__ = ["Method", "param"]


def param(
    default: Any,
    help: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a parameter of a method.

    Parameters
    ----------
    default : object
        The value taken when the user gives none.
    help : str, default ""
        One line for ``fsbench methods``.
    low, high : float, optional
        Closed bounds of a number.

    Returns
    -------
    dataclasses.Field
    """
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param, dataclasses.field))
class Method:
    """Base of rankers, classifiers and searches.

    Subclasses become frozen, keyword-only dataclasses by themselves: an author writes annotated fields and no
    decorator. From the fields come the YAML keys, the defaults, ``repr``, equality and the cache key.

    Attributes
    ----------
    name : str
        The key in YAML and on the command line.
    title : str
        The name in prose and in ``fsbench methods``.
    reference : str
        The publication that defines the method.
    version : int
        Raised whenever the method's results change: stored cells of the older version are then not reused.

    Examples
    --------
    >>> class Demo(Method):
    ...     name = "demo"
    ...     k: int = param(10, "neighbours", low=1)
    >>> Demo.from_params({"k": "5"})
    Demo(k=5)
    >>> Demo.from_params({"kk": 5})
    Traceback (most recent call last):
    ...
    fsbench.errors.MethodError: demo: unknown parameter 'kk'; did you mean 'k'?
    >>> Demo(k=0)
    Traceback (most recent call last):
    ...
    fsbench.errors.MethodError: demo: parameter k must be a whole number of at least 1, found 0
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    reference: ClassVar[str] = ""
    version: ClassVar[int] = 1
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]  # made for each subclass

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__
        dataclasses.dataclass(frozen=True, kw_only=True)(cls)

    def __post_init__(self) -> None:
        hints = _hints(type(self))  # type: ignore[arg-type]  # mypy: a dataclass has no usable __hash__
        defaults = _defaults(type(self))  # type: ignore[arg-type]
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            fits = defaults[f.name] if value is f.default else _coerce(self.name, f, hints[f.name], value)
            if fits is not value:
                object.__setattr__(self, f.name, fits)

    def params(self) -> dict[str, Any]:
        """Return every parameter and its value, in the order of declaration."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    @property
    def label(self) -> str:
        """The name with those parameters that differ from their default: ``relieff(k=5)``."""
        changed = [
            f"{f.name}={_printed(getattr(self, f.name))}"
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != f.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    def identity(self) -> dict[str, Any]:
        """Return what decides this method's results, as plain JSON-like values: the cache key is made of it."""
        return {"method": self.name, "version": self.version, "params": self.params()}

    @classmethod
    def from_params(cls, params: Mapping[str, Any], where: str = "") -> Self:
        """Make the method from YAML values or command-line strings.

        Parameters
        ----------
        params : mapping of str to object
            Parameter values; a string is converted to the declared type.
        where : str, default ""
            Place for the error message.

        Raises
        ------
        MethodError
            Unknown parameter, wrong type, or out of bounds.
        """
        known = [f.name for f in dataclasses.fields(cls)]
        for key in params:
            if key not in known:
                hint = nearest(str(key), known) if known else "it takes none"
                raise MethodError(f"{cls.name}: unknown parameter {str(key)!r}; {hint}", where)
        try:
            return cls(**params)
        except MethodError as error:
            raise MethodError(error.what, where) from None
        except TypeError as error:  # an abstract class: a method that its author did not write
            raise MethodError(f"{cls.name}: {error}", where) from None
        except (UserError, KeyboardInterrupt):
            raise
        except BaseException as error:
            if cls.__module__.startswith("fsbench."):
                raise
            raise MethodError(f"{cls.name}: cannot be made: {raised(error)}", where) from error


def _printed(value: Any) -> str:
    """Return a parameter's value as text."""
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits, perhaps in a list
        return show(value)


@cache  # typing's own evaluation takes longer than all the rest of making a method
def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls)
    except NameError:  # a user's file may annotate with names that it does not import at run time
        return {f.name: Any for f in dataclasses.fields(cls)}


@cache  # most parameters of most methods are left as they are
def _defaults(cls: type[Method]) -> dict[str, Any]:
    hints = _hints(cls)  # type: ignore[arg-type]
    given = (f for f in dataclasses.fields(cls) if f.default is not dataclasses.MISSING)
    return {f.name: _coerce(cls.name, f, hints[f.name], f.default) for f in given}


def _coerce(owner: str, f: dataclasses.Field[Any], hint: Any, value: Any) -> Any:
    """Return `value` as the declared type, or raise MethodError saying what would be right."""
    ok, result = _convert(hint, value)
    low, high = f.metadata.get("low"), f.metadata.get("high")
    expected = _expected(hint, low, high)
    if ok and isinstance(result, int | float) and not isinstance(result, bool):
        ok = result == result and (low is None or result >= low) and (high is None or result <= high)
        if isinstance(result, int) and not -(2**63) <= result < 2**63:  # no array could hold it
            ok, expected = False, f"{expected}, below 2^63"
    if not ok:
        raise MethodError(f"{owner}: parameter {f.name} must be {expected}, found {show(value)}")
    return result


def _convert(hint: Any, value: Any) -> tuple[bool, Any]:
    origin = typing.get_origin(hint)
    if hint is Any:
        return True, value
    if origin is Literal:
        choices = typing.get_args(hint)
        match = [c for c in choices if c == value or str(c) == value]
        return bool(match), match[0] if match else value
    if origin in (typing.Union, types.UnionType):
        return _convert_union(typing.get_args(hint), value)
    if origin is not None:  # containers: checked by the method itself
        return True, tuple(value) if isinstance(value, list) else value
    return _convert_scalar(hint, value)


def _convert_union(members: tuple[Any, ...], value: Any) -> tuple[bool, Any]:
    if type(None) in members and (value is None or value in ("none", "None", "null")):
        return True, None
    for member in members:
        if member is not type(None):
            ok, result = _convert(member, value)
            if ok:
                return True, result
    return False, value


def _convert_scalar(hint: Any, value: Any) -> tuple[bool, Any]:
    if hint is bool:
        words = {"true": True, "false": False, "yes": True, "no": False}
        if isinstance(value, bool):
            return True, value
        key = str(value).lower()
        return key in words, words.get(key, value)
    if hint in (int, float):
        if isinstance(value, bool):
            return False, value
        try:
            number = hint(value)
        except (TypeError, ValueError, OverflowError):
            return False, value
        return (hint is float or isinstance(value, str) or number == value), number
    if hint is str:
        return isinstance(value, str), value
    return True, value


def _expected(hint: Any, low: float | None, high: float | None) -> str:
    origin = typing.get_origin(hint)
    if origin is Literal:
        return "one of " + ", ".join(str(c) for c in typing.get_args(hint))
    if origin in (typing.Union, types.UnionType):
        names = ["none" if m is type(None) else _expected(m, low, high) for m in typing.get_args(hint)]
        return " or ".join(names)
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    text = words.get(hint, str(hint))
    if low is not None and high is not None:
        return f"{text} from {low:g} to {high:g}"
    if low is not None:
        return f"{text} of at least {low:g}"
    return f"{text} of at most {high:g}" if high is not None else text
