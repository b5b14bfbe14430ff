"""The meter: few plain lines in a log, a bar that goes away on a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fsbench.cli import progress as module
from fsbench.cli.progress import LineMeter, Meter, format_seconds, make_meter, working
from fsbench.experiment.cells import Record, Task
from fsbench.experiment.run import Progress

TOYS = Path(__file__).parents[1] / "experiment" / "toys.py"


@pytest.mark.parametrize(("seconds", "text"), [
    (0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3599.4, "59 min 59 s"), (3600, "1 h 0 min"),
    (90061, "25 h 1 min"),
])  # fmt: skip
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


class Clock:
    """Stands in for `time`."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


def work(meter: Meter, clock: Clock, costs: list[float], seconds: float) -> None:
    """Let a meter watch tasks of some costs, each taking the same time."""
    progress = Progress(tasks=len(costs), cells=7 * len(costs), kept=3, cost=sum(costs))
    meter.show(progress)
    for cost in costs:
        clock.now += seconds
        progress.add(Task("d", "", None, (), cost=cost), [Record("", "result", "ok")])  # type: ignore[arg-type]
        meter.show(progress)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def test_lines_come_each_tenth_of_the_work(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    work(LineMeter("demo"), clock, [30.0, 10.0, 5.0, 5.0, 25.0, 25.0], seconds=6)
    assert capsys.readouterr().err == (
        "demo: 42 cells to compute (3 are there already), 6 folds\n"
        " 30%  1 of 6 folds, 6 s, 14 s left\n"
        " 40%  2 of 6 folds, 12 s, 18 s left\n"
        " 50%  4 of 6 folds, 24 s, 24 s left\n"
        " 75%  5 of 6 folds, 30 s, 13 s left\n"  # by the pace since the first, which may have waited for kernels
    )


def test_lines_keep_a_distance_in_time(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    work(LineMeter("demo"), clock, [1.0] * 100, seconds=0.01)
    assert capsys.readouterr().err == "demo: 700 cells to compute (3 are there already), 100 folds\n"


def test_compiling_is_announced_and_does_not_count_as_work(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    meter, progress = LineMeter("demo"), Progress(tasks=4, cells=8, kept=0, cost=4.0, to_compile=2)
    meter.show(progress)
    for _ in range(2):
        clock.now += 20
        progress.compiled += 1
        meter.show(progress)
    clock.now += 6
    progress.add(Task("d", "", None, ()), [])  # type: ignore[arg-type]
    meter.show(progress)
    assert capsys.readouterr().err == (
        "demo: 8 cells to compute, 4 folds\n"
        "compiling kernels for what is used for the first time (2 families): this takes a minute or two\n"
        "compiled 1 of 2 families, 20 s\n"
        "compiled 2 of 2 families, 40 s\n"
        " 25%  1 of 4 folds, 46 s, 18 s left\n"
    )


def test_quiet_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    work(make_meter("demo", quiet=True), clock, [1.0, 1.0], seconds=60)
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
def test_a_bar_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("a,b,c\n" + "1,2,x\n2,1,y\n" * 6)
    (tmp_path / "demo.yaml").write_text(
        f'datasets: [d.csv]\nfolds: {{folds: 4}}\nclassifiers: ["{TOYS}:Centroid"]\n'
        f'rankers: [{{method: "{TOYS}:Slow", seconds: 0.2}}, "{TOYS}:Shapeless"]\n'
    )
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "fsbench", "run", "demo.yaml", "--jobs", "1"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    out = process.communicate()[0].decode()
    assert process.returncode == 1
    assert out.splitlines()[-1] == "next: fsbench report results/demo"
    text = shown.decode()
    assert "demo: 36 cells to compute, 8 parts" in text
    assert "2 of 8 parts" in text
    assert "failed" in text
    assert "s left" in text
    assert "Traceback" not in text


def test_other_commands_say_once_that_they_compile(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    announce_compiling: Callable[[], None],
) -> None:
    from fsbench.kernels import cache

    monkeypatch.setattr(cache, "LISTENERS", [])
    announce_compiling()
    assert capsys.readouterr().err == ""
    cache.compiling()
    cache.compiling()
    assert capsys.readouterr().err.count("compiling kernels for what is used for the first time") == 1


def test_what_takes_its_time_is_said_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with working("writing [a]/report"):
        pass
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with working("writing [a]/report"):
        pass
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "writing [a]/report" in shown.err
