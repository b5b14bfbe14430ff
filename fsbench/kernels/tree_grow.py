"""C4.5 trees for many prefixes of a feature ranking at once. Complete data only.

A node is a set of rows together with the prefixes whose trees hold that set. Its features are evaluated once; the
prefixes are grouped by the feature they choose, and each group goes on with that feature's children. A fit is the
case of one prefix, a learning curve that of all. A stack of frames takes the place of recursion: trees may be
as deep as the data have rows.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.tree_choose import choose, group
from fsbench.kernels.tree_evaluate import CELL, FEATURE, LABELS, LANE, MANY, evaluate
from fsbench.kernels.tree_open import K_LEAF, K_RESULT, K_ROWS, cut_code_at, fill_pool, open_split
from fsbench.kernels.tree_prune import KEEP, LEAF, decide
from fsbench.kernels.tree_refill import add_split, refill
from fsbench.kernels.tree_table import COUNT, ERRORS, Int32Array, UIntArray, i64, make_leaf
from fsbench.values import FloatArray, IntArray

__all__ = ["grow"]

# A frame of the stack. Where its rows stand in the pool; its leaf; its prefixes; where its results go; its groups and
# the one at work; of that one the block of rows, the children, the next of them and where its rows begin; and the
# tops of the other stacks to go back to.
STAGE, BLOCK, STRIDE, BEGIN, NUMBER, AS_LEAF, PREFIX, PREFIXES, RESULT, GROUP, GROUPS, NOW = range(12)
G_BLOCK, G_STRIDE, G_BEGIN, KID, N_KIDS, NEXT, PLACE, POOL_TOP, RESULT_TOP, PREFIX_TOP = range(12, 22)
FIELDS = 22
ENTER, OPEN, DESCEND = 0, 1, 2

# The record of a group: its feature's rank position, the rows left of the cut, its prefixes, the
# test code, and whether these are all prefixes of the node.
G_FEATURE, G_LEFT, G_PREFIX, G_SIZE, G_TEST, G_WHOLE = range(6)


@jit
def grow(
    packed: UIntArray,
    plan: IntArray,
    values: FloatArray,
    reach: Int32Array,
    ends: Int32Array,
    cell: Int32Array,
    column_codes: Int32Array,
    row_codes: Int32Array,
    y: Int32Array,
    train: IntArray,
    prefixes: IntArray,
    L: IntArray,
    base: FloatArray,
    n_cells: int,
    n_classes: int,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[int, int, float, bool, bool],
    capacity: int,
) -> tuple[IntArray, Int32Array, Int32Array]:
    """Grow and prune the tree of each prefix.

    Parameters
    ----------
    packed : ndarray of uint64 of shape (n_numeric, n_rows)
        All rows sorted by a numeric feature: code, row and class in one number.
    plan : ndarray of shape (n_features, 10)
        The features in rank order, see `fsbench.kernels.tree_evaluate`.
    values, reach, ends : ndarray
        Of each distinct value of the numeric features: the value, the first code to be cut apart from it, and the
        number of rows up to it.
    cell : ndarray of shape (n_rows, n_nominal)
        The counter of each row for each nominal feature.
    column_codes, row_codes : ndarray of shape (n_features, n_rows) and (n_rows, n_features)
        Codes of all rows.
    y : ndarray of int32
        Classes of all rows; those of test rows are not looked at.
    train : ndarray of int64
        The training rows, each once.
    prefixes : ndarray of int64
        Ascending; the last one is the number of features in the plan.
    L, base
        Entropy table; estimates of errors in leaves without errors.
    n_cells, n_classes : int
    layout : tuple
        Row shift, code shift, class mask, row mask of packed elements.
    unit : float
        What one bit is worth in `L`.
    min_leaf : int
        Least weight of two branches.
    pruning : tuple
        Whether to collapse, and whether to prune.
    options : tuple
        Row shift, class mask, z, whether branches are raised, whether the test may stop early.
    capacity : int
        How many nodes and slots to make room for.

    Returns
    -------
    roots : ndarray of int64 of shape (n_prefixes,)
        Root of each tree; the first is -1 if there was not room enough.
    nodes : ndarray of shape (n_nodes, 9 + n_classes)
        See `fsbench.kernels.tree_table`.
    slots : ndarray of int32
        Children.
    """
    n, n_features, n_prefixes, z = train.size, plan.shape[0], prefixes.size, options[2]
    collapse, prune = pruning
    inside = np.zeros(y.size, np.int32)
    for i in range(n):
        inside[train[i]] = 1
    lanes = 1
    asked, n_asked, longest, labels = np.empty(n_features, np.int64), 0, 2, 0
    many = np.empty(n_features, np.bool_)
    for u in range(n_features):
        many[u] = plan[u, MANY] != 0
        if plan[u, LANE] > 0:
            lanes += 1
        else:
            asked[n_asked] = plan[u, CELL]
            n_asked += 1
            longest = max(longest, plan[u, LABELS])
            labels += plan[u, LABELS]
    # A block is pushed for a group with at most half of its node's prefixes, so they nest log2(prefixes) deep.
    levels = 1
    while (1 << levels) <= n_prefixes:
        levels += 1
    pool = np.empty(levels * lanes * n + 1, np.uint64)
    fill_pool(pool, packed, plan, y, train, inside, layout)

    nodes = np.empty((capacity, COUNT + n_classes), np.int32)
    estimate, slots, mark = np.empty(capacity), np.empty(capacity, np.int32), np.empty(capacity, np.int32)
    tops = np.zeros(2, np.int64)
    # On a path every level takes rows away, a nominal feature splits but once, and every group but one of a node
    # takes a prefix away: this bounds the stacks. Memory that is never touched costs nothing.
    deep = n + 3
    frames = np.empty((deep, FIELDS), np.int64)
    groups = np.empty((deep + n_prefixes, 6), np.int64)
    kids = np.empty((labels + 2 * deep, 3), np.int64)
    member = np.empty((2, (min(deep, n_prefixes) + 3) * n_prefixes), np.int64)
    results = np.empty((deep * n_prefixes, 2), np.int32)
    refill_stack, refill_kids = np.empty((deep, 6), np.int64), np.empty(labels + 2 * deep, np.int32)
    pad, trail, sums = np.empty((n + 2, n_classes + 2), np.int32), np.empty((deep, 2), np.int32), np.empty(deep)
    gain, ratio, cut = np.empty(n_features), np.empty(n_features), np.empty(n_features, np.int64)
    pick, size, feature = np.empty(n_prefixes, np.int64), np.empty(n_prefixes, np.int64), np.empty(n_prefixes, np.int64)
    step, sides = np.empty(n + 1, np.int64), np.empty(n + 2, np.int64)
    small, crossed = np.empty(n_classes, np.int64), np.empty(2 * n_classes, np.uint64)
    starts, cursor = np.empty(longest, np.int64), np.empty(longest, np.uint64)
    chosen, cells = np.empty(longest, np.int32), np.zeros(n_cells, np.int32)
    spare, hold = np.empty(n + 1, np.uint64), np.empty(n + 1, np.uint64)
    side = np.empty(y.size, np.int32)
    failed = np.full(n_prefixes, -1, np.int64)
    least = 2 * min_leaf

    # Node 0 is the empty leaf, node 1 the whole training part.
    nodes[:2, COUNT:] = 0
    for i in range(n):
        nodes[1, COUNT + i64(y[train[i]])] += 1
    make_leaf(nodes, estimate, 0, z, base)
    make_leaf(nodes, estimate, 1, z, base)
    tops[0] = 2
    member[0, :n_prefixes] = prefixes
    if n < least or nodes[1, ERRORS] == 0:
        return np.ones(n_prefixes, np.int64), nodes[:2].copy(), slots[:0].copy()

    frames[0, STAGE], frames[0, BLOCK], frames[0, STRIDE], frames[0, BEGIN] = ENTER, 0, n, 0
    frames[0, NUMBER], frames[0, AS_LEAF], frames[0, RESULT] = n, 1, 0
    frames[0, PREFIX], frames[0, PREFIXES] = 0, n_prefixes
    depth, group_top, kid_top, pool_top = 0, 0, 0, lanes * n
    member_top, result_top = n_prefixes, n_prefixes
    while depth >= 0:
        f = frames[depth]
        if f[STAGE] == ENTER:
            first, many_prefixes = f[PREFIX], f[PREFIXES]
            mine = member[0, first : first + many_prefixes]
            place = (f[BLOCK], f[STRIDE], f[BEGIN], f[NUMBER])
            evaluate(
                pool,
                place,
                mine[many_prefixes - 1],
                plan,
                asked,
                nodes[f[AS_LEAF], COUNT:],
                cell,
                cells,
                reach,
                L,
                step,
                sides,
                small,
                crossed,
                layout,
                unit,
                min_leaf,
                gain,
                ratio,
                cut,
            )
            choose(gain, ratio, many, mine, pick)
            picked = pick[:many_prefixes]
            f[PREFIX_TOP] = member_top
            count = group(picked, feature, size, member[1, member_top:])
            for j in range(many_prefixes):
                if pick[j] < 0:
                    results[f[RESULT] + j, 0] = f[AS_LEAF]
                    results[f[RESULT] + j, 1] = nodes[f[AS_LEAF], ERRORS]
            f[GROUP], f[GROUPS], f[NOW], f[STAGE] = group_top, count, 0, OPEN
            for g in range(count):
                u = feature[g]
                record = groups[group_top]
                record[G_FEATURE], record[G_LEFT], record[G_TEST] = u, 0, -1
                if plan[u, LANE] > 0:
                    record[G_LEFT] = cut[u]
                    record[G_TEST] = cut_code_at(pool, packed, plan[u], values, ends, inside, place, cut[u], layout)
                record[G_PREFIX], record[G_SIZE] = member_top, size[g]
                record[G_WHOLE] = size[g] == many_prefixes
                group_top += 1
                if record[G_WHOLE]:
                    record[G_PREFIX] = first
                    continue
                for j in range(member_top, member_top + size[g]):
                    member[0, j] = mine[member[1, j]]
                member_top += size[g]
        elif f[STAGE] == OPEN:
            if f[NOW] == f[GROUPS]:
                group_top, member_top = f[GROUP], f[PREFIX_TOP]
                depth -= 1
                continue
            record = groups[f[GROUP] + f[NOW]]
            u, last = record[G_FEATURE], f[NOW] == f[GROUPS] - 1
            needed = 1
            for v in range(member[0, record[G_PREFIX] + record[G_SIZE] - 1]):
                needed += plan[v, LANE] > 0
            f[POOL_TOP], f[RESULT_TOP], f[KID] = pool_top, result_top, kid_top
            f[N_KIDS] = plan[u, LABELS] if plan[u, LANE] == 0 else 2
            if last:
                f[G_BLOCK], f[G_STRIDE], f[G_BEGIN] = f[BLOCK], f[STRIDE], f[BEGIN]
            else:
                f[G_BLOCK], f[G_STRIDE], f[G_BEGIN] = pool_top, f[NUMBER], 0
                pool_top += needed * f[NUMBER]
            mine_kids = kids[kid_top : kid_top + f[N_KIDS]]
            going = open_split(
                pool,
                spare,
                side,
                column_codes[plan[u, FEATURE]],
                nodes,
                estimate,
                tops,
                mine_kids,
                starts,
                cursor,
                (f[BLOCK], f[STRIDE], f[BEGIN], f[NUMBER]),
                (f[G_BLOCK], f[G_STRIDE], f[G_BEGIN]),
                (plan[u, LANE], record[G_LEFT], needed, f[N_KIDS]),
                least,
                layout,
                z,
                base,
            )
            if going < 0:
                return failed, nodes[:0], slots[:0]
            kid_top += f[N_KIDS]
            for b in range(f[N_KIDS]):
                if mine_kids[b, K_RESULT] == 0:
                    mine_kids[b, K_RESULT] = result_top
                    result_top += record[G_SIZE]
            f[STAGE], f[NEXT], f[PLACE] = DESCEND, 0, f[G_BEGIN]
        else:
            record = groups[f[GROUP] + f[NOW]]
            mine_kids = kids[f[KID] : f[KID] + f[N_KIDS]]
            b = f[NEXT]
            while b < f[N_KIDS] and mine_kids[b, K_RESULT] < 0:
                f[PLACE] += mine_kids[b, K_ROWS]
                b += 1
            if b < f[N_KIDS]:
                depth += 1
                kid = frames[depth]
                kid[STAGE], kid[BLOCK], kid[STRIDE], kid[BEGIN] = ENTER, f[G_BLOCK], f[G_STRIDE], f[PLACE]
                kid[NUMBER], kid[AS_LEAF], kid[RESULT] = (
                    mine_kids[b, K_ROWS],
                    mine_kids[b, K_LEAF],
                    mine_kids[b, K_RESULT],
                )
                kid[PREFIX], kid[PREFIXES] = record[G_PREFIX], record[G_SIZE]
                f[NEXT] = b + 1
                f[PLACE] += mine_kids[b, K_ROWS]
                continue
            # All children are done: what becomes of the node, prefix by prefix.
            leaf = f[AS_LEAF]
            result, previous = i64(-1), -1
            begin = f[G_BLOCK] + f[G_BEGIN]
            rows = pool[begin : begin + f[NUMBER]]
            for j in range(record[G_SIZE]):
                raw, same = i64(0), previous >= 0
                for b in range(f[N_KIDS]):
                    at = mine_kids[b, K_RESULT]
                    if at < 0:
                        chosen[b] = mine_kids[b, K_LEAF]
                        raw += nodes[chosen[b], ERRORS]
                        continue
                    chosen[b] = results[at + j, 0]
                    raw += results[at + j, 1]
                    if same and results[at + previous, 0] != chosen[b]:
                        same = False
                target = f[RESULT] + (j if record[G_WHOLE] else member[1, record[G_PREFIX] + j])
                results[target, 1] = raw
                if collapse and raw >= nodes[leaf, ERRORS]:
                    results[target, 0] = leaf
                    continue
                if not same:
                    decision, subtree = KEEP, i64(0)
                    if prune:
                        decision, subtree = decide(
                            nodes,
                            estimate,
                            slots,
                            mark,
                            pad,
                            trail,
                            sums,
                            rows,
                            row_codes,
                            chosen,
                            f[N_KIDS],
                            estimate[leaf],
                            options,
                            base,
                        )
                    if decision == LEAF:
                        result = leaf
                    elif decision == KEEP:
                        column = plan[record[G_FEATURE], FEATURE]
                        result = add_split(
                            nodes, estimate, slots, mark, tops, column, record[G_TEST], chosen, f[N_KIDS]
                        )
                    else:
                        hold[: rows.size] = rows
                        result = refill(
                            nodes,
                            estimate,
                            slots,
                            mark,
                            tops,
                            pad,
                            trail,
                            sums,
                            hold[: rows.size],
                            spare,
                            row_codes,
                            refill_stack,
                            refill_kids,
                            subtree,
                            options,
                            base,
                        )
                    if result < 0:
                        return failed, nodes[:0], slots[:0]
                previous = j
                results[target, 0] = result
            pool_top, result_top, kid_top = f[POOL_TOP], f[RESULT_TOP], f[KID]
            f[NOW] += 1
            f[STAGE] = OPEN
    roots = results[:n_prefixes, 0].astype(np.int64)
    return roots, nodes[: tops[0]].copy(), slots[: tops[1]].copy()
