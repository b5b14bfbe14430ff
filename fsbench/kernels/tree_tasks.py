"""The trees that grow together: one a task, which is a ranking and how many of its first features may be used.

Tasks are numbered ranking by ranking, the prefixes of each ascending. At a node, the tasks that hold its rows ask for
features together; each chooses by itself, for ties go to the first feature of its own ranking.
"""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_choose import choose
from fsbench.kernels.tree_evaluate import CELL, LANE
from fsbench.kernels.tree_table import Number, i64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["PREFIX", "RANKING", "ask", "choose_each", "note_dead", "revive"]

RANKING, PREFIX = range(2)  # of a task


@jit_bare
def ask(
    mine: IntArray,
    tasks: IntArray,
    ranks: IntArray,
    plan: IntArray,
    seen: IntArray,
    stamp: int,
    dead: BoolArray,
    asked: IntArray,
    wanted: IntArray,
) -> tuple[Number, Number]:
    """List the features that some tasks may use, each once, without those that cannot split any more.

    Parameters
    ----------
    mine : ndarray of int64
        The tasks, ascending.
    tasks : ndarray of shape (n_tasks, 2)
        RANKING and PREFIX of every task.
    ranks : ndarray of shape (n_rankings, n_features)
        Lines of the plan, best first.
    plan : ndarray of shape (n_features, 10)
        See `fsbench.kernels.tree_evaluate`.
    seen : ndarray of int64 of shape (n_features,), changed
        Work space; no entry is `stamp`.
    stamp : int
    dead : ndarray of bool of shape (n_features,)
        Which features cannot split these rows or any part of them.
    asked : ndarray of int64, filled
        Lines of the plan.
    wanted : ndarray of int64, filled
        CELL of those that are nominal.

    Returns
    -------
    n_asked, n_wanted : int
    """
    n_asked, n_wanted, j = i64(0), i64(0), i64(0)
    while j < mine.size:
        ranking, longest = tasks[mine[j], RANKING], i64(0)
        while j < mine.size and tasks[mine[j], RANKING] == ranking:
            longest = tasks[mine[j], PREFIX]
            j += 1
        for i in range(longest):
            u = ranks[ranking, i]
            if seen[u] == stamp or dead[u]:
                continue
            seen[u] = stamp
            asked[n_asked] = u
            n_asked += 1
            if plan[u, LANE] == 0:
                wanted[n_wanted] = plan[u, CELL]
                n_wanted += 1
    return n_asked, n_wanted


@jit_bare
def choose_each(
    gain: FloatArray,
    ratio: FloatArray,
    many: BoolArray,
    mine: IntArray,
    tasks: IntArray,
    ranks: IntArray,
    prefixes: IntArray,
    pick: IntArray,
) -> None:
    """Choose the splitting feature of each task.

    Parameters
    ----------
    gain, ratio, many : ndarray of shape (n_features,)
        Of each line of the plan, see `choose`.
    mine, tasks, ranks
        As in `ask`.
    prefixes : ndarray of int64 of shape (n_tasks,)
        Work space.
    pick : ndarray of int64, filled
        Line of the plan of the chosen feature, -1 for none.
    """
    j = i64(0)
    while j < mine.size:
        ranking, first = tasks[mine[j], RANKING], j
        while j < mine.size and tasks[mine[j], RANKING] == ranking:
            prefixes[j - first] = tasks[mine[j], PREFIX]
            j += 1
        choose(gain, ratio, many, ranks[ranking], prefixes[: j - first], pick[first:])


@jit_inline
def note_dead(asked: IntArray, dead: BoolArray, graves: IntArray, top: int) -> Number:
    """Push the features that were found dead at a node on a stack; return its new top."""
    for i in range(asked.size):
        if dead[asked[i]]:
            graves[top] = asked[i]
            top += 1
    return top


@jit_inline
def revive(dead: BoolArray, graves: IntArray, low: int, high: int) -> None:
    """Take back what was noted at a node that is done: the stack from `low` to before `high`."""
    for i in range(low, high):
        dead[graves[i]] = False
