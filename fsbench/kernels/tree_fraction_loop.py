"""The loop that grows C4.5 trees for many prefixes of a feature ranking at once, where values are missing."""

from __future__ import annotations

from typing import Any

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_choose import choose, group
from fsbench.kernels.tree_evaluate import LABELS, LANE, PACKED, VALUES, VALUES_END
from fsbench.kernels.tree_fraction_lists import copy_lists, fill_cells, fill_lists, fill_training
from fsbench.kernels.tree_fraction_prune import decide_fractions, refill_fractions
from fsbench.kernels.tree_fraction_rows import put_back, spread, take_branch
from fsbench.kernels.tree_fraction_scan import evaluate_fractions
from fsbench.kernels.tree_fractions import ESTIMATE, FUZZ, TOTAL, WEIGHT, WRONG, add_leaf, add_node
from fsbench.kernels.tree_open import cut_code
from fsbench.kernels.tree_plan import fill_plan
from fsbench.kernels.tree_prune import KEEP, LEAF
from fsbench.kernels.tree_table import i64, u64

__all__ = ["grow_all_fractions"]

# A frame: see `fsbench.kernels.tree_grow`. HEAVY: the child that comes last. UNDO: top of the stack of old weights
# before a child was entered.
(
    STAGE,
    BLOCK,
    STRIDE,
    WHOLE,
    NUMBER,
    AS_LEAF,
    PREFIX,
    PREFIXES,
    RESULT,
    GROUP,
    GROUPS,
    NOW,
) = range(12)
NEEDED, MISSING, KID, N_KIDS, NEXT, HEAVY, POOL_TOP, RESULT_TOP, PREFIX_TOP, UNDO = range(12, 22)
ENTER, OPEN, DESCEND = 0, 1, 2
G_FEATURE, G_TEST, G_PREFIX, G_SIZE, G_WHOLE = range(5)
K_LEAF, K_ROWS, K_RESULT = range(3)


