"""Sentences on methods: each kind of method once, with what its variants share and where they differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsbench.report import references
from fsbench.report.foreign_methods import in_its_own_name, is_of_the_user
from fsbench.report.references import Reference

__all__ = ["Told", "tell"]

_OPENINGS = {
    "ranker": "Features were ranked by",
    "classifier": "The classifiers were",
    "search": "Subsets were searched for by",
}


@dataclass(frozen=True)
class Told:
    """A method in all its variants.

    Parameters
    ----------
    title : str
        Its name in prose.
    references : tuple of Reference
    details : str
        Labels and parameters, "" if there is nothing to say.
    """

    title: str
    references: tuple[Reference, ...]
    details: str


def tell(records: Sequence[Mapping[Any, Any]]) -> list[tuple[str, list[Told]]]:
    """Return the opening of a sentence for each kind of method, and the methods that it goes on with.

    Parameters
    ----------
    records : sequence of mapping
        Rows of ``Store.methods()``.

    Returns
    -------
    list of (str, list of Told)
    """
    kinds: dict[str, dict[str, dict[str, dict[str, Any]]]] = {}
    for record in map(in_its_own_name, records):
        methods = kinds.setdefault(str(record["kind"]), {})
        variants = methods.setdefault(str(record["title"] or record["name"]), {})
        variants.setdefault(str(record["label"]), dict(record))
    return [
        (
            _OPENINGS.get(kind, f"Of the kind {kind} there were"),
            [_told(title, found) for title, found in methods.items()],
        )
        for kind, methods in kinds.items()
    ]


def _told(title: str, variants: Mapping[str, Mapping[str, Any]]) -> Told:
    params = {label: _params(str(record["identity"])) for label, record in variants.items()}
    shared = {
        k: v for k, v in next(iter(params.values())).items() if all(p.get(k, _NONE) == v for p in params.values())
    }
    own = {label: {k: v for k, v in found.items() if k not in shared} for label, found in params.items()}
    said = {label for label, record in variants.items() if record.get("told")}
    if len(own) == 1:  # all its parameters are shared
        details = [label for label in own if label not in {title, *said}]
    else:
        details = [_variant(label, {} if label in said else found) for label, found in own.items()]
    if all(map(is_of_the_user, variants.values())):
        details.insert(0, "of our own")
    together = ", ".join(f"{k} = {_value(v)}" for k, v in shared.items())
    if len(params) > 1 and together:
        together = f"all with {together}"
    cited: dict[str, Reference] = {}
    for label, record in variants.items():
        for reference in _references(record, params[label], label):
            cited.setdefault(reference.key, reference)
    return Told(title, tuple(cited.values()), "; ".join(t for t in (*details, together) if t))


_NONE = object()


def _variant(label: str, own: Mapping[str, Any]) -> str:
    told = ", ".join(f"{k} = {_value(v)}" for k, v in own.items())
    return f"{label}: {told}" if told else label


def _params(identity: str) -> dict[str, Any]:
    """Return the parameters of a method; those of its parts, if it has any, under their names."""
    try:
        found: dict[str, Any] = json.loads(identity)
    except ValueError:
        return {}
    if "params" in found:
        return dict(found["params"])
    return {k: v for part in found.values() if isinstance(part, dict) for k, v in (part.get("params") or {}).items()}


def _references(record: Mapping[str, Any], params: Mapping[str, Any], label: str) -> Iterable[Reference]:
    # A method of two parts is named by both: ``relieff br``.
    parts = [str(record["name"]), *str(record["name"]).split()]
    known = [r for part in dict.fromkeys(parts) for r in references.of_method(part, params.values())]
    return known or references.of_method(str(record["name"]), (), str(record["reference"] or ""), label)


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return "/".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
