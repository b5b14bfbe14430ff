"""The tables of comparisons: numbers of known examples, golden text, gaps, and what the configuration changes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fsbench.report.across import average_ranks, pairs_across
from fsbench.report.figures import build as figures
from fsbench.report.figures.critical_difference import _ranks
from fsbench.report.renderers import FORMATS, render
from fsbench.report.results import Results
from fsbench.report.scores import Way
from fsbench.report.table import Table
from fsbench.report.tables import build
from fsbench.report.versus import adjusted, verdicts
from fsbench.stats import compare
from tests.report.samples import cell, dataset, experiment, methods, results
from tests.report.test_tables import sample
from tests.stats.examples import DEMSAR, DEMSAR_RANKS

FIRST = {"selection": "first", "k": 3, "estimate": "", "folds": None}
WAY = Way("first", k=3)


def demsar(**tests: object) -> Results:
    """Demsar's 14 data sets with four methods: four folds that have the printed mean, and a little noise."""
    names = [f"set{i + 1}" for i in range(len(DEMSAR))]
    labels = ["plain", "m", "cf", "both"]
    rng = np.random.default_rng(0)
    rows = []
    for name, values in zip(names, DEMSAR, strict=True):
        for label, value in zip(labels, values, strict=True):
            step = rng.permutation([-3, -1, 1, 3]) * round(100_000 * min(0.02, 1 - value) / 3)
            correct = [int(c) for c in np.rint(value * 100_000) + step]
            rows += cell(name, "c45", label, "first", correct, n_test=100_000, k=3)
    spec = experiment(
        rankers=[methods("nlc", label) for label in labels],
        classifiers=[methods("c45")],
        selections=[FIRST],
        tests={"test": "corrected-t", "level": 0.05, **tests},
    )
    return results(spec, [dataset(name, rows=400_000) for name in names], rows)


def table_of(found: Results, key: str) -> Table:
    return next(t for t in build(found) if t.key == key)


def column(table: Table, key: str) -> list:
    i = [c.key for c in table.columns].index(key)
    return [row.cells[i].value for row in table.rows]


def test_ranks_of_demsar() -> None:
    table = table_of(demsar(), "ranks-first-3")
    assert column(table, "c45 rank") == pytest.approx(DEMSAR_RANKS, abs=5e-4)
    # His control is the first method: z = 2.342, 0.512, 2.416 (he divides by 0.488), above zero where it is better.
    z = column(table, "c45 z")
    assert z[0] is None
    assert [-v for v in z[1:]] == pytest.approx([2.342, 0.512, 2.416], abs=5e-3)
    assert [p < 0.05 for p in column(table, "c45 p")[1:]] == [True, False, True]
    ranked = [row.cells[2].best for row in table.rows]
    assert ranked == [False, False, False, True]


def test_the_diagram_shows_the_ranks_of_the_table() -> None:
    for found, classifier, way in ((demsar(), "c45", WAY), (small(8, ["a", "b", "c", "d"], fails=("c",)), "nb", WAY)):
        panel, table = _ranks(found, classifier, way), average_ranks(found, classifier, way)
        assert panel.ranks.tolist() == table.ranks.tolist()
        assert panel.distance == table.distance


def test_friedman_of_demsar() -> None:
    table = table_of(demsar(), "friedman")
    assert column(table, "datasets") == [14]
    assert column(table, "methods") == [4]
    assert column(table, "sig") == ["yes"]
    assert column(table, "cd") == [pytest.approx(1.25, abs=0.005)]
    assert (column(table, "df"), column(table, "df1"), column(table, "df2")) == ([3], [3], [39])


def test_pairs_of_demsar() -> None:
    table = table_of(demsar(), "pairs-first-3")
    assert len(table.rows) == 6
    # R+ = 93 for C4.5+m, R- = 12: r = 81 / 105, from the view of the first.
    assert column(table, "r")[0] == pytest.approx(-81 / 105)
    assert column(table, "wdl")[0] == "2/2/10"
    assert table.rows[0].cells[7].marks == ("worse",)


