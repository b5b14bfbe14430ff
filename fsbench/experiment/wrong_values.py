"""What is wrong in an experiment file by type or bounds, as one line with file, line and key."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from fsbench.errors import ConfigError, nearest, show
from fsbench.experiment.places import place_error
from fsbench.experiment.schema import (
    LABEL,
    BestBlock,
    Block,
    DatasetItem,
    ExperimentFile,
    FoldsBlock,
    ReducedBlock,
    SearchingBlock,
    SelectionItem,
    TestsBlock,
)
from fsbench.experiment.yaml_file import YamlFile

__all__ = ["first_error"]

# Which model describes the block at a place, list positions left out.
BLOCKS: dict[str, type[Block]] = {
    "": ExperimentFile,
    "datasets": DatasetItem,
    "folds": FoldsBlock,
    "selections": SelectionItem,
    "selections.best": BestBlock,
    "selections.reduced": ReducedBlock,
    "searching": SearchingBlock,
    "tests": TestsBlock,
}

# By the kinds of errors that pydantic tells apart.
EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "finite_number": "a number",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "a name or a mapping",
    "string_pattern_mismatch": "a name that can be a folder's",
    "string_too_short": "not empty",
    "string_type": "a text",
    "too_short": "a list with at least one entry",
}
BOUNDS = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "below"),
    "less_than_equal": ("le", "at most"),
}


def first_error(file: YamlFile, error: ValidationError) -> ConfigError:
    """Return the error that stands first in the file; what is missing comes last.

    Parameters
    ----------
    file : YamlFile
    error : ValidationError
        What the model of the whole file refuses.

    Returns
    -------
    ConfigError
    """
    found = error.errors(include_url=False)
    first = min(found, key=lambda e: (e["type"] == "missing", file.line(e["loc"])))
    place, kind, value = first["loc"], first["type"], first["input"]
    if kind == "extra_forbidden":
        hint = nearest(str(place[-1]), BLOCKS[".".join(str(p) for p in place[:-1] if isinstance(p, str))].model_fields)
        return place_error(file, place, f"unknown key {str(place[-1])!r}; {hint}", place[:-1])
    if kind == "missing":
        return place_error(file, place[:-1], f"the key {str(place[-1])!r} is missing")
    if kind == "invalid_key" or place[-1] == "[key]":
        key = place[:-1] if place[-1] == "[key]" else place
        return place_error(file, key, f"a key must be {_text_for(value)}, found {show(value)}", key[:-1])
    context = first.get("ctx", {})
    if kind == "literal_error":
        valid = context["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        hint = nearest(value if isinstance(value, str) else show(value), valid)
        return place_error(file, place, f"found {show(value)}; {hint if hint.startswith('did') else _one_of(valid)}")
    return place_error(file, place, f"must be {_expected(kind, place, value, context)}, found {show(value)}")


def _expected(kind: str, place: tuple[int | str, ...], value: Any, context: dict[str, Any]) -> str:
    """Return what would be right."""
    if kind in BOUNDS:
        bound, words = BOUNDS[kind]
        return f"{words} {_bound(context[bound])}"
    if kind == "string_type":
        return _text_for(value)
    if context.get("pattern") == LABEL:
        return "a name in one line"
    if kind == "model_type" and isinstance(place[-1], str):  # a block, not an entry of a list
        return EXPECTED["dict_type"]
    return EXPECTED.get(kind, "something else")


def _text_for(value: Any) -> str:
    """Return what to say where a text is missing: some texts need quotes."""
    quoted = isinstance(value, int | float | dt.date)
    return "a text (quote it if it looks like a number)" if quoted else "a text"


def _bound(value: float) -> str:
    if value == 2**63:
        return "2^63"
    return str(value) if isinstance(value, int) else f"{value:g}"


def _one_of(valid: Sequence[str]) -> str:
    return "valid: " + ", ".join(valid)
