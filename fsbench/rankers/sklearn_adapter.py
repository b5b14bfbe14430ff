"""Any score function or selector of scikit-learn, or a function of the user's, as a ranker of ours.

Examples
--------
>>> from fsbench.registry import make
>>> make("ranker", "sklearn.feature_selection:f_classif").label
'f_classif'
>>> make("ranker", {"method": "sklearn.feature_selection:mutual_info_classif", "neighbors": 5})
Traceback (most recent call last):
...
fsbench.errors.MethodError: mutual_info_classif: unknown parameter 'neighbors'; did you mean 'n_neighbors'?
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from fsbench import registry
from fsbench.errors import MethodError, NotApplicable, nearest
from fsbench.foreign import allows_nan, kept_name, label_of, only_positive, read_setting, versions_of
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.values import Dataset, FloatArray

__all__ = ["SklearnRanker", "adapt"]

# What a fitted selector or model may tell of its features, the first found counts, and how to make it a score.
FITTED = ("scores_", "feature_importances_", "coef_", "ranking_")


def adapt(found: Any, name: str, params: Mapping[str, Any], where: str = "") -> Ranker:
    """Make a ranker of ours from a function or class in scikit-learn's style.

    Parameters
    ----------
    found : callable
        A function ``f(X, y)`` that returns one score a feature, higher is better, alone or first in a tuple; or a
        class with ``fit`` that leaves ``scores_``, ``feature_importances_``, ``coef_`` or ``ranking_``.
    name : str
        The name or path by which it was found.
    params : mapping of str to object
        Its parameters; a string is read as the type of the default value. ``seed`` is ours: see `SklearnRanker`.
    where : str, default ""
        Place for error messages.

    Returns
    -------
    SklearnRanker

    Raises
    ------
    MethodError
        Neither of them, or a parameter that it does not have.
    """
    if not callable(found) or (isinstance(found, type) and not hasattr(found, "fit")):
        short = name.rpartition(":")[2]
        raise MethodError(f"{short} is no ranker: it needs to be a function f(X, y) or a class with fit", where)
    settings = dict(params)
    own = {key: settings.pop(key) for key in ("seed", "ties") if key in settings}
    try:
        return SklearnRanker(source=kept_name(found, name), settings=tuple(settings.items()), **own)
    except MethodError as error:
        raise MethodError(error.what, where) from None


class SklearnRanker(Ranker):
    """A score function, a selector or a model in scikit-learn's style.

    Nominal features go in as the codes of their labels; a function with the parameter ``discrete_features`` is
    told which they are. Missing values are refused unless the class says that it takes NaN, or the function has a
    true attribute ``takes_missing``; negative ones where they are known not to be taken. Of a linear model the
    absolute coefficients count, added over the classes; a selector's ``ranking_`` counts backwards, so that the first
    place is the highest score. A feature without a score (NaN, such as a constant one under an F test) comes last.

    Parameters
    ----------
    source : str
        Import path, ``package.module:name`` or ``file.py:name``.
    settings : tuple of pairs
        Its parameters. A text with a colon for a parameter without default, such as the ``estimator`` of a
        selector, is an import path itself.
    seed : int, default 1
        The ``random_state``, where there is one and none is set.
    """

    name = "sklearn"
    title = "A score function or selector in scikit-learn's style"
    reference = "Pedregosa et al.: Scikit-learn: machine learning in Python, JMLR 12, 2011"
    unit: ClassVar[str] = "score"

    source: str = param("", "import path of the function or class, package.module:name or file.py:name")
    settings: tuple[tuple[str, Any], ...] = param((), "its parameters, as pairs")
    seed: int = param(1, "random_state, where there is one and none is set", low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        found, label = self._load(), self.source.rpartition(":")[2]
        known = _parameters(found)
        for key in dict(self.settings):
            if key not in known:
                hint = nearest(key, known) if known else "it takes none"
                raise MethodError(f"{label}: unknown parameter {key!r}; {hint}")
        settings = tuple((key, read_setting(value, known[key])) for key, value in self.settings)
        object.__setattr__(self, "settings", settings)
        missing = [key for key, default in known.items() if default is inspect.Parameter.empty]
        for key in missing:
            if key not in dict(settings):
                raise MethodError(f"{label}: parameter {key!r} has no default and must be set")

    @property
    def label(self) -> str:
        """The function's or class's name with the parameters that are set: ``SelectKBest(k=all)``."""
        return label_of(self.source, dict(self.settings), self.seed)

    def identity(self) -> dict[str, Any]:
        """Return what decides the results: source, parameters, seed, and the version of the code behind it."""
        place, _, attribute = self.source.rpartition(":")
        source = f"{place.rpartition('/')[2] if place.endswith('.py') else place}:{attribute}"
        params = {**self.params(), "source": source, "settings": dict(self.settings)}
        versions = versions_of(self.source)
        for value in dict(self.settings).values():  # such as an estimator of the user's
            if isinstance(value, str) and value.rpartition(":")[0].endswith(".py"):
                versions |= versions_of(value)
        return {"method": self.name, "version": self.version, "params": params, "versions": versions}

    def score(self, train: Dataset) -> FloatArray:
        """Return the scores of the function, or of the class fitted on all rows.

        Raises
        ------
        MethodError
            A parameter has a value that is refused, or nothing that could be a score came out.
        NotApplicable
            Values that are known not to be taken: missing ones, negative ones.
        """
        found = self._load()
        settings = {key: self._import(value, _parameters(found)[key]) for key, value in self.settings}
        if "random_state" in _parameters(found):
            settings.setdefault("random_state", self.seed)
        with warnings.catch_warnings():
            # Constant features: they get NaN and come last, as documented.
            warnings.filterwarnings("ignore", "Features .* are constant", UserWarning)
            warnings.filterwarnings("ignore", "invalid value encountered", RuntimeWarning)
            run = self._fit if isinstance(found, type) else self._call
            try:
                scores = run(found, settings, train)
            except ValueError as error:
                if isinstance(error, TypeError):  # as scikit-learn's own check of parameters raises it
                    raise MethodError(f"{self.label}: {error}") from error
                raise
        try:
            return np.array(scores, dtype=np.float64)
        except (TypeError, ValueError):
            raise MethodError(f"{self.label}: its scores are no numbers, found {type(scores).__name__}") from None

    def _load(self) -> Any:
        return registry.load_class("ranker", self.source)

    def _import(self, value: Any, default: Any) -> Any:
        """Return what a setting names, made if it is a class, where a function or an object is expected."""
        if not isinstance(value, str) or ":" not in value or isinstance(default, str):
            return value
        found = registry.load_class("ranker", value)
        if not isinstance(found, type):
            return found
        return found(random_state=self.seed) if "random_state" in _parameters(found) else found()

    def _call(self, function: Any, settings: dict[str, Any], train: Dataset) -> Any:
        if not getattr(function, "takes_missing", False):
            self._refuse_missing(train)
        if getattr(function, "__module__", "").startswith("sklearn.") and function.__name__ == "chi2":
            self._refuse_negative(train)  # functions have no tags that say it
        if "discrete_features" in _parameters(function):
            settings.setdefault("discrete_features", train.is_nominal.copy())
        result = function(np.ascontiguousarray(train.X.copy()), train.y.copy(), **settings)
        return result[0] if isinstance(result, tuple) else result

    def _fit(self, found: Any, settings: dict[str, Any], train: Dataset) -> Any:
        model = found(**settings)
        if not allows_nan(model):
            self._refuse_missing(train)
        if only_positive(model):
            self._refuse_negative(train)
        model.fit(np.ascontiguousarray(train.X.copy()), train.y.copy())
        for holder in (model, getattr(model, "estimator_", None)):
            for attribute in FITTED:
                value = getattr(holder, attribute, None)
                if value is not None:
                    return _as_scores(attribute, np.asarray(value))
        raise MethodError(f"{self.label} is no ranker: after fit it has none of {', '.join(FITTED)}")

    def _refuse_missing(self, train: Dataset) -> None:
        if train.has_missing:
            column = train.features[int(np.argmax(np.isnan(train.X).any(axis=0)))].name
            raise NotApplicable(
                f"{self.label} does not take missing values, found some in column {column!r}", train.name
            )

    def _refuse_negative(self, train: Dataset) -> None:
        negative = (train.X < 0).any(axis=0)
        if negative.any():
            column = train.features[int(np.argmax(negative))].name
            raise NotApplicable(
                f"{self.label} does not take negative values, found some in column {column!r}", train.name
            )


def _parameters(found: Any) -> dict[str, Any]:
    """Return the parameters and their defaults, without those that the data are passed by."""
    try:
        known = inspect.signature(found).parameters
    except (TypeError, ValueError):  # compiled code may hide it
        return {}
    named = [p for p in known.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    return {p.name: p.default for p in (named if isinstance(found, type) else named[2:])}


def _as_scores(attribute: str, value: FloatArray) -> FloatArray:
    """Turn what a fitted model tells of its features into scores of which higher is better."""
    if attribute == "coef_":
        value = np.abs(np.atleast_2d(value)).sum(axis=0)
    elif attribute == "ranking_":
        value = value.max(initial=0) + 1.0 - value
    return value
