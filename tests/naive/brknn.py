"""BRkNN row by row and label by label, with confidences in floating point as they are defined."""

from __future__ import annotations

import math


def neighbours(train, test, nominal, k):
    """Squared Euclidean distances in plain loops; every row that ties with the k-th is kept."""
    scaled_train, scaled_test = [list(r) for r in train], [list(r) for r in test]
    for j, is_label in enumerate(nominal):
        if is_label:
            continue
        known = [r[j] for r in train if r[j] == r[j]]
        low, high = (min(known), max(known)) if known else (0.0, 0.0)
        for rows in (scaled_train, scaled_test):
            for r in rows:
                if r[j] == r[j]:
                    r[j] = (r[j] - low) / (high - low) if high > low else 0.0
    found = []
    for a in scaled_test:
        distances = []
        for b in scaled_train:
            total = 0.0
            for x, y, is_label in zip(a, b, nominal, strict=True):
                missing = (x != x) + (y != y)
                if is_label:
                    d = 1.0 if missing or x != y else 0.0
                elif missing == 2:
                    d = 1.0
                elif missing:
                    v = y if x != x else x
                    d = max(v, 1.0 - v)
                else:
                    d = x - y
                total += d * d
            distances.append(total)
        limit = sorted(distances)[k - 1]
        found.append([j for j, d in enumerate(distances) if d <= limit])
    return found


def mulan_b(label_rows, n_train, next_int):
    """Mulan's BRkNN-b of one row: `label_rows` are the label lists of its neighbours; None where Mulan fails."""
    q = len(label_rows[0])
    conf, total, votes = [1.0 / n_train] * q, q / n_train, 0.0
    for row in label_rows:
        for i, v in enumerate(row):
            if v:
                conf[i] += 1.0
                votes += 1.0
        total += 1.0
    mean = votes / total
    s = math.floor(mean) + (1 if mean - math.floor(mean) >= 0.5 else 0)
    conf = [c / total for c in conf]
    if s == 0 or s >= q:
        return None
    order = sorted(range(q), key=lambda i: conf[i])
    border = conf[order[q - s]]
    chosen, tied = [], []
    for position in range(q - 1, 0, -1):
        label = order[position]
        if conf[label] > border:
            chosen.append(label)
        elif conf[label] == border:
            tied.append(label)
    while len(chosen) < s:
        label = tied[next_int(len(tied))]
        if label not in chosen:
            chosen.append(label)
    return sorted(chosen)
