"""What decides a query to the trie, laid open: the candidates, their criteria, their merits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fsbench.intervals import CodeArray
from fsbench.values import FloatArray, IntArray

if TYPE_CHECKING:
    from fsbench.kernels.trie_build import Trie

__all__ = ["Candidate", "Trace", "trace"]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A pattern that the query may be given the class of.

    Parameters
    ----------
    pattern : tuple of int
        Interval numbers.
    label : int
        The class that it stands for.
    exclusive, strength, frequency : int
        Elements that are semi-exclusive, prefixes with one class, rows with the pattern.
    distance, shape : int
        d(px, p) and s(px, p).
    alpha : ndarray of shape (6,)
        The criteria, each in [0, 1].
    merit : float
        Their weighted sum.
    """

    pattern: tuple[int, ...]
    label: int
    exclusive: int
    strength: int
    frequency: int
    distance: int
    shape: int
    alpha: FloatArray
    merit: float


@dataclass(frozen=True, eq=False)
class Trace:
    """A query, its candidates, and which of them has the largest merit.

    Parameters
    ----------
    query : tuple of int
        Interval numbers; -1 where skipped.
    candidates : tuple of Candidate
        p+ first, then its rivals.
    best : int
        The one with the largest merit; 0 if equal. It names the class, unless p+ is an exact match and those win.
    """

    query: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    best: int

    @property
    def is_exact(self) -> bool:
        """Whether p+ equals the query."""
        return self.candidates[0].distance == 0

    def text(self, labels: tuple[str, ...]) -> str:
        """Return the trace as lines.

        Parameters
        ----------
        labels : tuple of str
            Names of the classes.

        Returns
        -------
        str
        """
        lines = [f"query {_pattern(self.query)}"]
        for m, c in enumerate(self.candidates):
            name = "p+" if m == 0 else "p-"
            alpha = " ".join(f"{a:.4f}" for a in c.alpha)
            mark = " <" if m == self.best else ""
            lines.append(
                f"{name} {_pattern(c.pattern)} {labels[c.label]}: exclusive {c.exclusive}, strength {c.strength}, "
                f"shape {c.shape}, distance {c.distance}, rows {c.frequency}\n"
                f"   criteria {alpha}  merit {c.merit:.4f}{mark}"
            )
        return "\n".join(lines)


def _pattern(values: tuple[int, ...]) -> str:
    return "<" + ",".join("?" if v < 0 else str(v) for v in values) + ">"


def trace(
    trie: Trie, query: CodeArray, weights: FloatArray, spans: IntArray, majority: int, n_classes: int, each: bool
) -> Trace:
    """Follow one query.

    Parameters
    ----------
    trie : Trie
        The training patterns.
    query : ndarray of shape (n_features,)
        int32 interval numbers.
    weights : ndarray of shape (6,)
        Weights of the criteria.
    spans : ndarray of shape (2, n_features + 1)
        See `fsbench.kernels.trie_walk.weigh`.
    majority : int
        Most frequent class in training.
    n_classes : int
        Number of declared classes.
    each : bool
        Whether there is a rival of each other class.

    Returns
    -------
    Trace
    """
    from fsbench.kernels.trie_build import EXCLUSIVE, FREQ, STRENGTH, VALUE
    from fsbench.kernels.trie_walk import trace as follow
    from fsbench.kernels.trie_walk import winner

    path, distance, shape, label, alpha = follow(trie, query, each, n_classes, spans, majority)
    shown = np.flatnonzero(label >= 0)
    candidates = tuple(
        Candidate(
            pattern=tuple(int(v) for v in trie.node[path[m, 1:], VALUE]),
            label=int(label[m]),
            exclusive=int(trie.node[path[m, -1], EXCLUSIVE]),
            strength=int(trie.node[path[m, -1], STRENGTH]),
            frequency=int(trie.node[path[m, -1], FREQ]),
            distance=int(distance[m, -1]),
            shape=int(shape[m, -1]),
            alpha=alpha[m],
            merit=float(sum(w * a for w, a in zip(weights, alpha[m], strict=True))),
        )
        for m in shown
    )
    best = int(np.flatnonzero(shown == winner(alpha, label, weights))[0])
    return Trace(tuple(int(v) for v in query), candidates, best)
