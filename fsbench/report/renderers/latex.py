"""Tables as LaTeX with booktabs: as wide as a page, with deviations, the best in bold."""

from __future__ import annotations

from collections.abc import Sequence

from fsbench.report.renderers.fit import parts
from fsbench.report.renderers.plain import number, plain
from fsbench.report.renderers.tex_text import escape
from fsbench.report.table import Cell, Column, Row, Table
from fsbench.stats import Verdict

__all__ = ["PACKAGES", "escape", "render"]

# What the preamble of a document needs for the tables.
PACKAGES = r"\usepackage[T1]{fontenc}\usepackage{array,booktabs,longtable,textcomp}"

_MARKS: dict[Verdict, str] = {"better": r"\circ", "equal": r"\cdot", "worse": r"\bullet", "omitted": "?"}

# Characters of footnote size that fit into a text width of twelve centimetres; the gap of a column takes two of them.
_FITS, _GAP = 90, 2

# A text that is longer than this is broken into lines.
_LINE = 30

# Lines that fit on a page beside caption and headings; longer tables go on over the next ones.
_PAGE = 40

# Characters of script size in a line of notes.
_NOTE = 115


def render(table: Table) -> str:
    """Return table environments; the preamble needs the packages named in the first line.

    A table that is too wide becomes several, cut between the groups of its columns; one that is too long goes on over
    pages. The caption says what was tested.
    """
    pieces = parts(table, _FITS, _width)
    lines = [f"% {PACKAGES}"]
    for i, piece in enumerate(pieces):
        notes = table.all_notes() if i == len(pieces) - 1 else []
        make = _long if _lines(piece, notes) > _PAGE else _float
        lines += make(piece, _caption(table, i, len(pieces)), f"tab:{table.key}{f'-{i + 1}' if i else ''}", notes)
    return "\n".join(lines) + "\n"


def _caption(table: Table, i: int, n: int) -> str:
    sentences = [table.title, table.tested, f"Part {i + 1} of {n}" if n > 1 else ""]
    return " ".join(f"{escape(s)}." for s in sentences if s)


def _float(table: Table, caption: str, label: str, notes: Sequence[str]) -> list[str]:
    return [
        r"\begin{table}[htbp]",
        r"\centering\footnotesize\setlength{\tabcolsep}{3pt}\setlength{\belowcaptionskip}{4pt}",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{@{{}}{_align(table)}@{{}}}}",
        *_heads(table),
        *_body(table),
        r"\bottomrule",
        r"\end{tabular}",
        *([r"\par\smallskip\scriptsize\raggedright", *_notes(notes)] if notes else []),
        r"\end{table}",
    ]


def _long(table: Table, caption: str, label: str, notes: Sequence[str]) -> list[str]:
    return [
        r"{\footnotesize\setlength{\tabcolsep}{3pt}",
        rf"\begin{{longtable}}{{@{{}}{_align(table)}@{{}}}}",
        rf"\caption{{{caption}}}\label{{{label}}}\\",
        *_heads(table),
        r"\endfirsthead",
        *_heads(table),
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_body(table),
        r"\end{longtable}",
        *([r"\scriptsize\raggedright", *_notes(notes)] if notes else []),
        "}",
    ]


def _has_sd(table: Table, i: int) -> bool:
    return any(row.cells[i].sd is not None for row in table.rows)


