"""A whole report: everything is made first, then written as one folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fsbench.report.results import Results
from fsbench.report.table import Table

__all__ = ["write_list", "write_report", "write_tables"]


def write_report(
    results: Results,
    folders: Sequence[Path],
    tables: Sequence[Table],
    place: Path,
    *,
    ours: bool = False,
    jobs: int | None = None,
) -> None:
    """Write page, tables, figures, methods, and the comparison with the paper into a folder.

    Parameters
    ----------
    results : Results
    folders : sequence of Path
        The results folders that it stands on.
    tables : sequence of Table
        As `fsbench.report.tables.build` makes them.
    place : Path
        The report's folder.
    ours : bool, default False
        As for `fsbench.report.folder.check`.
    jobs : int, optional
        As for `fsbench.report.figure_files.save_figures`.

    Raises
    ------
    UserError
        The folder holds something else, or cannot be written.
    """
    from fsbench.report.document import document
    from fsbench.report.figure_files import save_figures
    from fsbench.report.figures import build as build_figures
    from fsbench.report.folder import check, staged
    from fsbench.report.html.page import Contents, render
    from fsbench.report.methods import describe
    from fsbench.report.methods_text import latex, markdown_text
    from fsbench.report.paper_page import paper_page
    from fsbench.report.references import bibtex

    check(place, ours=ours)
    with staged(place, whole=True, ours=ours) as stage:
        _write_forms(tables, stage, None)
        figures = build_figures(results)
        drawn = save_figures(figures, stage / "figures", jobs)
        methods = describe(results, folders, tables)
        paper = paper_page(results)
        texts = {
            "methods.md": markdown_text(methods, results.name),
            "methods.tex": latex(methods),
            "references.bib": bibtex(methods.references),
            "report.tex": document(results, tables, figures),
        }
        if paper:
            texts["reproduction.md"] = paper.markdown()
        texts["index.html"] = render(Contents(results, folders, tables, methods, figures, drawn, paper))
        for name, text in texts.items():
            (stage / name).write_text(text, encoding="utf-8", newline="\n")


def write_list(entries: Sequence[tuple[str, str, str]], place: Path) -> None:
    """Write a page that leads to the reports in a folder.

    Parameters
    ----------
    entries : sequence of (str, str, str)
        The folder of each report in `place`, the experiment's name, and the title of its paper or "".
    place : Path
    """
    from fsbench.report.folder import staged
    from fsbench.report.html.page import render_list

    # Whoever writes reports into a folder has checked it before the first of them.
    with staged(place, whole=False, ours=True) as stage:
        (stage / "index.html").write_text(render_list(entries), encoding="utf-8", newline="\n")


def write_tables(tables: Sequence[Table], place: Path, form: str | None, *, ours: bool = False) -> None:
    """Write tables alone into the folder of a report; what else is there stays.

    Parameters
    ----------
    tables : sequence of Table
    place : Path
        The report's folder; the tables go into ``tables`` in it.
    form : str or None
        One of the renderers' `FORMATS`; None for all of them.
    ours : bool, default False
        As for `fsbench.report.folder.check`.
    """
    from fsbench.report.folder import staged

    with staged(place, whole=False, ours=ours) as stage:
        _write_forms(tables, stage, form)


def _write_forms(tables: Sequence[Table], stage: Path, form: str | None) -> None:
    from fsbench.report.renderers import FORMATS, SUFFIXES, render

    folder = stage / "tables"
    folder.mkdir()
    for name in [form] if form else FORMATS:
        for table in tables:
            text = render(table, name)
            (folder / f"{table.key}.{SUFFIXES[name]}").write_text(text, encoding="utf-8", newline="")
