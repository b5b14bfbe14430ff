"""Data of published examples; where they come from is in SOURCES.md."""

import numpy as np

# Demsar (2006), Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets (see SOURCES.md on `voting`).
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
DEMSAR_RANKS = (3.143, 2.000, 2.893, 1.964)

# Hollander and Wolfe (1999), Table 3.1, in the examples of R's wilcox.test: depression before and after therapy.
DEPRESSION = (
    np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]),
    np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]),
)

# Stata's manual, [R] signrank, example 1: miles per gallon of 12 cars without and with an additive.
FUEL = (
    np.array([20, 23, 21, 25, 18, 17, 18, 24, 20, 24, 23, 19], dtype=float),
    np.array([24, 25, 21, 22, 23, 18, 17, 28, 24, 27, 21, 23], dtype=float),
)

# Hollander and Wolfe (1973), in the examples of R's friedman.test: rounding first base, 22 players, 3 methods.
ROUNDING = np.fromstring(
    """
    5.40 5.50 5.55  5.85 5.70 5.75  5.20 5.60 5.50  5.55 5.50 5.40  5.90 5.85 5.70  5.45 5.55 5.60
    5.40 5.40 5.35  5.45 5.50 5.35  5.25 5.15 5.00  5.85 5.80 5.70  5.25 5.20 5.10  5.65 5.55 5.45
    5.60 5.35 5.45  5.05 5.00 4.95  5.50 5.50 5.40  5.45 5.55 5.50  5.55 5.55 5.35  5.45 5.50 5.55
    5.50 5.45 5.25  5.65 5.60 5.40  5.70 5.65 5.55  6.30 6.30 6.25
    """,
    sep=" ",
).reshape(22, 3)