def test_the_level_moves_marks_captions_and_differences() -> None:
    strict = demsar(level=0.001)
    assert average_ranks(strict, "c45", WAY).distance > average_ranks(demsar(), "c45", WAY).distance
    for key in ("ranks-first-3", "friedman", "pairs-first-3", "tests-first-3", "accuracy-first-3", "counts"):
        table = table_of(strict, key)
        text = render(table, "text") + table.tested
        assert ("99.9 %" if key.startswith("tests") else "0.1 %") in text, key
        assert " 5 %" not in text, key
        assert " 95 %" not in text, key
    assert column(table_of(strict, "friedman"), "sig") == ["no"]
    assert all(row.cells[7].marks == ("equal",) for row in table_of(strict, "pairs-first-3").rows)
    low = column(table_of(demsar(), "tests-first-3"), "low")
    assert all(a < b for a, b in zip(column(table_of(strict, "tests-first-3"), "low"), low, strict=True) if b != 0.0)


def test_holm_decides_the_marks_if_asked_for() -> None:
    plain, holm = demsar(correction="none"), demsar(correction="holm")
    p = [pair.signed.p_value for pair in pairs_across(plain, "c45", WAY)]
    assert [row.cells[7].marks == ("equal",) for row in table_of(plain, "pairs-first-3").rows] == [v >= 0.05 for v in p]
    adjusted_p = column(table_of(holm, "pairs-first-3"), "wilcoxon_holm")
    marks = [row.cells[7].marks == ("equal",) for row in table_of(holm, "pairs-first-3").rows]
    assert marks == [v >= 0.05 for v in adjusted_p]
    assert marks != [v >= 0.05 for v in p]
    name = "corrected"
    for key, test in adjusted(holm, WAY, name, "holm").items():
        family = [adjusted(holm, WAY, name, "none")[key[0], "c45", v].p_value for v in ("m", "cf", "both")]
        assert test.p_value >= adjusted(holm, WAY, name, "none")[key].p_value
        assert min(1.0, 3 * min(family)) <= max(1e-300, test.p_value) * (1 + 1e-12)
    changed = [k for k, v in verdicts(plain, WAY, name).items() if verdicts(holm, WAY, name)[k] != v]
    assert changed
    assert all(verdicts(holm, WAY, name)[k] == "equal" for k in changed)
    words = "Holm over the comparisons of each data set and classifier"
    assert words in table_of(holm, "accuracy-first-3").tested
    assert words not in table_of(plain, "accuracy-first-3").tested


def test_results_of_before_corrections_are_not_adjusted() -> None:
    assert demsar().correction == "none"


def test_the_region_of_equivalence_is_the_configured_one() -> None:
    wide = table_of(demsar(rope=0.2), "pairs-first-3")
    assert all(p > 0.99 for p in column(wide, "same"))
    assert "region of practical equivalence of 20 points" in render(wide, "text")
    assert "region of practical equivalence of 1 point." in render(table_of(demsar(), "pairs-first-3"), "text")
    none = table_of(demsar(rope=0), "pairs-first-3")
    assert column(none, "same") == [0.0] * 6


def test_the_reference_is_the_configured_one() -> None:
    found = demsar(reference="both")
    assert [p.first for p in pairs_across(found, "c45", WAY)][:3] == ["both"] * 3
    assert column(table_of(found, "ranks-first-3"), "c45 z")[3] is None
    assert render(table_of(found, "tests-first-3"), "text").startswith("both against each method")


def test_both_tests_are_shown_whatever_is_configured() -> None:
    found = demsar()
    table = table_of(found, "tests-first-3")
    scores = [found.scores("set1", "c45", r, WAY) for r in ("plain", "m")]
    sizes = (scores[0].accuracy, scores[1].accuracy, scores[0].n_train, scores[0].n_test)
    assert column(table, "paired_p")[0] == pytest.approx(compare("paired", *sizes).p_value)
    assert column(table, "corrected_p")[0] == pytest.approx(compare("corrected", *sizes).p_value)
    assert column(table, "corrected_p")[0] > column(table, "paired_p")[0]


RANKS = """\
Average ranks with the best prefix of each ranking by cross-validation inside the training part; \
4-fold cross-validation, stratified, seed 1

           c45                       nb
method     mean (%)   rank  w/d/l    mean (%)   rank  w/d/l
-------    --------  -----  -----    --------  -----  -----
all           81.7   3.00   1/1/0       93.3*  1.50*  0/1/0
nlc           93.3*  1.50*              93.3*  1.50*
relieff       93.3*  1.50*  0/1/0       91.7   3.00   0/1/0

Means, ranks (ties share theirs): over the data sets on which every method of the classifier has a result.
w/d/l: data sets on which nlc is significantly better, not different, worse (marks of the accuracies).
*: the highest mean and the best rank of each classifier, and what equals them as printed.
c45: data sets left out: wave (relieff failed); gone (missing)
Everywhere: not tested: 1 data set: too few for Friedman's test of 3 methods at 5 %
nb: data sets left out: wave (nlc n/a); gone (missing)
wave: generated by Breiman's recipe, seed 1
gone: missing: not found: wave.arff
"""

