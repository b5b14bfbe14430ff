"""`fsbench rank`: the features of one file, best first, by one or more rankers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fsbench.data import MultiLabelDataset
    from fsbench.multilabel.label_ranker import LabelRanker
    from fsbench.rankers import Ranker
    from fsbench.values import Dataset, Ranking

    Data = Dataset | MultiLabelDataset
    AnyRanker = Ranker | LabelRanker

__all__ = ["command"]


@click.command("rank")
@click.argument("data")
@click.option(
    "--method",
    "-m",
    "methods",
    multiple=True,
    help="Ranker: a name that 'fsbench methods' lists, my_file.py:Class or a.module:Class. Repeatable. [default: nlc]",
)
@click.option("--class", "target", help="The class: a column's name, or its number from 1. [default: the last column]")
@click.option("--labels", metavar="XML|NAMES|COUNT", help="Multi-label data: which columns are labels.")
@click.option(
    "--transform",
    metavar="br|lp",
    help="Multi-label data: by label (br, br,combine=max) or by label set (lp, lp,prune=2). [default: br]",
)
@click.option(
    "--param",
    "-p",
    "params",
    multiple=True,
    help="Parameter, such as k=10, or relieff.k=10 for one of several methods. Repeatable.",
)
@click.option("--top", type=click.IntRange(min=1), help="Only the best N features.")
@click.option("--format", "format_", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file instead of the terminal."
)
@click.option(
    "--write-reduced",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the data with the best N (--top) features as ARFF; of multi-label data the names of the labels "
    "too, as XML beside it.",
)
@click.option("--explain", is_flag=True, help="Print how each score comes about, for rankers that can tell.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the intervals of --method exclusiveness (svg, pdf, png).",
)
def command(
    data: str,
    methods: tuple[str, ...],
    target: str | None,
    labels: str | None,
    transform: str | None,
    params: tuple[str, ...],
    top: int | None,
    format_: str,
    output: Path | None,
    write_reduced: Path | None,
    explain: bool,
    plot: Path | None,
) -> None:
    """Rank the features of DATA, a file (ARFF or CSV, .gz too) or the name of a known data set.

    The last column is the class unless --class says otherwise. All rows are used: to estimate how well a
    selection predicts, rank inside the folds with `fsbench run`.
    """
    from fsbench.cli.library_threads import spare_threads

    spare_threads()
    from fsbench.cli import rank_labels
    from fsbench.cli.outputs import check_outputs
    from fsbench.cli.progress import announce_compiling
    from fsbench.data import load
    from fsbench.data.prepare import check_classes
    from fsbench.errors import UserError
    from fsbench.files import write_text
    from fsbench.rankers.base import ranking_of

    check_outputs({"--output": output, "--write-reduced": write_reduced, "--plot": plot}, data, labels)
    announce_compiling()
    if write_reduced is not None and (top is None or len(methods) > 1):
        raise UserError("--write-reduced needs --top N and one --method: they decide which features are kept")
    rankers: Sequence[Any] = make_rankers(methods or ("nlc",), params)
    dataset: Data
    if target is None and labels is None and transform is None:
        labels = rank_labels.labels_beside(data)
    if rank_labels.is_multilabel(data, labels, transform):
        rank_labels.check_options(target, plot)
        dataset, rankers = rank_labels.label_rankers(data, labels, transform, rankers)
    else:
        dataset = load(data, target=target)
        check_classes(dataset)
    if dataset.n_rows == 0:
        raise UserError("there are no rows to rank features from", data)
    if explain or plot is not None:
        _check_explained(rankers, explain, plot)
    if write_reduced is not None and hasattr(dataset, "labels"):
        names_file = rank_labels.names_file(write_reduced, dataset)  # type: ignore[arg-type]
        check_outputs({"--output": output, "the names of the labels": names_file}, data, labels)
    rows: Any = dataset
    rankings = [ranking_of(ranker, rows) for ranker in rankers]
    text = RENDERERS[format_](dataset, rankers, rankings, top)
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        write_text(output, text if text.endswith("\n") else text + "\n")
    if write_reduced is not None:
        _write_reduced(dataset, rankings[0], top or dataset.n_features, write_reduced)
    if explain or plot is not None:
        _explain(dataset, rankers, explain, plot)


def make_rankers(names: Sequence[str], params: Sequence[str]) -> list[Ranker]:
    """Make the rankers, each with the parameters that are meant for it.

    Parameters
    ----------
    names : sequence of str
        Method names; a repeated one is made once.
    params : sequence of str
        ``key=value`` for every method that has the key, or ``method.key=value`` for one.

    Returns
    -------
    list of Ranker
    """
    from fsbench import registry
    from fsbench.errors import MethodError
    from fsbench.rankers import Ranker

    unique = list(dict.fromkeys(names))
    given: dict[str, dict[str, Any]] = {name: {} for name in unique}
    for text in params:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise MethodError(f"--param must be key=value, found {text!r}")
        for name in _owners(key, unique):
            given[name][key.removeprefix(f"{name}.")] = value
    made = []
    for name in unique:
        ranker = registry.make("ranker", {"method": name, **given[name]}, where="--method")
        if not isinstance(ranker, Ranker):
            raise MethodError(f"{name!r} is not a ranker", "--method")
        made.append(ranker)
    return made


def _owners(key: str, names: Sequence[str]) -> list[str]:
    """Return the methods that a parameter is meant for; one that none of several has goes to all, and is refused."""
    from dataclasses import fields, is_dataclass

    from fsbench import registry

    named = [name for name in names if key.startswith(f"{name}.")]
    if named or len(names) == 1:
        return named or list(names)
    classes = {name: registry.load_class("ranker", name, where="--method") for name in names}
    having = [n for n, c in classes.items() if not is_dataclass(c) or key in {f.name for f in fields(c)}]
    return having or list(names)


def format_score(score: float) -> str:
    """Return a score for a table: six significant digits, counts as whole numbers, ``-`` where there is none."""
    if score != score:
        return "-"
    return f"{score:.0f}" if score.is_integer() and abs(score) < 1e15 else f"{score:.6g}"


def _shown(ranking: Ranking, top: int | None) -> list[int]:
    return [int(j) for j in ranking.order[:top]]


def _table(dataset: Data, rankers: Sequence[AnyRanker], rankings: Sequence[Ranking], top: int | None) -> str:
    from fsbench.cli.text_table import text_table

    header = ["rank"]
    columns: list[list[str]] = [[str(i + 1) for i in range(len(_shown(rankings[0], top)))]]
    for ranker, ranking in zip(rankers, rankings, strict=True):
        title = f"{ranker.label}: feature" if len(rankers) > 1 else "feature"
        header += [title, f"score ({ranking.unit})"]
        shown = _shown(ranking, top)
        columns += [[dataset.features[j].name for j in shown], [format_score(float(ranking.scores[j])) for j in shown]]
    classes = f"{dataset.n_labels} labels" if hasattr(dataset, "labels") else f"{dataset.n_classes} classes"
    sizes = f"{dataset.n_rows} rows, {dataset.n_features} features, {classes}"
    title = f"{dataset.name}: {sizes}; method: {', '.join(r.label for r in rankers)}"
    align = ["right", *["left", "right"] * len(rankers)]
    body = text_table(list(zip(*columns, strict=True)), header, align)
    note = f"\n\n{dataset.note}" if dataset.note else ""
    return f"{title}\n\n{body}{note}"


def _csv(dataset: Data, rankers: Sequence[AnyRanker], rankings: Sequence[Ranking], top: int | None) -> str:
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["method", "dataset", "rank", "feature", "score", "unit"])
    for ranker, ranking in zip(rankers, rankings, strict=True):
        for place, j in enumerate(_shown(ranking, top), 1):
            score = float(ranking.scores[j])
            shown = "" if score != score else repr(score)
            writer.writerow([ranker.label, dataset.name, place, dataset.features[j].name, shown, ranking.unit])
    return stream.getvalue()


def _json(dataset: Data, rankers: Sequence[AnyRanker], rankings: Sequence[Ranking], top: int | None) -> str:
    import json

    def feature(place: int, j: int, score: float) -> dict[str, Any]:
        return {"rank": place, "feature": dataset.features[j].name, "score": None if score != score else score}

    return json.dumps(
        [
            {
                "method": ranker.label,
                "dataset": dataset.name,
                "unit": ranking.unit,
                "features": [
                    feature(place, j, float(ranking.scores[j])) for place, j in enumerate(_shown(ranking, top), 1)
                ],
            }
            for ranker, ranking in zip(rankers, rankings, strict=True)
        ],
        indent=2,
        ensure_ascii=False,
    )


RENDERERS = {"table": _table, "csv": _csv, "json": _json}


def _write_reduced(dataset: Any, ranking: Ranking, top: int, path: Path) -> None:
    from fsbench.data import write_arff

    kept = _shown(ranking, top)  # in rank order, as Weka's filter leaves them: C4.5 gives ties to the first column
    if hasattr(dataset, "labels"):
        from fsbench.cli.rank_labels import file_columns, names_file
        from fsbench.data.label_names import label_names_text
        from fsbench.files import write_text

        names = names_file(path, dataset)
        write_arff(file_columns(dataset, kept), path)
        if names is not None:
            write_text(names, label_names_text(dataset.labels))
    else:
        names = None
        write_arff(dataset.select(kept), path)
    click.echo(f"wrote {path}: {len(kept)} of {dataset.n_features} features", err=True)
    if names is not None:
        click.echo(f"wrote {names}: the names of the {dataset.n_labels} labels", err=True)


def _check_explained(rankers: Sequence[Any], explain: bool, plot: Path | None) -> None:
    """Refuse rankers that have nothing to explain or to draw."""
    from fsbench.errors import NotApplicable
    from fsbench.rankers.exclusiveness import Exclusiveness

    for ranker in rankers:
        if explain and not hasattr(ranker, "explain"):
            raise NotApplicable(f"{ranker.label} has nothing to explain beyond its scores", "--explain")
        if plot is not None and not isinstance(ranker, Exclusiveness):
            text = f"there is no drawing of {ranker.label}; --method exclusiveness has one, of its intervals"
            raise NotApplicable(text, "--plot")


def _explain(dataset: Data, rankers: Sequence[Any], explain: bool, plot: Path | None) -> None:
    for ranker in rankers:
        if explain:
            click.echo(f"\n{ranker.explain(dataset)}")
        if plot is not None:
            from fsbench.report.figures import intervals

            intervals.figure(ranker, dataset).write(plot)  # type: ignore[arg-type]
            click.echo(f"wrote {plot}", err=True)
