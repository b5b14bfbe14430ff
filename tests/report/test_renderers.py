"""One table in every form, whole; names that would be markup; the table fitted to a narrow terminal."""

import csv
import io
import re

import pytest

from fsbench.report.renderers import FORMATS, SUFFIXES, render, text
from fsbench.report.renderers.plain import clean, number
from fsbench.report.renderers.terminal import show
from fsbench.report.table import Cell, Column, Row, Table, absent, marks

ODD = "A_1%&<b>"


def table() -> Table:
    return Table(
        key="accuracy",
        title=f"Accuracy (%) of {ODD}",
        columns=(
            Column("dataset", "data set", kind="name"),
            Column("C4.5 all", "all", "C4.5"),
            Column("C4.5 x", ODD, "C4.5"),
            Column("C4.5 x vs", "sig.", "C4.5", "marks", parts=("all", "y")),
            Column("NB all", "all", "naive_Bayes"),
        ),
        rows=(
            Row(
                (Cell(ODD), Cell(84.25, 1.5), Cell(100.0), marks("better", "worse"), absent("failed")), (f"{ODD}: no",)
            ),
            Row((Cell("größe"), Cell(-0.04), Cell(3), marks("equal", "omitted"), Cell(7.0))),
            Row((Cell("mean"), Cell(42.1), Cell(51.5), Cell(), Cell(7.0)), rule=True),
        ),
        notes=("5 % level, | and $",),
    )


TEXT = """\
Accuracy (%) of A_1%&<b>

            C4.5                    naive_Bayes
data set     all  A_1%&<b>  sig.            all
--------    ----  --------  ----    -----------
A_1%&<b>    84.2     100.0  ◦•           failed
größe        0.0         3  ·?              7.0
--------    ----  --------  ----    -----------
mean        42.1      51.5                  7.0

5 % level, | and $
A_1%&<b>: no
"""

MARKDOWN = r"""### Accuracy (%) of A\_1%&amp;&lt;b&gt;

| data set | C4.5 all | C4.5 A\_1%&amp;&lt;b&gt; | C4.5 sig. | naive\_Bayes all |
| :--- | ---: | ---: | :--- | ---: |
| A\_1%&amp;&lt;b&gt; | 84.2 ± 1.5 | 100.0 | ◦• | failed |
| größe | 0.0 | 3 | ·? | 7.0 |
| **mean** | **42.1** | **51.5** |  | **7.0** |

- 5 % level, \| and \$
- A\_1%&amp;&lt;b&gt;: no
"""

CSV = """\
dataset,C4.5 all,C4.5 all sd,C4.5 x,C4.5 x vs all,C4.5 x vs y,NB all,note
A_1%&<b>,84.25,1.5,100.0,better,worse,failed,A_1%&<b>: no
größe,-0.04,,3,equal,omitted,7.0,
mean,42.1,,51.5,,,7.0,
"""

LATEX = r"""% \usepackage[T1]{fontenc}\usepackage{array,booktabs,longtable,textcomp}
\begin{table}[htbp]
\centering\footnotesize\setlength{\tabcolsep}{3pt}\setlength{\belowcaptionskip}{4pt}
\caption{Accuracy (\%) of A\_1\%\&\textless{}b\textgreater{}.}
\label{tab:accuracy}
\begin{tabular}{@{}lr@{\,}rrlr@{}}
\toprule
 & \multicolumn{4}{c}{C4.5} & \multicolumn{1}{c}{naive\_Bayes} \\
\cmidrule(lr){2-5} \cmidrule(lr){6-6}
data set & \multicolumn{2}{c}{all} & A\_1\%\&\textless{}b\textgreater{} & sig. & all \\
\midrule
A\_1\%\&\textless{}b\textgreater{} & 84.2 & {\tiny$\pm$1.5} & 100.0 & ${\circ}{\bullet}$ & failed \\
größe & 0.0 &  & 3 & ${\cdot}{?}$ & 7.0 \\
\midrule
mean & 42.1 &  & 51.5 &  & 7.0 \\
\bottomrule
\end{tabular}
\par\smallskip\scriptsize\raggedright
5 \% level, \textbar{} and \$\par
A\_1\%\&\textless{}b\textgreater{}: no\par
\end{table}
"""


@pytest.mark.parametrize(("form", "expected"), [("text", TEXT), ("markdown", MARKDOWN), ("csv", CSV), ("latex", LATEX)])
def test_whole_table(form: str, expected: str) -> None:
    assert render(table(), form) == expected


