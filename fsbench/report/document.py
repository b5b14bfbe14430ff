"""A LaTeX document around the tables, figures and methods of a report, so that it can be looked at as pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsbench.report.renderers.latex import PACKAGES
from fsbench.report.renderers.tex_text import escape
from fsbench.report.results import Results
from fsbench.report.table import Table

if TYPE_CHECKING:
    from fsbench.report.figures import Figure

__all__ = ["document"]


def document(results: Results, tables: Sequence[Table], figures: Sequence[Figure]) -> str:
    """Return a document that takes in ``methods.tex``, every table, every figure and ``references.bib``.

    Parameters
    ----------
    results : Results
    tables : sequence of Table
        Their files are in ``tables``.
    figures : sequence of Figure
        Theirs are in ``figures``.

    Returns
    -------
    str
        For ``pdflatex report; bibtex report; pdflatex report; pdflatex report`` in the report's folder.
    """
    lines = [
        r"% pdflatex report; bibtex report; pdflatex report; pdflatex report",
        r"\documentclass[a4paper]{article}",
        PACKAGES,
        r"\usepackage{graphicx}",
        r"\usepackage[utf8]{inputenc}",
        r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}",
        r"\extrafloats{400}",
        # LaTeX gives up where a hundred tables wait for a page.
        r"\maxdeadcycles=1000",
        r"\emergencystretch=3em",
        rf"\title{{{escape(results.name)}}}",
        r"\author{}\date{}",
        r"\begin{document}",
        r"\maketitle",
        r"\section{Methods}",
        r"\input{methods.tex}",
        r"\section{Tables}",
        *(rf"\input{{tables/{table.key}.tex}}\clearpage" for table in tables),
    ]
    if figures:
        lines += [r"\clearpage", r"\section{Figures}"]
    for figure in figures:
        words = " ".join(f"{text.rstrip('.')}." for text in (figure.title, figure.caption, *figure.notes) if text)
        lines += [
            r"\begin{figure}[htbp]",
            rf"\centering\includegraphics[width=\textwidth,height=0.62\textheight,keepaspectratio]{{figures/{figure.key}.pdf}}",
            rf"\caption{{{escape(words)}}}\label{{fig:{figure.key}}}",
            r"\end{figure}",
        ]
    return (
        "\n".join(
            [*lines, r"\clearpage", r"\bibliographystyle{plain}", r"\bibliography{references}", r"\end{document}"]
        )
        + "\n"
    )
