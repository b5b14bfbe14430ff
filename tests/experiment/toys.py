"""Small methods for the tests of the engine, named in experiment files by this file's path."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np

from fsbench.classifiers import Classifier, Model
from fsbench.errors import NotApplicable
from fsbench.kernels.cache import KERNELS
from fsbench.rankers import Ranker
from fsbench.searches import Search


class Spread(Ranker):
    """Ranks by variance; `power` changes the scores, not the order."""

    power: float = 1.0

    def score(self, train):
        return train.X.var(axis=0) ** self.power


class Recorder(Ranker):
    """Ranks by correlation with the class index; appends the rows and classes it is shown to a file."""

    log: str = ""

    def score(self, train):
        with Path(self.log).open("a") as stream:
            for row, label in zip(train.X, train.y, strict=True):
                stream.write(f"{row.tolist()} {label}\n")
            stream.write("end\n")
        centred = train.X - train.X.mean(axis=0)
        return np.abs(centred.T @ (train.y - train.y.mean()))


class Loads(Recorder):
    """Makes a kernel ready when it is used for the first time."""

    def score(self, train):
        if self not in KERNELS:
            KERNELS.append(self)
        return super().score(train)


class Slow(Ranker):
    """Takes its time, so that a run can be interrupted."""

    seconds: float = 0.1

    def score(self, train):
        time.sleep(self.seconds)
        return train.X.var(axis=0)


class Fragile(Ranker):
    """Fails for as long as a file exists."""

    flag: str = ""

    def score(self, train):
        if Path(self.flag).exists():
            raise ValueError("the file\nis there")
        return train.X.var(axis=0)


class Shapeless(Ranker):
    """Returns something that is not one number a feature."""

    def score(self, train):
        return np.zeros(1)


class LabelsOnly(Ranker):
    """Takes nominal features only."""

    takes_numeric = False

    def score(self, train):
        return np.zeros(train.n_features)


class Declines(Ranker):
    """Does not apply to data with many features."""

    def score(self, train):
        if train.n_features > 3:
            raise NotApplicable("too many features", train.name)
        return np.zeros(train.n_features)


class CentroidModel(Model):
    def __init__(self, centres):
        self.centres = centres

    def predict_proba(self, test):
        distances = ((test.X[:, None, :] - self.centres[None]) ** 2).sum(axis=2)
        return (distances == distances.min(axis=1, keepdims=True)).astype(float)


class Centroid(Classifier):
    """The class of the nearest mean."""

    def fit(self, train):
        centres = [train.X[train.y == c].mean(axis=0) if (train.y == c).any() else np.full(train.n_features, np.inf)
                   for c in range(train.n_classes)]  # fmt: skip
        return CentroidModel(np.array(centres))


class NotWithTwo(Centroid):
    """Fails where a ranking begins with feature 2."""

    def curve(self, data, split, order):
        if order[0] == 2:
            raise RuntimeError("feature 2 first")
        return super().curve(data, split, order)


class WrongLength(Centroid):
    """Predicts too few rows."""

    def evaluate(self, data, split, columns):
        outcome = super().evaluate(data, split, columns)
        return type(outcome)(outcome.predicted[:-1])


class NotAMethod:
    pass


class FailsOnPairs(Centroid):
    """Cannot take exactly two features, for as long as a file exists."""

    flag: str = ""

    def evaluate(self, data, split, columns):
        if len(columns) == 2 and Path(self.flag).exists():
            raise ValueError("two features")
        return super().evaluate(data, split, columns)


class EndsAtOnce(Search):
    """Takes no step where there are fewer than five features."""

    def steps(self, walk):
        while walk.n_features > 4 and not walk.arrived:
            yield walk.best("add")


class Warner(Ranker):
    """Warns twice in each use, once with a number that differs."""

    def score(self, train):
        warnings.warn("this is\nnot good", RuntimeWarning, stacklevel=1)
        warnings.warn(f"{train.X.sum()} is left", UserWarning, stacklevel=1)
        return train.X.var(axis=0)


class Noted(Centroid):
    """Appends the columns of each fit to a file."""

    log: str = ""

    def fit(self, train):
        with Path(self.log).open("a") as stream:
            stream.write(" ".join(feature.name for feature in train.features) + "\n")
        return super().fit(train)


class FailsAtFirst(Ranker):
    """Fails so many times, and then not any more; writes a line at each try."""

    log: str = ""
    times: int = 1

    def score(self, train):
        with Path(self.log).open("a") as stream:
            stream.write("try\n")
        if len(Path(self.log).read_text().splitlines()) <= self.times:
            raise ValueError("not yet")
        return train.X.var(axis=0)
