"""Any classifier of scikit-learn, or in its style, as a classifier of ours: named by import path in a config.

Examples
--------
>>> from fsbench.registry import make
>>> make("classifier", {"method": "sklearn.naive_bayes:GaussianNB", "var_smoothing": 1e-8}).label
'GaussianNB(var_smoothing=1e-08)'
>>> make("classifier", {"method": "sklearn.naive_bayes:GaussianNB", "smoothing": 1})
Traceback (most recent call last):
...
fsbench.errors.MethodError: GaussianNB: unknown parameter 'smoothing'; did you mean 'var_smoothing'?
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fsbench import registry
from fsbench.classifiers.base import Classifier, Model
from fsbench.classifiers.estimators import Maker
from fsbench.errors import MethodError, NotApplicable, blamed, nearest, show
from fsbench.foreign import allows_nan, kept_name, label_of, only_positive, read_setting, versions_of
from fsbench.method import param
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["SklearnClassifier", "SklearnModel", "adapt", "design_matrix"]


def adapt(found: Any, name: str, params: Mapping[str, Any], where: str = "") -> Classifier:
    """Make a classifier of ours from a scikit-learn class, or from a function that makes a classifier.

    Parameters
    ----------
    found : callable
        A class with ``fit``, ``predict`` and ``get_params``, or a function that makes an object with ``fit`` and
        ``predict``.
    name : str
        The name or path by which it was found.
    params : mapping of str to object
        Its parameters; a string is read as the type of the default value. ``seed`` is ours: see
        `SklearnClassifier`.
    where : str, default ""
        Place for error messages.

    Returns
    -------
    SklearnClassifier

    Raises
    ------
    MethodError
        Neither of them, or a parameter that it does not have.
    """
    settings = dict(params)
    given = {"seed": settings.pop("seed")} if "seed" in settings else {}
    name = kept_name(found, name)
    try:
        return SklearnClassifier(estimator=name, settings=tuple(settings.items()), **given)
    except MethodError as error:
        raise MethodError(error.what, where) from None


class SklearnClassifier(Classifier):
    """A classifier in scikit-learn's style, fitted anew for every prefix.

    Numbers go in as they are; a nominal feature becomes one column of 0 and 1 for each declared label, since the
    codes of labels have no order. Missing values are refused unless the classifier says that it takes NaN, negative
    ones if it says that it takes none.
    """

    name = "sklearn"
    title = "A classifier in scikit-learn's style"
    reference = "Pedregosa et al. (2011), Scikit-learn: machine learning in Python, JMLR 12"

    estimator: str = param("", "import path of the class or function, package.module:Class or file.py:Class")
    settings: tuple[tuple[str, Any], ...] = param((), "its parameters, as pairs")
    seed: int = param(1, "random_state, where the class has one and none is set", low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        label, known = self.estimator.rpartition(":")[2], self._maker().parameters()
        for key in dict(self.settings):
            if key not in known:
                raise MethodError(f"{label}: unknown parameter {key!r}; {nearest(key, known)}")
        settings = tuple((key, read_setting(value, known[key])) for key, value in self.settings)
        object.__setattr__(self, "settings", settings)

    @property
    def label(self) -> str:
        """The class name with the parameters that are set: ``LogisticRegression(C=0.1)``."""
        return label_of(self.estimator, dict(self.settings), self.seed)

    def identity(self) -> dict[str, Any]:
        """Return what decides the results: class, parameters, seed, and the version of the code behind it."""
        place, _, attribute = self.estimator.rpartition(":")
        short = place.rpartition("/")[2] if place.endswith(".py") else place
        params = {"estimator": f"{short}:{attribute}", "settings": dict(self.settings), "seed": self.seed}
        versions = versions_of(self.estimator)
        made = self._maker().told(dict(self.settings))
        return {"method": self.name, "version": self.version, "params": params, "versions": versions} | made

    def fit(self, train: Dataset) -> SklearnModel:
        """Fit on all rows and features of `train`.

        Parameters
        ----------
        train : Dataset

        Returns
        -------
        SklearnModel

        Raises
        ------
        MethodError
            A parameter has a value that the classifier refuses, or it fails.
        NotApplicable
            Values that the classifier says it does not take: missing ones, negative ones.
        """
        with blamed(f"{self.label}:"):
            model = self._maker().make(dict(self.settings), self.seed)
            takes_missing, positive = allows_nan(model), only_positive(model)
        matrix = design_matrix(train, self.label, takes_missing)
        if positive and (matrix < 0).any():
            raise NotApplicable(f"{self.label} does not take negative values", train.name)
        with blamed(f"{self.label}:"):
            try:
                model.fit(matrix, train.y)
            except ValueError as error:
                if isinstance(error, TypeError):  # as scikit-learn's own check of parameters raises it
                    raise MethodError(f"{self.label}: {error}") from error
                raise
        return SklearnModel(model, self.label, train.n_classes, takes_missing)

    def _maker(self) -> Maker:
        return Maker(registry.load_class("classifier", self.estimator), self.estimator)


@dataclass(frozen=True, eq=False)
class SklearnModel(Model):
    """A fitted classifier of scikit-learn.

    Parameters
    ----------
    model : object
        With ``predict`` and perhaps ``predict_proba``.
    label : str
        For error messages.
    n_classes : int
        Declared classes.
    takes_missing : bool
    """

    model: Any
    label: str
    n_classes: int
    takes_missing: bool

    def predict_proba(self, test: Dataset) -> FloatArray:
        """Return the class probabilities of each row; 1 for the predicted class if the classifier gives none.

        Parameters
        ----------
        test : Dataset

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            0 for a class that did not occur in training.
        """
        out = np.zeros((test.n_rows, self.n_classes))
        if not test.n_rows:
            return out
        if hasattr(self.model, "predict_proba"):
            matrix = design_matrix(test, self.label, self.takes_missing)
            out[:, self._columns()] = self.model.predict_proba(matrix)
        else:
            out[np.arange(test.n_rows), self.predict(test)] = 1.0
        return out

    def predict(self, test: Dataset) -> IntArray:
        """Return the class of each row, as the classifier itself decides; shape (n_rows,)."""
        if not test.n_rows:
            return np.empty(0, dtype=np.int64)
        matrix = design_matrix(test, self.label, self.takes_missing)
        given = self.model.predict(matrix)
        try:
            found: IntArray = np.asarray(given)
        except ValueError:  # lists of unequal lengths
            return given  # type: ignore[no-any-return]
        odd = found.dtype.kind not in "biuf" or bool(((found != np.rint(found)) | np.isinf(found)).any())
        return found if odd else found.astype(np.int64)  # what are no classes is refused later: a cast would hide it

    def _columns(self) -> IntArray:
        """Return the classes that the columns of the probabilities stand for."""
        classes = np.asarray(getattr(self.model, "classes_", None))
        if classes.ndim != 1 or not np.isin(classes, np.arange(self.n_classes)).all():
            raise MethodError(
                f"{self.label}: classes_ must be those of y, within 0 to {self.n_classes - 1}, "
                f"found {show(classes.tolist())}"
            )
        return classes.astype(np.int64)


def design_matrix(data: Dataset, label: str, takes_missing: bool) -> FloatArray:
    """Return the features as columns of numbers: nominal ones as one column of 0 and 1 for each declared label.

    Parameters
    ----------
    data : Dataset
    label : str
        Name of the method, for the error message.
    takes_missing : bool
        Whether missing values may stand in the matrix, as NaN in all columns of the feature.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)

    Raises
    ------
    NotApplicable
        There are missing values, and they may not.
    """
    gaps = np.isnan(data.X)
    if not takes_missing and gaps.any():
        column = data.features[int(np.argmax(gaps.any(axis=0)))].name
        raise NotApplicable(f"{label} does not take missing values, found some in column {column!r}", data.name)
    parts = []
    for j, feature in enumerate(data.features):
        column_values = data.X[:, j : j + 1]
        if feature.is_nominal:
            ones = (column_values == np.arange(feature.n_labels)).astype(np.float64)
            parts.append(np.where(gaps[:, j : j + 1], np.nan, ones))
        else:
            parts.append(column_values)
    return np.hstack(parts)
