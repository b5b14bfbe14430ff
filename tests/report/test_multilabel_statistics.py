"""Multi-label methods over data sets: the printed means of the paper against scipy, and the rules of direction."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES
from fsbench.report.label_results import TITLES
from fsbench.report.table import Table
from fsbench.report.tables import build
from tests.report.test_multilabel import NAMES, sample

LOSS, ACCURACY = TITLES["hamming_loss"], TITLES["accuracy"]


@pytest.fixture(scope="module")
def found():
    return sample(tests={"test": "corrected-t", "level": 0.05, "correction": "holm", "rope": 0.01})


@pytest.fixture(scope="module")
def tables(found) -> dict[str, Table]:
    return {t.key: t for t in build(found)}


def rows_of(table: Table, measure: str) -> list[dict]:
    keys = [c.key for c in table.columns]
    rows = [dict(zip(keys, row.cells, strict=True)) for row in table.rows]
    return [row for row in rows if row["measure"].value == measure]


def values(found, measure: str) -> np.ndarray:
    """Data sets by methods; NaN for an empty selection."""
    labelled = found.labelled
    scores = [[labelled.scores(d, m, measure).mean for m in labelled.methods] for d in NAMES]
    return np.array(scores, dtype=np.float64)


@pytest.mark.parametrize("measure", ["hamming_loss", "accuracy", "f_micro"])
def test_friedman_equals_scipy(found, tables, measure: str) -> None:
    (row,) = rows_of(tables["friedman"], TITLES[measure])
    # An empty selection is worse than any value.
    filled = values(found, measure)
    filled[np.isnan(filled)] = 9.0 if measure == "hamming_loss" else -9.0
    expected = scipy.stats.friedmanchisquare(*filled.T)
    assert row["chi_squared"].value == pytest.approx(expected.statistic)
    assert row["chi_p"].value == pytest.approx(expected.pvalue)
    assert (row["datasets"].value, row["methods"].value) == (10, 5)
    # Demsar, Table 5 a: 2.728 for five methods.
    assert row["cd"].value == pytest.approx(2.728 * np.sqrt(5 * 6 / 60), abs=1e-3)


def test_every_measure_has_its_rows(tables) -> None:
    assert [r.cells[2].value for r in tables["friedman"].rows] == [TITLES[m] for m in (*MEASURES, *RANKING_MEASURES)]
    assert len(tables["pairs"].rows) == 10 * len((*MEASURES, *RANKING_MEASURES))
    assert tables["pairs"].detail


@pytest.mark.parametrize("measure", ["hamming_loss", "accuracy"])
def test_pairs_equal_scipy_and_count_what_is_better(found, tables, measure: str) -> None:
    row = rows_of(tables["pairs"], TITLES[measure])[0]
    assert (row["first"].value, row["second"].value) == ("baseline", "RF-BR")
    first, second = values(found, measure)[:, :2].T
    both = ~(np.isnan(first) | np.isnan(second))
    gain = (first - second)[both] * (-1 if measure == "hamming_loss" else 1)
    assert row["datasets"].value == both.sum()
    wins, losses = int((gain > 1e-9).sum()), int((gain < -1e-9).sum())
    assert row["wdl"].value == f"{wins}/{both.sum() - wins - losses}/{losses}"
    exact = scipy.stats.wilcoxon(
        np.round(gain, 10), zero_method="pratt", method=scipy.stats.PermutationMethod(n_resamples=2**12)
    )
    assert row["wilcoxon_p"].value == pytest.approx(exact.pvalue, rel=1e-9)
    assert np.sign(row["shift"].value) == np.sign(row["r"].value)
    assert row["shift"].value == pytest.approx(
        100 * np.median([(a + b) / 2 for i, a in enumerate(gain) for b in gain[i:]])
    )


def test_holm_is_applied_over_the_methods_of_a_measure() -> None:
    plain = sample(tests={"test": "paired-t", "level": 0.3, "correction": "none"})
    holm = sample(tests={"test": "paired-t", "level": 0.3, "correction": "holm"})
    counts = [{t.key: t for t in build(r)}["counts"] for r in (plain, holm)]
    decided = [
        sum(int(part) for row in t.rows for c in row.cells[1:] for part in c.value.split(" ")[0].split("/")[::2])
        for t in counts
    ]
    assert decided[1] < decided[0]
    assert "Holm" in counts[1].notes[0]
    assert "Holm" not in counts[0].notes[0]


def test_few_data_sets_omit_the_tests_with_the_reason() -> None:
    few = {t.key: t for t in build(sample(names=NAMES[:2]))}
    reasons = " ".join(few["pairs"].notes)
    assert "2 data sets: at 5 % the test needs 6 or more" in reasons
    assert "missing: gone" in reasons


def test_one_method_has_no_such_tables() -> None:
    alone = sample(selections=[{"selection": "all", "k": None}], rankers=[])
    assert not {"friedman", "pairs"} & {t.key for t in build(alone)}
