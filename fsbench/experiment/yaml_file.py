"""Reading a YAML 1.2 file with the line of every key, for errors that say where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.scalarbool import ScalarBoolean

from fsbench.errors import ConfigError

__all__ = ["YamlFile"]


class YamlFile:
    """A YAML file: plain values, and the line where each stands.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    values : object
        Dicts, lists, texts, numbers, booleans, None.

    Raises
    ------
    ConfigError
        No such file, not UTF-8, not YAML, or a key given twice.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise ConfigError(f"cannot be read: {reason}", str(path)) from None
        try:
            self._tree: Any = YAML(typ="rt").load(text)
            self.values = _plain(self._tree)
        except DuplicateKeyError as error:
            key = str(error.problem).split('"')[1]
            raise ConfigError(f"the key {key!r} is given twice", self._mark(error)) from None
        except (RecursionError, AttributeError):
            raise ConfigError("nested too deeply, or it refers to itself", str(path)) from None
        except MarkedYAMLError as error:
            raise ConfigError(f"not valid YAML: {error.problem or error.context}", self._mark(error)) from None
        except YAMLError as error:
            raise ConfigError(f"not valid YAML: {str(error).splitlines()[0]}", str(path)) from None

    def where(self, place: Sequence[str | int] = ()) -> str:
        """Return ``file:line`` of a place; of the nearest block around it if it is not there.

        Parameters
        ----------
        place : sequence of str and int
            Keys and list positions from the top.

        Returns
        -------
        str
        """
        node, line = self._tree, 0
        for step in place:
            try:
                line = (node.lc.key(step) if isinstance(node, CommentedMap) else node.lc.item(step))[0]
                node = node[step]
            except (KeyError, IndexError, TypeError, AttributeError):
                break
        return f"{self.path}:{line + 1}"

    def line(self, place: Sequence[str | int]) -> int:
        """Return the line number of a place; see `where`."""
        return int(self.where(place).rpartition(":")[2])

    def _mark(self, error: MarkedYAMLError) -> str:
        mark = error.problem_mark or error.context_mark
        return f"{self.path}:{mark.line + 1}" if mark is not None else str(self.path)


def _plain(node: Any) -> Any:
    """Return ruamel's annotated nodes as plain Python values."""
    if isinstance(node, CommentedMap):
        return {_plain(key): _plain(value) for key, value in node.items()}
    if isinstance(node, CommentedSeq):
        return [_plain(value) for value in node]
    if isinstance(node, ScalarBoolean):
        return bool(node)
    for kind in (int, float, str):
        if isinstance(node, kind) and not isinstance(node, bool):
            return kind(node)
    return node
