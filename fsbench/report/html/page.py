"""One page with everything: tables, figures, methods, comparison with the paper, runs. Needs no network."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fsbench.report.html.grid import Grid, grid
from fsbench.report.html.traces import Traces, as_script
from fsbench.report.methods import MethodsSection
from fsbench.report.results import Results
from fsbench.report.summary import summary
from fsbench.report.table import Table

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

    from fsbench.report.figures import Figure
    from fsbench.report.paper_page import PaperPage

__all__ = ["Contents", "render", "render_list"]

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Contents:
    """What a report consists of.

    Parameters
    ----------
    results : Results
    folders : sequence of Path
        Where the results are; their runs are told and their facts traced.
    tables : sequence of Table
    figures : sequence of Figure
    methods : MethodsSection
    drawn : mapping of str to str
        The ``<svg>`` element of each figure by its key.
    paper : PaperPage, optional
        The comparison with the paper, if there is one.
    no_figures : str, default ""
        Why there are no figures.
    """

    results: Results
    folders: Sequence[Path]
    tables: Sequence[Table]
    methods: MethodsSection
    figures: Sequence[Figure] = ()
    drawn: Mapping[str, str] = field(default_factory=dict)
    paper: PaperPage | None = None
    no_figures: str = ""


@dataclass(frozen=True)
class _Picture:
    figure: Figure
    svg: Markup


@dataclass(frozen=True)
class _Links:
    """Entries of the table of contents: address, title, and those below."""

    id: str
    title: str
    below: tuple[tuple[str, str], ...] = field(default=())


def render(contents: Contents) -> str:
    """Return the page.

    Parameters
    ----------
    contents : Contents

    Returns
    -------
    str
        HTML 5; style, script and figures inside, a policy that forbids everything else.
    """
    from markupsafe import Markup

    traces = Traces(contents.results, contents.folders)
    grids = [grid(table, traces) for table in contents.tables]
    paper = contents.paper
    # Figures are ours from the first byte to the last: names in them are escaped where they are drawn.
    pictures = [_Picture(figure, Markup(contents.drawn[figure.key])) for figure in contents.figures]  # noqa: S704
    script = _asset("script.js")
    page: str = _template("index.html.j2").render(
        contents=contents,
        results=contents.results,
        facts=summary(contents.results, traces.runs),
        numbers=contents.methods.numbers(),
        grids=grids,
        compared=[grid(table, traces) for table in paper.tables] if paper else [],
        every=grid(paper.cells, traces) if paper and paper.cells else None,
        pictures=pictures,
        origins=_origins(contents.results),
        methods=_methods(contents.folders),
        runs=traces.runs,
        links=_contents(contents, grids, pictures),
        style=Markup(_asset("style.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
        script_hash=_hash(script),
        # Last, because all tables have by then said what they are made of.
        data=Markup(as_script(traces.as_plain())),  # noqa: S704
    )
    return page


def _origins(results: Results) -> list[dict[str, str]]:
    table = results.dataset_table
    columns = (table["dataset"], table["source"].fillna(""), table["digest"].fillna(""))
    return [
        {
            "name": str(d),
            "source": str(s) or "source not stored",
            "digest": str(h),
            "missing": results.missing.get(d, ""),
        }
        for d, s, h in zip(*columns, strict=True)
    ]


def _methods(folders: Sequence[Path]) -> list[dict[str, str]]:
    from fsbench.experiment.store import Store

    records = [record for folder in folders for record in Store(folder).methods().to_dict("records")]
    return [
        {str(k): str(v) for k, v in record.items()} for record in {r["label"] + r["kind"]: r for r in records}.values()
    ]


def _contents(contents: Contents, grids: Sequence[Grid], pictures: Sequence[_Picture]) -> list[_Links]:
    tables = tuple((f"table-{g.table.key}", g.table.title.partition(";")[0]) for g in grids)
    figures = tuple((f"figure-{p.figure.key}", p.figure.title) for p in pictures)
    links = [_Links("tables", "Tables", tables), _Links("figures", "Figures", figures)]
    links.append(_Links("methods", "Methods"))
    if contents.paper:
        links.append(_Links("paper", "Beside the paper"))
    return [
        _Links("summary", "In short"),
        *links,
        _Links("runs", "Data, methods, runs"),
        _Links("references", "References"),
    ]


def render_list(reports: Sequence[tuple[str, str, str]]) -> str:
    """Return a page that leads to reports.

    Parameters
    ----------
    reports : sequence of (str, str, str)
        Folder beside the page, name, and what else to say of each.

    Returns
    -------
    str
    """
    from markupsafe import Markup

    page: str = _template("list.html.j2").render(reports=reports, style=Markup(_asset("style.css")))  # noqa: S704
    return page


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


@cache
def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    """Return what a content security policy calls a script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
