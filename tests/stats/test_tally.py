"""Counts of verdicts."""

from fsbench.stats import Tally


def test_counts_every_verdict() -> None:
    tally = Tally.of(["better"] * 12 + ["equal"] * 41 + ["worse"])
    assert (tally.better, tally.equal, tally.worse, tally.omitted, tally.total) == (12, 41, 1, 0, 54)
    assert str(tally) == "12/41/1"


def test_omitted_are_said() -> None:
    assert str(Tally.of(["omitted", "equal"])) == "0/1/0 (1 omitted)"
    assert Tally.of([]) == Tally()
