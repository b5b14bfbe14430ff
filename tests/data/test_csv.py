from __future__ import annotations

import gzip
import warnings

import numpy as np
import pytest

from fsbench.data import DataWarning, load
from fsbench.errors import DataError


def csv(write, text, **options):
    return load(write(text, "t.csv"), **options)


def error(call):
    with pytest.raises(DataError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_kinds_are_inferred_and_the_class_is_nominal(write):
    data = csv(write, "a,b,c,class\n1,x,0.5,2\n-2e3,y,,1\n?,x,.5,2\n")
    assert [f.labels for f in data.features] == [None, ("x", "y"), None]
    assert data.target.labels == ("2", "1")  # in the order of first appearance
    assert np.array_equal(data.X, [[1, 0, 0.5], [-2000, 1, np.nan], [np.nan, 0, 0.5]], equal_nan=True)
    assert data.y.tolist() == [0, 1, 0]
    assert data.name == "t"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_quotes_blanks_and_line_ends(write, delimiter):
    text = '\ufeffa;"b; b";class\r\n 1 ; "x, ""y""";p\r\n\r\n2;" z ";q'.replace(";", delimiter)
    data = csv(write, text)
    assert [f.name for f in data.features] == ["a", f"b{delimiter} b"]
    assert data.features[1].labels == ('x, "y"', "z")
    assert data.X.tolist() == [[1, 0], [2, 1]]


def test_a_value_may_hold_a_line_end(write):
    data = csv(write, 'a,b,class\n1,"two\nlines",p\n2,x,q\n')
    assert data.features[1].labels == ("two\nlines", "x")
    assert error(lambda: csv(write, 'a,b,class\n1,"two\nlines",p\n2,x\n')).endswith(
        "t.csv, line 4: 2 values where the header names 3 columns"
    )


def test_gzipped(write):
    assert load(write(gzip.compress(b"a,class\n1,p\n"), "t.csv.gz")).n_rows == 1


def test_a_column_may_turn_out_nominal_late(write):
    rows = [f"{i % 7},{i % 3},{'pq'[i % 2]}" for i in range(5000)]
    rows[4321] = "U,0,p"
    with pytest.warns(DataWarning, match="line 4323: column 'a' is read as nominal because of the value 'U'"):
        data = csv(write, "a,b,class\n" + "\n".join(rows))
    assert data.features[0].labels == ("0", "1", "2", "3", "4", "5", "6", "U")
    assert data.features[1].labels is None
    assert data.X[4321].tolist() == [7, 0]
    assert data.X[10].tolist() == [3, 1]


def test_kinds_can_be_said(write):
    text = "a,b,class\n1,x,p\n2,y,q\n1,x,p\n"
    assert csv(write, text, nominal=["a"]).features[0].labels == ("1", "2")
    assert csv(write, text, numeric=["a"]).features[0].labels is None
    path = write("a,class\n1,p\nx,q\n", "t.csv")
    assert error(lambda: load(path, numeric=["a"])) == f"{path}, line 3: column 'a' is said to be numeric, found 'x'"
    assert error(lambda: load(path, nominal=["A"])) == f"{path}: no column is named 'A'; did you mean 'a'?"
    assert error(lambda: load(path, nominal=["a"], numeric=["a"])) == (
        f"{path}: column 'a' cannot be both nominal and numeric"
    )
    assert error(lambda: load(path, numeric=["class"])) == (
        f"{path}: the class must be nominal, but 'class' is said to be numeric"
    )


def test_what_stands_for_missing_can_be_said(write):
    path = write("a,class\n1,p\nNA,q\n?,p\n", "t.csv")
    data = load(path, missing=["NA", "?"])
    assert np.array_equal(data.X[:, 0], [1, np.nan, np.nan], equal_nan=True)
    assert load(path, nominal=["a"]).features[0].labels == ("1", "NA")


def test_not_available_among_numbers_is_missing(write):
    text = "a,b,c,d,class\n1,NA,x,NaN,p\nNA,NA,NA,2.5,q\nn/a,NA,y,,p\n2,NA,x,1,NA\n"
    with pytest.warns(DataWarning) as heard:
        data = csv(write, text)
    assert [str(w.message).partition(": ")[2] for w in heard] == [
        "read as missing, in columns of numbers: 'NA' in 1 cell, 'n/a' in 1 cell, 'NaN' in 1 cell"
    ]
    assert np.array_equal(data.X[:, [0, 3]].T, [[1, np.nan, np.nan, 2], [np.nan, 2.5, np.nan, 1]], equal_nan=True)
    assert [f.labels for f in data.features] == [None, ("NA",), ("x", "NA", "y"), None]  # words elsewhere stay words
    assert data.target.labels == ("p", "q", "NA")


def test_other_words_beside_not_available_are_refused(write):
    message = "line 4: column 'a' holds numbers, but here 'null'; a missing value is an empty cell, ?, NA or NaN"
    assert message in error(lambda: csv(write, "a,class\n1,p\nNA,q\nnull,q\n"))


@pytest.mark.parametrize("word", ["inf", "-Infinity", "null", "None", "1e999"])
def test_words_among_numbers_are_not_labels(write, word):
    assert f"holds numbers, but here {word!r}" in error(lambda: csv(write, f"a,class\n1,p\n{word},q\n"))


def test_words_alone_are_labels(write):
    assert csv(write, "a,class\nnone,p\nx,q\nna,p\n").features[0].labels == ("none", "x", "na")


def test_nearly_numeric_columns_are_reported(write):
    rows = "\n".join(f"{i},p" for i in range(20))
    with pytest.warns(DataWarning, match="line 22: column 'a' is read as nominal because of the value '12a'"):
        csv(write, f"a,class\n{rows}\n12a,q\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert csv(write, f"a,class\n{rows}\n12a,q\n", nominal=["a"]).features[0].n_labels == 21


def test_the_class_may_stand_anywhere(write):
    text = "c,a,b\np,1,2\nq,3,4\n"
    for target in ("c", 1, "first"):
        data = csv(write, text, target=target)
        assert data.target.labels == ("p", "q")
        assert data.X.tolist() == [[1, 2], [3, 4]]
    assert csv(write, text).target.labels == ("2", "4")


def test_a_class_of_fractions_is_refused(write):
    path = write("a,b\n1,0.5\n2,1.25\n", "t.csv")
    assert error(lambda: load(path)) == (
        f"{path}: the class must be nominal, but 'b' holds fractions such as 0.5; choose another column, "
        f"or write its labels as text"
    )
    assert load(path, nominal=["b"]).target.labels == ("0.5", "1.25")


def test_rows_without_a_class_are_counted_and_left_out(write):
    with pytest.warns(DataWarning, match=r"1 of 3 rows are left out"):
        assert csv(write, "a,class\n1,p\n2,\n3,q\n").X.tolist() == [[1], [3]]


def test_a_column_without_any_value_is_numeric(write):
    assert csv(write, "a,b,class\n1,,p\n2,?,q\n").features[1].labels is None


@pytest.mark.parametrize(
    ("content", "place", "what"),
    [
        ("", "", "the file is empty; a CSV file starts with the names of its columns"),
        ("a,class\n", "", "there are no rows after the header"),
        ("class\np\n", "", "'class' is the only column; a data set needs features besides the class"),
        ("a,a,class\n1,2,p\n", ", line 1", "the column name 'a' stands twice"),
        ("a,,class\n1,2,p\n", ", line 1", "column 2 has no name"),
        ("1,2,3\n4,5,6\n", ", line 1", "the first line must name the columns, found numbers only"),
        ("a,class\n1,p\n2\n", ", line 3", "1 values where the header names 2 columns"),
        ("a,class\n1,p\n2,q,r\n", ", line 3", "3 values where the header names 2 columns"),
        ('a,class\n1,"p\n2,q\n', ", line 2", "malformed CSV: unexpected end of data"),
        ("a,class\n1,p\n2,q\0\n", ", line 3", "a NUL byte; the file is damaged, or it is not text in UTF-8"),
        ("a,class\n1\0,p\n", ", line 2", "a NUL byte; the file is damaged, or it is not text in UTF-8"),
        ('a,class\n1,"p"q\n', ", line 2", "malformed CSV: ',' expected after '\"'"),
        (b"a,class\n1,p\n1,\xfc\n", ", line 3", "the text is not UTF-8; convert the file"),
    ],
)
def test_malformed(write, content, place, what):
    path = write(content, "t.csv")
    assert error(lambda: load(path)) == f"{path}{place}: {what}"


def test_truncated_gzip(write):
    whole = gzip.compress(b"a,class\n" + b"1,p\n" * 5000)
    path = write(whole[: len(whole) // 2], "t.csv.gz")
    assert error(lambda: load(path)) == f"{path}: the gzipped content ends too early: the file is truncated"


def test_a_first_line_like_a_row_is_reported(write):
    text = "5.1,3.5,x\n4.9,3.0,x\n6,2,y\n"
    with pytest.warns(DataWarning, match=r"t.csv: the first line is taken for the names .* \(5.1, 3.5\); put a line"):
        csv(write, text)
    assert csv(write, text.replace("5,x", "5,class")).features[0].name == "5.1"  # such as wavelengths
    assert csv(write, "x,class\nx,1\n").features[0].name == "x"


def test_a_class_of_very_many_numbers_is_reported(write):
    rows = [f"{i},{i % 11}\n" for i in range(32)]
    with pytest.warns(DataWarning, match="the class 'c' holds 11 different numbers in 32 rows: each is taken"):
        csv(write, "a,c\n" + "".join(rows))
    assert csv(write, "a,c\n" + "".join([*rows, "1,1\n"])).n_classes == 11