@pytest.mark.parametrize(
    ("form", "bold", "low"),
    [
        ("markdown", r"| a | **84.2** | **&lt;0.001** | 3.0 |", r"| **mean** | **-2.0** | 0.500 | 3.0 |"),
        (
            "latex",
            r"a & \textbf{84.2} & \textbf{\boldmath$<0.001$} & 3.0 \\",
            r"mean & \textbf{\boldmath$-2.0$} & 0.500 & 3.0",
        ),
        ("text", "a     84.2*  <0.001*  3.0", "mean  -2.0*   0.500   3.0"),
        ("csv", "a,84.25,1.23457e-12,3.0,", "mean,-2.0,0.5,3.0,"),
    ],
)
def test_the_best_is_bold_and_small_probabilities_are_bounded(form: str, bold: str, low: str) -> None:
    columns = (
        Column("n", "n", kind="name"),
        Column("x", "x"),
        Column("p", "p", decimals=3, p_value=True),
        Column("y", "y"),
    )
    first = Row((Cell("a"), Cell(84.25, best=True), Cell(1.234567e-12, best=True), Cell(3.0)))
    second = Row((Cell("mean"), Cell(-2.0, best=True), Cell(0.5), Cell(3.0)), rule=True)
    lines = render(Table("k", "t", columns, (first, second)), form).splitlines()
    assert any(bold in line for line in lines), lines
    assert any(low in line for line in lines), lines


def test_every_format_has_a_suffix() -> None:
    assert list(FORMATS) == list(SUFFIXES)


def test_csv_reads_back_with_names_unharmed() -> None:
    rows = list(csv.DictReader(io.StringIO(render(table(), "csv"))))
    assert [r["dataset"] for r in rows] == [ODD, "größe", "mean"]


