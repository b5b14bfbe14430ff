"""The head of an ARFF file: relation, attributes with their types, up to ``@data``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fsbench.data.arff_tokens import is_word, split_tokens, unquote
from fsbench.data.streams import LineReader
from fsbench.errors import DataError, nearest
from fsbench.values import Feature

__all__ = ["Attribute", "Header", "Kind", "place", "read_header"]

Kind = Literal["numeric", "nominal", "string", "date", "relational"]
_TYPES: dict[str, Kind] = {
    "numeric": "numeric",
    "real": "numeric",
    "integer": "numeric",
    "string": "string",
    "date": "date",
    "relational": "relational",
}
_KEYWORDS = ("@relation", "@attribute", "@data")
Tokens = list[tuple[str, int]]


@dataclass(frozen=True)
class Attribute:
    """A declared column: name, type, the labels of a nominal one, and the line of the declaration."""

    name: str
    kind: Kind
    labels: tuple[str, ...] | None = None
    line: int = 0

    @property
    def is_usable(self) -> bool:
        """Whether the column can be a feature or the class."""
        return self.kind in ("numeric", "nominal")

    @property
    def feature(self) -> Feature:
        """The column as a feature."""
        return Feature(self.name, self.labels)


@dataclass(frozen=True)
class Header:
    """What stands before the rows."""

    relation: str
    attributes: tuple[Attribute, ...]


def place(path: Path, line: int, column: int = 0) -> str:
    """Name a place in a file: ``iris.arff, line 3, column 12``."""
    return f"{path}, line {line}" + (f", column {column}" if column else "")


def read_header(reader: LineReader) -> Header:
    """Read up to and including ``@data``.

    Parameters
    ----------
    reader : LineReader
        At the start of the file; afterwards at the first row.

    Returns
    -------
    Header

    Raises
    ------
    DataError
        Anything that Weka could not read either, with line and column; duplicate names or labels.
    """
    relation: str | None = None
    attributes: list[Attribute] = []
    for tokens in _lines(reader):
        keyword, column = tokens[0]
        where = place(reader.path, reader.line, column)
        key = keyword.lower()
        if relation is None and key != "@relation":
            raise DataError(f"an ARFF file starts with @relation, found {keyword!r}", where)
        if key == "@relation":
            if relation is not None:
                raise DataError("a second @relation", where)
            relation = _relation(tokens, where)
        elif key == "@attribute":
            attributes.append(_attribute(tokens, reader))
        elif key == "@data":
            if len(tokens) > 1:
                where = place(reader.path, reader.line, tokens[1][1])
                raise DataError(f"nothing may follow @data on its line, found {tokens[1][0]!r}", where)
            _check(attributes, reader.path, reader.line)
            assert relation is not None
            return Header(relation, tuple(attributes))
        else:
            raise DataError(f"@attribute or @data expected, found {keyword!r}; {nearest(key, _KEYWORDS)}", where)
    if relation is None:
        raise DataError("the file is empty; an ARFF file starts with @relation", str(reader.path))
    raise DataError("the file ends before @data", place(reader.path, reader.line))


def _lines(reader: LineReader) -> Iterable[Tokens]:
    """Yield the tokens of every line that holds any."""
    for raw in reader:
        line = raw.decode("utf-8", "surrogateescape")
        tokens = split_tokens(line)
        if not line.isascii() or "'" in line or '"' in line:
            _check_tokens(tokens, reader)
        if tokens:
            yield tokens


def _check_tokens(tokens: Tokens, reader: LineReader) -> None:
    for text, column in tokens:
        where = place(reader.path, reader.line, column)
        if any("\udc80" <= c <= "\udcff" for c in text):
            raise DataError("the text is not UTF-8; convert the file", where)
        if not is_word(text) and text[0] in "'\"":
            raise DataError(f"the quote {text[0]} is never closed", where)


def _relation(tokens: Tokens, where: str) -> str:
    if len(tokens) == 1:
        raise DataError("@relation needs a name", where)
    # Weka takes one word; names of several words are common and harmless.
    return " ".join(unquote(text)[0] for text, _ in tokens[1:])


def _attribute(tokens: Tokens, reader: LineReader) -> Attribute:
    where = place(reader.path, reader.line, tokens[0][1])
    if len(tokens) < 3:
        raise DataError("@attribute needs a name and a type", where)
    raw, column = tokens[1]
    if raw in ("{", "}", ","):
        raise DataError(f"a name expected, found {raw!r}", place(reader.path, reader.line, column))
    name = unquote(raw)[0]
    if not name:
        raise DataError("the attribute's name is empty", place(reader.path, reader.line, column))
    kind, kind_column = tokens[2]
    where = place(reader.path, reader.line, kind_column)
    if kind == "{":
        return Attribute(name, "nominal", _labels(name, tokens[2:], reader), reader.line)
    if kind.lower() not in _TYPES:
        raise DataError(
            f"attribute {name!r}: unknown type {kind!r}; valid: numeric, real, integer, {{labels}}, string, date, "
            f"relational (a name that holds blanks, commas, braces or quotes must be quoted)",
            where,
        )
    found = _TYPES[kind.lower()]
    if found == "relational":
        _skip_relation(name, reader)
    _check_rest(name, found, tokens[3:], reader)
    return Attribute(name, found, None, reader.line)


def _check_rest(name: str, kind: Kind, rest: Tokens, reader: LineReader) -> None:
    """Allow a date's format and a number's ``[low, high]``, which Weka ignores too; refuse anything else."""
    if not rest or (kind == "date" and len(rest) == 1):
        return
    if kind == "numeric" and rest[0][0].startswith("[") and rest[-1][0].endswith("]"):
        return
    where = place(reader.path, reader.line, rest[0][1])
    hint = "; weights of attributes are not supported" if rest[0][0] == "{" else ""
    raise DataError(f"attribute {name!r}: nothing may follow the type {kind}, found {rest[0][0]!r}{hint}", where)


def _skip_relation(name: str, reader: LineReader) -> None:
    """Read past the attributes inside a relational one."""
    start = reader.line
    for tokens in _lines(reader):
        if tokens[0][0].lower() == "@end":
            return
    raise DataError(f"the relational attribute {name!r} has no @end", place(reader.path, start))


def _labels(name: str, tokens: Tokens, reader: LineReader) -> tuple[str, ...]:
    """Read ``{a, b, c}``; commas or blanks stand between the labels."""
    labels: list[str] = []
    before = "{"
    for i, (raw, column) in enumerate(tokens[1:], start=1):
        where = place(reader.path, reader.line, column)
        if raw == "{":
            raise DataError(f"attribute {name!r}: a brace inside the list of labels must be quoted", where)
        if raw in (",", "}") and (before == "," or (before == "{" and raw == ",")):
            raise DataError(f"attribute {name!r}: an empty label; write '' for an empty text", where)
        if raw == "}":
            _check_labels(name, labels, tokens[i + 1 :], reader)
            return tuple(labels)
        if raw != ",":
            labels.append(unquote(raw)[0])
        before = raw
    raise DataError(f"attribute {name!r}: the list of labels has no closing brace", place(reader.path, reader.line))


def _check_labels(name: str, labels: list[str], rest: Tokens, reader: LineReader) -> None:
    where = place(reader.path, reader.line)
    if not labels:
        raise DataError(f"attribute {name!r}: the list of labels is empty", where)
    if len(set(labels)) < len(labels):
        twice = next(v for i, v in enumerate(labels) if v in labels[:i])
        raise DataError(f"attribute {name!r}: the label {twice!r} is declared twice", where)
    if rest:
        what = "; weights of attributes are not supported" if rest[0][0] == "{" else ""
        raise DataError(
            f"attribute {name!r}: nothing may follow the list of labels, found {rest[0][0]!r}{what}",
            place(reader.path, reader.line, rest[0][1]),
        )


def _check(attributes: list[Attribute], path: Path, line: int) -> None:
    if not attributes:
        raise DataError("no @attribute before @data", place(path, line))
    seen: dict[str, int] = {}
    for attribute in attributes:
        if attribute.name in seen:
            raise DataError(
                f"the attribute name {attribute.name!r} is declared twice, first on line {seen[attribute.name]}",
                place(path, attribute.line),
            )
        seen[attribute.name] = attribute.line
