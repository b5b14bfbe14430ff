from __future__ import annotations

import gzip
import os
import subprocess
import sys

import numpy as np
import pytest

from fsbench.data import DataWarning, load, read_arff
from fsbench.errors import DataError

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y,'?'}\n@attribute class {p,q}\n@data\n"


def values(path):
    """All columns, the missing cells as None, read in both ways."""
    careful, compiled = read_arff(path, compiled=False), read_arff(path, compiled=True)
    assert np.array_equal(careful.values, compiled.values, equal_nan=True)
    return [[None if np.isnan(v) else v for v in row] for row in careful.values]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("1,x,p\n2,y,q\n", [[1, 0, 0], [2, 1, 1]]),
        ("1,x,p", [[1, 0, 0]]),
        ("1,'?',p\n?,?,q\n", [[1, 2, 0], [None, None, 1]]),
        ('"1.5","y",\'q\'\n', [[1.5, 1, 1]]),
        ("1 x p\n2\ty\tq\n", [[1, 0, 0], [2, 1, 1]]),
        (" 1 , x ,p \n", [[1, 0, 0]]),
        ("1 , x p\n", [[1, 0, 0]]),
        ("% before\n1,x,p % after\n\n  % indented\n2,y,q%close\n%", [[1, 0, 0], [2, 1, 1]]),
        ("-1.5e-3,x,p\n.5,x,p\n5.,x,p\n+7E2,x,p\n", [[-0.0015, 0, 0], [0.5, 0, 0], [5, 0, 0], [700, 0, 0]]),
        ("\x0b1,x,p\x0c\n", [[1, 0, 0]]),
        ("", []),
        ("\n\n", []),
    ],
)
def test_dense_rows(write, rows, expected):
    assert values(write(HEAD + rows)) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("{0 5}\n", [[5, 0, 0]]),  # an omitted label is the first declared one, an omitted number 0
        ("{1 y,2 q}\n{}\n", [[0, 1, 1], [0, 0, 0]]),
        ("{ 0\t1 , 2 q }\n", [[1, 0, 1]]),
        ("{0 5 2 q}\n", [[5, 0, 1]]),
        ("{2 q,0 5}\n", [[5, 0, 1]]),
        ("{0 ?,1 ?}\n", [[None, None, 0]]),
        ("{1 '?',2 'q'} % end\n", [[0, 2, 1]]),
        ("{0 5}\n1,y,q\n{2 q}\n", [[5, 0, 0], [1, 1, 1], [0, 0, 1]]),
    ],
)
def test_sparse_rows(write, rows, expected):
    path = write(HEAD + rows)
    assert values(path) == expected
    assert load(path).sparse
    assert read_arff(path, compiled=True).sparse


def test_a_dense_file_is_not_sparse(write):
    assert not load(write(HEAD + "1,x,p\n")).sparse


@pytest.mark.parametrize(
    ("declared", "labels"),
    [
        ("{a,b}", ("a", "b")),
        ("{  a , b\t, c }", ("a", "b", "c")),
        ("{'two words',\"double\",bare}", ("two words", "double", "bare")),
        (r"{'it\'s',\"x\",'a\\b'}".replace(r"\"", '"'), ("it's", "x", "a\\b")),
        (r"{'tab\there','line\nend','o\101p','\u00e9','\%'}", ("tab\there", "line\nend", "oAp", "é", "%")),
        (r"{back\slash,c}", ("back\\slash", "c")),
        ("{'',c}", ("", "c")),
        ("{?,c}", ("?", "c")),
        ("{'a,b','{','%'}", ("a,b", "{", "%")),
        ("{a b c}", ("a", "b", "c")),
        ("{<=50K,>50K,-1,1}", ("<=50K", ">50K", "-1", "1")),
        ("{hid,hId,Hid}", ("hid", "hId", "Hid")),
        ("{T}", ("T",)),
        ("{ä,中文,p\u00a0q,p\u2028q,p\u0085q}", ("ä", "中文", "p\u00a0q", "p\u2028q", "p\u0085q")),
    ],
)
def test_declared_labels(write, declared, labels):
    from fsbench.data.arff_tokens import quote

    rows = "".join(f"1,{quote(v)}\n" for v in labels)
    path = write(f"@relation r\n@attribute a numeric\n@attribute class {declared}\n@data\n{rows}")
    data = load(path)
    assert data.target.labels == labels
    assert data.y.tolist() == list(range(len(labels)))
    assert values(path)[-1] == [1, len(labels) - 1]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("@attribute width numeric", "width"),
        ("@ATTRIBUTE\twidth\tREAL", "width"),
        ("  @Attribute 'Train or Test' Integer % comment", "Train or Test"),
        ('@attribute "a, {b}" real', "a, {b}"),
        (r"@attribute 'it\'s' numeric", "it's"),
        ("@attribute bw/me.x-1 real [0, 10]", "bw/me.x-1"),
        ("@attribute grösse numeric", "grösse"),
        ("@attribute @data numeric", "@data"),
    ],
)
def test_declared_names(write, line, name):
    data = load(write(f"@relation r\n{line}\n@attribute class{{p,q}}\n@data\n1,p\n"))
    assert data.features[0].name == name


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", [1, 2, 7, 1 << 18])
def test_line_ends_and_blocks_of_any_size(write, end, block):
    path = write((HEAD + "1,x,p\n2,'?',q\n% c\n?,?,p\n").replace("\n", end))
    for compiled in (False, True):
        table = read_arff(path, block=block, compiled=compiled)
        expected = [[1, 0, 0], [2, 2, 1], [np.nan, np.nan, 0]]
        assert np.array_equal(table.values, expected, equal_nan=True)


