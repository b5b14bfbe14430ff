"""The plot of a trace: what it shows, the same bytes each time, and what cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsbench.errors import UserError
from fsbench.report.figures import search_steps
from fsbench.searches.plus_l_take_away_r import SFG, PlusLTakeAwayR
from fsbench.searches.trace import Trace


class Hill:
    """J rises to three features and falls."""

    def score(self, subset: frozenset[int]) -> float:
        return 0.9 - 0.1 * abs(len(subset) - 3)


def plot(trace: Trace, names: list[str], path: Path, title: str = "") -> None:
    search_steps.figure(trace, names, title).write(path)


def trace(n: int, remainder: float | None = None) -> Trace:
    return PlusLTakeAwayR(remainder=remainder).run(Hill(), n)


def test_steps_are_named_and_the_best_is_marked(tmp_path: Path) -> None:
    plot(trace(4, 0.5), ["a", "b", "price in $ or US$", "d"], tmp_path / "t.svg", "made: 100 $ and 200 $")
    text = (tmp_path / "t.svg").read_text()
    for shown in ("start", "+a", "-a", "+price in $ or US$", "J(X)", "J(Y - X)", "criterion", "best, 3 features"):
        assert f">{shown}<" in text
    plot(trace(4, 0.5), ["a", "b", "price in $ or US$", "d"], tmp_path / "u.svg", "made: 100 $ and 200 $")
    assert text == (tmp_path / "u.svg").read_text()


def test_without_a_remainder_there_is_one_line(tmp_path: Path) -> None:
    plot(trace(4), list("abcd"), tmp_path / "t.svg")
    text = (tmp_path / "t.svg").read_text()
    assert ">pta<" in text
    assert "J(Y - X)" not in text


def test_many_steps_are_numbered(tmp_path: Path) -> None:
    plot(SFG().run(Hill(), 41), [f"f{j}" for j in range(41)], tmp_path / "t.svg")
    text = (tmp_path / "t.svg").read_text()
    assert ">step<" in text
    assert ">+f0<" not in text


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"must end in \.svg, \.pdf or \.png, found 't\.txt'"):
        plot(trace(3), list("abc"), tmp_path / "t.txt")
    with pytest.raises(UserError, match="cannot write the plot: No such file or directory"):
        plot(trace(3), list("abc"), tmp_path / "none" / "t.svg")