PAIRS = """\
Pairs of methods over the data sets, with the first 3 features of each ranking; \
4-fold cross-validation, stratified, seed 1

                                           Wilcoxon                      sign test        shift (points)       probability
classifier  first  second   sets  w/d/l          p  Holm  sig.      r          p  Holm     shift  low  high    better  same  worse
----------  -----  -------  ----  -----    -------  ----  ----  -----    -------  ----    ------  ---  ----    ------  ----  -----
c45         nlc    relieff     2  0/0/2    omitted        ?     -1.00    omitted          -11.67                 0.00  0.13   0.87
nb          nlc    relieff     1  1/0/0    omitted        ?      1.00    omitted            6.67

sig.: ◦ the first is better, • worse, · neither (Wilcoxon signed-rank test at 5 %).
r: matched-pairs rank-biserial correlation, from -1 to 1, above 0 where the first is better.
shift: first minus second (Hodges-Lehmann) with its 95 % confidence interval.
probability: Bayesian signed-rank test with a region of practical equivalence of 1 point.
c45: no test: 2 data sets: at 5 % the test needs 6 or more
nb: no test: 1 data set: at 5 % the test needs 6 or more
nb: no test: one data set: a comparison over data sets needs two or more
wave: generated by Breiman's recipe, seed 1
gone: missing: not found: wave.arff
"""  # noqa: E501

TESTS = """\
nlc against each method on each data set, with the best prefix of each ranking by cross-validation inside the training \
part; 4-fold cross-validation, stratified, seed 1

                                 difference (points)              paired t          corrected resampled t    probability
data set  classifier  against       mean    low   high       d         p    Holm         p           Holm    better  same  worse
--------  ----------  -------    -------  -----  -----    ----    ------  ------    ------  -------------    ------  ----  -----
iris      c45         all          11.67   6.36  16.97    3.50    0.0060  0.0120    0.0195         0.0390      0.99  0.00   0.01
iris      c45         relieff       0.00   0.00   0.00    0.00    1.0000  1.0000    1.0000         1.0000      0.00  1.00   0.00
iris      nb          all           0.00   0.00   0.00    0.00    1.0000  1.0000    1.0000         1.0000      0.00  1.00   0.00
iris      nb          relieff       1.67  -8.49  11.82    0.26    0.6376  1.0000    0.7550         1.0000      0.55  0.14   0.31
wave      c45         all           0.00   0.00   0.00    0.00    1.0000  1.0000    1.0000         1.0000      0.00  1.00   0.00
wave      c45         relieff     failed
wave      nb          all            n/a
wave      nb          relieff        n/a
gone      c45         all        missing
gone      c45         relieff    missing
gone      nb          all        missing
gone      nb          relieff    missing

difference: nlc minus the other; low, high: 95 % confidence interval by the paired t.
d: Cohen's d of paired values, mean by standard deviation of the differences on the folds.
Holm: p adjusted over the comparisons of each data set and classifier.
probability: Bayesian correlated t test with a region of practical equivalence of 1 point.
wave c45 relieff: no test: failed cell
wave nb all, wave nb relieff: no test: n/a cell
gone c45 all, gone c45 relieff, gone nb all, gone nb relieff: no test: missing cell
wave: generated by Breiman's recipe, seed 1
gone: missing: not found: wave.arff
"""  # noqa: E501


@pytest.mark.parametrize(
    ("key", "expected"), [("ranks-best-inner_cv", RANKS), ("pairs-first-3", PAIRS), ("tests-best-inner_cv", TESTS)]
)
def test_whole_tables_with_gaps(key: str, expected: str) -> None:
    assert render(table_of(sample(), key), "text") == expected


def small(n_sets: int, labels: list[str], folds: int = 4, fails: tuple[str, ...] = (), **spec: object) -> Results:
    """So many data sets and methods; the methods in `fails` have failed everywhere."""
    rng = np.random.default_rng(n_sets)
    rows = []
    for i in range(n_sets):
        for label in labels:
            correct = [None] * folds if label in fails else [int(c) for c in rng.integers(8, 16, folds)]
            rows += cell(f"set{i}", "nb", label, "first", correct, k=3, reason="ValueError: no")
    made = experiment(
        rankers=[methods("nlc", label) for label in labels],
        classifiers=[methods("nb")],
        selections=[FIRST],
        **spec,
    )
    return results(made, [dataset(f"set{i}") for i in range(n_sets)], rows)


