"""Information gain and its relatives, chi-squared and OneR, against plain tables."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench import columns, discretize, entropy, registry
from fsbench.data import load
from fsbench.rankers import contingency
from fsbench.rankers.information_gain import InformationGain
from fsbench.rankers.oner import OneR
from fsbench.values import Dataset, Feature
from tests.naive.mdl import interval, mdl_cuts, one_rule_correct, scores, table
from tests.rankers.datasets import KINDS, make

NAMES = ("ig", "gain-ratio", "su", "chi2")


@pytest.fixture(params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for module in (columns, discretize, contingency, entropy):
        monkeypatch.setattr(module, "compiled_pays", lambda cells: request.param == "compiled")
    return request.param


def plain_table(data: Dataset, j: int, how: str) -> list[list[float]]:
    values, y = data.X[:, j].tolist(), data.y.tolist()
    known = [(v, c) for v, c in zip(values, y, strict=True) if not np.isnan(v)]
    if data.features[j].is_nominal or how == "none":
        return table(values, y, data.n_classes)
    if how == "equal-width":
        low, high = min((v for v, _ in known), default=0.0), max((v for v, _ in known), default=0.0)
        cuts = [low + (high - low) / 4 * i for i in range(1, 4)] if high > low else []
    else:
        cuts = mdl_cuts(known, how == "mdl")
    return table([v if np.isnan(v) else interval(v, cuts) for v in values], y, data.n_classes)


@pytest.mark.parametrize("how", ["mdl", "fayyad-irani", "equal-width", "none"])
@pytest.mark.parametrize("kind", [k for k in KINDS if k != "wide"])
def test_scores_equal_plain_tables(kind: str, how: str, way: str) -> None:
    for seed in range(5):
        data = make(seed, kind)
        expected = [scores(plain_table(data, j, how)) for j in range(data.n_features)]
        for name in NAMES:
            ranker = registry.make("ranker", {"method": name, "discretize": how, "bins": 4})
            wanted = [e[name] for e in expected]
            np.testing.assert_allclose(ranker.score(data), wanted, rtol=1e-10, atol=1e-12)  # type: ignore[attr-defined]


def test_both_paths_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, list[bytes]] = {}
    for path in ("plain", "compiled"):
        for module in (columns, discretize, contingency, entropy):
            monkeypatch.setattr(module, "compiled_pays", lambda cells, path=path: path == "compiled")
        rankers = [registry.make("ranker", {"method": n, "discretize": h}) for n in NAMES for h in ("mdl", "none")]
        data = [make(seed, kind) for seed in range(5) for kind in KINDS]
        found[path] = [r.score(d).tobytes() for d in data for r in rankers]  # type: ignore[attr-defined]
    assert found["plain"] == found["compiled"]


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "wide"])
@pytest.mark.parametrize("bucket", [1, 3, 6])
def test_oner_equals_plain_rules(kind: str, bucket: int) -> None:
    for seed in range(6):
        data = make(seed, kind)
        for j, found in enumerate(OneR(bucket=bucket).score(data)):
            values, y = data.X[:, j].tolist(), data.y.tolist()
            if data.features[j].is_nominal:
                groups = {str(v): [c for w, c in zip(values, y, strict=True) if str(w) == str(v)] for v in values}
                correct = sum(max(map(g.count, g)) for g in groups.values())
            else:
                correct = one_rule_correct(values, y, data.n_classes, bucket)
            assert found == pytest.approx(100 * correct / data.n_rows, abs=1e-12)


def test_information_gain_of_iris() -> None:
    np.testing.assert_allclose(
        InformationGain().score(load("iris")), [0.698262, 0.376050, 1.418003, 1.378403], rtol=0, atol=5e-7
    )


def test_what_tells_nothing_scores_exactly_zero() -> None:
    X = np.array([[1.0, np.nan, 0.0, 1.5], [1.0, np.nan, 0.0, 1.5], [1.0, np.nan, np.nan, np.nan]])
    features = (Feature("constant"), Feature("unknown"), Feature("label", ("x",)), Feature("partly"))
    data = Dataset("z", features, X, Feature("c", ("a", "b")), np.array([0, 1, 1]))
    for name in NAMES:
        assert registry.make("ranker", name).score(data).tolist() == [0.0] * 4  # type: ignore[attr-defined]


def test_rankers_share_their_tables() -> None:
    data = load("iris")
    first = registry.make("ranker", "ig").rank(data)  # type: ignore[attr-defined]
    second = registry.make("ranker", "gain-ratio").rank(data)  # type: ignore[attr-defined]
    assert first.seconds > 0
    assert data.borrowed_seconds > 0
    assert second.seconds >= data.borrowed_seconds
