"""`fsbench export`: every stored cell as a tidy table, for pandas, R or a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]

# Each table with the kind of cells that it is made of.
TABLES = {
    "accuracies": "result",
    "predictions": "result",
    "curves": "curve",
    "rankings": "ranking",
    "selections": "result",
    "searches": "search",
    "traces": "search",
    "measures": "result",
    "label-scores": "label_scores",
}


@click.command("export")
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--what", type=click.Choice(list(TABLES)), help="Which cells.  [default: accuracies; measures of multi-label data]"
)
@click.option(
    "--format", "format_", type=click.Choice(["csv", "parquet"]), help="[default: csv, or by the file's name]"
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="File. [default: the terminal]")
def command(results: Path, what: str | None, format_: str | None, output: Path | None) -> None:
    """Write the cells in the folder RESULTS as one tidy table.

    \b
    accuracies    one row a test: data set, fold, classifier, ranker, selection, accuracy, tree size, status
    predictions   one row a test and row of data: actual and predicted class
    curves        one row a prefix of a ranking: right predictions on inner folds, training part, test fold
    rankings      one row a feature and training part: rank and score
    selections    one row a selected feature
    searches      one row a search: best subset, the error that was searched on, subsets scored
    traces        one row a step of a search: subset, usefulness, that of the remainder, criterion
    measures      of multi-label data: one row a test, a column for each measure
    label-scores  of multi-label data: one row a label and feature, where 'label_scores: true' asked for them
    """  # noqa: D301
    from fsbench.cli.outputs import check_outputs
    from fsbench.errors import UserError
    from fsbench.experiment.database import FILE_NAME
    from fsbench.experiment.label_store import open_store
    from fsbench.files import atomic_path, spare, write_text

    check_outputs({"--output": output})
    spare(output, results, results / FILE_NAME, results / "experiment.yaml")
    if format_ is None:
        format_ = "parquet" if output is not None and output.suffix == ".parquet" else "csv"
    if format_ == "parquet" and output is None:
        raise UserError("parquet is not for the terminal: give --output FILE")
    store = open_store(results)
    what = what or ("measures" if hasattr(store, "measures") else "accuracies")
    kinds = store.kinds()
    held = [name for name, kind in TABLES.items() if kind in kinds and hasattr(store, name.replace("-", "_"))]
    if what not in held:
        raise UserError(f"there are no {what} in these results; they hold {', '.join(held) or 'nothing'}", str(results))
    frame = getattr(store, what.replace("-", "_"))()
    if format_ == "csv":
        # Lists of names become one text.
        for name in ("subset", "inclusion", "exclusion"):
            if name in frame:
                frame[name] = [";".join(names) if isinstance(names, list) else "" for names in frame[name]]
        text = frame.to_csv(index=False, lineterminator="\n")
        if output is None:
            click.echo(text, nl=False)
        else:
            write_text(output, text)
        return
    assert output is not None
    try:
        with atomic_path(output) as part:
            frame.to_parquet(part, index=False, engine="pyarrow")
    except ImportError:
        raise UserError("parquet needs pyarrow: pip install pyarrow, or use --format csv") from None
