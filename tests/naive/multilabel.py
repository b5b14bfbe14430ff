"""Multi-label measures row by row and pair by pair, as their definitions read."""

from __future__ import annotations


def ratio(part: float, whole: float, zero: float) -> float:
    return part / whole if whole else zero


def rows_measures(Y: list[list[int]], Z: list[list[int]]) -> dict[str, float]:
    """Hamming loss, subset accuracy, F, accuracy of rows, with 1 where both sides are empty."""
    sums = dict.fromkeys(("hamming_loss", "subset_accuracy", "f_example", "accuracy"), 0.0)
    for y, z in zip(Y, Z, strict=True):
        a, b = {i for i, v in enumerate(y) if v}, {i for i, v in enumerate(z) if v}
        sums["hamming_loss"] += len(a ^ b) / len(y)
        sums["subset_accuracy"] += a == b
        sums["f_example"] += ratio(2 * len(a & b), len(a) + len(b), 1.0)
        sums["accuracy"] += ratio(len(a & b), len(a | b), 1.0)
    return {name: total / len(Y) for name, total in sums.items()}


def mulan_fold(rows: list[int], folds: int, next_int) -> list[list[int]]:
    """Mulan's folds: a shuffle from the end, then blocks of consecutive rows, the first ones longer by one."""
    rows = list(rows)
    for j in range(len(rows) - 1, 0, -1):
        other = next_int(j + 1)
        rows[j], rows[other] = rows[other], rows[j]
    blocks, start = [], 0
    for f in range(folds):
        size = len(rows) // folds + (f < len(rows) % folds)
        blocks.append(rows[start : start + size])
        start += size
    return blocks
