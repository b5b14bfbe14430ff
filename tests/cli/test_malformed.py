"""What users get wrong, from outside: one line that names it and exit code 2, or a result that is defined."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from fsbench.cli import main as entry

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute class {p,q}\n@data\n"


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        entry.main(list(args))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def rank(capsys: pytest.CaptureFixture[str], path: Path, text: str | bytes, *args: str) -> tuple[int, str, str]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return call(capsys, "rank", str(path), *args)


REFUSED = {
    "empty file": ("", "the file is empty"),
    "no data section": ("@relation r\n@attribute a numeric\n", "@data"),
    "no rows": (HEAD, "row"),
    "unknown label": (HEAD + "1,z,p\n", "'z'"),
    "near miss of a label": (HEAD.replace("{x,y}", "{left,right}") + "1,lefft,p\n", "'left'"),
    "not a number": (HEAD + "1x,x,p\n", "1x"),
    "infinite number": (HEAD + "inf,x,p\n", "inf"),
    "too few values": (HEAD + "1,x\n", "2"),
    "too many values": (HEAD + "1,x,p,p\n", "4"),
    "open quote": (HEAD + "1,'x,p\n", "quote"),
    "instance weight": (HEAD + "1,x,p,{2}\n", "weight"),
    "duplicate names": (HEAD.replace("attribute b", "attribute a") + "1,x,p\n", "'a'"),
    "unknown type": (HEAD.replace("a numeric", "a numerik") + "1,x,p\n", "numeric"),
    "attribute without type": (HEAD.replace("a numeric", "a") + "1,x,p\n", "a"),
    "string attribute": (HEAD.replace("a numeric", "a string") + "1,x,p\n", "string"),
    "relational attribute": (HEAD.replace("a numeric", "a relational") + "1,x,p\n", "relational"),
    "numeric class": (HEAD.replace("class {p,q}", "class numeric") + "1,x,2\n", "numeric"),
    "sparse index out of range": (HEAD + "{7 1}\n", "7"),
    "sparse index twice": (HEAD + "{0 1, 0 2}\n", "0"),
    "binary rubbish": (b"\x00\x01\x02\xff\xfe" * 20, "UTF-8"),
    "not UTF-8": (HEAD.encode() + b"1,\xe9,p\n", "UTF-8"),
    "web page": ("<!DOCTYPE html><html><body>Not found</body></html>\n", "ARFF"),
    "one class only": (HEAD + "1,x,p\n2,y,p\n3,x,p\n", "all 3 rows are of the class 'p'; two classes are needed"),
    "one row": (HEAD + "1,x,p\n", "the only row is of the class 'p'; two classes are needed"),
    "only the class": ("@relation r\n@attribute class {p,q}\n@data\np\nq\n", "only column"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_arff(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    text, word = REFUSED[name]
    code, out, err = rank(capsys, tmp_path / "bad.arff", text)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert word in err
    assert "bad.arff" in err


def test_rows_without_a_class_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        code, out, err = rank(capsys, tmp_path / "bad.arff", HEAD + "1,x,?\n2,y,?\n")
    assert (code, out) == (2, "")
    warning, error = err.splitlines()
    assert "2 of 2 rows are left out" in warning
    assert "no rows" in error


DEFINED = {
    "a class with one row": HEAD + "1,x,p\n2,y,p\n3,x,q\n",
    "constant features": HEAD + "1,x,p\n1,x,q\n1,x,p\n",
    "all values missing": HEAD + "?,?,p\n?,?,q\n?,?,p\n",
    "rows that contradict each other": HEAD + "1,x,p\n1,x,q\n1,x,p\n1,x,q\n",
    "huge and tiny numbers": HEAD + "1e300,x,p\n-1e300,y,q\n1e-320,x,p\n",
}


@pytest.mark.parametrize("name", DEFINED)
def test_defined_results(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    methods = [word for m in ("nlc", "relieff", "ig", "gain-ratio", "su", "chi2", "oner") for word in ("-m", m)]
    code, out, err = rank(capsys, tmp_path / "odd.arff", DEFINED[name], *methods, "--format", "csv")
    assert (code, err) == (0, "")
    scores = [line.split(",")[4] for line in out.splitlines()[1:]]
    assert len(scores) == 14
    assert all(abs(float(score)) < 1e6 for score in scores)


CSV = {
    "no header row": ("", "header"),
    "a name twice": ("a,a,class\n1,2,p\n", "'a'"),
    "a short row": ("a,b,class\n1,2,p\n1,p\n", "3"),
    "no rows": ("a,b,class\n", "row"),
}


@pytest.mark.parametrize("name", CSV)
def test_refused_csv(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    text, word = CSV[name]
    code, out, err = rank(capsys, tmp_path / "bad.csv", text)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert word in err


CONFIG = "name: t\ndatasets: [iris]\nrankers: [nlc]\nclassifiers: [nb]\nselections: [all]\n"
CONFIGS = {
    "empty": ("", "name"),
    "not a mapping": ("- 1\n- 2\n", "mapping"),
    "broken YAML": ("name: [1, 2\n", "not valid YAML"),
    "unknown key": (CONFIG + "sede: 2\n", "'seed'"),
    "a key twice": (CONFIG + "name: u\n", "name"),
    "unknown ranker": (CONFIG.replace("nlc", "nlcc"), "'nlc'"),
    "unknown classifier": (CONFIG.replace("[nb]", "[nbb]"), "'nb'"),
    "unknown parameter": (CONFIG.replace("[nlc]", "[{method: nlc, rul: exact}]"), "'rule'"),
    "wrong type": (CONFIG + "seed: one\n", "seed"),
    "no data set": (CONFIG.replace("[iris]", "[]"), "datasets"),
    "one fold": (CONFIG + "folds: {folds: 1}\n", "folds"),
    "unknown estimate": (CONFIG.replace("[all]", "[{best: {estimate: tset}}]"), "'test'"),
    "level out of range": (CONFIG + "tests: {level: 5}\n", "level"),
    "unsafe tag": (CONFIG + "paper: !!python/object/apply:os.system ['true']\n", "a value with a tag"),
    "no such ranker file": (CONFIG.replace("[nlc]", "['mine.py:Mine']"), "mine.py"),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_refused_configs(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    text, word = CONFIGS[name]
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    code, out, err = call(capsys, "run", str(path), "--output", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert word in err
    assert "bad.yaml" in err
    assert not (tmp_path / "out").exists()
