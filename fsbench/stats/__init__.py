"""Statistical tests, corrections and intervals."""

from fsbench.stats.paired import TESTS, PairedTest, TestName, Verdict, compare, corrected_t, paired_t
from fsbench.stats.tally import Tally

__all__ = ["TESTS", "PairedTest", "Tally", "TestName", "Verdict", "compare", "corrected_t", "paired_t"]
