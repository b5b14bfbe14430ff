"""Tables of any multi-label experiment: measures with marks, counts of better and worse, average ranks, gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES
from fsbench.report.label_results import TITLES, LabelMethod, LabelResults, LabelScores
from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent, marks
from fsbench.report.tables.common import bold_best, percent, slug
from fsbench.stats import TESTS, PairedTest, Tally, Verdict, adjust, average_ranks, compare

__all__ = ["gaps_table", "general_tables", "label_datasets_table"]

_DASH = "-: no feature is kept."
_DIGITS = 12  # of a content's hash, as in the table of other data sets


def label_datasets_table(results: Results) -> Table:
    """Return size, labels and content of each data set, the missing ones in their places."""
    labelled = results.labelled
    assert labelled is not None
    numbers = {"n_rows": "rows", "n_features": "features", "n_numeric": "numeric", "n_nominal": "nominal"}
    label_numbers = {"labels": ("labels", 0), "cardinality": ("cardinality", 2), "density": ("density", 2),
                     "distinct": ("label sets", 0), "absent_labels": ("never carried", 0)}  # fmt: skip
    columns = (
        DATASET,
        *(Column(key, title, decimals=0) for key, title in numbers.items()),
        *(Column(key, title, decimals=places) for key, (title, places) in label_numbers.items()),
        Column("content", "content (SHA-256)", kind="text"),
    )
    rows = []
    for record in results.dataset_table.to_dict("records"):
        name = str(record["dataset"])
        notes = [f"{name}: {results.notes[name]}"] if name in results.notes else []
        if name in labelled.missing:
            notes.append(f"{name}: missing: {labelled.missing[name]}")
            rows.append(Row((Cell(name), *[absent("missing")] * (len(columns) - 1)), tuple(notes)))
            continue
        found = [Cell(int(record[key])) for key in numbers]
        found += [Cell(getattr(labelled.statistics[name], key)) for key in label_numbers]
        rows.append(Row((Cell(name), *found, Cell(str(record["digest"])[:_DIGITS])), tuple(notes)))
    return Table("datasets", "Data sets", columns, tuple(rows))


def general_tables(results: Results) -> list[Table]:
    """Return, classifier by classifier, measures, counts and ranks; of a paper's experiment counts and ranks only.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
    """
    labelled = results.labelled
    assert labelled is not None
    found: list[Table] = []
    for classifier in results.classifiers:
        methods = labelled.of_classifier(classifier)
        if results.paper is None:
            found += [_measures(results, classifier, methods, group) for group in ("measures", "ranking-measures")]
        versus_all = methods and methods[0].is_baseline and len(methods) > 1
        found += [_counts(results, classifier, methods)] if versus_all else []
        found += [t for setup in labelled.setups if (t := _ranks(results, classifier, methods, setup))]
    return found


def _key(name: str, results: Results, classifier: str, setup: str = "") -> str:
    parts = [name, slug(setup) if setup else "", slug(classifier) if len(results.classifiers) > 1 else ""]
    return "-".join(p for p in parts if p)


def _measures(results: Results, classifier: str, methods: Sequence[LabelMethod], group: str) -> Table:
    labelled = results.labelled
    assert labelled is not None
    names = ["reduction", *MEASURES] if group == "measures" else list(RANKING_MEASURES)
    against = methods[0] if methods and methods[0].is_baseline else None
    columns = [DATASET, Column("measure", "measure", kind="name")]
    for method in methods:
        columns.append(Column(method.title, method.title, decimals=3, spread=True))
        if against and not method.is_baseline:
            columns.append(Column(f"{method.title} vs", "sig.", "", "marks", parts=(against.title,)))
    rows = [
        _row(results, labelled, dataset, measure, methods, against, first=measure == names[0])
        for dataset in labelled.datasets
        for measure in names
        if dataset not in labelled.missing
    ]
    notes = [_DASH, f"In brackets: standard deviation of the population over the folds: {results.protocol}."]
    notes.append("In bold: the best of a row, and what equals it as printed.")
    zero = {"one": "1", "zero": "0", "skip": "left out"}[str(results.experiment.get("zero_division", "one"))]
    notes.append(f"0/0 is {zero} in the F measures, precision and recall.")
    if against:
        notes.append(
            "Marks: ◦ significantly better than the baseline, • significantly worse, · no significant difference, "
            f"? not tested ({_words(results)})."
        )
    words = "label sets" if group == "measures" else "rankings of labels"
    title = f"Measures of the predicted {words}, {classifier}; {results.protocol}"
    return Table(_key(group, results, classifier), title, tuple(columns), tuple(rows), tuple(notes),
                 cites=("Nadeau2003",) if against else ())  # fmt: skip


def _row(
    results: Results,
    labelled: LabelResults,
    dataset: str,
    measure: str,
    methods: Sequence[LabelMethod],
    against: LabelMethod | None,
    first: bool,
) -> Row:
    found = [labelled.scores(dataset, method, measure) for method in methods]
    values = [Cell(s.mean, s.sd, source=s.source) if s.ok else absent(s.word, s.source) for s in found]
    if measure != "reduction":
        values = bold_best(values, 3, labelled.higher_is_better(measure))
    cells = [Cell(dataset if first else ""), Cell(TITLES[measure])]
    for method, value in zip(methods, values, strict=True):
        cells.append(value)
        if against and not method.is_baseline:
            tested = measure != "reduction"
            cells.append(marks(_verdict(results, dataset, method, against, measure)) if tested else Cell())
    notes = [f"{dataset}: {results.notes[dataset]}"] if dataset in results.notes else []
    notes += dict.fromkeys(
        f"{dataset}, {method.title}: {s.word if not s.ok else ''}{': ' if not s.ok else ''}{s.reason}"
        for method, s in zip(methods, found, strict=True)
        if s.reason and s.status != "empty"
    )
    return Row(tuple(cells), tuple(notes), rule=False)


def _verdict(results: Results, dataset: str, method: LabelMethod, against: LabelMethod, measure: str) -> Verdict:
    """Return whether a method is significantly better than another one on one data set, adjusted over the methods."""
    key = ("label verdicts", dataset, against, measure)
    return results.remember(key, lambda: _verdicts(results, dataset, against, measure))[method]


def _verdicts(results: Results, dataset: str, against: LabelMethod, measure: str) -> dict[LabelMethod, Verdict]:
    labelled = results.labelled
    assert labelled is not None
    methods = [m for m in labelled.of_classifier(against.classifier) if m != against]
    base = labelled.scores(dataset, against, measure)
    tests = [_test(results, labelled.scores(dataset, m, measure), base) for m in methods]
    p_values = adjust(results.correction, [test.p_value for test in tests])
    found = [replace(test, p_value=p) for test, p in zip(tests, p_values, strict=True)]
    higher = labelled.higher_is_better(measure)
    return {m: test.verdict(results.level, higher) for m, test in zip(methods, found, strict=True)}


def _words(results: Results) -> str:
    holm = ", Holm over the methods of each data set and measure" if results.correction == "holm" else ""
    return f"two-sided {TESTS[results.test_name]} at {percent(results.level)}, over the folds{holm}"


def _test(results: Results, first: LabelScores, second: LabelScores) -> PairedTest:
    if not (first.ok and second.ok) or first.folds != second.folds:
        return PairedTest(results.test_name, 0, None, None, None, "a fold without a value")
    sizes = (array.astype(np.int64) for array in (first.n_train, first.n_test))
    return compare(results.test_name, first.values, second.values, *sizes)


def _counts(results: Results, classifier: str, methods: Sequence[LabelMethod]) -> Table:
    labelled = results.labelled
    assert labelled is not None
    columns = [Column("measure", "measure", kind="name")]
    columns += [Column(m.title, m.title, kind="text") for m in methods[1:]]
    known = [d for d in labelled.datasets if d not in labelled.missing]
    rows = []
    for measure in MEASURES:
        cells = [Cell(TITLES[measure])]
        for method in methods[1:]:
            tally = Tally.of(_verdict(results, d, method, methods[0], measure) for d in known)
            cells.append(Cell(str(tally)))
        rows.append(Row(tuple(cells)))
    words = _words(results)
    notes = (f"Data sets of {len(known)} on which the method is significantly better/equal/worse: {words}.",)
    title = f"Against the baseline, all features, {classifier}"
    return Table(_key("counts", results, classifier), title, tuple(columns), tuple(rows), notes, cites=("Nadeau2003",))


def _ranks(results: Results, classifier: str, methods: Sequence[LabelMethod], setup: str) -> Table | None:
    """Return the average rank of each method by measure; None with fewer than two data sets or methods."""
    labelled = results.labelled
    assert labelled is not None
    whole = [
        d for d in labelled.setups[setup]
        if all(labelled.scores(d, m, "accuracy").status in ("ok", "empty") for m in methods)
    ]  # fmt: skip
    if len(whole) < 2 or len(methods) < 2:
        return None
    columns = (Column("measure", "measure", kind="name"), *(Column(m.title, m.title, decimals=2) for m in methods))
    rows = []
    for measure in [*MEASURES, *RANKING_MEASURES]:
        higher = labelled.higher_is_better(measure)
        worst = -np.inf if higher else np.inf
        values = [[_or(labelled.scores(d, m, measure).mean, worst) for m in methods] for d in whole]
        ranks = average_ranks(np.array(values), higher)
        cells = bold_best([Cell(float(r)) for r in ranks], 2, higher_is_better=False)
        rows.append(Row((Cell(TITLES[measure]), *cells)))
    notes = [f"1 is best; over {len(whole)} data sets; equal values share their ranks, an empty selection comes last."]
    notes.append("In bold: the best rank of a row, and what equals it as printed.")
    order: Sequence[str] = getattr(results.paper, "ORDER", ())
    if order:
        notes.append(f"The paper's order, best first: {', '.join(order)}.")
    where = f", setup {setup}" if setup else ""
    title = f"Average ranks by measure, {classifier}{where}"
    return Table(_key("ranks", results, classifier, setup), title, columns, tuple(rows), tuple(notes))


def _or(value: float | None, instead: float) -> float:
    return instead if value is None else value


def gaps_table(results: Results) -> Table | None:
    """Return every cell that failed, does not apply, keeps no feature, was not computed or lacks its data."""
    names = (("dataset", "data set"), ("classifier", "classifier"), ("method", "method"), ("status", "status"),
             ("reason", "reason"))  # fmt: skip
    columns = tuple(Column(key, title, kind="name" if key == "dataset" else "text") for key, title in names)
    rows = [Row(tuple(map(Cell, texts))) for texts in _gaps(results)]
    return Table("gaps", "Results that are not there", columns, tuple(rows)) if rows else None


def _gaps(results: Results) -> Iterator[tuple[str, ...]]:
    labelled = results.labelled
    assert labelled is not None
    for dataset in labelled.datasets:
        if dataset in labelled.missing:
            yield dataset, "", "", "missing", labelled.missing[dataset]
            continue
        for method in labelled.methods:
            found = labelled.scores(dataset, method, "hamming_loss")
            if not found.ok or found.reason:
                status = "partly empty" if found.ok else "empty" if found.status == "empty" else found.word
                yield dataset, method.classifier, method.title, status, found.reason
