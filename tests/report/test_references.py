"""The bibliography: entries that BibTeX can read, one for every method of the package, none that names could break."""

from __future__ import annotations

import re

import pytest

from fsbench import registry
from fsbench.data import registry as data
from fsbench.published import PAPERS
from fsbench.report import references
from fsbench.report.references import library


@pytest.mark.parametrize("key", library())
def test_every_entry_has_what_its_type_needs(key: str) -> None:
    entry = library()[key]
    assert re.fullmatch(r"[A-Za-z]+\d{4}", key)
    assert {"author", "title", "year"} <= entry.fields.keys()
    assert key.endswith(entry.fields["year"])
    place = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "book": "publisher",
             "phdthesis": "school", "misc": "title"}  # fmt: skip
    assert place[entry.kind] in entry.fields
    made = entry.bibtex()
    assert made.isascii()
    assert made.count("{") == made.count("}")
    assert entry.plain().endswith(".")
    assert not set("{}") & set(entry.plain())


@pytest.mark.parametrize("name", [name for names in registry.METHODS.values() for name in names])
def test_every_method_of_the_package_is_cited(name: str) -> None:
    assert references.of_method(name)


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_is_cited(name: str) -> None:
    assert len(references.of_paper(name)) == 1


@pytest.mark.parametrize("name", data.names())
def test_every_data_set_can_be_cited(name: str) -> None:
    entry = references.of_data(name, data.info(name).citation, "UCI 1")
    assert re.fullmatch(r"data-[A-Za-z0-9_-]+", entry.key)
    assert entry.bibtex().isascii()
    assert entry.fields["title"].strip("{}")


def test_a_method_of_the_user_is_cited_by_its_own_words() -> None:
    (entry,) = references.of_method("Mine", reference="Me {and} \\you, $1", label="</b>}")
    assert re.fullmatch(r"[A-Za-z0-9_-]+", entry.key)
    made = entry.bibtex()
    assert r"Me (and) \textbackslash{}you, \$1" in made
    assert made.count("{") == made.count("}")


def test_words_find_tests() -> None:
    keys = {r.key for r in references.of_words(["Friedman's test in the form of Iman and Davenport, adjusted by Holm"])}
    assert {"Friedman1937", "Iman1980", "Holm1979", "Demsar2006"} <= keys
    assert "Nemenyi1963" not in keys
