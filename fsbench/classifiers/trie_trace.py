"""What decides a query to the trie, laid open: the candidates, their criteria, their merits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsbench.intervals import CodeArray
from fsbench.values import FloatArray, IntArray

if TYPE_CHECKING:
    from fsbench.kernels.trie_build import Trie

__all__ = ["Candidate", "Meeting", "Trace", "trace"]


@dataclass(frozen=True)
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
    """

    pattern: tuple[int, ...]
    label: int
    exclusive: int
    strength: int
    frequency: int
    distance: int
    shape: int


@dataclass(frozen=True)
class Meeting:
    """A rival of p+, and the criteria and merits of both beside each other.

    Parameters
    ----------
    rival : Candidate
        p-, or the nearest pattern of one class.
    plus, minus : tuple of float
        The six criteria of p+ and of the rival, each in [0, 1].
    merit_plus, merit_minus : float
        Their weighted sums.
    """

    rival: Candidate
    plus: tuple[float, ...]
    minus: tuple[float, ...]
    merit_plus: float
    merit_minus: float


@dataclass(frozen=True)
class Trace:
    """A query, p+, and its rivals.

    Parameters
    ----------
    query : tuple of int
        Interval numbers; -1 where skipped.
    plus : Candidate
        p+.
    meetings : tuple of Meeting
        One a rival; none if training held one class.
    best : int
        By merit, p+ (0) or the rival of meeting ``best - 1``. It names the class, unless p+ is an exact match and
        those win.
    """

    query: tuple[int, ...]
    plus: Candidate
    meetings: tuple[Meeting, ...]
    best: int

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """p+ and its rivals."""
        return (self.plus, *(m.rival for m in self.meetings))

    @property
    def is_exact(self) -> bool:
        """Whether p+ equals the query."""
        return self.plus.distance == 0

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
        lines = [f"query {_pattern(self.query)}", _candidate("p+", self.plus, labels)]
        for meeting in self.meetings:
            lines.append(_candidate("p-", meeting.rival, labels))
            for name, alpha, merit in (
                ("p+", meeting.plus, meeting.merit_plus),
                ("p-", meeting.minus, meeting.merit_minus),
            ):
                lines.append(f"   {name} criteria {' '.join(f'{a:.4f}' for a in alpha)}  merit {merit:.4f}")
        lines.append(f"by merit: {labels[self.candidates[self.best].label]}")
        return "\n".join(lines)


def _candidate(name: str, c: Candidate, labels: tuple[str, ...]) -> str:
    return (
        f"{name} {_pattern(c.pattern)} {labels[c.label]}: exclusive {c.exclusive}, strength {c.strength}, "
        f"shape {c.shape}, distance {c.distance}, rows {c.frequency}"
    )


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

    def candidate(m: int) -> Candidate:
        node = trie.node[path[m, -1]]
        return Candidate(
            pattern=tuple(int(v) for v in trie.node[path[m, 1:], VALUE]),
            label=int(label[m]),
            exclusive=int(node[EXCLUSIVE]),
            strength=int(node[STRENGTH]),
            frequency=int(node[FREQ]),
            distance=int(distance[m, -1]),
            shape=int(shape[m, -1]),
        )

    rivals = [m for m in range(1, len(label)) if label[m] >= 0]
    meetings = []
    for m in rivals:
        plus, minus = (tuple(float(a) for a in side) for side in alpha[m])
        merits = [sum(float(w) * a for w, a in zip(weights, side, strict=True)) for side in (plus, minus)]
        meetings.append(Meeting(candidate(m), plus, minus, merits[0], merits[1]))
    best = [0, *rivals].index(winner(alpha, label, weights))
    return Trace(tuple(int(v) for v in query), candidate(0), tuple(meetings), best)