def texts(found: Results) -> dict[str, str]:
    tables = build(found)
    for form in FORMATS:
        for table in tables:
            assert render(table, form)
    return {table.key: render(table, "text") for table in tables}


def test_two_methods_have_pairs_and_no_friedman() -> None:
    found = texts(small(8, ["a", "b"]))
    assert "ranks-first-3" not in found
    assert "nb: not tested: 2 methods: Friedman's test needs three or more" in found["friedman"].replace("first-3 ", "")
    assert "omitted" in found["friedman"]
    assert "omitted" not in found["pairs-first-3"]


def test_one_method_has_nothing_to_be_compared_with() -> None:
    found = texts(small(8, ["a"]))
    assert not {"ranks-first-3", "friedman", "pairs-first-3", "tests-first-3"} & set(found)


def test_one_data_set() -> None:
    found = texts(small(1, ["a", "b", "c"]))
    assert "1 data set: too few for Friedman's test of 3 methods at 5 %" in found["ranks-first-3"]
    assert "1 data set: at 5 % the test needs 6 or more" in found["pairs-first-3"]
    assert "set0      nb          b" in found["tests-first-3"]


def test_one_fold() -> None:
    found = texts(small(8, ["a", "b", "c"], folds=1))
    assert "no test: one fold: a paired test needs two or more" in found["tests-first-3"]
    assert "omitted" in found["tests-first-3"]
    # Over the data sets one fold is as good as many.
    assert "omitted" not in found["friedman"]


def test_a_method_that_failed_everywhere_is_dropped_and_named() -> None:
    found = texts(small(8, ["a", "b", "c", "d"], fails=("c",)))
    assert "nb: c has no result: failed: ValueError: no" in found["ranks-first-3"]
    assert "absent" in found["ranks-first-3"]
    assert "omitted" not in found["friedman"]
    assert "no data sets: at 5 % the test needs 6 or more" in found["pairs-first-3"]


def test_everything_failed() -> None:
    found = texts(small(3, ["a", "b", "c"], fails=("a", "b", "c")))
    assert "no methods: Friedman's test needs three or more" in found["friedman"]


def test_a_hundred_methods() -> None:
    found = small(8, [f"r{i}" for i in range(100)])
    made = texts(found)
    assert len(pairs_across(found, "nb", WAY)) == 99
    assert "Of more than 6 methods only r0 is compared with each." in made["pairs-first-3"]
    assert made["ranks-first-3"].count("\n") > 100
    assert made["accuracy-first-3"].splitlines()[-1] or "r0 w/d/l" in made["accuracy-first-3"]


def test_no_data_set_is_there() -> None:
    spec = experiment(rankers=[methods("nlc"), methods("ig")], classifiers=[methods("nb")], selections=[FIRST])
    made = texts(results(spec, [dataset("gone", missing="no such file")], []))
    assert "gone: missing: no such file" in made["friedman"]


def test_names_are_escaped() -> None:
    odd = "A_1%&<b>"
    for table in build(small(8, [odd, "b", "c"])):
        latex, markdown = render(table, "latex"), render(table, "markdown")
        assert odd not in latex
        assert "<b>" not in markdown


