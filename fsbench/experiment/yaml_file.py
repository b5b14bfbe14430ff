"""Reading a YAML 1.2 file with the line of every key, for errors that say where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent
from ruamel.yaml.scalarbool import ScalarBoolean

from fsbench.errors import ConfigError

__all__ = ["YamlFile"]

# No experiment comes near these. Without them a file of a few lines can ask for gigabytes: aliases of aliases
# double with every line, and brackets within brackets are scanned again at every level.
MOST_LEVELS = 40
MOST_VALUES = 100_000


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
        No such file, not UTF-8, not YAML, a key given twice, or more levels and values than an experiment can need.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise ConfigError(f"cannot be read: {reason}", str(path)) from None
        try:
            self._check_levels(text)
            self._tree: Any = YAML(typ="rt").load(text)
            self.values = self._plain_values()
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

    def _check_levels(self, text: str) -> None:
        level = 0
        for event in YAML(typ="rt").parse(text):
            level += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if level > MOST_LEVELS:
                where = f"{self.path}:{event.start_mark.line + 1}"
                raise ConfigError(f"nested too deeply: more than {MOST_LEVELS} levels", where)

    def _plain_values(self) -> Any:
        count = _count(self._tree, {})
        if count > MOST_VALUES:
            text = f"with its aliases written out it holds {count:,} values; at most {MOST_VALUES:,} are read"
            raise ConfigError(text, str(self.path))
        return _plain(self._tree)

    def _mark(self, error: MarkedYAMLError) -> str:
        mark = error.problem_mark or error.context_mark
        return f"{self.path}:{mark.line + 1}" if mark is not None else str(self.path)


def _count(node: Any, known: dict[int, int]) -> int:
    """Return how many values a node holds once every alias is written out; each node is looked at once."""
    if not isinstance(node, (CommentedMap, CommentedSeq)):
        return 1
    if id(node) not in known:
        known[id(node)] = 1  # an alias of itself, which `_plain` refuses
        children = node.values() if isinstance(node, CommentedMap) else node
        known[id(node)] = 1 + sum(_count(child, known) for child in children)
    return known[id(node)]


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
