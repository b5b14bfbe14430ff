"""An error at a place of an experiment file: file, line and key."""

from __future__ import annotations

from collections.abc import Sequence

from fsbench.errors import ConfigError
from fsbench.experiment.yaml_file import YamlFile

__all__ = ["Place", "not_twice", "place_error"]

Place = tuple[str | int, ...]


def place_error(file: YamlFile, place: Place, what: str, named: Place | None = None) -> ConfigError:
    """Return an error at a place.

    Parameters
    ----------
    file : YamlFile
    place : tuple of str and int
        Keys and list positions from the top.
    what : str
        What is wrong.
    named : tuple, optional
        The place that the text names, where it is another one.

    Returns
    -------
    ConfigError
    """
    shown = ""
    for step in place if named is None else named:
        shown += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if shown else str(step)
    return ConfigError(f"{shown}: {what}" if shown else what, file.where(place))


def not_twice(file: YamlFile, place: Place, names: Sequence[str]) -> None:
    """Refuse a list that holds a name twice.

    Parameters
    ----------
    file : YamlFile
    place : tuple of str and int
        Of the list.
    names : sequence of str

    Raises
    ------
    ConfigError
        At the second of the two.
    """
    for i, name in enumerate(names):
        if name in names[:i]:
            raise place_error(file, (*place, i), f"{name!r} is given twice")
