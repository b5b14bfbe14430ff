"""The methods section of a paper: what was compared on what, how, tested by what, with which programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fsbench.report import references
from fsbench.report.references import Reference
from fsbench.report.results import Results
from fsbench.report.scores import Way
from fsbench.report.summary import times
from fsbench.report.table import Table

__all__ = ["Cite", "MethodsSection", "Paragraph", "describe"]


@dataclass(frozen=True)
class Cite:
    """A citation within a sentence."""

    keys: tuple[str, ...]


Piece = str | Cite


@dataclass(frozen=True)
class Paragraph:
    """A heading of one word or two, and texts with citations between them."""

    title: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class MethodsSection:
    """The whole section.

    Parameters
    ----------
    paragraphs : tuple of Paragraph
    references : tuple of Reference
        What is cited, in the order of its first citation.
    """

    paragraphs: tuple[Paragraph, ...]
    references: tuple[Reference, ...]

    def numbers(self) -> dict[str, int]:
        """Return the number of each reference by its key, from 1."""
        return {reference.key: i + 1 for i, reference in enumerate(self.references)}


@dataclass
class _Writer:
    """Collects references while sentences are made of them."""

    found: dict[str, Reference] = field(default_factory=dict)

    def cite(self, entries: Iterable[Reference]) -> list[Piece]:
        keys = []
        for entry in entries:
            self.found.setdefault(entry.key, entry)
            keys.append(entry.key)
        return [" ", Cite(tuple(keys))] if keys else []


def describe(results: Results, folders: Sequence[Path], tables: Sequence[Table]) -> MethodsSection:
    """Write the section.

    Parameters
    ----------
    results : Results
    folders : sequence of Path
        Where the results are: methods, versions and machines are read there.
    tables : sequence of Table
        Those of the report: their tests are told, and the papers of their measures cited.

    Returns
    -------
    MethodsSection
    -------
    """
    from fsbench.experiment.store import Store

    writer = _Writer()
    stores = [Store(folder) for folder in folders]
    methods: list[Mapping[Any, Any]] = [record for store in stores for record in store.methods().to_dict("records")]
    runs = [run for store in stores for run in store.provenance()["runs"]]
    paragraphs = [
        Paragraph("Data", tuple(_data(results, writer))),
        Paragraph("Protocol", tuple(_protocol(results))),
        Paragraph("Methods", tuple(_methods(methods, writer))),
        Paragraph("Selection", tuple(_selection(results))),
        Paragraph("Tests", tuple(_tests(results, tables, writer))),
        Paragraph("Programs", tuple(_programs(runs, writer))),
    ]
    return MethodsSection(tuple(p for p in paragraphs if p.pieces), tuple(writer.found.values()))


def _data(results: Results, writer: _Writer) -> Iterable[Piece]:
    from fsbench.data.registry import info, is_known

    there = [d for d in results.datasets if d not in results.missing]
    names = {str(ref["label"]): str(ref.get("name") or "") for ref in results.experiment.get("datasets") or ()}
    paper = references.of_paper(str(results.experiment.get("paper") or ""))
    if paper:
        yield "The experiment repeats that of a published study"
        yield from writer.cite(paper)
        yield ". "
    yield f"We used {_count(len(there), 'data set')}"
    for i, dataset in enumerate(there):
        yield (": " if not i else " and " if i == len(there) - 1 else ", ") + dataset
        known = names.get(dataset, "")
        if known and is_known(known):
            entry = info(known)
            yield from writer.cite([references.of_data(known, entry.citation, _archive(entry.uci, entry.openml))])
    yield ". Their content is identified by the hashes of the table of data sets. "
    for dataset, note in results.notes.items():
        yield f"{dataset}: {note}. "
    for dataset, reason in results.missing.items():
        yield f"{dataset} could not be had ({reason}) and is left out. "


def _archive(uci: int | None, openml: int | None) -> str:
    names = [f"UCI {uci}"] if uci is not None else []
    return ", ".join([*names, *([f"OpenML {openml}"] if openml is not None else [])])


def _protocol(results: Results) -> Iterable[Piece]:
    folds: Mapping[str, Any] = results.experiment.get("folds") or {}
    yield f"Every method met the same folds: {results.protocol}. "
    if int(folds.get("repeats", 1)) > 1 and folds.get("scheme") != "file":
        yield "Repeat r, counted from 0, was drawn with the seed plus r. "
    yield "All selection, discretization and scaling took place within the training part of each fold. "
    absent = sum(1 for table in [_gaps(results)] if table for _ in table.rows)
    if absent:
        yield f"{_count(absent, 'cell')} of the experiment could not be computed; the tables say so in their places. "


def _gaps(results: Results) -> Table | None:
    from fsbench.report.tables.gaps import gaps_table

    return gaps_table(results) if results.classifiers else None


def _methods(methods: Sequence[Mapping[Any, Any]], writer: _Writer) -> Iterable[Piece]:
    kinds: dict[str, dict[str, Mapping[Any, Any]]] = {}
    for record in methods:
        kinds.setdefault(str(record["kind"]), {}).setdefault(str(record["label"]), record)
    for kind, records in kinds.items():
        word = {"ranker": "Features were ranked by", "classifier": "Classifiers were", "search": "Searches were"}
        yield f"{word.get(kind, f'Of the kind {kind} there were')} "
        for i, (label, record) in enumerate(records.items()):
            yield "" if not i else " and " if i == len(records) - 1 else ", "
            yield from _method(label, record, writer)
        yield ". "


def _method(label: str, record: Mapping[Any, Any], writer: _Writer) -> Iterable[Piece]:
    try:
        params: dict[str, Any] = json.loads(record["identity"]).get("params") or {}
    except ValueError:
        params = {}
    title = str(record["title"] or record["name"])
    told = ", ".join(f"{k} = {_value(v)}" for k, v in params.items())
    inside = "; ".join(t for t in (label if label != title else "", told) if t)
    yield f"{title} ({inside})" if inside else title
    yield from writer.cite(
        references.of_method(str(record["name"]), params.values(), str(record["reference"] or ""), label)
    )


def _value(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _selection(results: Results) -> Iterable[Piece]:
    ways = [way for way in results.ways if results.classifiers]
    if not ways:
        return
    yield f"Classifiers were tested with {'; with '.join(_way(results, way) for way in ways)}. "
    if any(way.selection == "best" for way in ways):
        yield "Of prefixes with equal estimates the shortest was taken. "
    if any(way.estimate == "test" for way in ways):
        yield (
            "The estimate on the test fold looks at the rows that are tested on; its results are optimistic and "
            "shown for comparison only. "
        )


def _way(results: Results, way: Way) -> str:
    for selection in results.experiment.get("selections") or ():
        same = (str(selection["selection"]), str(selection.get("estimate") or ""), selection.get("k"))
        if same == (way.selection, way.estimate, way.k) and way.estimate == "inner_cv" and selection.get("folds"):
            return f"{way.words} ({selection['folds']} inner folds)"
    return way.words


def _tests(results: Results, tables: Sequence[Table], writer: _Writer) -> Iterable[Piece]:
    from fsbench.stats import TESTS

    library = references.library()
    cited = [library[key] for table in tables for key in table.cites if key in library]
    words = references.of_words([text for table in tables for text in (table.title, table.tested, *table.all_notes())])
    known = {reference.key for reference in references.of_paper(str(results.experiment.get("paper") or ""))}
    cited = [r for r in dict.fromkeys([*cited, *words]) if r.key not in known]
    told = list(dict.fromkeys(table.tested for table in tables if table.tested))
    if not told and not cited:
        return
    if results.rivals and results.classifiers:
        yield (
            f"On each data set, differences of accuracy were tested over the folds by the two-sided "
            f"{TESTS[results.test_name]} test at a level of {100 * results.level:g} %; "
            f"counts by the {' and by the '.join(TESTS.values())} are shown side by side. "
        )
    for sentence in told:
        yield f"{sentence}. "
    if cited:
        yield "For tests and measures see"
        yield from writer.cite(cited)
        yield ". "


def _programs(runs: Sequence[Mapping[str, Any]], writer: _Writer) -> Iterable[Piece]:
    if not runs:
        return
    versions: dict[str, list[str]] = {}
    for run in runs:
        for name, version in run["versions"].items():
            if version not in versions.setdefault(name, []):
                versions[name].append(version)
    yield "Computed with "
    for i, (name, found) in enumerate(versions.items()):
        yield f"{', ' if i else ''}{name} {' and '.join(found)}"
        yield from writer.cite(references.of_libraries([name]))
    machines = list(dict.fromkeys(f"{run['machine'].get('processor')}, {run['machine'].get('system')}" for run in runs))
    first, last = times(runs)
    when = f" on {first}" if first == last else f" between {first} and {last}"
    yield f", on {'; '.join(machines)},{when if first else ''}. "


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
