"""What reports and figures read of a multi-label run."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fsbench.experiment.label_store import open_store
from fsbench.report.label_results import TITLES, LabelMethod, LabelResults
from fsbench.report.results import load
from tests.report.label_runs import LABELLED, make_labelled
from tests.report.runs import make_run


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return make_labelled(tmp_path_factory.mktemp("labelled"))


@pytest.fixture(scope="module")
def labelled(place) -> LabelResults:
    found = load(place).labelled
    assert found is not None
    return found


def test_methods_and_setups(labelled):
    assert labelled.setups == {"first": ["one", "gone"], "second": ["one", "two"]}
    assert [m.title for m in labelled.methods] == ["baseline", "RF-BR", "IG-BR"]
    assert labelled.methods[1] == LabelMethod("B", "RF-BR", "threshold", 0.01)


def test_cells_are_means_of_the_stored_folds(labelled, place):
    measures = open_store(place).measures()
    part = measures[(measures.dataset == "one") & (measures.ranker == "RF-BR")]
    for measure in TITLES:
        found = labelled.scores("one", labelled.methods[1], measure)
        assert found.values.tolist() == part[measure].tolist()
        assert found.mean == pytest.approx(np.mean(part[measure]))
        assert found.sd == pytest.approx(np.std(part[measure]))  # of the population
    assert found.n_train.tolist() == [40, 40, 40]


def test_what_has_no_value_says_why(labelled):
    ig = labelled.methods[2]
    empty = labelled.scores("two", ig, "accuracy")
    assert (empty.status, empty.word, empty.mean) == ("empty", "-", None)
    assert "keeps no feature" in empty.reason
    assert labelled.scores("gone", ig, "accuracy").word == "missing"
    assert labelled.scores("one", LabelMethod("B", "x", "first", 1.0), "accuracy").status == "absent"


def test_summary_has_a_row_for_each_cell(labelled):
    frame = labelled.summary
    assert len(frame) == 4 * 3 * len(TITLES)
    cell = frame[(frame.setup == "second") & (frame.dataset == "two") & (frame.measure == "f_micro")]
    assert cell["method"].tolist() == ["baseline", "RF-BR", "IG-BR"]
    base = cell.iloc[0]
    assert (base["share"], base["n_folds"], len(base["values"])) == (1.0, 3, 3)
    assert base["mean"] == np.mean(base["values"])
    assert pd.isna(cell.iloc[2]["mean"])
    assert pd.isna(cell.iloc[2]["share"])
    assert frame["title"].nunique() == len(TITLES)


def test_single_folds_with_their_shares(labelled):
    frame = labelled.per_fold
    part = frame[(frame.dataset == "one") & (frame.method == "RF-BR") & (frame.setup == "first")]
    wide = part.pivot(index="fold", columns="measure", values="value")
    shares = part[part.measure == "accuracy"].set_index("fold")["share"]
    assert np.allclose(1 - wide["reduction"] / 100, shares)
    assert set(frame[frame.dataset == "gone"].index) == set()


def test_folds_without_a_feature_are_left_out_and_counted(tmp_path):
    # One fold of three has a score of this.
    text = LABELLED.replace("0.01", "0.02")
    labelled = load(make_labelled(tmp_path, text)).labelled
    statuses = {labelled.scores("two", m, "accuracy").reason: m for m in labelled.methods}
    reason = next(r for r in statuses if "left out" in r)
    scores = labelled.scores("two", statuses[reason], "accuracy")
    assert scores.ok
    assert reason == f"{3 - len(scores.values)} of 3 folds keep no feature and are left out"


def test_several_selections_have_titles_of_their_own(tmp_path):
    text = LABELLED.replace("{threshold: 0.01}", "{threshold: 0.01}, {first: 2}, {share: 0.5}")
    titles = [m.title for m in load(make_labelled(tmp_path, text)).labelled.methods]
    assert titles[:4] == ["baseline", "RF-BR >= 0.01", "RF-BR first 2", "RF-BR share 0.5"]


def test_other_experiments_have_none(tmp_path):
    assert load(make_run(tmp_path)).labelled is None
