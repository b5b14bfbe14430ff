"""How an estimator that is not ours is made: from its class, or by a function of the user's."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

from fsbench.errors import MethodError, raised, said

__all__ = ["Maker"]

NEEDED = ("fit", "predict", "get_params", "set_params")
HINT = "write a function in a file of your own that returns it with all it needs, and name that: my_file.py:my_function"


@dataclass(frozen=True)
class Maker:
    """Makes estimators, each a new one.

    Parameters
    ----------
    found : object
        A class, or a function without required parameters that returns an object with ``fit`` and ``predict``.
    path : str
        Its import path, ``package.module:name`` or ``file.py:name``.

    Raises
    ------
    MethodError
        By all methods: it is neither, or cannot make one.
    """

    found: Any
    path: str

    def parameters(self) -> dict[str, Any]:
        """Return the names and the default values of what can be set, that of parts included."""
        if self._is_function():
            first, second = self._call({}), self._call({})
            if first is second:
                raise MethodError(f"{self._name} must return a new object at each call")
            return {**_parameters_of(first), **self._arguments()}
        missing = [part for part in NEEDED if not hasattr(self.found, part)]
        if missing:
            raise MethodError(f"{self._name} is no classifier: it needs {', '.join(NEEDED[:-1])} and {NEEDED[-1]}")
        if not isinstance(self.found, type):
            raise MethodError(f"{self._name} is one object, which all folds would share: {HINT}")
        try:
            return dict(self.found().get_params())
        except TypeError as error:
            raise MethodError(f"{self._name} cannot be made without arguments: {said(error)}; {HINT}") from None
        except (Exception, SystemExit) as error:
            raise MethodError(f"{self._name} cannot be made without arguments: {raised(error)}") from error

    def make(self, settings: dict[str, Any], seed: int) -> Any:
        """Return a new estimator.

        Parameters
        ----------
        settings : dict
            Of its parameters, or of the function's.
        seed : int
            For ``random_state``; in what a function makes, for each one, of parts too, that is None.

        Returns
        -------
        object
        """
        if not self._is_function():
            model = self.found().set_params(**settings)
            if "random_state" in model.get_params() and "random_state" not in settings:
                model.set_params(random_state=seed)
            return model
        model = self._made(settings)
        known = _parameters_of(model)
        open_ = [key for key in known if key.rpartition("__")[2] == "random_state" and key not in settings]
        seeds = {key: seed for key in open_ if known[key] is None}
        return model.set_params(**seeds) if seeds else model

    def told(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return what a function's estimator is, for an identity: its class and parameters; nothing for a class."""
        if not self._is_function():
            return {}
        model = self._made(settings)
        parts = {key: _printed(value) for key, value in sorted(_parameters_of(model).items())}
        return {"made": {"class": type(model).__qualname__, "of": parts}}

    def _is_function(self) -> bool:
        return callable(self.found) and not isinstance(self.found, type) and not hasattr(self.found, "fit")

    @property
    def _name(self) -> str:
        return self.path.rpartition(":")[2]

    def _arguments(self) -> dict[str, Any]:
        """Return the function's parameters and defaults; refuse one that cannot be called without any."""
        try:
            known = inspect.signature(self.found).parameters.values()
        except (TypeError, ValueError):
            known = {}.values()
        named = [p for p in known if p.kind is not p.VAR_KEYWORD]
        if any(p.default is p.empty for p in named):  # those of make_pipeline are *steps
            first = f"{self._name} is no classifier: it needs fit, predict, get_params and set_params"
            raise MethodError(f"{first}, or to be a function without required parameters that returns one; {HINT}")
        return {p.name: p.default for p in named}

    def _made(self, settings: dict[str, Any]) -> Any:
        """Return what the function makes, with the settings of its own and then those of the object."""
        own = self._arguments()
        model = self._call({key: value for key, value in settings.items() if key in own})
        rest = {key: value for key, value in settings.items() if key not in own}
        return model.set_params(**rest) if rest else model

    def _call(self, arguments: dict[str, Any]) -> Any:
        self._arguments()
        try:
            model = self.found(**arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise MethodError(f"{self._name}() failed with {raised(error)}") from error
        if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
            found = model.__name__ if isinstance(model, type) else type(model).__name__
            raise MethodError(f"{self._name}() must return an object with fit and predict, found {found}")
        return model


def _parameters_of(model: Any) -> dict[str, Any]:
    return dict(model.get_params()) if hasattr(model, "get_params") and hasattr(model, "set_params") else {}


def _printed(value: Any) -> str:
    """Return a value as text, without the place in memory that it happens to have."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
