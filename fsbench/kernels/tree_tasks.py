"""The trees that grow together: one a task, which is a ranking and how many of its first features may be used.

Tasks are numbered ranking by ranking, the prefixes of each ascending. At a node, the tasks that hold its rows ask for
features together; each chooses by itself, for ties go to the first feature of its own ranking.
"""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_choose import choose
from fsbench.kernels.tree_evaluate import CELL, LANE
from fsbench.kernels.tree_table import Number, i64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["PREFIX", "RANKING", "ask", "choose_each"]

RANKING, PREFIX = range(2)  # of a task


@jit_bare
def ask(
    mine: IntArray,
    tasks: IntArray,
    ranks: IntArray,
    plan: IntArray,
    seen: IntArray,
    stamp: int,
    asked: IntArray,
    wanted: IntArray,
) -> tuple[Number, Number]:
    """List the features that some tasks may use, each once.

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
            if seen[u] == stamp:
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
    line: FloatArray,
    line_many: BoolArray,
    line_prefix: IntArray,
    pick: IntArray,
) -> None:
    """Choose the splitting feature of each task.

    Parameters
    ----------
    gain, ratio, many : ndarray of shape (n_features,)
        Of each line of the plan, see `choose`.
    mine, tasks, ranks
        As in `ask`.
    line, line_many, line_prefix : ndarray of shape (2, n_features), (n_features,) and (n_tasks,)
        Work space: what `choose` is given, in the order of a ranking.
    pick : ndarray of int64, filled
        Line of the plan of the chosen feature, -1 for none.
    """
    j = i64(0)
    while j < mine.size:
        ranking, first = tasks[mine[j], RANKING], j
        while j < mine.size and tasks[mine[j], RANKING] == ranking:
            line_prefix[j - first] = tasks[mine[j], PREFIX]
            j += 1
        for i in range(line_prefix[j - first - 1]):
            u = ranks[ranking, i]
            line[0, i], line[1, i], line_many[i] = gain[u], ratio[u], many[u]
        choose(line[0], line[1], line_many, line_prefix[: j - first], pick[first:])
        for t in range(first, j):
            if pick[t] >= 0:
                pick[t] = ranks[ranking, pick[t]]