def test_byte_order_mark_is_dropped(write):
    assert load(write(b"\xef\xbb\xbf" + HEAD.encode() + b"1,x,p\n")).n_rows == 1


@pytest.mark.parametrize("name", ["t.arff.gz", "t.arff"])
def test_gzipped_whatever_the_name(write, name):
    path = write(gzip.compress((HEAD + "1,x,p\n").encode()), name)
    assert (load(path).n_rows, load(path).name) == (1, "t")


def test_comments_need_not_be_utf8(write):
    assert load(write(b"% M\xfcller\n" + HEAD.encode() + b"% M\xfcller\n1,x,p % M\xfcller\n")).n_rows == 1


def test_utf8_whatever_the_locale(write):
    path = write("@relation r\n@attribute größe numeric\n@attribute class {ä,ö}\n@data\n1,ö\n")
    code = f"from fsbench.data import load; d = load({str(path)!r}); print(ascii(d.features[0].name), d.y)"
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == r"'gr\xf6\xdfe' [1]"


@pytest.mark.parametrize(
    ("target", "name", "y"),
    [
        (None, "class", [0, 1]),
        ("last", "class", [0, 1]),
        ("class", "class", [0, 1]),
        ("CLASS", "class", [0, 1]),
        (2, "b", [1, 0]),
        ("2", "b", [1, 0]),
        ("b", "b", [1, 0]),
    ],
)
def test_the_class_may_stand_anywhere(write, target, name, y):
    data = load(write(HEAD + "1,y,p\n2,x,q\n"), target=target)
    assert data.target.name == name
    assert data.y.tolist() == y
    assert [f.name for f in data.features] == [n for n in ("a", "b", "class") if n != name]
    assert data.X[:, 0].tolist() == [1, 2]


def test_the_first_column_as_class(write):
    text = "@relation r\n@attribute 2 {p,q}\n@attribute x numeric\n@attribute first numeric\n@data\np,5,6\nq,7,8\n"
    for target in ("first", "2", 1):
        if target == "first":
            with pytest.raises(DataError, match="'first' is numeric"):  # a column of that name goes before the word
                load(write(text), target=target)
        else:
            assert load(write(text), target=target).X.tolist() == [[5, 6], [7, 8]]


def test_rows_without_a_class_are_counted_and_left_out(write):
    path = write(HEAD + "1,x,p\n2,x,?\n3,x,q\n4,x,?\n")
    with pytest.warns(
        DataWarning, match=r"t.arff: 2 of 4 rows are left out because their class \('class'\) is missing"
    ):
        data = load(path)
    assert data.X[:, 0].tolist() == [1, 3]
    assert data.X.flags.f_contiguous


def test_one_class_and_no_rows_are_data_too(write):
    assert load(write(HEAD + "1,x,p\n2,x,p\n")).class_counts.tolist() == [2, 0]
    assert load(write(HEAD)).X.shape == (0, 2)


UNUSABLE = (
    "@relation r\n@attribute day date 'yyyy-MM-dd'\n@attribute a numeric\n@attribute text string\n"
    "@attribute bag relational\n  @attribute u numeric\n@end bag\n@attribute class {p,q}\n@data\n"
    "2001-01-01,1,'some words, here','1\\n2',p\n?,2,?,?,q\n{1 3,4 q}\n"
)


def test_columns_of_no_use_are_refused_or_skipped_with_a_warning(write):
    path = write(UNUSABLE)
    with pytest.raises(DataError, match=r"line 2: attribute 'day' is of type date, which no method here takes"):
        load(path)
    message = r"t.arff: left out: day \(date\), text \(string\), bag \(relational\)"
    with pytest.warns(DataWarning, match=message):
        data = load(path, unsupported="skip")
    assert [f.name for f in data.features] == ["a"]
    assert data.X.tolist() == [[1], [2], [3]]
    assert data.y.tolist() == [0, 1, 1]
    with pytest.warns(DataWarning, match=message), pytest.raises(DataError, match="the class 'text' is of a type"):
        load(path, unsupported="skip", target="text")


def test_values_are_laid_out_for_the_kernels(write):
    data = load(write(HEAD + "1,x,p\n2,y,q\n3,x,p\n"))
    assert data.X.flags.f_contiguous
    assert data.X.dtype == np.float64
    assert data.y.dtype == np.int64


def test_a_wide_table(write):
    names = "".join(f"@attribute a{i} numeric\n" for i in range(3000))
    rows = "".join(",".join(str(i * j % 7) for i in range(3000)) + ",p\n" for j in range(4))
    data = load(write(f"@relation r\n{names}@attribute class {{p,q}}\n@data\n{rows}"))
    assert data.X.tolist() == [[i * j % 7 for i in range(3000)] for j in range(4)]