def with_curves(folds: int = 4, estimates: tuple[str, ...] = ("test",)) -> Results:
    """One data set of four features, two rankers, curves and rankings on each fold."""
    spec = experiment(classifiers=[methods("nb")], selections=[FIRST], tests={"test": "paired-t", "level": 0.05})
    curves, rankings = [], []
    shapes = {"nlc": [0.5, 0.8, 0.9, 0.9], "relieff": [0.88, 0.9, 0.7, 0.9]}
    orders = {"nlc": [[0, 1, 2, 3]] * folds, "relieff": [[0, 1, 2, 3], [0, 2, 1, 3]] * (folds // 2) or [[3, 2, 1, 0]]}
    for ranker, shape in shapes.items():
        for fold in range(folds):
            wobble = 0.02 * (-1) ** fold
            for estimate in estimates:
                for k, height in enumerate(shape, start=1):
                    lift = wobble if k < 3 else 0.0
                    row = ("iris", 0, fold, ranker, "nb", estimate, k, 15, 0, height + lift)
                    curves.append(row)
            for rank, feature in enumerate(orders[ranker][fold], start=1):
                rankings.append(("iris", 0, fold, ranker, rank, feature, f"f{feature}", 1.0 / rank, "bits", 0.1))
    curve_names = ("dataset", "repeat", "fold", "ranker", "classifier", "estimate", "k", "n", "n_correct", "accuracy")
    names = ("dataset", "repeat", "fold", "ranker", "rank", "feature_index", "feature", "score", "unit", "seconds")
    rows = [r for m in shapes for r in cell("iris", "nb", m, "first", [12] * folds, k=3)]
    plain = results(spec, [dataset("iris")], rows)
    frames = (pd.DataFrame(rankings, columns=names), pd.DataFrame(curves, columns=curve_names))
    plain._rankings, plain._curves = (lambda: frames[0]), (lambda: frames[1])
    return plain


def test_areas_and_prefixes_by_hand() -> None:
    found = with_curves()
    area = table_of(found, "curve-area")
    # Trapezoids of 50, 80, 90, 90: (65 + 85 + 90) / 3; the wobble of +-2 points cancels over the folds.
    assert [cell.value for cell in area.rows[0].cells[1:]] == pytest.approx([80.0, (89 + 80 + 80) / 3])
    # Its deviation: the wobble moves the first trapezoid by 2 and the second by 1, so the area by 1 point.
    assert area.rows[0].cells[1].sd == pytest.approx(np.std([1, -1, 1, -1], ddof=1))
    prefix = table_of(found, "curve-prefix")
    # nlc: 80 is 10 points below 90 on average, on each fold by 8 or 12: worse; so all three features.
    # relieff: its best is 2 features (first of 90, 90 at 4); 88 is 2 points lower on every fold, so worse.
    assert [cell.value for cell in prefix.rows[0].cells] == ["iris", 4, "3/3", "2/2"]


def test_curves_inside_the_training_parts_are_not_tested() -> None:
    prefix = table_of(with_curves(estimates=("inner_cv",)), "curve-prefix")
    assert prefix.rows[0].cells[2].value == "?/3"
    assert "?: no test: measured inside the training parts." in prefix.notes
    area = table_of(with_curves(estimates=("inner_cv",)), "curve-area")
    assert any("by cross-validation inside the training parts" in note for note in area.notes)
    both = table_of(with_curves(estimates=("inner_cv", "test")), "curve-area")
    assert any("on the test folds" in note for note in both.notes)


def test_one_fold_of_curves() -> None:
    prefix = table_of(with_curves(folds=1), "curve-prefix")
    assert "?: no test: one fold." in prefix.notes
    stability = table_of(with_curves(folds=1), "stability")
    assert column(stability, "kendall") == [None, None]
    assert "omitted: one fold; stability needs two or more." in stability.notes


def test_tables_and_figures_live_off_one_memory() -> None:
    found = with_curves()
    assert {"stability", "agreement"} <= {t.key for t in build(found)}
    keys = {figure.key for figure in figures(found)}
    assert {"stability", "rank-agreement"} <= keys, keys


def test_all_features_are_no_choice() -> None:
    found = with_curves()
    found.ways = [Way("first", k=4)]
    table = table_of(found, "stability")
    i = [c.key for c in table.columns].index("first 4 nogueira")
    assert [row.cells[i].text for row in table.rows] == ["all", "all"]


def test_stability_and_agreement_by_hand() -> None:
    found = with_curves()
    table = table_of(found, "stability")
    # relieff swaps its second and third feature every other fold: of six pairs of folds four have one discordant pair
    # of features out of six, tau = 2/3.
    assert column(table, "kendall") == pytest.approx([1.0, (2 + 4 * 2 / 3) / 6])
    # Spearman of that: 1 - 6 * 2 / 60 = 0.8.
    assert column(table, "spearman") == pytest.approx([1.0, (2 + 4 * 0.8) / 6])
    # The first three are the same set, the first quarter (one feature) too.
    assert column(table, "first 3 nogueira") == [1.0, 1.0]
    assert column(table, "quarter k") == [1, 1]
    agreement = table_of(found, "agreement")
    assert [row.cells[1].value for row in agreement.rows] == pytest.approx([1.0, (1 + 2 / 3) / 2])
    assert [row.cells[4].value for row in agreement.rows] == pytest.approx([(1 + 0.8) / 2, 1.0])
