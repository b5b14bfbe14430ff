"""The house rules that a reader relies on: imports flow one way, every method is registered, heavy things load late."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from fsbench import registry
from fsbench.classifiers import Classifier
from fsbench.rankers import Ranker
from fsbench.searches import Search

PACKAGE = Path(__file__).resolve().parents[1] / "fsbench"

# Layers from the user's side to the machine's; a module may import its own layer and what stands to the right.
LAYERS = [
    {"cli", "__main__"},
    {"contracts"},
    {"experiment", "report", "published", "warming"},
    {"rankers", "searches", "classifiers", "multilabel", "guarded"},
    {"data", "columns", "discretize", "entropy", "intervals", "evaluation", "stats"},
    {"kernels", "values", "method", "registry", "files", "foreign", "lent", "beside"},
    {"errors", "__init__"},
]


# Modules whose classes stand for the methods of others.
WRAPPERS = ("_adapter", ".guarded", ".refit")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part(module: str) -> str:
    names = module.split(".")
    return names[1] if len(names) > 1 else "__init__"


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{a.name}" if node.module == "fsbench" else node.module for a in node.names}
    return found


def layer(name: str) -> int:
    places = [i for i, names in enumerate(LAYERS) if name in names]
    assert places, f"{name} stands in no layer: add it to LAYERS where it belongs"
    return places[0]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_flow_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for module in imports(path):
        if module.split(".")[0] == "fsbench":
            assert layer(part(module)) >= layer(own), f"{path.name} imports {module}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_kernels_import_numba(path: Path) -> None:
    if path.parent.name != "kernels":
        assert "numba" not in {m.split(".")[0] for m in imports(path)}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_module_needs_a_table_of_contents(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450


@pytest.mark.parametrize(("kind", "base"), [("ranker", Ranker), ("classifier", Classifier), ("search", Search)])
def test_every_method_is_registered(kind: str, base: type) -> None:
    folder = registry.METHODS[kind][next(iter(registry.METHODS[kind]))].split(".")[1]
    for path in (PACKAGE / folder).glob("*.py"):
        importlib.import_module(f"fsbench.{folder}.{path.stem}")
    registered = {registry.load_class(kind, name) for name in registry.METHODS[kind]}
    ours = {c for c in subclasses(base) if c.__module__.startswith("fsbench.") and not c.__module__.endswith(WRAPPERS)}
    concrete = {c for c in ours if not getattr(c, "__abstractmethods__", None)}
    assert concrete <= registered


def subclasses(base: type) -> set[type]:
    direct = set(base.__subclasses__())
    return direct.union(*(subclasses(c) for c in direct))


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sorted(m.split('.')[0] for m in sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split("\n")[-2].split())


HEAVY = {
    "numpy",
    "numba",
    "pandas",
    "scipy",
    "sklearn",
    "matplotlib",
    "rich",
    "pydantic",
    "joblib",
    "ruamel",
    "pooch",
    "jinja2",
}


def test_help_loads_nothing_heavy() -> None:
    loaded = loaded_by("from fsbench.cli.main import cli; cli.main(['--help'], standalone_mode=False)")
    assert not loaded & HEAVY


@pytest.mark.parametrize("method", ["nlc", "relieff", "ig"])
def test_ranking_a_small_file_loads_no_compiler(method: str) -> None:
    loaded = loaded_by(
        f"from fsbench.cli.main import cli; cli.main(['rank', 'iris', '-m', '{method}'], standalone_mode=False)"
    )
    assert not loaded & (HEAVY - {"numpy"})
