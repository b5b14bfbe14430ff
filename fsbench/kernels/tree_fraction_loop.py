"""The loop that grows C4.5 trees for many prefixes of feature rankings at once, where values are missing."""

from __future__ import annotations

from typing import Any

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_choose import group
from fsbench.kernels.tree_evaluate import FEATURE, LABELS, LANE, PACKED, VALUES, VALUES_END
from fsbench.kernels.tree_fraction_lists import copy_lists, fill_lists
from fsbench.kernels.tree_fraction_prune import decide_fractions, refill_fractions
from fsbench.kernels.tree_fraction_rows import part, spread
from fsbench.kernels.tree_fraction_scan import evaluate_fractions
from fsbench.kernels.tree_fractions import ESTIMATE, FUZZ, TOTAL, WEIGHT, WRONG, add_leaf, add_node
from fsbench.kernels.tree_open import cut_code
from fsbench.kernels.tree_plan import fill_plan
from fsbench.kernels.tree_prune import KEEP, LEAF
from fsbench.kernels.tree_table import i64, u64
from fsbench.kernels.tree_tasks import ask, choose_each, note_dead, revive

__all__ = ["grow_all_fractions"]

# A frame: see `fsbench.kernels.tree_loop`. HEAVY: the child that comes last. ROW_TOP: end of the arena before the
# children got their stretches. GRAVES: top of the stack of dead features before the node.
(
    STAGE,
    BLOCK,
    STRIDE,
    WHOLE,
    BEGIN,
    NUMBER,
    AS_LEAF,
    TASK,
    TASKS,
    RESULT,
    GROUP,
    GROUPS,
    NOW,
) = range(13)
MISSING, KID, N_KIDS, NEXT, HEAVY, POOL_TOP, RESULT_TOP, TASK_TOP, ROW_TOP, GRAVES = range(13, 23)
ENTER, OPEN, DESCEND = 0, 1, 2
G_FEATURE, G_TEST, G_TASK, G_SIZE, G_WHOLE = range(5)
K_LEAF, K_RESULT = range(2)


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
    """Grow and prune the tree of each task; the roots are left in the first `results`.

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
    packed, features, values, reach, ends, cell, column_codes, y = data[:8]
    L, rise, table, plan, order, train, tasks, ranks = data[8:]
    nodes, facts, slots, bags, tops = store
    pool, lengths, rows, weights, weight, inside, keep, frames, groups, kids, begins, numbers, labels, cursor = space[
        :14
    ]
    branch, member, results, raws, refill_frames, refill_kids, refill_branch, stack = space[14:22]
    share, sums, cells, spread_cells, spare, many, gain, ratio, cut, pick, size = space[22:33]
    feature, seen, dead, graves, asked, wanted, chosen_from, met, going_at = space[33:42]
    step, sides, counts, small, crossed, known, label_bags, chosen = space[42:]
    n, n_tasks, n_classes = train.size, tasks.shape[0], spread_cells.shape[1]
    z, cf = options[0], options[1]
    collapse, prune = pruning
    least, row_top, stamp, dead_top = 2.0 * min_leaf, i64(n), i64(0), i64(0)

    lanes = fill_plan(features, order, n, plan, many)
    for u in range(order.size):
        seen[u], dead[u] = 0, False
    for r in range(y.size):
        inside[r], keep[r] = 0, 0
    # Node 0 is the empty leaf, node 1 the whole training part.
    empty, whole = i64(0), i64(1)
    for c in range(n_classes):
        facts[empty, WEIGHT + c], facts[whole, WEIGHT + c] = 0.0, 0.0
    for i in range(n):
        inside[train[i]] = 1
        rows[i], weights[i] = train[i], 1.0
        facts[whole, WEIGHT + y[train[i]]] += 1.0
    fill_lists(pool, packed, plan, inside, layout, n, ends, lengths[0])
    add_leaf(nodes, facts, empty, z, cf)
    add_leaf(nodes, facts, whole, z, cf)
    tops[0], tops[1] = 2, 0
    if least - n > FUZZ or facts[1, WRONG] < FUZZ:
        for j in range(n_tasks):
            results[j] = whole
        return True
    for j in range(n_tasks):
        member[0, j] = j
    root = frames[0]
    root[STAGE], root[BLOCK], root[STRIDE], root[WHOLE], root[BEGIN], root[NUMBER] = ENTER, 0, n, 1, 0, n
    root[AS_LEAF], root[TASK], root[TASKS], root[RESULT] = 1, 0, n_tasks, 0
    depth, group_top, kid_top, pool_top = i64(0), i64(0), i64(0), lanes * n
    member_top, result_top = i64(n_tasks), i64(n_tasks)
    while depth >= 0:
        f = frames[depth]
        begin, number = f[BEGIN], f[NUMBER]
        if f[STAGE] == ENTER:
            first, n_mine = f[TASK], f[TASKS]
            mine = member[0, first : first + n_mine]
            stamp += 1
            n_asked, n_wanted = ask(mine, tasks, ranks, plan, seen, stamp, dead, asked, wanted)
            evaluate_fractions(
                pool,
                (f[BLOCK], f[STRIDE]),
                lengths[depth],
                rows[begin : begin + number],
                weights[begin : begin + number],
                weight,
                f[WHOLE] != 0,
                asked[:n_asked],
                wanted[:n_wanted],
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
                dead,
            )
            f[GRAVES] = dead_top
            dead_top = note_dead(asked[:n_asked], dead, graves, dead_top)
            choose_each(gain, ratio, many, mine, tasks, ranks, chosen_from, pick)
            f[TASK_TOP] = member_top
            count = group(pick[:n_mine], feature, size, member[1, member_top:])
            for j in range(n_mine):
                if pick[j] < 0:
                    results[f[RESULT] + j], raws[f[RESULT] + j] = f[AS_LEAF], facts[f[AS_LEAF], WRONG]
            f[GROUP], f[GROUPS], f[NOW], f[STAGE] = group_top, count, 0, OPEN
            for g in range(count):
                u = feature[g]
                record = groups[group_top]
                record[G_FEATURE], record[G_TEST] = u, -1
                if plan[u, LANE] > 0:
                    at = f[BLOCK] + (plan[u, LANE] - 1) * f[STRIDE] + cut[u]
                    below, above = i64(pool[at - 1] >> u64(layout[1])), i64(pool[at] >> u64(layout[1]))
                    low, high = plan[u, VALUES], plan[u, VALUES_END]
                    record[G_TEST] = cut_code(
                        packed[plan[u, PACKED]], values[low:high], ends[low:high], inside, below, above, layout
                    )
                record[G_TASK], record[G_SIZE] = member_top, size[g]
                record[G_WHOLE] = size[g] == n_mine
                group_top += 1
                if record[G_WHOLE]:
                    record[G_TASK] = first
                    continue
                for j in range(member_top, member_top + size[g]):
                    member[0, j] = mine[member[1, j]]
                member_top += size[g]
        elif f[STAGE] == OPEN:
            if f[NOW] == f[GROUPS]:
                group_top, member_top = f[GROUP], f[TASK_TOP]
                revive(dead, graves, f[GRAVES], dead_top)
                dead_top = f[GRAVES]
                depth -= 1
                continue
            record = groups[f[GROUP] + f[NOW]]
            u = record[G_FEATURE]
            n_kids = plan[u, LABELS] if plan[u, LANE] == 0 else i64(2)
            f[POOL_TOP], f[RESULT_TOP], f[KID], f[N_KIDS], f[ROW_TOP] = pool_top, result_top, kid_top, n_kids, row_top
            if tops[0] + n_kids + 1 >= nodes.shape[0]:
                return False
            codes = column_codes[plan[u, FEATURE]]
            f[MISSING] = spread(
                rows,
                weights,
                begin,
                number,
                y,
                codes,
                record[G_TEST],
                n_kids,
                spread_cells,
                spare[0, :n_classes],
                branch[0, kid_top:],
                branch[1, kid_top:],
                numbers[kid_top:],
                labels,
            )
            f[HEAVY] = -1
            for b in range(n_kids):
                k = kid_top + b
                kids[k, K_LEAF], kids[k, K_RESULT], begins[k] = 0, -1, -1
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
                kids[k, K_RESULT], begins[k] = result_top, 0
                result_top += record[G_SIZE]
                if f[HEAVY] < 0 or branch[0, k] >= branch[0, kid_top + f[HEAVY]]:
                    f[HEAVY] = b
            if f[HEAVY] >= 0:
                row_top = part(
                    rows,
                    weights,
                    begin,
                    number,
                    labels,
                    n_kids,
                    branch[1, kid_top:],
                    begins[kid_top:],
                    numbers[kid_top:],
                    cursor,
                    row_top,
                )
                if row_top < 0:
                    return False
            kid_top += n_kids
            f[STAGE], f[NEXT] = DESCEND, 0
        else:
            record = groups[f[GROUP] + f[NOW]]
            u, n_kids, low = record[G_FEATURE], f[N_KIDS], f[KID]
            pool_top = f[POOL_TOP]
            b = f[NEXT]
            while b < n_kids and (kids[low + b, K_RESULT] < 0 or b == f[HEAVY]):
                b += 1
            f[NEXT] = b + 1
            heavy = b == n_kids and f[HEAVY] >= 0
            if heavy:
                b = f[HEAVY]
            if b < n_kids:
                at, front = begins[low + b], numbers[low + b]
                target, stride = f[BLOCK], f[STRIDE]
                if lanes > 0:
                    if not heavy or f[NOW] < f[GROUPS] - 1:
                        # One place more a list, for the last row that is written is not always kept.
                        target, stride = pool_top, front + 1
                        pool_top += lanes * stride
                    if pool_top >= pool.size:
                        return False
                    stamp += 1
                    mine = member[0, record[G_TASK] : record[G_TASK] + record[G_SIZE]]
                    n_asked, n_wanted = ask(mine, tasks, ranks, plan, seen, stamp, dead, asked, wanted)
                    copy_lists(
                        pool,
                        (f[BLOCK], f[STRIDE]),
                        (target, stride),
                        plan,
                        asked[:n_asked],
                        lengths[depth],
                        lengths[depth + 1],
                        rows[at : at + front],
                        keep,
                        layout,
                    )
                depth += 1
                kid = frames[depth]
                kid[STAGE], kid[BLOCK], kid[STRIDE] = ENTER, target, stride
                kid[WHOLE], kid[BEGIN], kid[NUMBER] = f[WHOLE] != 0 and f[MISSING] == 0, at, front
                kid[AS_LEAF], kid[RESULT] = kids[low + b, K_LEAF], kids[low + b, K_RESULT]
                kid[TASK], kid[TASKS] = record[G_TASK], record[G_SIZE]
                continue
            leaf = f[AS_LEAF]
            n_met, n_going = i64(0), u64(0)
            for b in range(n_kids):
                if kids[low + b, K_RESULT] >= 0:
                    going_at[n_going] = kids[low + b, K_RESULT]
                    n_going += u64(1)
            row_top = f[ROW_TOP]
            for j in range(record[G_SIZE]):
                raw, result = 0.0, i64(-1)
                for b in range(n_kids):
                    at = kids[low + b, K_RESULT]
                    if at < 0:
                        chosen[b] = kids[low + b, K_LEAF]
                        raw += facts[chosen[b], WRONG]
                        continue
                    chosen[b] = results[at + j]
                    raw += raws[at + j]
                goal = f[RESULT] + (j if record[G_WHOLE] else member[1, record[G_TASK] + j])
                raws[goal] = raw
                if collapse and raw >= facts[leaf, WRONG] - 1e-3:
                    results[goal] = leaf
                    continue
                # What was made of the same children before is made of them again; the latest are the likeliest.
                t = n_met - 1
                while t >= 0 and result < 0:
                    same, b, other = True, u64(0), u64(met[t, 0])
                    while same and b < n_going:
                        at = u64(going_at[b])
                        same = results[at + other] == results[at + u64(j)]
                        b += u64(1)
                    if same:
                        result = met[t, 1]
                    t -= 1
                if result < 0:
                    decision, subtree = i64(KEEP), i64(0)
                    if prune:
                        decision, subtree = decide_fractions(
                            nodes,
                            facts,
                            slots,
                            rows,
                            weights,
                            begin,
                            number,
                            row_top,
                            y,
                            column_codes,
                            stack,
                            share,
                            begins[kid_top:],
                            numbers[kid_top:],
                            sums,
                            spread_cells,
                            spare,
                            labels,
                            cursor,
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
                            plan[u, FEATURE],
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
                            rows,
                            weights,
                            begin,
                            number,
                            row_top,
                            y,
                            column_codes,
                            refill_frames,
                            refill_kids,
                            refill_branch,
                            stack,
                            share,
                            begins[kid_top:],
                            numbers[kid_top:],
                            sums,
                            spread_cells,
                            spare,
                            labels,
                            cursor,
                            subtree,
                            options,
                        )
                    if decision < 0 or result < 0:
                        return False
                    met[n_met, 0], met[n_met, 1] = j, result
                    n_met += 1
                results[goal] = result
            pool_top, result_top, kid_top = f[POOL_TOP], f[RESULT_TOP], f[KID]
            f[NOW] += 1
            f[STAGE] = OPEN
    return True
