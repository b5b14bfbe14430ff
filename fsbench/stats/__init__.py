"""Statistical tests, corrections and intervals."""

from fsbench.stats.adjust import CORRECTIONS, Correction, adjust, holm
from fsbench.stats.bayes import Posterior, correlated_t, signed_rank
from fsbench.stats.intervals import Interval, cohen_d, mean_interval, shift_interval
from fsbench.stats.paired import TESTS, PairedTest, TestName, Verdict, compare, corrected_t, paired_t
from fsbench.stats.ranks import (
    AgainstControl,
    RankTest,
    against_control,
    average_ranks,
    cliques,
    critical_difference,
    friedman,
    nemenyi,
)
from fsbench.stats.signed import SignedTest, sign_test, wilcoxon
from fsbench.stats.tally import Tally

__all__ = [
    "CORRECTIONS",
    "TESTS",
    "AgainstControl",
    "Correction",
    "Interval",
    "PairedTest",
    "Posterior",
    "RankTest",
    "SignedTest",
    "Tally",
    "TestName",
    "Verdict",
    "adjust",
    "against_control",
    "average_ranks",
    "cliques",
    "cohen_d",
    "compare",
    "corrected_t",
    "correlated_t",
    "critical_difference",
    "friedman",
    "holm",
    "mean_interval",
    "nemenyi",
    "paired_t",
    "shift_interval",
    "sign_test",
    "signed_rank",
    "wilcoxon",
]
