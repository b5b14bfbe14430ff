"""Methods that are not ours in a methods section: by their own names, not by that of what adapts them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fsbench.foreign import label_of

__all__ = ["in_its_own_name", "is_of_the_user"]

# As the adapters of scikit-learn's classes are called, alone or with what stands before a label ranker.
_ADAPTER = re.compile(r"A (classifier|score function or selector) in scikit-learn's style")


def in_its_own_name(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a method's record with the title and the parameters of the class that an adapter stands for.

    Parameters
    ----------
    record : mapping
        A row of ``Store.methods()``; returned as it is if it is of no adapter.

    Returns
    -------
    dict
        With ``told``, whether the label says no more than title and parameters do.

    Examples
    --------
    >>> params = {"estimator": "sklearn.svm:SVC", "settings": {"C": 10}, "seed": 1}
    >>> made = in_its_own_name({
    ...     "label": "SVC(C=10)", "name": "sklearn", "title": "A classifier in scikit-learn's style",
    ...     "reference": "Pedregosa", "identity": json.dumps({"method": "sklearn", "params": params}),
    ... })
    >>> made["title"], made["identity"], made["told"]
    ('SVC of scikit-learn', '{"method": "sklearn", "params": {"C": 10, "seed": 1}}', True)
    """
    identity = _identity(record)
    for part in [identity, *(part for part in identity.values() if isinstance(part, dict))]:
        params: Any = part.get("params")
        path = (params.get("estimator") or params.get("source")) if isinstance(params, dict) else ""
        if not path or "settings" not in params:
            continue
        rest = {k: v for k, v in params.items() if k not in ("estimator", "source", "settings")}
        part["params"] = {**params["settings"], **rest}
        name, owner = _owned(str(path))
        made = {str(k): v for k, v in record.items()}
        made |= {
            "title": _ADAPTER.sub(lambda _, own=f"{name} of {owner}": own, str(record["title"])),  # type: ignore[misc]
            "identity": json.dumps(identity),
            "told": record["label"] == label_of(name, params["settings"], int(rest.get("seed", 1))),
        }
        if owner != "scikit-learn":  # whose paper is not that of what only follows its style
            made |= {"name": name, "reference": ""}
        return made
    return {str(k): v for k, v in record.items()}


def is_of_the_user(record: Mapping[Any, Any]) -> bool:
    """Tell whether a method is a class of the user's that names no publication."""
    identity = _identity(record)
    return "file" in identity and "class" in identity and not record["reference"]


def _owned(path: str) -> tuple[str, str]:
    """Return the name of a class and where it comes from: a file, or a package."""
    place, _, name = path.rpartition(":")
    if place.endswith(".py"):
        return name, place.rpartition("/")[2]
    package = place.partition(".")[0]
    return name, "scikit-learn" if package == "sklearn" else package


def _identity(record: Mapping[Any, Any]) -> dict[str, Any]:
    try:
        found = json.loads(str(record["identity"]))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
