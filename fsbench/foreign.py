"""Code that is not ours, named by import path or file: how it is kept, told apart by version, and given parameters."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fsbench.beside import source_digest

__all__ = ["allows_nan", "kept_name", "label_of", "only_positive", "read_setting", "versions_of"]


def kept_name(found: Any, name: str) -> str:
    """Return the name under which something is found again from any folder.

    Parameters
    ----------
    found : object
        A class or function.
    name : str
        The path by which it was found; a file may be relative to a config.

    Returns
    -------
    str
        ``package.module:Name`` as it was, or the absolute path of the file with the name.
    """
    place, _, attribute = name.rpartition(":")
    module = sys.modules.get(getattr(found, "__module__", ""))
    if place.endswith(".py") and not Path(place).is_absolute() and module is not None and module.__file__:
        return f"{module.__file__}:{attribute}"
    return name


def versions_of(name: str) -> dict[str, str]:
    """Return what decides the results of foreign code besides its parameters.

    Parameters
    ----------
    name : str
        As `kept_name` gives it.

    Returns
    -------
    dict of str to str
        The version of scikit-learn, and those of the distributions that the package comes from; for a file the
        SHA-256 of its content, and of what it imports from beside it, under the file's name.

    Examples
    --------
    >>> sorted(versions_of("sklearn.feature_selection:chi2"))
    ['scikit-learn']
    """
    from importlib import metadata  # here: it costs a tenth of a small command's time

    sklearn = "scikit-learn"
    versions = {sklearn: metadata.version(sklearn)}
    place = name.rpartition(":")[0]
    if place.endswith(".py"):
        return {**versions, Path(place).name: source_digest(Path(place))}
    package = place.partition(".")[0]
    # Which distributions a package comes from is found by reading the lists of files of all that are installed.
    distributions = [sklearn] if package == "sklearn" else _all_distributions().get(package, [])
    return versions | {d: metadata.version(d) for d in distributions}


@cache
def _all_distributions() -> Mapping[str, list[str]]:
    from importlib import metadata

    return metadata.packages_distributions()


def label_of(name: str, settings: Mapping[str, Any], seed: int = 1) -> str:
    """Return a name for tables: the last part of the path, the parameters set, and the seed if it is not 1.

    Examples
    --------
    >>> label_of("sklearn.feature_selection:mutual_info_classif", {"n_neighbors": 5})
    'mutual_info_classif(n_neighbors=5)'
    """
    changed = [f"{key}={value}" for key, value in settings.items()]
    changed += [f"seed={seed}"] * (seed != 1)
    short = name.rpartition(":")[2]
    return f"{short}({', '.join(changed)})" if changed else short


def read_setting(value: Any, default: Any) -> Any:
    """Read a parameter given as a string, as on the command line, as what it denotes.

    Parameters
    ----------
    value : object
        Anything but a string is returned as it is.
    default : object
        The parameter's default; if it is a text, ``true`` and ``false`` stay texts.

    Examples
    --------
    >>> read_setting("0.5", 1.0), read_setting("none", "l2"), read_setting("true", "auto"), read_setting("true", False)
    (0.5, None, 'true', True)
    """
    if not isinstance(value, str):
        return value
    words = {"true": True, "false": False, "none": None, "null": None}
    if value.lower() in words and not (isinstance(default, str) and value.lower() not in ("none", "null")):
        return words[value.lower()]
    try:
        return ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return value


def allows_nan(model: Any) -> bool:
    """Tell whether an estimator says that it takes NaN; tags were another thing before scikit-learn 1.6."""
    if hasattr(model, "__sklearn_tags__"):
        return bool(model.__sklearn_tags__().input_tags.allow_nan)
    tags = model._get_tags() if hasattr(model, "_get_tags") else {}
    return bool(tags.get("allow_nan", False))


def only_positive(model: Any) -> bool:
    """Tell whether an estimator says that it takes no negative values."""
    if hasattr(model, "__sklearn_tags__"):
        return bool(getattr(model.__sklearn_tags__().input_tags, "positive_only", False))
    tags = model._get_tags() if hasattr(model, "_get_tags") else {}
    return bool(tags.get("requires_positive_X", False))