@pytest.mark.parametrize(
    ("form", "poison", "harmless"),
    [
        ("markdown", "a|b", r"a\|b"),
        ("markdown", "<script>", "&lt;script&gt;"),
        ("markdown", "[x](y)*", r"\[x\](y)\*"),
        ("markdown", "[x](javascript:alert(1))", r"\[x\](javascript:alert(1))"),
        ("markdown", "![x](y)", r"!\[x\](y)"),
        ("markdown", "# big", r"\# big"),
        ("markdown", "- item", r"\- item"),
        ("markdown", "12. item", r"12\. item"),
        ("markdown", "---", r"\---"),
        ("markdown", "$x^2$", r"\$x^2\$"),
        ("csv", "=cmd()", "'=cmd()"),
        ("csv", "@SUM(A1)", "'@SUM(A1)"),
        ("csv", "-2+3", "'-2+3"),
        ("csv", "+3.4", "+3.4"),
        ("latex", r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("latex", "a$^~#", r"a\$\textasciicircum{}\textasciitilde{}\#"),
        ("latex", "[0.5em]", "{}[0.5em]"),
        ("latex", "*", "{}*"),
        ("text", "a\x1b[31m\nb\x07", r"a\x1b[31m b\x07"),
        ("text", "\u202egnp", r"\u202egnp"),
        ("csv", 'a"b,c', '"a""b,c"'),
    ],
)
def test_names_inject_nothing(form: str, poison: str, harmless: str) -> None:
    made = render(Table("k", "t", (Column("n", "n", kind="name"),), (Row((Cell(poison),)),)), form)
    assert harmless in made
    assert "\x1b" not in made


def test_a_narrow_terminal_gets_the_groups_one_below_the_other() -> None:
    assert text.render(table(), 40) == (
        "Accuracy (%) of A_1%&<b>\n"
        "\n"
        "            C4.5\n"
        "data set     all  A_1%&<b>  sig.\n"
        "--------    ----  --------  ----\n"
        "A_1%&<b>    84.2     100.0  ◦•\n"
        "größe        0.0         3  ·?\n"
        "--------    ----  --------  ----\n"
        "mean        42.1      51.5\n"
        "\n"
        "            naive_Bayes\n"
        "data set            all\n"
        "--------    -----------\n"
        "A_1%&<b>         failed\n"
        "größe               7.0\n"
        "--------    -----------\n"
        "mean                7.0\n"
        "\n"
        "5 % level, | and $\n"
        "A_1%&<b>: no\n"
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours_and_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    for name, value in {"COLUMNS": "40", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    show(table())
    shown = screen.getvalue()
    assert "\x1b[1;32m◦\x1b[0m" in shown
    assert "\x1b[1;31m•\x1b[0m" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == text.render(table(), 40) + "\n"


def test_the_best_is_bold_on_a_terminal_and_has_a_star_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = Column("n", "n", kind="name"), Column("x", "x")
    rows = Row((Cell("a"), Cell(-84.25, best=True))), Row((Cell("b"), Cell(3.0)))
    made = Table("k", "t", columns, rows, notes=("In bold: the best.", "In bold letters."))
    expected = "t\n\nn       x\n-  ------\na  -84.2*\nb    3.0\n\n*: the best.\nIn bold letters.\n"
    assert text.render(made) == expected
    assert "- In bold: the best." in render(made, "markdown")
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show(made)
    assert "\x1b[1m-84.2*\x1b[0m" in screen.getvalue()
    assert "\x1b[1m3.0" not in screen.getvalue()


def test_a_pipe_gets_plain_text_unsplit(capsys: pytest.CaptureFixture[str]) -> None:
    show(table())
    assert capsys.readouterr().out == TEXT + "\n"


def test_wide_characters_keep_columns_aligned() -> None:
    columns = (Column("n", "name", kind="name"), Column("v", "value"))
    made = text.render(Table("k", "t", columns, (Row((Cell("数据"), Cell(1.0))), Row((Cell("ab"), Cell(2.0))))))
    assert "数据    1.0\nab      2.0\n" in made


def test_a_table_without_rows_is_still_a_table() -> None:
    empty = Table("k", "nothing", (Column("n", "name", kind="name"), Column("v", "value")), ())
    assert render(empty, "text") == "nothing\n\nname  value\n----  -----\n"
    for form in FORMATS:
        assert render(empty, form).endswith("\n")


def test_a_wide_table_is_cut_in_latex_with_the_names_in_each_part() -> None:
    columns = (Column("d", "data set", kind="name"), *(Column(str(i), f"column {i}") for i in range(20)))
    made = render(Table("k", "t", columns, (Row((Cell("iris"), *[Cell(1.0)] * 20)),)), "latex")
    assert made.count(r"\begin{table}") == made.count("iris & 1.0") == made.count("data set & column") == 3
    assert [r"\caption{t. Part " + f"{i} of 3.}}" in made for i in (1, 2, 3)] == [True] * 3
    assert re.findall(r"\\label{(.*?)}", made) == ["tab:k", "tab:k-2", "tab:k-3"]
    assert len(set(re.findall(r"column \d+", made))) == 20


def test_a_group_that_is_too_wide_is_cut_but_marks_stay_beside_their_number() -> None:
    pair = [(Column(f"m{i}", f"method {i}", "C4.5"), Column(f"v{i}", "sig.", "C4.5", "marks")) for i in range(100)]
    columns = (Column("d", "data set", kind="name"), *(c for two in pair for c in two))
    row = Row((Cell("iris"), *[Cell(1.0), marks("equal")] * 100))
    made = render(Table("k", "t", columns, (row,)), "latex")
    heads = re.findall(r"^data set & (.*) \\\\$", made, re.M)
    assert len(heads) > 5
    assert all(head.endswith("sig.") for head in heads)
    narrow = text.render(Table("k", "t", columns, (row,)), 60)
    assert max(map(len, narrow.splitlines())) <= 60
    assert len(re.findall(r"method \d+", narrow)) == 100


def test_a_long_table_goes_on_over_pages() -> None:
    columns = (Column("d", "data set", kind="name"), Column("v", "value"), Column("r", "reason", kind="text"))
    rows = tuple(Row((Cell(f"d{i}"), Cell(1.0), Cell("why " * 40))) for i in range(60))
    made = render(Table("k", "t", columns, rows), "latex")
    assert r"\begin{longtable}{@{}lr>{\raggedright\arraybackslash}p{" in made
    assert r"\begin{table}" not in made
    assert made.count("data set & value & reason") == 2  # on the first page, and on those after it


def test_rows_must_fit_the_columns() -> None:
    with pytest.raises(ValueError, match="a row of 2 cells for 1 columns"):
        Table("k", "t", (Column("n", "n"),), (Row((Cell(1), Cell(2))),))


def test_numbers_and_names() -> None:
    assert number(-0.01, 1) == "0.0"
    assert number(-0.06, 1) == "-0.1"
    assert number(12, 3) == "12"
    assert clean("  a \r\n b ") == "a b"
