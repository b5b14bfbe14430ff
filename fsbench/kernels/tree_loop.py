"""The loop that grows C4.5 trees for many prefixes of feature rankings at once. Complete data only."""

from __future__ import annotations

from typing import Any

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_choose import group
from fsbench.kernels.tree_evaluate import FEATURE, LABELS, LANE, evaluate
from fsbench.kernels.tree_open import K_LEAF, K_RESULT, K_ROWS, cut_code_at, fill_pool, open_split
from fsbench.kernels.tree_plan import fill_plan
from fsbench.kernels.tree_prune import KEEP, LEAF, decide
from fsbench.kernels.tree_refill import add_split, refill
from fsbench.kernels.tree_table import (
    COUNT,
    ERRORS,
    i64,
    make_leaf,
    u64,
)
from fsbench.kernels.tree_tasks import ask, choose_each, note_dead, revive

__all__ = ["grow_all"]

# A frame of the stack. Where its rows stand in the pool; its leaf; its tasks; where its results go; its groups and
# the one at work; of that one the block of rows, the children, the next of them and where its rows begin; and the
# tops of the other stacks to go back to.
(
    STAGE,
    BLOCK,
    STRIDE,
    BEGIN,
    NUMBER,
    AS_LEAF,
    TASK,
    TASKS,
    RESULT,
    GROUP,
    GROUPS,
    NOW,
) = range(12)
(
    G_BLOCK,
    G_STRIDE,
    G_BEGIN,
    KID,
    N_KIDS,
    NEXT,
    PLACE,
    POOL_TOP,
    RESULT_TOP,
    TASK_TOP,
    GRAVES,
) = range(12, 23)
ENTER, OPEN, DESCEND = 0, 1, 2

# The record of a group: its feature's rank position, the rows left of the cut, its tasks, the
# test code, and whether these are all tasks of the node.
G_FEATURE, G_LEFT, G_TASK, G_SIZE, G_TEST, G_WHOLE = range(6)


