"""The XML file in which Mulan names the labels of a data set, flat or as a hierarchy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.parsers import expat

from fsbench.errors import DataError

__all__ = ["label_names_text", "read_label_names"]

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_label_names(path: Path) -> list[str]:
    """Read the names of the labels, parents before their children.

    The file is read without a document type: entities, inner or from other files, are refused before they are
    expanded.

    Parameters
    ----------
    path : Path
        ``<labels><label name="..."/>...</labels>``; labels may stand inside labels.

    Returns
    -------
    list of str
        In the order of the file; not empty.

    Raises
    ------
    DataError
        Not such a file, a document type, a label without a name or named twice; with the line.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"the label file cannot be read: {error.strerror}", str(path)) from None
    reader = _Reader(path)
    try:
        reader.parser.Parse(content, True)
    except LookupError:
        raise DataError("the encoding that it names is not known; save it as UTF-8", str(path)) from None
    except expat.ExpatError as error:
        raise DataError(
            f"no well-formed XML: {expat.ErrorString(error.code)}", f"{path}, line {error.lineno}"
        ) from None
    if not reader.names:
        raise DataError("the file names no label", str(path))
    return list(reader.names)


def label_names_text(labels: Sequence[str]) -> str:
    r"""Return the content of a file that `read_label_names` reads.

    Parameters
    ----------
    labels : sequence of str
        In the order of the file.

    Raises
    ------
    DataError
        A name holds a character that no XML file may hold.

    Examples
    --------
    >>> print(label_names_text(["calm", "up & away"]), end="")
    <?xml version="1.0" encoding="utf-8"?>
    <labels xmlns="http://mulan.sourceforge.net/labels">
    <label name="calm"></label>
    <label name="up &amp; away"></label>
    </labels>
    """
    from xml.sax.saxutils import quoteattr  # here: reading does without

    for label in labels:
        if _NOT_XML.search(label):
            raise DataError(f"the label {label!r} cannot be named in an XML file; rename it")
    lines = "".join(f"<label name={quoteattr(label)}></label>\n" for label in labels)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    return f"{head}{lines}</labels>\n"


class _Reader:
    """Collects the names while the parser runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: dict[str, int] = {}
        self.depth = 0
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _refuse(self, *_: object) -> None:
        raise self._error("a document type (DTD) or entity is not allowed in a file of labels")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        wanted = "label" if self.depth else "labels"
        if tag != wanted:
            raise self._error(f"expected <{wanted}>, found <{tag}>")
        self.depth += 1
        if tag == "labels":
            return
        name = attributes.get("name", "")
        if not name:
            raise self._error("a label without a name")
        if name in self.names:
            raise self._error(f"the label {name!r} is named twice, first on line {self.names[name]}")
        self.names[name] = self.parser.CurrentLineNumber

    def _end(self, _: str) -> None:
        self.depth -= 1

    def _error(self, what: str) -> DataError:
        return DataError(what, f"{self.path}, line {self.parser.CurrentLineNumber}")