@jit_bare
def grow_all_fractions(
    data: tuple[Any, ...],
    store: tuple[Any, ...],
    space: tuple[Any, ...],
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[float, float, bool],
) -> bool:
    """Grow and prune the tree of each prefix; the roots are left in the first `results`.

    Parameters
    ----------
    data, store, space
        The fields of `FractionData`, `FractionTable` and `FractionSpace` (see `fsbench.kernels.tree_fraction_space`)
        as plain tuples.
    layout, unit, min_leaf, pruning, options
        As in `fsbench.kernels.tree_fraction_grow.grow_fractions`.

    Returns
    -------
    bool
        False if the table, the pool or a stack is full.
    """
    packed, features, values, reach, ends, column_codes, classes = data[:7]
    L, rise, table, plan, order, train, prefixes = data[7:]
    nodes, facts, slots, bags, tops = store
    columns, y, place, inside, cell, lists = space[0:6]
    pool, lengths, rows, weight, keep, undo_row, undo_weight, frames, groups, kids = space[6:16]
    branch, member, results, raws, refill_frames, refill_kids, refill_branch, stack = space[16:24]
    share, sums, cells, spread_cells, spare, numbers, many, gain, ratio, cut, pick, size = space[24:36]
    feature, step, sides, counts, small, crossed, known, label_bags, chosen = space[36:]
    n, n_prefixes, n_classes = train.size, prefixes.size, spread_cells.shape[1]
    z, cf = options[0], options[1]
    collapse, prune = pruning
    least, undo = 2.0 * min_leaf, i64(0)

    fill_plan(features, order, n, plan, lists, many)
    fill_training(column_codes, classes, order, train, columns, y, place, inside)
    fill_cells(columns, plan, y, n, n_classes, cell)
    fill_lists(pool, packed, plan, place, layout, n, ends, lengths[0])
    lanes = lists[order.size] + 1
    for i in range(n):
        rows[i], weight[i], keep[i] = i, 1.0, 0
    tops[1] = 0
    # Node 0 is the empty leaf, node 1 the whole training part.
    empty, whole = i64(0), i64(1)
    for c in range(n_classes):
        facts[empty, WEIGHT + c], facts[whole, WEIGHT + c] = 0.0, 0.0
    for i in range(n):
        facts[1, WEIGHT + y[i]] += 1.0
    add_leaf(nodes, facts, empty, z, cf)
    add_leaf(nodes, facts, whole, z, cf)
    tops[0] = 2
    if least - n > FUZZ or facts[1, WRONG] < FUZZ:
        for j in range(n_prefixes):
            results[j] = whole
        return True
    for j in range(n_prefixes):
        member[0, j] = prefixes[j]
    root = frames[0]
    root[STAGE], root[BLOCK], root[STRIDE], root[WHOLE], root[NUMBER], root[AS_LEAF] = ENTER, 0, n, 1, n, 1
    root[PREFIX], root[PREFIXES], root[RESULT] = 0, n_prefixes, 0
    depth, group_top, kid_top, pool_top = i64(0), i64(0), i64(0), (lanes - 1) * n
    member_top, result_top = i64(n_prefixes), i64(n_prefixes)
    while depth >= 0:
        f = frames[depth]
        number = f[NUMBER]
        if f[STAGE] == ENTER:
            first, many_prefixes = f[PREFIX], f[PREFIXES]
            mine = member[0, first : first + many_prefixes]
            evaluate_fractions(
                pool,
                (f[BLOCK], f[STRIDE]),
                lengths[depth],
                rows[:number],
                weight,
                f[WHOLE] != 0,
                mine[many_prefixes - 1],
                plan,
                facts[f[AS_LEAF], WEIGHT:],
                cell,
                cells,
                reach,
                L,
                rise,
                table,
                step,
                sides,
                counts,
                small,
                crossed,
                known,
                label_bags,
                layout,
                unit,
                min_leaf,
                gain,
                ratio,
                cut,
            )
            choose(gain, ratio, many, mine, pick)
            f[PREFIX_TOP] = member_top
            count = group(pick[:many_prefixes], feature, size, member[1, member_top:])
            for j in range(many_prefixes):
                if pick[j] < 0:
                    results[f[RESULT] + j], raws[f[RESULT] + j] = (
                        f[AS_LEAF],
                        facts[f[AS_LEAF], WRONG],
                    )
            f[GROUP], f[GROUPS], f[NOW], f[STAGE] = group_top, count, 0, OPEN
            for g in range(count):
                u = feature[g]
                record = groups[group_top]
                record[G_FEATURE], record[G_TEST] = u, -1
                if plan[u, LANE] > 0:
                    at = f[BLOCK] + (plan[u, LANE] - 1) * f[STRIDE] + cut[u]
                    below, above = (
                        i64(pool[at - 1] >> u64(layout[1])),
                        i64(pool[at] >> u64(layout[1])),
                    )
                    low, high = plan[u, VALUES], plan[u, VALUES_END]
                    column = packed[plan[u, PACKED]]
                    record[G_TEST] = cut_code(
                        column,
                        values[low:high],
                        ends[low:high],
                        inside,
                        below,
                        above,
                        layout,
                    )
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
            u = record[G_FEATURE]
            f[NEEDED] = 1
            for v in range(member[0, record[G_PREFIX] + record[G_SIZE] - 1]):
                f[NEEDED] += plan[v, LANE] > 0
            n_kids = plan[u, LABELS] if plan[u, LANE] == 0 else i64(2)
            f[POOL_TOP], f[RESULT_TOP], f[KID], f[N_KIDS] = (
                pool_top,
                result_top,
                kid_top,
                n_kids,
            )
            if tops[0] + n_kids + 1 >= nodes.shape[0]:
                return False
            f[MISSING] = spread(
                rows[:number],
                weight,
                y,
                columns[u],
                record[G_TEST],
                n_kids,
                spread_cells,
                spare[0, :n_classes],
                branch[0, kid_top:],
                branch[1, kid_top:],
                numbers,
            )
            f[HEAVY] = -1
            for b in range(n_kids):
                k = kid_top + b
                kids[k, K_LEAF], kids[k, K_ROWS], kids[k, K_RESULT] = 0, numbers[b], -1
                if branch[0, k] < FUZZ:
                    continue
                leaf = tops[0]
                for c in range(n_classes):
                    facts[leaf, WEIGHT + c] = spread_cells[b, c]
                add_leaf(nodes, facts, leaf, z, cf)
                tops[0] += 1
                kids[k, K_LEAF] = leaf
                if least - facts[leaf, TOTAL] > FUZZ or facts[leaf, WRONG] < FUZZ:
                    continue
                kids[k, K_RESULT] = result_top
                result_top += record[G_SIZE]
                if f[HEAVY] < 0 or branch[0, k] >= branch[0, kid_top + f[HEAVY]]:
                    f[HEAVY] = b
            kid_top += n_kids
            f[STAGE], f[NEXT], f[UNDO] = DESCEND, 0, undo
        else:
            record = groups[f[GROUP] + f[NOW]]
            u, n_kids, low = record[G_FEATURE], f[N_KIDS], f[KID]
            put_back(weight, undo_row, undo_weight, f[UNDO], undo)
            undo, pool_top = f[UNDO], f[POOL_TOP]
            b = f[NEXT]
            while b < n_kids and (kids[low + b, K_RESULT] < 0 or b == f[HEAVY]):
                b += 1
            f[NEXT] = b + 1
            heavy = b == n_kids and f[HEAVY] >= 0
            if heavy:
                b = f[HEAVY]
            if b < n_kids:
                front, undo = take_branch(
                    rows[:number],
                    weight,
                    columns[u],
                    record[G_TEST],
                    b,
                    branch[1, low + b],
                    undo_row,
                    undo_weight,
                    undo,
                )
                target, stride = f[BLOCK], f[STRIDE]
                if not heavy or f[NOW] < f[GROUPS] - 1:
                    target, stride = pool_top, front
                    pool_top += (f[NEEDED] - 1) * front
                if front < 0 or pool_top >= pool.size:
                    return False
                for i in range(front):
                    keep[rows[i]] = 1
                copy_lists(
                    pool,
                    (f[BLOCK], f[STRIDE]),
                    (target, stride),
                    f[NEEDED],
                    lengths[depth],
                    lengths[depth + 1],
                    keep,
                    layout,
                )
                for i in range(front):
                    keep[rows[i]] = 0
                depth += 1
                kid = frames[depth]
                kid[STAGE], kid[BLOCK], kid[STRIDE] = ENTER, target, stride
                kid[WHOLE], kid[NUMBER] = f[WHOLE] != 0 and f[MISSING] == 0, front
                kid[AS_LEAF], kid[RESULT] = (
                    kids[low + b, K_LEAF],
                    kids[low + b, K_RESULT],
                )
                kid[PREFIX], kid[PREFIXES] = record[G_PREFIX], record[G_SIZE]
                continue
            leaf = f[AS_LEAF]
            result, previous = i64(-1), i64(-1)
            for j in range(record[G_SIZE]):
                raw, same = 0.0, previous >= 0
                for b in range(n_kids):
                    at = kids[low + b, K_RESULT]
                    if at < 0:
                        chosen[b] = kids[low + b, K_LEAF]
                        raw += facts[chosen[b], WRONG]
                        continue
                    chosen[b] = results[at + j]
                    raw += raws[at + j]
                    if same and results[at + previous] != chosen[b]:
                        same = False
                goal = f[RESULT] + (j if record[G_WHOLE] else member[1, record[G_PREFIX] + j])
                raws[goal] = raw
                if collapse and raw >= facts[leaf, WRONG] - 1e-3:
                    results[goal] = leaf
                    continue
                if not same:
                    decision, subtree = i64(KEEP), i64(0)
                    if prune:
                        decision, subtree = decide_fractions(
                            nodes,
                            facts,
                            slots,
                            rows[:number],
                            weight,
                            y,
                            columns,
                            stack,
                            share,
                            sums,
                            spread_cells,
                            spare,
                            numbers,
                            undo_row,
                            undo_weight,
                            undo,
                            chosen,
                            branch[0, low:],
                            n_kids,
                            facts[leaf, ESTIMATE],
                            options,
                        )
                    if decision == LEAF:
                        result = leaf
                    elif decision == KEEP:
                        result = add_node(
                            nodes,
                            facts,
                            slots,
                            bags,
                            tops,
                            leaf,
                            u,
                            record[G_TEST],
                            chosen,
                            branch[0, low:],
                            n_kids,
                        )
                    elif decision >= 0:
                        result = refill_fractions(
                            nodes,
                            facts,
                            slots,
                            bags,
                            tops,
                            rows[:number],
                            weight,
                            y,
                            columns,
                            refill_frames,
                            refill_kids,
                            refill_branch,
                            stack,
                            share,
                            sums,
                            spread_cells,
                            spare,
                            numbers,
                            undo_row,
                            undo_weight,
                            undo,
                            subtree,
                            options,
                        )
                    if decision < 0 or result < 0:
                        return False
                previous = j
                results[goal] = result
            pool_top, result_top, kid_top = f[POOL_TOP], f[RESULT_TOP], f[KID]
            f[NOW] += 1
            f[STAGE] = OPEN
    return True
