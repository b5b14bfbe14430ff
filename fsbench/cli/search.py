"""`fsbench search`: a wrapper search on one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fsbench.classifiers import Classifier
    from fsbench.searches import Search
    from fsbench.searches.protocol import Found, Tested
    from fsbench.values import Dataset

__all__ = ["command"]


@click.command("search")
@click.argument("data")
@click.option("--plus", type=click.IntRange(min=0), help="Features added in a turn. [default: 2, or 0 with --minus]")
@click.option("--minus", type=click.IntRange(min=0), help="Features removed in a turn. [default: 1, or 0 with --plus]")
@click.option("--search", "name", default="pta", show_default=True, help="pta, sfg, sbg, sffs, sbfs, or file.py:Class.")
@click.option("--classifier", "-c", "judge", default="1nn", show_default=True, help="Whose accuracy J is.")
@click.option("--remainder", type=click.FloatRange(0, 1), help="Weight k of f = J(X)^k (1 - J(Y - X))^(1 - k).")
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Folds of J.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the folds and of ties.")
@click.option(
    "--protocol",
    type=click.Choice(["search-cv", "nested"]),
    default="search-cv",
    show_default=True,
    help="Report the error that was searched on, or also that of outer folds never seen by the search.",
)
@click.option("--class", "target", help="The class: a column's name, or its number from 1. [default: the last column]")
@click.option("--min-size", type=click.IntRange(min=1), help="Fewest features to return.")
@click.option("--max-size", type=click.IntRange(min=1), help="Most features to return.")
@click.option("--start", multiple=True, help="A feature to begin with. Repeatable.")
@click.option("--patience", type=click.IntRange(min=1), help="Stop after so many steps without a better subset.")
@click.option("--tolerance", type=click.FloatRange(min=0), help="By how much better a subset must be to count as such.")
@click.option("--budget", type=click.IntRange(min=1), help="Most subsets to score.")
@click.option(
    "--param",
    "-p",
    "params",
    multiple=True,
    help="Parameter of the search or the classifier, such as textbook=true, scale=minmax or 1nn.k=3. Repeatable.",
)
@click.option("--steps", is_flag=True, help="Print every step too; a table written by --output has them anyway.")
@click.option("--format", "format_", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file instead of the terminal."
)
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Also draw the steps (svg, pdf, png).")
def command(
    data: str,
    plus: int | None,
    minus: int | None,
    name: str,
    judge: str,
    remainder: float | None,
    folds: int,
    seed: int,
    protocol: str,
    target: str | None,
    params: tuple[str, ...],
    steps: bool,
    format_: str,
    output: Path | None,
    plot: Path | None,
    **limits: Any,
) -> None:
    """Search the features of DATA, a file (ARFF or CSV, .gz too) or the name of a known data set, by a wrapper.

    The usefulness J of a subset is the mean accuracy of the classifier over stratified folds. The search adds
    and removes one feature at a time, to the end, and returns the best subset it met; --steps prints the whole way,
    as do the formats csv and json. The nearest neighbour
    (1nn) works on the raw values and lets the first of equally near rows in shuffled order decide, unless --param
    says otherwise.
    """
    from fsbench.cli.library_threads import spare_threads

    spare_threads()
    from fsbench.cli.outputs import check_outputs
    from fsbench.cli.progress import announce_compiling
    from fsbench.data import load
    from fsbench.data.beside import check_one_class
    from fsbench.data.prepare import check_classes
    from fsbench.errors import MethodError
    from fsbench.files import write_text

    check_outputs({"--output": output, "--plot": plot}, data)
    announce_compiling()
    given = {key: value for key, value in limits.items() if value not in (None, ())}
    if remainder is not None:
        given["remainder"] = remainder
    if plus is not None or minus is not None:
        given |= {"plus": plus or 0, "minus": minus or 0}
    search, classifier = make_methods(name, given, judge, seed, params)
    remedy = "a search needs one class: --class says which column it is (the other labels then are features)"
    if partly := check_one_class(data, target, remedy):
        click.echo(partly, err=True)
    dataset = load(data, target=target)
    check_classes(dataset)
    if search.max_size is not None and search.max_size > dataset.n_features:
        raise MethodError(f"max_size is {search.max_size}, but there are {dataset.n_features} features", search.name)
    result = compute(dataset, search, classifier, folds, seed, nested=protocol == "nested")
    text = _table(result, steps or output is not None) if format_ == "table" else RENDERERS[format_](result)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)
    if plot is not None:
        from fsbench.report.figures import search_steps

        title = f"{dataset.name}: {search.label}; {classifier.label}"
        names = result.names(range(dataset.n_features))
        search_steps.figure(result.found.trace, names, title).write(plot)
        click.echo(f"wrote {plot}", err=True)


def make_methods(
    search: str, limits: dict[str, Any], classifier: str, seed: int, params: Sequence[str]
) -> tuple[Search, Classifier]:
    """Make the search and the classifier, each with the parameters that are meant for it.

    Parameters
    ----------
    search, classifier : str
        Names, or files and import paths.
    limits : dict
        Parameters of the search that have options of their own.
    seed : int
        For a classifier that draws, unless a parameter says otherwise.
    params : sequence of str
        ``key=value`` for whichever of the two has the key, or ``name.key=value``.

    Returns
    -------
    search : Search
    classifier : Classifier
    """
    from fsbench import registry
    from fsbench.classifiers import Classifier
    from fsbench.errors import MethodError
    from fsbench.method import Method
    from fsbench.searches import Search

    classes = {"search": registry.load_class("search", search, "--search")}
    classes["classifier"] = registry.load_class("classifier", classifier, "--classifier")
    spoken = {"search": search, "classifier": classifier}
    given: dict[str, dict[str, Any]] = {"search": dict(limits), "classifier": {}}
    if isinstance(classes["classifier"], type) and issubclass(classes["classifier"], Method):
        own = classes["classifier"].__dataclass_fields__
        wanted = (
            {"scale": "none", "ties": "first", "seed": seed} if classes["classifier"].name == "1nn" else {"seed": seed}
        )
        given["classifier"] |= {key: value for key, value in wanted.items() if key in own}
    for text in params:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise MethodError(f"--param must be key=value, found {text!r}")
        kind = _owner(key, spoken, classes)
        given[kind][key.removeprefix(f"{spoken[kind]}.")] = value
    made = {kind: registry.make(kind, {"method": spoken[kind], **given[kind]}, f"--{kind}") for kind in spoken}
    if not isinstance(made["search"], Search):
        raise MethodError(f"{search!r} is not a search", "--search")
    if not isinstance(made["classifier"], Classifier):
        raise MethodError(f"{classifier!r} is not a classifier", "--classifier")
    return made["search"], made["classifier"]


def _owner(key: str, spoken: dict[str, str], classes: dict[str, Any]) -> str:
    """Return which of the two a parameter is meant for."""
    from dataclasses import fields, is_dataclass

    from fsbench.errors import MethodError, nearest

    for kind, name in spoken.items():
        if key.startswith(f"{name}."):
            return kind
    # Not __dataclass_fields__: these hold what is declared for the class as well.
    having = {kind: [f.name for f in fields(c)] if is_dataclass(c) else [] for kind, c in classes.items()}
    for kind, keys in having.items():
        if key in keys:
            return kind
    if not having["classifier"]:
        return "classifier"  # not one of ours: its own constructor knows its parameters
    hint = nearest(key, having["search"] + having["classifier"])
    raise MethodError(
        f"neither {spoken['search']} nor {spoken['classifier']} has a parameter {key!r}; {hint}", "--param"
    )


@dataclass(frozen=True)
class Result:
    """All that is printed.

    Parameters
    ----------
    dataset : Dataset
    search : Search
    classifier : Classifier
    folds, seed : int
    found : Found
        The search on all rows.
    tested : list of Tested, optional
        The searches inside outer folds.
    """

    dataset: Dataset
    search: Search
    classifier: Classifier
    folds: int
    seed: int
    found: Found
    tested: list[Tested] | None

    def names(self, subset: Sequence[int]) -> list[str]:
        """Return the names of features."""
        return [self.dataset.features[j].name for j in subset]


def compute(dataset: Dataset, search: Search, classifier: Classifier, folds: int, seed: int, *, nested: bool) -> Result:
    """Search on all rows and, if asked, inside the training part of each outer fold too.

    Parameters
    ----------
    dataset : Dataset
    search : Search
    classifier : Classifier
    folds : int
        Number of folds, outer and inner.
    seed : int
    nested : bool

    Returns
    -------
    Result

    Raises
    ------
    MethodError
        A search or classifier that is not ours fails, or predicts what is no class.
    """
    from functools import partial

    from fsbench.classifiers.nearest_scorer import subset_scorer
    from fsbench.cli.progress import SearchMeter
    from fsbench.evaluation.folds import stratified_splits
    from fsbench.guarded import guarded
    from fsbench.searches.protocol import inner_splits, search_cv, search_nested

    splits = stratified_splits(dataset.y, dataset.n_classes, folds, seed)
    judge = guarded(classifier)
    make_scorer = partial(subset_scorer, judge)
    tested = None
    with SearchMeter(len(splits)) as meter:
        found = search_cv(search, make_scorer(dataset, splits), meter.show)
        if nested:
            inner = partial(inner_splits, folds=folds, seed=seed)
            tested = search_nested(search, judge, dataset, splits, make_scorer, inner, meter.show_fold)
    return Result(dataset, search, classifier, folds, seed, found, tested)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


def _table(result: Result, steps: bool) -> str:
    data = result.dataset
    sizes = f"{data.n_rows} rows, {data.n_features} features, {data.n_classes} classes"
    methods = f"search: {result.search.label}; classifier: {result.classifier.label}"
    how = f"{methods}; {result.folds} folds, seed {result.seed}"
    lines = [f"{data.name}: {sizes}", how, ""]
    if steps:
        lines += [_steps(result), ""]
    lines += _verdict(result)
    if result.tested is not None:
        lines += ["", *_nested_lines(result)]
    if data.note:
        lines += ["", data.note]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _steps(result: Result) -> str:
    """Return the table of every step."""
    from tabulate import tabulate

    rows = [
        [
            row["step"] or "",
            row["action"] if row["step"] else "",
            row["feature"] if row["step"] else f"({row['size']} features)",
            row["size"],
            _number(row["usefulness"]),
            _number(row["remainder"]),
            _number(row["criterion"]),
            row["evaluations"],
            "best" if row["best"] else "",
        ]
        for row in result.found.trace.rows(result.names(range(result.dataset.n_features)))
    ]
    header = ["step", "action", "feature", "size", "J(X)", "J(Y - X)", "criterion", "scored", ""]
    align = ["right", "left", "left", *["right"] * 5, "left"]
    return tabulate(rows, header, "simple", disable_numparse=True, colalign=align)


STOPS = {
    "end": "went to the end",
    "early": "stopped early, as it is defined",
    "patience": "stopped after steps without a better subset",
    "budget": "stopped by its budget",
}


def _verdict(result: Result) -> list[str]:
    import textwrap

    found, trace = result.found, result.found.trace
    best = f"best: {trace.best.size} of {trace.n_features} features: {', '.join(result.names(found.subset))}"
    error = f"{_percent(found.error)} % (sigma {_percent(found.sigma)})"
    counts = f"{len(trace.steps)} steps, {trace.evaluations} subsets scored, {trace.hits} met again"
    return [
        *textwrap.wrap(best, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False),
        f"error: {error} over the {result.folds} folds that were searched on: optimistic",
        f"the search {STOPS[trace.stopped]}: {counts}",
    ]


def _shorten(names: Sequence[str], width: int = 60) -> str:
    """Join names, as many as fit; the other formats have them all."""
    text = ", ".join(names)
    return text if len(text) <= width else text[: text.rfind(",", 0, width - 4) + 1] + " ..."


def _nested_lines(result: Result) -> list[str]:
    import numpy as np
    from tabulate import tabulate

    tested = result.tested or []
    rows = [
        [
            t.split.fold + 1,
            len(t.found.subset),
            _percent(t.found.error),
            _percent(t.error),
            _shorten(result.names(t.found.subset)),
        ]
        for t in tested
    ]
    header = ["outer fold", "size", "searched %", "unseen %", "features"]
    align = ["right", "right", "right", "right", "left"]
    errors = [t.error for t in tested]
    honest = float(np.mean(errors))
    return [
        tabulate(rows, header, "simple", disable_numparse=True, colalign=align),
        "",
        f"error on rows that the search never saw: {_percent(honest)} % (sigma {_percent(float(np.std(errors)))})",
        f"optimism of the error searched on: {_percent(honest - result.found.error)} points",
    ]


def _csv(result: Result) -> str:
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if result.tested is None:
        rows = result.found.trace.rows(result.names(range(result.dataset.n_features)))
        writer.writerow(rows[0])
        for row in rows:
            cells = row | {"subset": ";".join(row["subset"]), "best": int(row["best"])}
            writer.writerow("" if cell is None else cell for cell in cells.values())
    else:
        writer.writerow(["fold", "size", "searched_error", "error", "scored", "subset"])
        for t in result.tested:
            scored, subset = t.found.trace.evaluations, ";".join(result.names(t.found.subset))
            writer.writerow([t.split.fold + 1, len(t.found.subset), t.found.error, t.error, scored, subset])
    return stream.getvalue()


def _json(result: Result) -> str:
    import json

    import numpy as np

    keys = ("action", "feature", "size", "usefulness", "remainder", "criterion")
    rows = result.found.trace.rows(result.names(range(result.dataset.n_features)))
    told: dict[str, Any] = {
        "dataset": result.dataset.name,
        "search": result.search.label,
        "classifier": result.classifier.label,
        "folds": result.folds,
        "seed": result.seed,
        "steps": [{key: row[key] for key in keys} for row in rows[1:]],
        "best": {"features": result.names(result.found.subset), "error": result.found.error},
        "sigma": result.found.sigma,
        "stopped": result.found.trace.stopped,
        "evaluations": result.found.trace.evaluations,
    }
    if result.tested is not None:
        errors = [t.error for t in result.tested]
        told["nested"] = {
            "error": float(np.mean(errors)),
            "sigma": float(np.std(errors)),
            "optimism": float(np.mean(errors)) - result.found.error,
            "folds": [
                {
                    "fold": t.split.fold + 1,
                    "features": result.names(t.found.subset),
                    "searched_error": t.found.error,
                    "error": t.error,
                }
                for t in result.tested
            ],
        }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


RENDERERS = {"csv": _csv, "json": _json}
