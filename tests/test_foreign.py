"""What foreign code is told apart by."""

from __future__ import annotations

from importlib import metadata

import pytest

from fsbench import foreign


@pytest.mark.parametrize("package", ["numpy", "click", "joblib", "sklearn"])
def test_versions_are_those_of_the_distributions(package: str) -> None:
    wanted = {name: metadata.version(name) for name in metadata.packages_distributions()[package]}
    found = foreign.versions_of(f"{package}.part:Name")
    assert found == {"scikit-learn": metadata.version("scikit-learn")} | wanted


def test_the_lists_of_files_are_read_once_and_never_for_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(metadata, "packages_distributions", lambda: asked.append(1) or {"numpy": ["numpy"]})
    foreign._all_distributions.cache_clear()
    foreign.versions_of("sklearn.svm:SVC")
    assert asked == []
    assert foreign.versions_of("numpy.linalg:norm") == foreign.versions_of("numpy:sum")
    assert asked == [1]
    foreign._all_distributions.cache_clear()
