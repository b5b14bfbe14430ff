"""Methods by name, by file, by import path; what the user gets wrong is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsbench import registry
from fsbench.errors import MethodError

MINE = """
from fsbench.rankers import Ranker

class Backwards(Ranker):
    unit = "place"
    step: int = 1

    def score(self, train):
        return [float(j * self.step) for j in range(train.n_features)]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_a_users_file(mine: Path) -> None:
    ranker = registry.make("ranker", {"method": "mine.py:Backwards", "step": 2}, base=mine.parent)
    assert ranker.params() == {"ties": "index", "step": 2}
    assert ranker.label == "Backwards(step=2)"


def test_aliases_and_case() -> None:
    assert registry.make("classifier", "J48") == registry.make("classifier", "c45")
    assert registry.make("ranker", "information_gain") == registry.make("ranker", "IG")
    for name in ("symmetrical-uncertainty", "symmetrical_uncertainty"):
        assert registry.make("ranker", name) == registry.make("ranker", "su")
    for name in ("chi-squared", "Chi_Squared"):
        assert registry.make("ranker", name) == registry.make("ranker", "chi2")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nlcc", "unknown ranker 'nlcc'; did you mean 'nlc'?"),
        ("nowhere.py:X", "no such file: "),
        ("no_such_module:X", "cannot import 'no_such_module'"),
        ("mine.py:Backward", "did you mean 'Backwards'?"),
        ({"method": "relieff", "kk": 3}, "relieff: unknown parameter 'kk'; did you mean 'k'?"),
        ({"method": "relieff", "k": "ten"}, "parameter k must be a whole number of at least 1, found 'ten'"),
        ({"k": 3}, "a ranker needs the key 'method'"),
    ],
)
def test_mistakes_are_named(mine: Path, spec: object, message: str) -> None:
    with pytest.raises(MethodError) as caught:
        registry.make("ranker", spec, where="here", base=mine.parent)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert str(caught.value).startswith("here: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_breaks_on_loading(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("1 / 0\n")
    with pytest.raises(MethodError, match="cannot be loaded: ZeroDivisionError"):
        registry.make("ranker", "bad.py:X", base=tmp_path)
