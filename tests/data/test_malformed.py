"""What is wrong with a file is said in one line: where it stands, what was found, what would be right."""

from __future__ import annotations

import gzip
import os

import pytest

from fsbench.data import load, read_arff
from fsbench.errors import DataError

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute class {Iris-setosa,q}\n@data\n"
TYPES = (
    "valid: numeric, real, integer, {labels}, string, date, relational (a name that holds blanks, commas, braces "
    "or quotes must be quoted)"
)

HEADERS = [
    ("", "", "the file is empty; an ARFF file starts with @relation"),
    ("% only a comment\n", "", "the file is empty; an ARFF file starts with @relation"),
    ("1,2,3\n", "line 1, column 1", "an ARFF file starts with @relation, found '1'"),
    ("@attribute a numeric\n", "line 1, column 1", "an ARFF file starts with @relation, found '@attribute'"),
    ("@relation\n", "line 1, column 1", "@relation needs a name"),
    ("@relation r\n@relation s\n", "line 2, column 1", "a second @relation"),
    ("@relation r\n@data\n", "line 2", "no @attribute before @data"),
    ("@relation r\n@attribute a numeric\n", "line 2", "the file ends before @data"),
    ("@relation r\n@atribute a numeric\n", "line 2, column 1",
     "@attribute or @data expected, found '@atribute'; did you mean '@attribute'?"),
    ("@relation r\n@attribute a numeric\n@data here\n", "line 3, column 7",
     "nothing may follow @data on its line, found 'here'"),
    ("@relation r\n@attribute a\n", "line 2, column 1", "@attribute needs a name and a type"),
    ("@relation r\n@attribute {a} numeric\n", "line 2, column 12", "a name expected, found '{'"),
    ("@relation r\n@attribute '' numeric\n", "line 2, column 12", "the attribute's name is empty"),
    ("@relation r\n@attribute two words numeric\n", "line 2, column 16",
     f"attribute 'two': unknown type 'words'; {TYPES}"),
    ("@relation r\n@attribute a numerical\n", "line 2, column 14", f"attribute 'a': unknown type 'numerical'; {TYPES}"),
    ("@relation r\n@attribute a numeric x\n", "line 2, column 22",
     "attribute 'a': nothing may follow the type numeric, found 'x'"),
    ("@relation r\n@attribute a numeric {0.5}\n", "line 2, column 22",
     "attribute 'a': nothing may follow the type numeric, found '{'; weights of attributes are not supported"),
    ("@relation r\n@attribute a {x,y} {0.5}\n", "line 2, column 20",
     "attribute 'a': nothing may follow the list of labels, found '{'; weights of attributes are not supported"),
    ("@relation r\n@attribute a {x,y\n", "line 2", "attribute 'a': the list of labels has no closing brace"),
    ("@relation r\n@attribute a {}\n", "line 2", "attribute 'a': the list of labels is empty"),
    ("@relation r\n@attribute a {x,,y}\n", "line 2, column 17",
     "attribute 'a': an empty label; write '' for an empty text"),
    ("@relation r\n@attribute a {x,y,}\n", "line 2, column 19",
     "attribute 'a': an empty label; write '' for an empty text"),
    ("@relation r\n@attribute a {x,{y}}\n", "line 2, column 17",
     "attribute 'a': a brace inside the list of labels must be quoted"),
    ("@relation r\n@attribute a {x,y,'x'}\n", "line 2", "attribute 'a': the label 'x' is declared twice"),
    ("@relation r\n@attribute a {don't}\n", "line 2, column 18", "the quote ' is never closed"),
    ("@relation r\n@attribute a numeric\n@attribute b real\n@attribute 'a' {x}\n@data\n", "line 4",
     "the attribute name 'a' is declared twice, first on line 2"),
    ("@relation r\n@attribute b relational\n@attribute x numeric\n", "line 2",
     "the relational attribute 'b' has no @end"),
    ("@relation r\n@attribute t string\n@attribute c {x}\n@data\n", "line 2",
     "attribute 't' is of type string, which no method here takes; remove it from the file"),
    ("@relation r\n@attribute c {x}\n@data\nx\n", "",
     "'c' is the only column; a data set needs features besides the class"),
    ("@relation r\n@attribute c {x}\n@attribute n numeric\n@data\nx,1\n", "",
     "the class must be nominal, but 'n' is numeric; choose another column, or declare its labels in the file"),
]  # fmt: skip

