"""The compiled reader equals the careful one: on generated files, good and bad, and on numbers of every kind."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsbench.data.arff import read_arff
from fsbench.data.arff_compiled import CompiledReader
from fsbench.data.arff_header import Attribute
from fsbench.data.arff_rows import RowReader
from fsbench.data.arff_tokens import quote
from fsbench.data.streams import Block
from fsbench.errors import DataError

ATTRIBUTES = [
    Attribute("a", "numeric"),
    Attribute("b", "nominal", ("x", "?", "two words", "it's", "", "ä", "{", "a\\b", "1")),
    Attribute("c", "numeric"),
    Attribute("d", "nominal", ("x", "y")),
]
GOOD = {
    "number": st.one_of(
        st.floats(allow_nan=False, allow_infinity=False).map(repr),
        st.integers(-(10**25), 10**25).map(str),
        st.sampled_from(["?", "1", "-0", "1e5", "'2'", ".5", "5.", "+3", "1e-300", "4.9e-324", "0" * 30]),
    ),
    "b": st.sampled_from(["x", "'x'", '"x"', "?", "'?'", "'two words'", r"'it\'s'", "''", "ä", "'{'", "a\\b", "1"]),
    "d": st.sampled_from(["x", "y", "'x'", '"y"', "?"]),
    "separator": st.sampled_from([",", ",", ",", ", ", " ,", "\t,\t", " "]),
    "line": st.sampled_from(["", "  ", "% comment", "  % comment", "{0 1,3 y}", "{}", r"{1 'it\'s'}", "1,x,2,x % end"]),
}
BAD = {
    "number": st.sampled_from(["1.5e", "nan", "'?'", "1_0", "", "e5", "1e999", "'1", "--1"]),
    "b": st.sampled_from(["y", "'", '"x', "{", "", "x x", r"'a\b'"]),
    "d": st.sampled_from(["z", "''", "x'", "X"]),
    "separator": st.sampled_from([",,", ""]),
    "line": st.sampled_from(["1,x,2,x,{2}", "{4 1}", "{0 1", "1,x,2", "@data", "{0 1}, {2}"]),
}


@st.composite
def lines(draw, bad):
    """Draw a line; if `bad`, there may be something wrong with it."""

    def some(what):
        return draw(BAD[what] if bad and draw(st.integers(0, 5)) == 0 else GOOD[what])

    if draw(st.integers(0, 4)) == 0:
        return some("line")
    cells = [some("number" if a.labels is None else a.name) for a in ATTRIBUTES]
    separators = [some("separator") if draw(st.booleans()) else "," for _ in cells[1:]]
    return cells[0] + "".join(s + c for s, c in zip(separators, cells[1:], strict=True))


def outcome(reader, block):
    try:
        return "read", reader.read(Block(block, 7, block.count(b"\n"))).tolist()
    except DataError as error:
        return "refused", str(error)


@settings(max_examples=300, deadline=None)
@given(st.booleans().flatmap(lambda bad: st.lists(lines(bad), max_size=8)), st.sampled_from(["\n", ""]))
def test_equal_in_every_value_and_error(rows, end):
    block = ("\n".join(rows) + end).encode()
    careful, other = RowReader(Path("t"), ATTRIBUTES), RowReader(Path("t"), ATTRIBUTES)
    expected, found = outcome(careful, block), outcome(CompiledReader(other), block)
    assert repr(found) == repr(expected)  # repr: NaN equals NaN, and 0 is not -0
    assert other.sparse == careful.sparse or expected[0] == "refused"


def test_a_file_full_of_odd_lines(write):
    """More odd lines in a block than the compiled reader has patience for."""
    rows = "".join(f"{i} {i % 2}.5 {'xy'[i % 2]}\n" if i % 3 else f"{i},0.5,x\n" for i in range(2000))
    path = write("@relation r\n@attribute a numeric\n@attribute b real\n@attribute class {x,y}\n@data\n" + rows)
    careful, compiled = read_arff(path, compiled=False), read_arff(path, compiled=True)
    assert careful.values.shape == (2000, 3)
    assert np.array_equal(careful.values, compiled.values)


def bits(values):
    return np.ascontiguousarray(values, dtype=np.float64).view(np.int64)


def read_numbers(texts):
    reader = CompiledReader(RowReader(Path("t"), [Attribute("a", "numeric")]))
    block = ("\n".join(texts) + "\n").encode()
    found = []
    # Small blocks: a number that the kernel hands over must not hand over the whole rest.
    for start in range(0, len(texts), 100):
        part = ("\n".join(texts[start : start + 100]) + "\n").encode()
        found.append(reader.read(Block(part, 1, part.count(b"\n")))[:, 0])
    assert sum(map(len, found)) == block.count(b"\n")
    return np.concatenate(found)


def number_texts(seed, count):
    draw = random.Random(seed)
    while count:
        kind = draw.randrange(8)
        if kind == 0:
            text = repr(struct.unpack("<d", draw.randbytes(8))[0])
        elif kind == 1:
            text = f"{draw.gauss(0, 1):.17g}"
        elif kind == 2:
            text = f"{draw.gauss(0, 1e10):.18e}"
        elif kind == 3:
            text = str(draw.getrandbits(draw.randrange(1, 80)))
        elif kind == 4:
            text = f"{draw.randrange(10)}.{draw.getrandbits(50)}e{draw.randrange(-330, 310)}"
        elif kind == 5:
            text = str(2 * (draw.getrandbits(53) | 1 << 52) + 1)  # half way between two doubles
        elif kind == 6:
            text = f"{draw.uniform(-1000, 1000):.{draw.randrange(8)}f}"
        else:
            zeros = ["0" * draw.randrange(25) for _ in range(2)]
            text = f"{draw.choice(['', '-', '+'])}{zeros[0]}.{zeros[1]}{draw.getrandbits(draw.choice([20, 62]))}"
        if "n" not in text and float(text) not in (float("inf"), float("-inf")):
            count -= 1
            yield text


def test_numbers_are_correctly_rounded():
    texts = list(number_texts(1, 30_000))
    assert np.array_equal(bits(read_numbers(texts)), bits([float(t) for t in texts]))


def test_what_python_writes_is_left_to_no_slower_reader(monkeypatch):
    draw = random.Random(3)
    texts = [repr(draw.gauss(0.0, 10.0 ** draw.randrange(-3, 6))) for _ in range(5000)]
    reader = CompiledReader(RowReader(Path("t"), [Attribute("a", "numeric", None)]))
    handed = []
    monkeypatch.setattr(
        reader.careful, "read", lambda block: handed.append(block) or RowReader.read(reader.careful, block)
    )
    found = reader.read(Block(("\n".join(texts) + "\n").encode(), 1, len(texts)))
    assert np.array_equal(found[:, 0], [float(text) for text in texts])
    assert len(handed) < 5  # a few stand too near to halfway between two doubles


@pytest.mark.parametrize(
    "text",
    [
        "9007199254740993",  # 2**53 + 1: half way, to even
        "9007199254740993.0000000000000001",
        "0.1", "1e22", "1e23", "1e-22", "1e-23", "123456789012345678", "1234567890123456789", "12345678901234567890",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "5e-324", "2.4703282292062327e-324", "1e-400",
        "1.7976931348623157e308", "0e999", "-0.0", "-0e5", "00000000000000000000001.5", "1e0000000001",
        "7.2057594037927933e16", "8.5e-290", "8.5e-291", "1.5e290", "1.5e291",
    ],
)  # fmt: skip
def test_hard_numbers(text):
    assert bits(read_numbers([text, "1", text])).tolist() == bits([float(text), 1.0, float(text)]).tolist()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_reads_back(value):
    assert bits(read_numbers([repr(value)])).tolist() == bits([value]).tolist()


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])), min_size=1, unique=True))
def test_every_label_reads_back(labels):
    attribute = [Attribute("a", "nominal", tuple(labels))]
    block = Block(("\n".join(map(quote, labels)) + "\n").encode(), 1, len(labels))
    expected = [[float(i)] for i in range(len(labels))]
    assert RowReader(Path("t"), attribute).read(block).tolist() == expected
    assert CompiledReader(RowReader(Path("t"), attribute)).read(block).tolist() == expected
