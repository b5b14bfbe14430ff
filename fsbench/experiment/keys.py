"""What decides a result, hashed: a result is computed again only if its key is new."""

from __future__ import annotations

import hashlib
import inspect
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from fsbench.beside import source_digest
from fsbench.method import Method
from fsbench.multilabel.label_ranker import LabelRanker

__all__ = ["PROTOCOL", "key_of", "method_identity"]

# Raised when the worker changes what it computes from the same parts; results of older protocols stay unused.
PROTOCOL = 1


def key_of(**parts: Any) -> str:
    """Return the hash of everything that decides a result, as 32 hexadecimal digits.

    Parameters
    ----------
    **parts
        Plain values: numbers, texts, lists, dicts, None.

    Returns
    -------
    str

    Examples
    --------
    >>> key_of(k=1) == key_of(k=1), key_of(k=1) == key_of(k=2)
    (True, False)
    """
    text = json.dumps({"protocol": PROTOCOL, **parts}, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def method_identity(method: Method | LabelRanker) -> dict[str, Any]:
    """Return what decides a method's results: name, version, parameters; for a method of the user's also its file.

    Nobody raises a version number while he tries things out: the content of the file stands for it, with that of what
    it imports from beside it.

    Parameters
    ----------
    method : Method or LabelRanker

    Returns
    -------
    dict
    """
    if isinstance(method, LabelRanker):
        return {"transform": method_identity(method.transform), "ranker": method_identity(method.ranker)}
    identity = method.identity()
    if type(method).__module__.partition(".")[0] == "fsbench":
        return identity
    return {**identity, "class": type(method).__qualname__, "file": _file_digest(_source(type(method)))}


def _source(cls: type) -> str:
    try:
        return inspect.getfile(cls)
    except (OSError, TypeError):  # typed in by hand, or from a compiled module
        return ""


@lru_cache(maxsize=64)
def _file_digest(path: str) -> str:
    return source_digest(Path(path)) if path else ""
