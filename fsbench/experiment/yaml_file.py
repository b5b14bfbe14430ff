"""Reading a YAML 1.2 file with the line of every key, for errors that say where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq, CommentedSet, TaggedScalar
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scalarbool import ScalarBoolean

from fsbench.errors import ConfigError, show

__all__ = ["YamlFile"]

# No experiment comes near these. Without them a file of a few lines can ask for gigabytes: aliases of aliases
# double with every line, and brackets within brackets are scanned again at every level.
MOST_LEVELS = 40
MOST_VALUES = 100_000

# The tags that say what a block is anyway.
BLOCK_TAGS = (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


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
            self._check_blocks(text)
            self._tree: Any = YAML(typ="rt").load(text)
            self.values = self._plain_values()
        except DuplicateKeyError as error:
            key = str(error.problem).split('"')[1]
            raise ConfigError(f"the key {key!r} is given twice", self._mark(error)) from None
        except (RecursionError, AttributeError):
            raise ConfigError("nested too deeply, or it refers to itself", str(path)) from None
        except MarkedYAMLError as error:
            raise ConfigError(f"not valid YAML: {error.problem or error.context}", self._mark(error)) from None
        except ReaderError as error:  # a character that no YAML file may hold
            line = text.count("\n", 0, error.position) + 1
            raise ConfigError(f"not valid YAML: {str(error).splitlines()[0]}", f"{path}:{line}") from None
        except YAMLError as error:
            raise ConfigError(f"not valid YAML: {str(error).splitlines()[0]}", str(path)) from None
        except ConfigError:
            raise
        except Exception:  # a scalar that looks like a number or a date, or is tagged as one, and is none
            raise ConfigError(*self._unreadable(text)) from None

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
            if isinstance(node, CommentedMap) and step not in node:  # a key that is no text, as one
                step = next((key for key in node if str(key) == step), step)
            try:
                line = (node.lc.key(step) if isinstance(node, CommentedMap) else node.lc.item(step))[0]
                node = node[step]
            except (KeyError, IndexError, TypeError, AttributeError):
                break
        return f"{self.path}:{line + 1}"

    def line(self, place: Sequence[str | int]) -> int:
        """Return the line number of a place; see `where`."""
        return int(self.where(place).rpartition(":")[2])

    def _check_blocks(self, text: str) -> None:
        """Refuse blocks too deep, with a tag, or as a key: what cannot be made of them or is lost in the making."""
        blocks: list[list[Any]] = []  # of each around: whether a mapping, and how many nodes of it have begun
        named: dict[str, str] = {}  # by anchor: what kind of block it is
        for event in YAML(typ="rt").parse(text):
            where = f"{self.path}:{event.start_mark.line + 1}"
            kind = _kind_of(event, named)
            if kind and blocks and blocks[-1][0] and blocks[-1][1] % 2 == 0:
                raise ConfigError(f"a key must be a text, found a {kind}", where)
            if isinstance(event, NodeEvent) and blocks:
                blocks[-1][1] += 1
            if isinstance(event, CollectionStartEvent):
                if event.tag not in BLOCK_TAGS:
                    raise ConfigError("a value with a tag (!name) is not for experiment files", where)
                blocks.append([isinstance(event, MappingStartEvent), 0])
            if isinstance(event, CollectionEndEvent):
                blocks.pop()
            if len(blocks) > MOST_LEVELS:
                raise ConfigError(f"nested too deeply: more than {MOST_LEVELS} levels", where)

    def _unreadable(self, text: str) -> tuple[str, str]:
        """Return what is wrong with the first scalar that cannot be converted, and where it stands."""
        for event in YAML(typ="rt").parse(text):
            if isinstance(event, ScalarEvent) and (event.tag or not event.style):
                where = f"{self.path}:{event.start_mark.line + 1}"
                try:
                    YAML(typ="rt").load(f"!<{event.tag}> {json.dumps(event.value)}" if event.tag else event.value)
                except YAMLError:  # a scalar that is no document by itself, such as one with a colon
                    continue
                except Exception:
                    if event.tag:
                        return f"{show(event.value)} cannot be read as {event.tag.rpartition(':')[2]}", where
                    return f"{show(event.value)} cannot be read as a number or date; quote it if it is a text", where
        return "a value cannot be read", str(self.path)

    def _plain_values(self) -> Any:
        count = _count(self._tree, {})
        if count > MOST_VALUES:
            text = f"with its aliases written out it holds {count:,} values; at most {MOST_VALUES:,} are read"
            raise ConfigError(text, str(self.path))
        return self._plain(self._tree, ())

    def _plain(self, node: Any, place: tuple[Any, ...]) -> Any:
        """Return ruamel's annotated nodes as plain Python values."""
        if isinstance(node, CommentedMap):
            return {self._key(k, place): self._plain(value, (*place, k)) for k, value in node.items()}
        if isinstance(node, CommentedSeq):
            return [self._plain(value, (*place, i)) for i, value in enumerate(node)]
        if isinstance(node, ScalarBoolean):
            return bool(node)
        if isinstance(node, (TaggedScalar, CommentedSet)):
            raise ConfigError("a value with a tag (!name) is not for experiment files", self.where(place))
        if isinstance(node, str):
            return self._whole(str(node), place)
        for kind in (int, float):
            if isinstance(node, kind) and not isinstance(node, bool):
                return kind(node)
        return node

    def _key(self, key: Any, place: tuple[Any, ...]) -> Any:
        """Return a key as a plain value; one that Python would not print is refused here, not wherever it is named."""
        if isinstance(key, int) and key.bit_length() > 200:
            raise ConfigError(f"a key must be a text, found {show(int(key))}", self.where((*place, key)))
        return self._plain(key, (*place, key))

    def _whole(self, text: str, place: tuple[Any, ...]) -> str:
        r"""Join the two halves in which JSON writes rare characters, as in "\ud83d\ude00"."""
        if text.isascii():
            return text
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise ConfigError(
                f"{show(text)} holds half of a character; write both, or the character", self.where(place)
            ) from None

    def _mark(self, error: MarkedYAMLError) -> str:
        mark = error.problem_mark or error.context_mark
        return f"{self.path}:{mark.line + 1}" if mark is not None else str(self.path)


def _kind_of(event: Event, named: dict[str, str]) -> str:
    """Return the kind of block that an event begins or refers to, and note the name it is given; empty for others."""
    if isinstance(event, AliasEvent):
        return named.get(event.anchor, "")
    if not isinstance(event, CollectionStartEvent):
        return ""
    kind = "mapping" if isinstance(event, MappingStartEvent) else "list"
    if event.anchor:
        named[event.anchor] = kind
    return kind


def _count(node: Any, known: dict[int, int]) -> int:
    """Return how many values a node holds once every alias is written out; each node is looked at once."""
    if not isinstance(node, (CommentedMap, CommentedSeq)):
        return 1
    if id(node) not in known:
        known[id(node)] = 1  # an alias of itself, which `_plain` refuses
        children = node.values() if isinstance(node, CommentedMap) else node
        known[id(node)] = 1 + sum(_count(child, known) for child in children)
    return known[id(node)]
