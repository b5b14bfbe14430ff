"""`fsbench methods`: every method with what it takes."""

from __future__ import annotations

import json

from click.testing import CliRunner

from fsbench import registry
from fsbench.cli.main import cli


def run(*args: str) -> str:
    result = CliRunner().invoke(cli, ["methods", *args])
    assert result.exit_code == 0
    return result.output


def test_every_method_is_listed_without_marks_of_references() -> None:
    text = run()
    for kind in registry.METHODS:
        for name in registry.names(kind):
            assert f"\n{name}" in text
    assert "]_" not in text


def test_what_a_parameter_may_be() -> None:
    (nearest,) = json.loads(run("1nn", "--format", "json"))
    choices = {p["name"]: p["choices"] for p in nearest["params"]}
    assert choices["scale"] == ["minmax", "none", "zscore"]
    assert choices["k"] == []
    assert "scale = minmax [minmax | none | zscore]: " in run("1nn")