def _lengths(table: Table) -> list[int]:
    """Return the longest text of each column, deviations in their smaller letters included."""
    found = []
    for i, column in enumerate(table.columns):
        texts = [plain(row.cells[i], column) for row in table.rows]
        sd = max((len(_sd(row.cells[i], column)) for row in table.rows), default=0)
        found.append(max(map(len, [column.title, *texts])) + (2 + sd) * 2 // 3 * bool(sd))
    return found


def _width(table: Table) -> int:
    groups, start, total = table.groups(), 0, 0
    lengths = [min(n, _LINE) + _GAP for n in _lengths(table)]
    for group, span in groups:
        total += max(sum(lengths[start : start + span]), len(group))
        start += span
    return total


def _wrapped(table: Table) -> dict[int, int]:
    """Return the columns whose texts are broken into lines, and the characters of a line."""
    lengths = _lengths(table)
    long = [i for i, n in enumerate(lengths) if n > _LINE and table.columns[i].kind != "number"]
    room = _FITS - sum(n + _GAP for i, n in enumerate(lengths) if i not in long) - _GAP * len(long)
    return {i: min(lengths[i], max(room // len(long), 12)) for i in long}


def _lines(table: Table, notes: Sequence[str]) -> int:
    """Return how many lines a table takes, with its notes in their smaller letters."""
    wrapped = _wrapped(table)
    lines = len(table.rows)
    for i, room in wrapped.items():
        texts = [plain(row.cells[i], table.columns[i]) for row in table.rows]
        lines = max(lines, sum(max(1, -(-len(text) * 5 // (4 * room))) for text in texts))
    return lines + sum(-(-len(note) // _NOTE) for note in notes) * 3 // 4


def _align(table: Table) -> str:
    wrapped = _wrapped(table)
    align = []
    for i, column in enumerate(table.columns):
        if i in wrapped:
            align.append(rf">{{\raggedright\arraybackslash}}p{{{wrapped[i] / _FITS:.2f}\textwidth}}")
        elif _has_sd(table, i):
            align.append(r"r@{\,}r")
        else:
            align.append("r" if column.kind == "number" else "l")
    return "".join(align)


def _heads(table: Table) -> list[str]:
    # A column with deviations is two columns of the grid.
    widths = [2 if _has_sd(table, i) else 1 for i in range(len(table.columns))]
    titles = [
        rf"\multicolumn{{2}}{{c}}{{{escape(column.title)}}}" if width == 2 else escape(column.title)
        for column, width in zip(table.columns, widths, strict=True)
    ]
    return [r"\toprule", *_group_heads(table, widths), _line(titles), r"\midrule"]


def _group_heads(table: Table, widths: Sequence[int]) -> list[str]:
    if not any(group for group, _ in table.groups()):
        return []
    heads, rules, column, start = [], [], 0, 1
    for group, n in table.groups():
        span = sum(widths[column : column + n])
        heads.append(rf"\multicolumn{{{span}}}{{c}}{{{escape(group)}}}" if group else " & ".join([""] * span))
        if group:
            rules.append(rf"\cmidrule(lr){{{start}-{start + span - 1}}}")
        column, start = column + n, start + span
    return [_line(heads), " ".join(rules)]


def _body(table: Table) -> list[str]:
    lines = []
    for before, row in zip([None, *table.rows], table.rows, strict=False):
        if row.rule and not (before and before.rule):
            lines.append(r"\midrule")
        lines.append(_line(_cells(table, row)))
    return lines


def _cells(table: Table, row: Row) -> list[str]:
    texts = []
    for i, (cell, column) in enumerate(zip(row.cells, table.columns, strict=True)):
        if not _has_sd(table, i):
            texts.append(_cell(cell, column))
        elif cell.value is None:
            texts.append(rf"\multicolumn{{2}}{{r}}{{{_cell(cell, column)}}}")
        else:
            spread = _sd(cell, column)
            shown = f"({spread})" if column.spread else rf"$\pm${spread}"
            texts += [_cell(cell, column), rf"{{\tiny{shown}}}" if spread else ""]
    return texts


def _sd(cell: Cell, column: Column) -> str:
    return number(cell.sd, column.decimals) if cell.sd is not None else ""


def _line(texts: list[str]) -> str:
    # A row that opens with a bracket or a star would be read as the option of the \\ before it.
    opened = "{}" if texts[0].startswith(("[", "*")) else ""
    return opened + " & ".join(texts) + r" \\"


def _cell(cell: Cell, column: Column) -> str:
    if column.kind == "marks" and cell.marks:
        # Braces keep TeX from spacing the symbols as operators.
        return "$" + "".join(f"{{{_MARKS[m]}}}" for m in cell.marks) + "$"
    text = plain(cell, column)
    if column.kind == "number" and text.startswith(("-", "<")):
        # \textbf alone leaves the weight of mathematics as it is.
        return rf"\textbf{{\boldmath${text}$}}" if cell.best else f"${text}$"
    return rf"\textbf{{{escape(text)}}}" if cell.best and text else escape(text)


def _notes(notes: Sequence[str]) -> list[str]:
    return [escape(note) + r"\par" for note in notes]
