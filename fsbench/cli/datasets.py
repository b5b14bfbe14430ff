"""`fsbench datasets`: what is known by name, where it is found, what it holds; fetching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fsbench.data import DataInfo, Location
    from fsbench.values import Dataset

__all__ = ["command"]

LABELS = {
    "uci": "UCI",
    "openml": "OpenML",
    "uci_path": "UCI path",
    "sha256": "SHA-256",
    "distinct": "distinct label sets",
    "single_sets": "label sets seen once",
}


@click.group("datasets", invoke_without_command=True)
@click.option("--paper", help="Only those of one paper: nlc2003, rsa2007, exclusiveness2003, multilabel2013.")
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.pass_context
def command(context: click.Context, paper: str | None, format_: str) -> None:
    """List the data sets that fsbench knows by name, and where each is found.

    \b
    fsbench datasets info iris        shape, class counts, licence, citation
    fsbench datasets fetch rsa2007    get what a paper needs and is not here
    """  # noqa: D301
    if context.invoked_subcommand is not None:
        return
    from fsbench.data import available, info, names

    entries = [(info(name), available(name)) for name in names(paper)]
    if format_ == "json":
        _print_json([_listed(entry, found) for entry, found in entries])
        return
    rows = [
        (e.name, _where(e, found), str(e.rows), str(e.features), _classes(e), e.licence or "-", " ".join(e.papers))
        for e, found in entries
    ]
    _print_table(("data set", "found", "rows", "features", "classes", "licence", "papers"), rows, numbers=(2, 3, 4))
    absent = [e for e, found in entries if found is None]
    if public := [e.name for e in absent if e.fetch]:
        click.echo(f"\nnot here: {', '.join(public)}")
        click.echo("Get one with 'fsbench datasets fetch NAME', or put NAME.arff into a")
        click.echo("folder and name the folder in FSBENCH_DATA.")
    if supplied := [e.name for e in absent if not e.fetch]:
        from fsbench.data.fetch import how_to_supply

        click.echo("\nnot here, and cannot be fetched:")
        for name in supplied:
            click.echo(f"{name}: {how_to_supply(name)}")


@command.command("info")
@click.argument("source", metavar="NAME|PATH")
@click.option("--class", "target", metavar="NAME|INDEX", help="The class; the last column by default.")
@click.option("--labels", metavar="XML|NAMES|COUNT", help="Of a multi-label file: which columns are labels.")
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
def info_command(source: str, target: str | None, labels: str | None, format_: str) -> None:
    """Show what a data set holds and what is known of it."""
    from fsbench.data import available, describe, info, load
    from fsbench.data.loading import is_path
    from fsbench.data.registry import is_known

    known = not is_path(source) and is_known(source)
    here = is_path(source) or not known or available(source) is not None
    facts: dict[str, Any] = {"name": source}
    if known:
        facts = describe(source) | {"found": _where(info(source), available(source))}
    if here and target is None and (labels is not None or (known and info(source).labels)):
        facts |= _labelled_contents(source, labels)
    elif here:
        facts |= _contents(load(source, target=target, fetch=False))
    if format_ == "json":
        _print_json(facts)
    else:
        _print_facts(facts)


@command.command("fetch")
@click.argument("wanted", metavar="NAME|PAPER...", nargs=-1, required=True)
def fetch_command(wanted: tuple[str, ...]) -> None:
    """Fetch data sets into the cache, each verified by its SHA-256.

    A paper's name stands for all data sets of that paper that are not on this machine.
    """
    from fsbench.data import available, info, names
    from fsbench.data.fetch import fetch
    from fsbench.data.registry import PAPERS
    from fsbench.errors import DataError

    failed = []
    for name in dict.fromkeys(n for want in wanted for n in (names(want) if want in PAPERS else [want])):
        found = available(name)
        entry = info(name)
        # A recipe that stands in for a real sample is no reason not to fetch the sample.
        if found is not None and not (found.kind == "recipe" and entry.fetch):
            click.echo(f"{name}: already here ({found.kind})")
            continue
        try:
            click.echo(f"{name}: fetched, {fetch(name)}")
        except DataError as error:
            failed.append(name)
            click.echo(str(error), err=True)
    if failed:
        raise DataError(f"{len(failed)} not fetched: {', '.join(failed)}")


def _where(entry: DataInfo, found: Location | None) -> str:
    if found is not None:
        return "recipe (stand-in)" if found.kind == "recipe" and entry.fetch else found.kind
    return "can be fetched" if entry.fetch else "nowhere"


def _listed(entry: DataInfo, found: Location | None) -> dict[str, Any]:
    from fsbench.data import describe

    path = str(found.path) if found is not None and found.path is not None else None
    return describe(entry.name) | {"found": _where(entry, found), "path": path}


def _contents(data: Dataset) -> dict[str, Any]:
    """Return what was counted in the data themselves; it goes before what the registry says."""
    import dataclasses

    from fsbench.data.inspect import summarise

    facts = dataclasses.asdict(summarise(data)) | {"class": data.target.name, "path": data.source}
    facts["digest"] = data.digest
    return facts | ({"remark": data.note} if data.note else {})


def _labelled_contents(source: str, labels: str | None) -> dict[str, Any]:
    """Return what was counted in multi-label data."""
    import dataclasses

    from fsbench.data import load_multilabel
    from fsbench.data.inspect import summarise_labels

    data = load_multilabel(source, labels)
    facts = dataclasses.asdict(summarise_labels(data)) | {"path": data.source, "digest": data.digest}
    return facts | ({"remark": data.note} if data.note else {})


def _classes(entry: DataInfo) -> str:
    return f"{entry.labels} labels" if entry.labels else str(entry.classes)


def _print_json(value: Any) -> None:
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def _print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], numbers: tuple[int, ...]) -> None:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in (head, tuple("-" * w for w in widths), *rows):
        cells = [c.rjust(w) if i in numbers else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        click.echo("  ".join(cells).rstrip())


def _print_facts(facts: dict[str, Any]) -> None:
    width = max(len(_label(key)) for key in facts)
    for key, value in facts.items():
        for i, line in enumerate(_lines(value)):
            click.echo(f"{_label(key) if i == 0 else '':{width}}  {line}".rstrip())


def _label(key: str) -> str:
    return LABELS.get(key, key.replace("_", " "))


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{count:>7}  {label}" for label, count in value.items()] or ["none"]
    if isinstance(value, (list, tuple)):
        return [", ".join(str(v) for v in value) or "none"]
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, float):
        return [f"{value:.4f}"]
    return [str(value)]
