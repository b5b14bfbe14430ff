"""The papers that a report cites: read from `references.toml`, those of data sets made from the registry of data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from fsbench.report.renderers.tex_text import accents

__all__ = ["Reference", "bibtex", "library", "of_data", "of_libraries", "of_method", "of_paper", "of_text", "of_words"]

_FILE = Path(__file__).with_name("references.toml")

# What finds an entry, beside the fields of BibTeX.
_FINDERS = ("methods", "papers", "words", "values", "libraries")


@dataclass(frozen=True)
class Reference:
    """An entry of the bibliography.

    Parameters
    ----------
    key : str
        Letters, digits, ``-`` and ``_``.
    kind : str
        BibTeX's type of entry.
    fields : dict
        BibTeX's fields, in Unicode; braces keep capitals.
    finders : dict
        Names, words and values by which it is found.
    """

    key: str
    kind: str
    fields: dict[str, str] = field(hash=False)
    finders: dict[str, tuple[str, ...]] = field(hash=False, default_factory=dict)

    def bibtex(self) -> str:
        """Return the entry for a ``.bib`` file, in ASCII."""
        lines = [f"  {name} = {{{accents(value)}}}," for name, value in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"]) + "\n"

    def plain(self) -> str:
        """Return the entry in one line: authors, year, title, place."""
        fields = {
            name: value.replace("{", "").replace("}", "").replace("--", "–") for name, value in self.fields.items()
        }
        place = fields.get("journal") or fields.get("booktitle") or fields.get("school") or fields.get("publisher", "")
        if "journal" in fields and "volume" in fields:
            place += f" {fields['volume']}"
        parts = [_names(fields.get("author", "")), fields.get("year", ""), fields.get("title", ""), place]
        pages = f"pp. {fields['pages']}" if "pages" in fields else ""
        return ", ".join(p for p in [*parts, pages, fields.get("howpublished", ""), fields.get("note", "")] if p) + "."


def _names(authors: str) -> str:
    people = [" ".join(reversed([n.strip() for n in a.split(",", 1)])) for a in authors.split(" and ")]
    people = ["others" if p == "others" else p for p in people]
    return " and ".join([", ".join(people[:-1]), people[-1]]) if len(people) > 1 else people[0]


@cache
def library() -> dict[str, Reference]:
    """Return every shipped entry by its key, in the file's order."""
    found = {}
    for key, entry in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        fields: dict[str, Any] = {k: v for k, v in entry.items() if k != "type" and k not in _FINDERS}
        found[key] = Reference(key, entry["type"], fields, {k: tuple(entry.get(k, ())) for k in _FINDERS})
    return found


def of_method(name: str, values: Iterable[object] = (), reference: str = "", label: str = "") -> list[Reference]:
    """Return the papers of a method: those known by its name, else the one that the method itself names.

    Parameters
    ----------
    name : str
        As in ``fsbench methods``.
    values : iterable of object
        Values of its parameters, some of which stand for papers: ``mdl``.
    reference, label : str, default ""
        The method's own words, and its label, for methods that are not of this package.
    """
    known = [r for r in library().values() if name in r.finders["methods"]]
    known += [r for r in library().values() if {str(v) for v in values} & set(r.finders["values"])]
    if known or not reference:
        return known
    if "scikit-learn" in reference.lower():
        return of_libraries(["scikit-learn"])
    return [of_text(f"method-{label or name}", reference)]


def of_paper(key: str) -> list[Reference]:
    """Return the paper that an experiment reproduces."""
    return [r for r in library().values() if key in r.finders["papers"]]


def of_words(texts: Iterable[str]) -> list[Reference]:
    """Return the papers of tests and measures that texts speak of."""
    whole = "\n".join(texts)
    return [r for r in library().values() if any(word in whole for word in r.finders["words"])]


def of_libraries(names: Iterable[str]) -> list[Reference]:
    """Return the papers of libraries."""
    wanted = set(names)
    return [r for r in library().values() if wanted & set(r.finders["libraries"])]


def of_data(label: str, citation: str, archive: str = "") -> Reference:
    """Return an entry for a data set from the words of the registry, ``Authors year, title``.

    Parameters
    ----------
    label : str
        Becomes part of the key.
    citation : str
    archive : str, default ""
        Where it was obtained.

    Examples
    --------
    >>> of_data("wine", "Forina et al. 1988; Aeberhard 1992, Wine").fields
    {'key': 'Forina et al. 1988; Aeberhard 1992, Wine', 'title': '{Forina et al. 1988; Aeberhard 1992, Wine}'}
    >>> of_data("iris", "Fisher 1936, Iris").fields
    {'author': 'Fisher', 'title': '{Iris}', 'year': '1936'}
    """
    match = re.fullmatch(r"([^;,]*?(?:, [^;,\d]+?)*) (\d{4}), (.+)", citation)
    if not match:
        return of_text(f"data-{label}", citation, archive)
    authors = match[1].replace(" et al.", " and others").replace(" & ", " and ").replace(", ", " and ")
    fields = {"author": authors, "title": f"{{{match[3]}}}", "year": match[2]}
    return Reference(_key(f"data-{label}"), "misc", fields | ({"howpublished": archive} if archive else {}))


def of_text(key: str, text: str, archive: str = "") -> Reference:
    """Return an entry whose only content is a text of the user's; nothing in it is markup."""
    # Braces could not be told from those that keep capitals.
    plain = text.replace("{", "(").replace("}", ")")
    return Reference(
        _key(key), "misc", {"key": plain, "title": f"{{{plain}}}"} | ({"howpublished": archive} if archive else {})
    )


def bibtex(references: Sequence[Reference]) -> str:
    """Return a ``.bib`` file."""
    return "\n".join(reference.bibtex() for reference in references)


def _key(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-") or "x"
