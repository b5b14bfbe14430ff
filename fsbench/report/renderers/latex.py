"""Tables as LaTeX with booktabs."""

from __future__ import annotations

from fsbench.report.renderers.plain import clean, plain
from fsbench.report.table import Cell, Column, Table
from fsbench.stats import Verdict

__all__ = ["escape", "render"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "◦": r"$\circ$",
    "•": r"$\bullet$",
    "–": "--",
}
_MARKS: dict[Verdict, str] = {"better": r"\circ", "equal": r"\cdot", "worse": r"\bullet", "omitted": "?"}

# Characters that fit a text width of twelve centimetres in footnote size; wider tables are scaled down.
_FITS = 95


def escape(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    Examples
    --------
    >>> print(escape("A_1%&<b>"))
    A\_1\%\&\textless{}b\textgreater{}
    """
    return "".join(_ESCAPES.get(c, c) for c in clean(text))


def render(table: Table) -> str:
    """Return a table environment; the preamble needs booktabs, graphicx and T1 fonts."""
    grid = _grid(table)
    wide = _width(table) > _FITS
    lines = [
        r"% \usepackage[T1]{fontenc} \usepackage{booktabs,graphicx}",
        r"\begin{table}",
        r"\centering\footnotesize",
        rf"\caption{{{escape(table.title)}}}",
        rf"\label{{tab:{table.key}}}",
        *([r"\resizebox{\textwidth}{!}{%", *grid, "}"] if wide else grid),
        *([r"\par\smallskip\raggedright", *_notes(table)] if table.all_notes() else []),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _width(table: Table) -> int:
    titles = [column.title for column in table.columns]
    texts = [[plain(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)] for row in table.rows]
    return sum(max(len(text) for text in column) + 2 for column in zip(titles, *texts, strict=True))


def _grid(table: Table) -> list[str]:
    align = "".join("r" if column.kind == "number" else "l" for column in table.columns)
    lines = [rf"\begin{{tabular}}{{@{{}}{align}@{{}}}}", r"\toprule", *_group_heads(table)]
    lines += [_line([escape(column.title) for column in table.columns]), r"\midrule"]
    for row in table.rows:
        if row.rule:
            lines.append(r"\midrule")
        lines.append(_line([_cell(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)]))
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _group_heads(table: Table) -> list[str]:
    if not any(group for group, _ in table.groups()):
        return []
    heads, rules, start = [], [], 1
    for group, span in table.groups():
        heads.append(rf"\multicolumn{{{span}}}{{c}}{{{escape(group)}}}" if group else " & ".join([""] * span))
        if group:
            rules.append(rf"\cmidrule(lr){{{start}-{start + span - 1}}}")
        start += span
    return [_line(heads), " ".join(rules)]


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


def _notes(table: Table) -> list[str]:
    return [escape(note) + r"\par" for note in table.all_notes()]
