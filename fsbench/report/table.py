"""A table before it has a form: typed cells, with what must be said under them. Renderers give it the form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from fsbench.stats import Verdict

__all__ = ["CLASSIFIER", "DATASET", "RANKER", "Cell", "Column", "Kind", "Row", "Source", "Table", "absent", "marks"]

Kind = Literal["name", "number", "marks", "text"]


@dataclass(frozen=True)
class Source:
    """The cell of the experiment that a number was made of, named as in the store.

    Parameters
    ----------
    dataset, classifier, ranker, selection, estimate : str
        ``""`` where it has none.
    k : int, optional
        For the first k features.
    """

    dataset: str
    classifier: str
    ranker: str
    selection: str
    estimate: str = ""
    k: int | None = None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    key : str
        Unique within the table; the header in CSV.
    title : str
        The header elsewhere.
    group : str, default ""
        Heading that stands over this column and its neighbours of the same group.
    kind : {"name", "number", "marks", "text"}, default "number"
        What the cells hold: decides alignment and form.
    decimals : int, default 1
        Places of a number.
    parts : tuple of str, default ()
        For marks: what each mark of a cell is about.
    p_value : bool, default False
        Whether it holds probabilities of a test: those too small for its places print as ``<0.001``.
    spread : bool, default False
        Whether plain text, too, shows the standard deviations of its cells; other forms always do.
    """

    key: str
    title: str
    group: str = ""
    kind: Kind = "number"
    decimals: int = 1
    parts: tuple[str, ...] = ()
    p_value: bool = False
    spread: bool = False


# What names the rows of most tables.
DATASET = Column("dataset", "data set", kind="name")
CLASSIFIER = Column("classifier", "classifier", kind="name")
RANKER = Column("ranker", "ranker", kind="name")


@dataclass(frozen=True)
class Cell:
    """A value, or the word that stands where a value is absent.

    Parameters
    ----------
    value : float, int or str, optional
        None where there is no value.
    sd : float, optional
        Standard deviation over the folds.
    marks : tuple of Verdict, default ()
        One verdict for each part of a marks column.
    text : str, default ""
        Shown in place of an absent value: failed, missing, pending, n/a.
    best : bool, default False
        Whether it is the best of those it is compared with, or as good: in bold, in plain text with a star.
    source : Source, optional
        What it was made of, so that it can be traced to its folds.
    """

    value: float | int | str | None = None
    sd: float | None = None
    marks: tuple[Verdict, ...] = ()
    text: str = ""
    best: bool = False
    source: Source | None = None


def absent(word: str, source: Source | None = None) -> Cell:
    """Return the cell of a value that is not there, and the word that says why."""
    return Cell(text=word, source=source)


def marks(*verdicts: Verdict) -> Cell:
    """Return a cell of significance marks."""
    return Cell(marks=verdicts)


@dataclass(frozen=True)
class Row:
    """Cells, one a column, and what must be said of them.

    Parameters
    ----------
    cells : tuple of Cell
        One for each column.
    notes : tuple of str, default ()
        Shown under the table, and beside the row in CSV.
    rule : bool, default False
        Whether the row sums up those above and a rule parts it from them.
    """

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    rule: bool = False


@dataclass(frozen=True)
class Table:
    """A table ready for any renderer.

    Parameters
    ----------
    key : str
        File name and name on the command line.
    title : str
        One line over the table.
    columns : tuple of Column
        The first names the rows.
    rows : tuple of Row
        In order.
    notes : tuple of str, default ()
        Under the table: which test, which counts, what is printed in the paper.
    timed : bool, default False
        Whether it holds wall times, so that two equal runs differ in it.
    tested : str, default ""
        Which test at which level was made on what, as a sentence without its stop: part of the caption in a paper.
    detail : bool, default False
        Whether it is for looking things up: written like the others, on a terminal shown when asked for.
    untested : str, default ""
        Why no test could be made in any row, where it is so: said in place of the table unless it is asked for.
    cites : tuple of str, default ()
        Keys of the bibliography (`fsbench.report.references`): the papers of the tests and measures shown.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    timed: bool = False
    tested: str = ""
    detail: bool = False
    untested: str = ""
    cites: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"table {self.key}: a row of {len(row.cells)} cells for {len(self.columns)} columns")

    def all_notes(self) -> list[str]:
        """Return the notes of the table, then those of its rows, each once."""
        return list(dict.fromkeys([*self.notes, *(note for row in self.rows for note in row.notes)]))

    def groups(self) -> list[tuple[str, int]]:
        """Return the headings over the columns and how many columns each spans, from left to right."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and found[-1][0] == column.group:
                found[-1] = (column.group, found[-1][1] + 1)
            else:
                found.append((column.group, 1))
        return found

    def only(self, keep: list[int]) -> Table:
        """Return the table of some of the columns, by index."""
        rows = tuple(replace(row, cells=tuple(row.cells[i] for i in keep)) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in keep), rows=rows)
