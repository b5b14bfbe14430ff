"""What is written as LaTeX becomes pages: every table, the methods, the bibliography, whatever the names are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fsbench.report.renderers import render
from fsbench.report.renderers.latex import PACKAGES
from fsbench.report.renderers.tex_text import accents, escape
from fsbench.report.results import load
from fsbench.report.table import Cell, Column, Row, Table, absent, marks
from fsbench.report.tables import build
from fsbench.report.whole import write_report
from tests.report.runs import make_run

TEX = shutil.which("pdflatex")


def has_packages() -> bool:
    found = subprocess.run(["kpsewhich", "booktabs.sty", "longtable.sty"], capture_output=True, check=False)
    return found.returncode == 0


needs_tex = pytest.mark.skipif(TEX is None or not has_packages(), reason="no pdflatex with booktabs")
SCALABLE = r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}"

HOSTILE = (
    r"A_1%&<b>", "grösse ß", "tic-tac-toe", "</script><script>", r"\input{/etc/passwd}", "$x^2$", "[x](javascript:a)",
    "=cmd()", r"\\[3cm]", "* star", "{", "}", "a--b ''c'' ,,d,, ?`!`", "数据 🙂", "αβγ Ωμ", "~^#\"|@", "\\",
    "ẽ ṡ ǎ ŋ ĸ", "a" * 80,
)  # fmt: skip


def compile_(folder: Path, name: str, times: int = 1) -> str:
    """Make pages of a document; returns the log. Shell escapes are off, nothing may ask."""
    call = [str(TEX), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name]
    env = {**os.environ, "max_print_line": "2000"}
    for _ in range(times):
        done = subprocess.run(call, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, env=env, timeout=120)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    return (folder / name).with_suffix(".log").read_text(errors="replace")


def overfull(log: str) -> list[float]:
    """By how many points boxes stand out of the page."""
    return [float(width) for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]


def tables() -> list[Table]:
    names = [Row((Cell(name), Cell(84.25, 11.5, best=True), marks("better", "worse"), Cell(name)), (f"{name}: no",))
             for name in HOSTILE]  # fmt: skip
    columns = (Column("n", "name", kind="name"), Column("v", "value", HOSTILE[0]))
    columns += (Column("m", HOSTILE[5], HOSTILE[0], "marks", parts=("a", "b")), Column("t", "text", kind="text"))
    last = Row((Cell("mean"), Cell(-0.4), Cell(), absent("failed")), rule=True)
    odd = Table("odd", " ".join(HOSTILE[:14]), columns, (*names, last), HOSTILE, tested=HOSTILE[4])
    wide = (Column("d", "data set", kind="name"), *(Column(f"c{i}", f"method {i}", "C4.5") for i in range(100)))
    hundred = Table("hundred", "Wide", wide, (Row((Cell("iris"), *[Cell(95.25, 3.0)] * 100)),) * 5)
    long = Table("long", "Long", columns, tuple(names * 8), ("note",))
    return [odd, hundred, long, Table("empty", "Empty", columns, ())]


@needs_tex
def test_every_name_and_shape_of_table_compiles(tmp_path: Path) -> None:
    text = "\n".join(render(table, "latex") for table in tables())
    document = (
        rf"\documentclass{{article}}{PACKAGES}{SCALABLE}\extrafloats{{100}}\begin{{document}}{text}\end{{document}}"
    )
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")
    log = compile_(tmp_path, "t.tex")
    assert "passwd" not in " ".join(re.findall(r"\((/[^ )]*)", log))  # no file was taken in by a name
    # Only the name of eighty letters without a place to break may stand out.
    tables_without = text.replace("a" * 80, "a")
    (tmp_path / "u.tex").write_text(document.replace(text, tables_without), encoding="utf-8")
    assert max(overfull(compile_(tmp_path, "u.tex")), default=0) < 3


@needs_tex
def test_every_letter_is_one_that_pdflatex_knows(tmp_path: Path) -> None:
    letters = "".join(chr(c) for c in range(0x20, 0x2700) if chr(c).isprintable())
    lines = "\n\n".join(
        f"{escape(letters[i : i + 60])} {accents(letters[i : i + 60])}" for i in range(0, len(letters), 60)
    )
    document = rf"\documentclass{{article}}{PACKAGES}{SCALABLE}\begin{{document}}{lines}\end{{document}}"
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")
    log = compile_(tmp_path, "t.tex")
    assert "Missing character" not in log


@needs_tex
def test_a_whole_report_becomes_pages(tmp_path: Path) -> None:
    text = f"""
name: whole
paper: nlc2003
datasets: [iris, {{name: zoo, label: "{HOSTILE[0]}"}}, {{name: glass2, label: "{HOSTILE[1]}"}}, gone.arff]
folds: {{folds: 3}}
rankers: [{{method: nlc, label: NLC}}, {{method: relieff, label: "$x^2$"}}, ig]
classifiers: [{{method: nb, label: "=cmd()"}}, c45]
selections: [all, {{best: {{estimate: [inner_cv, test], folds: 2}}}}, {{first: 3}}]
"""
    run = make_run(tmp_path, text=text)
    results = load(run)
    write_report(results, [run], build(results), tmp_path / "out")
    log = compile_(tmp_path / "out", "report.tex")
    done = subprocess.run([shutil.which("bibtex") or "bibtex", "report"], cwd=tmp_path / "out", capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
    assert b"Warning" not in done.stdout
    log = compile_(tmp_path / "out", "report.tex", times=2)
    assert "undefined" not in log
    assert "multiply" not in log
    assert max(overfull(log), default=0) < 6
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 50_000


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("$x^2$", r"\$x\textasciicircum{}2\$"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("grösse ß", "grösse ß"),
        ("数", "[U+6570]"),
        ("ẽ", r"{\~e}"),
    ],
)
def test_texts(text: str, made: str) -> None:
    assert escape(text) == made
