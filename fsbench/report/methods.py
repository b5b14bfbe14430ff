"""The methods section of a paper: what was compared on what, how, tested by what, with which programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fsbench.report import references
from fsbench.report.method_sentences import tell
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
    refs = {str(ref["label"]): ref for ref in results.experiment.get("datasets") or ()}
    paper = references.of_paper(str(results.experiment.get("paper") or ""))
    if paper:
        yield "The experiment repeats that of a published study"
        yield from writer.cite(paper)
        yield ". "
    yield f"We used {_count(len(there), 'data set')}"
    for i, dataset in enumerate(there):
        yield (": " if not i else " and " if i == len(there) - 1 else ", ") + dataset
        ref = refs.get(dataset, {})
        # Data sets put together from several have the papers of all.
        names = [str(part["name"]) for part in ref.get("join") or (ref,) if part.get("name")]
        entries = {entry.citation: entry for entry in map(info, filter(is_known, names))}
        yield from writer.cite(
            references.of_data(e.name, e.citation, _archive(e.uci, e.openml)) for e in entries.values()
        )
    if len(there) == 1:
        yield ". Its content is identified by the hash in the table of data sets. "
    elif there:
        yield ". Their content is identified by the hashes in the table of data sets. "
    else:
        yield ". "
    for dataset, note in results.notes.items():
        yield f"{dataset}: {note}. "
    for dataset in results.missing:
        yield f"{dataset} could not be had and is left out. "


def _archive(uci: int | None, openml: int | None) -> str:
    names = [f"UCI {uci}"] if uci is not None else []
    return ", ".join([*names, *([f"OpenML {openml}"] if openml is not None else [])])


def _protocol(results: Results) -> Iterable[Piece]:
    folds: Mapping[str, Any] = results.experiment.get("folds") or {}
    yield f"Every method met the same folds: {results.protocol}. "
    if int(folds.get("repeats", 1)) > 1 and folds.get("scheme") != "file":
        yield "Repeat r, counted from 0, was drawn with the seed plus r. "
    if results.classifiers and results.ways != [Way("all")]:
        yield "All selection, discretization and scaling took place within the training part of each fold. "
    yield from _searching(results.experiment.get("searching") or {})
    absent = sum(1 for table in [_gaps(results)] if table for _ in table.rows)
    if absent:
        yield f"{_count(absent, 'result')} of the experiment could not be computed; the tables say so in their places. "


def _searching(searching: Mapping[str, Any]) -> Iterable[Piece]:
    protocols = searching.get("protocol") or ()
    if "search-cv" in protocols:
        yield (
            f"Searches took the mean accuracy over {searching.get('folds', 5)} folds of all rows for the usefulness of "
            "a subset; the error of these same folds is what is reported, as in the literature, and it is optimistic. "
        )
    if "nested" in protocols:
        yield (
            f"Nested searches saw the training part of each fold only, within which {searching.get('folds', 5)} folds "
            "gave the usefulness of a subset; their results are those on the rows left out. "
        )


def _gaps(results: Results) -> Table | None:
    from fsbench.report.tables.gaps import gaps_table

    return gaps_table(results) if results.classifiers else None


def _methods(records: Sequence[Mapping[Any, Any]], writer: _Writer) -> Iterable[Piece]:
    for opening, methods in tell(records):
        yield f"{opening} "
        for i, method in enumerate(methods):
            yield "" if not i else " and " if i == len(methods) - 1 else ", "
            yield method.title
            yield from writer.cite(method.references)
            if method.details:
                yield f" ({method.details})"
        yield ". "


def _selection(results: Results) -> Iterable[Piece]:
    ways = [way for way in results.ways if results.classifiers]
    if not ways:
        return
    yield f"Classifiers were tested with {'; with '.join(_way(results, way) for way in ways)}. "
    if any(way.selection == "best" for way in ways) and results.ranked:
        yield "Of prefixes with equal estimates the shortest was taken. "
    if results.searches:
        yield "Of equally useful subsets that a search met the smallest was taken. "
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
    # What only the searches of the experiment do is told in their words.
    return way.words if results.ranked else results.words(way)


def _tests(results: Results, tables: Sequence[Table], writer: _Writer) -> Iterable[Piece]:
    from fsbench.stats import TESTS

    library = references.library()
    cited = [library[key] for table in tables for key in table.cites if key in library]
    words = references.of_words([text for table in tables for text in (table.title, table.tested, *table.all_notes())])
    known = {reference.key for reference in references.of_paper(str(results.experiment.get("paper") or ""))}
    cited = [r for r in dict.fromkeys([*cited, *words]) if r.key not in known]
    tested = list(dict.fromkeys(table.tested for table in tables if table.tested))
    told = [sentence for sentence in tested if not sentence.startswith("Marks: ")]
    if len(told) < len(tested):
        yield (
            f"On each data set, differences of accuracy were tested over the folds by the two-sided "
            f"{TESTS[results.test_name]} test at a level of {100 * results.level:g} %{_adjusted(results)}; "
            f"counts by the {' and by the '.join(TESTS.values())} are shown side by side. "
        )
    if told:
        yield f"Tests in the tables, besides: {'; '.join(told)}. "
    if cited:
        yield "For tests and measures see"
        yield from writer.cite(cited)
        yield ". "


def _adjusted(results: Results) -> str:
    if results.correction != "holm":
        return ""
    over = "methods of each data set and measure" if results.labelled else "comparisons of each data set and classifier"
    return f", adjusted by Holm's procedure over the {over}"


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