@jit_bare
def grow_all(
    data: tuple[Any, ...],
    table: tuple[Any, ...],
    space: tuple[Any, ...],
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[int, int, float, bool, bool],
) -> bool:
    """Grow and prune the tree of each task; the roots are left in the first `results`.

    Parameters
    ----------
    data, table, space
        The fields of `Data`, `Table` and `Space` (see `fsbench.kernels.tree_space`) as plain tuples.
    layout, unit, min_leaf, pruning, options
        As in `fsbench.kernels.tree_grow.grow`.

    Returns
    -------
    bool
        False if the table is full.
    """
    packed, features, values, reach, ends, cell, column_codes, row_codes = data[:8]
    y, L, rise, base, plan, order, train, tasks, ranks = data[8:]
    nodes, estimate, slots, mark, tops = table
    inside, many, pool, frames, groups, kids, member, results = space[:8]
    refill_stack, refill_kids, pad, trail, sums = space[8:13]
    gain, ratio, cut, pick, size, feature = space[13:19]
    seen, dead, graves, asked, wanted, chosen_from, met, going_at = space[19:27]
    step, sides, small, crossed, starts, cursor, chosen, cells, spare, hold = space[27:]
    n, n_tasks, z = train.size, tasks.shape[0], options[2]
    collapse, prune = pruning
    least, stamp, dead_top, n_asked, n_wanted = 2 * min_leaf, i64(0), i64(0), i64(0), i64(0)

    lanes = fill_plan(features, order, n, plan, many) + 1
    for u in range(order.size):
        seen[u], dead[u] = 0, False
    for r in range(y.size):
        inside[r] = 0
    for i in range(n):
        inside[train[i]] = 1
    fill_pool(pool, packed, plan, y, train, inside, layout)
    tops[1] = 0
    # Node 0 is the empty leaf, node 1 the whole training part.
    root, empty = i64(1), i64(0)
    for c in range(COUNT, nodes.shape[1]):
        nodes[empty, c], nodes[root, c] = 0, 0
    for i in range(n):
        nodes[root, COUNT + i64(y[train[i]])] += 1
    make_leaf(nodes, estimate, empty, z, base)
    make_leaf(nodes, estimate, root, z, base)
    tops[0] = 2
    for j in range(n_tasks):
        member[0, j] = j
    if n < least or nodes[root, ERRORS] == 0:
        for j in range(n_tasks):
            results[j, 0] = root
        return True

    frames[0, STAGE], frames[0, BLOCK], frames[0, STRIDE], frames[0, BEGIN] = (
        ENTER,
        0,
        n,
        0,
    )
    frames[0, NUMBER], frames[0, AS_LEAF], frames[0, RESULT] = n, root, 0
    frames[0, TASK], frames[0, TASKS] = 0, n_tasks
    depth, group_top, kid_top, pool_top = i64(0), i64(0), i64(0), lanes * n
    member_top, result_top = i64(n_tasks), i64(n_tasks)
    while depth >= 0:
        f = frames[depth]
        if f[STAGE] == ENTER:
            first, n_mine = f[TASK], f[TASKS]
            mine = member[0, first : first + n_mine]
            place = (f[BLOCK], f[STRIDE], f[BEGIN], f[NUMBER])
            stamp += 1
            n_asked, n_wanted = ask(mine, tasks, ranks, plan, seen, stamp, dead, asked, wanted)
            evaluate(
                pool,
                place,
                asked[:n_asked],
                wanted[:n_wanted],
                plan,
                nodes[f[AS_LEAF], COUNT:],
                cell,
                cells,
                reach,
                L,
                rise,
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
                dead,
            )
            f[GRAVES] = dead_top
            dead_top = note_dead(asked[:n_asked], dead, graves, dead_top)
            choose_each(gain, ratio, many, mine, tasks, ranks, chosen_from, pick)
            picked = pick[:n_mine]
            f[TASK_TOP] = member_top
            count = group(picked, feature, size, member[1, member_top:])
            for j in range(n_mine):
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
                    record[G_TEST] = cut_code_at(
                        pool,
                        packed,
                        plan[u],
                        values,
                        ends,
                        inside,
                        place,
                        cut[u],
                        layout,
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
            u, last = record[G_FEATURE], f[NOW] == f[GROUPS] - 1
            if not record[G_WHOLE]:
                # Fewer features than the node was evaluated for; else what was asked there has not changed.
                stamp += 1
                mine = member[0, record[G_TASK] : record[G_TASK] + record[G_SIZE]]
                n_asked, n_wanted = ask(mine, tasks, ranks, plan, seen, stamp, dead, asked, wanted)
            f[POOL_TOP], f[RESULT_TOP], f[KID] = pool_top, result_top, kid_top
            f[N_KIDS] = plan[u, LABELS] if plan[u, LANE] == 0 else i64(2)
            if last:
                f[G_BLOCK], f[G_STRIDE], f[G_BEGIN] = f[BLOCK], f[STRIDE], f[BEGIN]
            else:
                f[G_BLOCK], f[G_STRIDE], f[G_BEGIN] = pool_top, f[NUMBER], i64(0)
                pool_top += lanes * f[NUMBER]
            mine_kids = kids[kid_top : kid_top + f[N_KIDS]]
            going = open_split(
                pool,
                spare,
                plan,
                asked[:n_asked],
                dead,
                column_codes[plan[u, FEATURE]],
                nodes,
                estimate,
                tops,
                mine_kids,
                starts,
                cursor,
                (f[BLOCK], f[STRIDE], f[BEGIN], f[NUMBER]),
                (f[G_BLOCK], f[G_STRIDE], f[G_BEGIN]),
                (plan[u, LANE], record[G_LEFT], f[N_KIDS], max(record[G_TEST], 0), f[AS_LEAF]),
                least,
                layout,
                z,
                base,
            )
            if going < 0:
                return False
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
                kid[STAGE], kid[BLOCK], kid[STRIDE], kid[BEGIN] = (
                    ENTER,
                    f[G_BLOCK],
                    f[G_STRIDE],
                    f[PLACE],
                )
                kid[NUMBER], kid[AS_LEAF], kid[RESULT] = (
                    mine_kids[b, K_ROWS],
                    mine_kids[b, K_LEAF],
                    mine_kids[b, K_RESULT],
                )
                kid[TASK], kid[TASKS] = record[G_TASK], record[G_SIZE]
                f[NEXT] = b + 1
                f[PLACE] += mine_kids[b, K_ROWS]
                continue
            # All children are done: what becomes of the node, task by task.
            leaf = f[AS_LEAF]
            n_met, n_going = i64(0), u64(0)
            for b in range(f[N_KIDS]):
                if mine_kids[b, K_RESULT] >= 0:
                    going_at[n_going] = mine_kids[b, K_RESULT]
                    n_going += u64(1)
            begin = f[G_BLOCK] + f[G_BEGIN]
            rows = pool[begin : begin + f[NUMBER]]
            for j in range(record[G_SIZE]):
                raw, result = i64(0), i64(-1)
                for b in range(f[N_KIDS]):
                    at = mine_kids[b, K_RESULT]
                    if at < 0:
                        chosen[b] = mine_kids[b, K_LEAF]
                        raw += nodes[chosen[b], ERRORS]
                        continue
                    chosen[b] = results[at + j, 0]
                    raw += results[at + j, 1]
                target = f[RESULT] + (j if record[G_WHOLE] else member[1, record[G_TASK] + j])
                results[target, 1] = raw
                if collapse and raw >= nodes[leaf, ERRORS]:
                    results[target, 0] = leaf
                    continue
                # What was made of the same children before is made of them again; the latest are the likeliest.
                t = n_met - 1
                while t >= 0 and result < 0:
                    same, b, other = True, u64(0), u64(met[t, 0])
                    while same and b < n_going:
                        at = u64(going_at[b])
                        same = results[at + other, 0] == results[at + u64(j), 0]
                        b += u64(1)
                    if same:
                        result = met[t, 1]
                    t -= 1
                if result < 0:
                    decision, subtree = i64(KEEP), i64(0)
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
                            nodes,
                            estimate,
                            slots,
                            mark,
                            tops,
                            column,
                            record[G_TEST],
                            chosen,
                            f[N_KIDS],
                        )
                    else:
                        for i in range(rows.size):
                            hold[i] = rows[i]
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
                        return False
                    met[n_met, 0], met[n_met, 1] = j, result
                    n_met += 1
                results[target, 0] = result
            pool_top, result_top, kid_top = f[POOL_TOP], f[RESULT_TOP], f[KID]
            f[NOW] += 1
            f[STAGE] = OPEN
    return True
