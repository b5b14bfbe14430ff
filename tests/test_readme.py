"""What the README shows is run: its commands, its experiment, its ranker of ten lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def fsbench(*args: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-m", "fsbench", *args], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_console_examples_print_what_they_show(tmp_path: Path) -> None:
    for block in blocks("console"):
        command, _, shown = block.partition("\n")
        assert fsbench(*command.removeprefix("$ fsbench ").split(), cwd=tmp_path) == shown


def test_every_command_named_exists() -> None:
    named = set(re.findall(r"`fsbench (\w+)", README)) | set(
        re.findall(r"^fsbench (\w+)", "".join(blocks("sh")), re.MULTILINE)
    )
    listed = fsbench("--help", cwd=Path())
    assert named >= {"run", "report", "rank", "compare", "export", "datasets", "methods"}
    assert all(re.search(rf"^  {name} ", listed, re.MULTILINE) for name in named)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The README's experiment with its ranker, run on fewer data sets."""
    folder = tmp_path_factory.mktemp("readme")
    (config,) = blocks("yaml")
    line = next(found for found in re.findall(r"`(- \S+)`", README) if "my_ranker.py" in found)
    (ranker,) = [block for block in blocks("python") if "class Separation" in block]
    (folder / "my_ranker.py").write_text(ranker)
    assert len([row for row in ranker[ranker.index("class") :].splitlines() if row.strip()]) <= 10
    config = config.replace("[iris, wine, my_data.arff]", "[iris, glass2]").replace("  - nlc\n", f"  - nlc\n  {line}\n")
    (folder / "mine.yaml").write_text(config)
    fsbench("run", "mine.yaml", "--jobs", "1", cwd=folder)
    return folder / "results" / "mine"


def test_the_ranker_stands_beside_the_others_in_tables(results: Path) -> None:
    out = fsbench("report", str(results), cwd=results)
    assert re.search(r"all\s+nlc\b.*\bSeparation\s+RLF", out)
    assert (results / "report" / "tables").is_dir()


def test_the_ranker_stands_beside_the_others_in_curves(results: Path) -> None:
    out = fsbench("export", str(results), "--what", "curves", cwd=results)
    head, *rows = (row.split(",") for row in out.splitlines())
    counts = {name: sum(row[head.index("ranker")] == name for row in rows) for name in ("nlc", "Separation", "RLF")}
    assert counts["nlc"] == counts["Separation"] == counts["RLF"] > 0