ROWS = [
    ("1,x\n", "line 6", "2 values where 3 attributes are declared"),
    ("1,x,q\n1,x,q,2\n", "line 7", "4 values where 3 attributes are declared"),
    ("1,x y,q\n", "line 6", "4 values where 3 attributes are declared; a value that holds blanks must be quoted"),
    ("1,,q\n", "line 6, column 3", "an empty value; a missing one is written ?"),
    (",x,q\n", "line 6, column 1", "an empty value; a missing one is written ?"),
    ("1,x,q,\n", "line 6, column 6", "an empty value after the last comma; a missing one is written ?"),
    ("1,x,Iris-setsa\n", "line 6, column 5",
     "attribute 3 'class': value 'Iris-setsa' is not declared; did you mean 'Iris-setosa'?"),
    ("% c\n\n1, z ,q\n", "line 8, column 4", "attribute 2 'b': value 'z' is not declared; valid: x, y"),
    ("1,X,q\n", "line 6, column 3", "attribute 2 'b': value 'X' is not declared; did you mean 'x'?"),
    ("1,'?',q\n", "line 6, column 3", "attribute 2 'b': value '?' is not declared; valid: x, y"),
    ("'?',x,q\n", "line 6, column 1", "attribute 1 'a': value '?' is not a number"),
    ("one,x,q\n", "line 6, column 1", "attribute 1 'a': value 'one' is not a number"),
    ("1.2.3,x,q\n", "line 6, column 1", "attribute 1 'a': value '1.2.3' is not a number"),
    ("1_000,x,q\n", "line 6, column 1", "attribute 1 'a': value '1_000' is not a number"),
    ("٣,x,q\n", "line 6, column 1", "attribute 1 'a': value '٣' is not a number"),
    ("1d,x,q\n", "line 6, column 1", "attribute 1 'a': value '1d' is not a number"),
    ("0x10,x,q\n", "line 6, column 1", "attribute 1 'a': value '0x10' is not a number"),
    ("NaN,x,q\n", "line 6, column 1", "attribute 1 'a': value 'NaN' is not a number"),
    ("-inf,x,q\n", "line 6, column 1", "attribute 1 'a': value '-inf' is not a number"),
    (".,x,q\n", "line 6, column 1", "attribute 1 'a': value '.' is not a number"),
    ("1e,x,q\n", "line 6, column 1", "attribute 1 'a': value '1e' is not a number"),
    ("1e400,x,q\n", "line 6, column 1", "attribute 1 'a': the number 1e400 is too large for a double"),
    ("1,x,q,{2}\n", "line 6, column 7",
     "instance weights are not supported; remove {...} at the end of the row"),
    ("1,x,q {2}\n", "line 6, column 7",
     "instance weights are not supported; remove {...} at the end of the row"),
    ("1,x{,q\n", "line 6, column 4", "an unquoted { inside a row; quote the value"),
    ("1,x},q\n", "line 6, column 4", "an unquoted } inside a row; quote the value"),
    ("1,'x,q\n", "line 6, column 3", "the quote ' is never closed"),
    ('1,x,"q\n', "line 6, column 5", "attribute 3 'class': the quote \" is never closed"),
    ("1,x'y',q\n", "line 6, column 4",
     "a quote inside a value; quote the whole value and escape the inner quote"),
    ("{0 1\n", "line 6", "a sparse row has no closing brace"),
    ("{0 1},{2}\n", "line 6, column 6", "instance weights are not supported; nothing may follow a sparse row"),
    ("{3 1}\n", "line 6, column 2", "'3' is not the index of an attribute; they count from 0 to 2"),
    ("{-1 1}\n", "line 6, column 2", "'-1' is not the index of an attribute; they count from 0 to 2"),
    ("{0 1,0 2}\n", "line 6, column 6", "the index 0 stands twice in one row"),
    ("{0 1,}\n", "line 6, column 6", "a sparse row holds pairs of index and value with commas between"),
    ("{0 1,,1 y}\n", "line 6, column 6", "a sparse row holds pairs of index and value with commas between"),
    ("{0}\n", "line 6, column 3", "a sparse row holds pairs of index and value with commas between"),
    ("{0 a}\n", "line 6, column 4", "attribute 1 'a': value 'a' is not a number"),
    ("{1 z}\n", "line 6, column 4", "attribute 2 'b': value 'z' is not declared; valid: x, y"),
    # The first thing that is wrong is reported, not the kind that is looked for first.
    ("1,z,q\n1,x\n", "line 6, column 3", "attribute 2 'b': value 'z' is not declared; valid: x, y"),
    ("1,x\n1,z,q\n", "line 6", "2 values where 3 attributes are declared"),
    ("1,x,z\none,x,q\n", "line 6, column 5",
     "attribute 3 'class': value 'z' is not declared; valid: Iris-setosa, q"),
]  # fmt: skip


def error(call):
    with pytest.raises(DataError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("text", "place", "what"), HEADERS)
def test_headers(write, text, place, what):
    path = write(text)
    assert error(lambda: load(path)) == f"{path}{', ' if place else ''}{place}: {what}"


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("rows", "place", "what"), ROWS)
def test_rows(write, rows, place, what, compiled):
    path = write(HEAD + rows)
    assert error(lambda: read_arff(path, compiled=compiled)) == f"{path}, {place}: {what}"


@pytest.mark.parametrize("compiled", [False, True])
def test_the_line_is_right_far_down_the_file(write, compiled):
    rows = "".join(f"{i},x,q\n" for i in range(5000))
    path = write(HEAD + rows + "% c\n\n" + rows + "1,x,z\n")
    assert error(lambda: read_arff(path, compiled=compiled, block=1000)) == (
        f"{path}, line 10008, column 5: attribute 3 'class': value 'z' is not declared; valid: Iris-setosa, q"
    )


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("rows", [b"1,\xfc,q\n", b"1,'\xfc',q\n", b"{1 \xfc}\n", b"\xfc,x,q\n"])
def test_text_that_is_not_utf8(write, rows, compiled):
    path = write(HEAD.encode() + rows)
    assert error(lambda: read_arff(path, compiled=compiled)).endswith("the text is not UTF-8; convert the file")


def test_a_head_that_is_not_utf8(write):
    path = write(b"@relation r\n@attribute gr\xf6sse numeric\n")
    assert error(lambda: load(path)) == f"{path}, line 2, column 12: the text is not UTF-8; convert the file"
    path = write("@relation r\n".encode("utf-16"))
    assert error(lambda: load(path)) == f"{path}: the file is in UTF-16; UTF-8 is needed"


def test_files_that_cannot_be_read(write, tmp_path):
    missing = tmp_path / "none.arff"
    assert error(lambda: load(missing)) == f"{missing}: no such file"
    assert error(lambda: load(str(missing))) == f"{missing}: no such file"
    folder = tmp_path / "folder.arff"
    folder.mkdir()
    assert error(lambda: load(folder)) == f"{folder}: this is a folder; a data file is needed"
    assert error(lambda: load(tmp_path)).endswith(
        "this is a folder; a data file ends in .arff, .arff.gz, .csv, .csv.gz"
    )
    other = write("a", "t.xls")
    assert error(lambda: load(other)) == (
        f"{other}: unknown kind of file '.xls'; a data file ends in .arff, .arff.gz, .csv, .csv.gz"
    )
    assert error(lambda: load(tmp_path / "none.xls")) == f"{tmp_path / 'none.xls'}: no such file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(write):
    path = write(HEAD)
    path.chmod(0)
    assert error(lambda: load(path)) == f"{path}: cannot be read: Permission denied"


def test_gzipped_files_that_are_not_whole(write):
    whole = gzip.compress((HEAD + "1,x,q\n" * 1000).encode())
    cut = write(whole[: len(whole) // 2], "t.arff.gz")
    assert error(lambda: load(cut)) == f"{cut}: the gzipped content ends too early: the file is truncated"
    plain = write(HEAD, "u.arff.gz")
    assert error(lambda: load(plain)) == f"{plain}: the name ends in .gz but the content is not gzipped"
    damaged = write(whole[:20] + bytes([whole[20] ^ 255]) + whole[21:], "v.arff.gz")
    assert error(lambda: load(damaged)).startswith(f"{damaged}: the gzipped content is damaged")


@pytest.mark.parametrize(
    ("target", "what"),
    [
        ("clas", "no column is named 'clas'; did you mean 'class'?"),
        (0, "there is no column 0; the columns count from 1 to 3"),
        ("4", "there is no column 4; the columns count from 1 to 3"),
        (-1, "there is no column -1; the columns count from 1 to 3"),
        (
            "a",
            "the class must be nominal, but 'a' is numeric; choose another column, or declare its labels in the file",
        ),
    ],
)
def test_classes_that_are_not_there(write, target, what):
    path = write(HEAD + "1,x,q\n")
    assert error(lambda: load(path, target=target)) == f"{path}: {what}"


def test_kinds_cannot_be_said_of_an_arff_file(write):
    path = write(HEAD)
    assert error(lambda: load(path, nominal=["a"])) == (
        f"{path}: only the columns of a CSV file can be said to be nominal or numeric"
    )
