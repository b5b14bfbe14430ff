"""`fsbench rank` on multi-label data."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from fsbench.cli.main import cli
from fsbench.cli.rank_labels import file_columns
from fsbench.data import load_multilabel, write_arff
from fsbench.data.generate import blobs
from fsbench.errors import UserError
from fsbench.multilabel import BinaryRelevance, LabelPowerset
from fsbench.rankers.relieff import ReliefF
from tests.experiment.label_toys import with_labels, write


@pytest.fixture
def files(tmp_path):
    data = blobs()
    write_arff(file_columns(data, range(data.n_features)), tmp_path / "b.arff")
    names = "".join(f'<label name="{name}"/>' for name in data.labels)
    (tmp_path / "l.xml").write_text(f"<labels>{names}</labels>")
    return tmp_path


def run(*arguments):
    done = CliRunner().invoke(cli, ["rank", *map(str, arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_scores_are_those_of_the_transformation(files):
    out = run(files / "b.arff", "--labels", files / "l.xml", "-m", "relieff", "--transform", "br", "--format", "json")
    found = json.loads(out)[0]
    ranking = BinaryRelevance().rank(ReliefF(), blobs())
    assert found["method"] == "relieff br"
    assert [f["score"] for f in found["features"]] == ranking.scores[ranking.order].tolist()
    out = run("blobs", "-m", "relieff", "--transform", "lp,prune=12", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    ranking = LabelPowerset(prune=12).rank(ReliefF(), blobs())
    assert rows[0]["method"] == "relieff lp(prune=12)"
    assert [float(row["score"]) for row in rows] == ranking.scores[ranking.order].tolist()


def test_names_of_labels_are_a_line_of_csv(tmp_path):
    data = blobs()
    names = ("round, or so", 'the "big" one', "3", "dark")
    write_arff(file_columns(replace(data, labels=names, _derived={}), range(data.n_features)), tmp_path / "b.arff")
    given = '"round, or so", "the ""big"" one","3",dark'
    out = run(tmp_path / "b.arff", "--labels", given, "-m", "ig", "--format", "json")
    assert json.loads(out) == json.loads(run("blobs", "-m", "ig", "--format", "json").replace('"blobs"', '"b"'))
    for wrong in ('"round, or so', '"round" x, dark', "a\nb"):
        with pytest.raises(UserError, match="the labels must be one line of CSV, names with commas in double quotes"):
            run(tmp_path / "b.arff", "--labels", wrong, "-m", "ig")


def test_a_registered_set_needs_no_option_and_the_table_counts_labels():
    out = run("blobs", "-m", "ig", "-m", "relieff", "--top", 2)
    assert "240 rows, 11 features, 4 labels" in out
    assert "ig br" in out
    assert "generated, seed 1" in out


def test_scores_of_each_label():
    out = run("blobs", "-m", "ig", "--explain")
    table = out.split("for each label\n")[1].splitlines()
    assert table[0].split() == ["feature", "mean", "round", "large", "bright", "rare"]
    best = next(line.split() for line in table if line.startswith("size "))
    assert float(best[1]) == pytest.approx(np.mean([float(v) for v in best[2:]]), abs=1e-5)
    with pytest.raises(UserError, match="has no scores of single labels"):
        run("blobs", "--transform", "lp", "--explain")


def test_reduced_files_keep_the_labels(files):
    path = files / "r.arff"
    run("blobs", "-m", "ig", "--top", 3, "--write-reduced", path)
    reduced, whole = load_multilabel(path, files / "l.xml"), blobs()
    assert [f.name for f in reduced.features] == ["size", "light", "outline"]
    assert np.array_equal(reduced.Y, whole.Y)
    assert reduced.labels == whole.labels


def test_the_names_of_the_labels_go_beside_reduced_files(files, monkeypatch):
    monkeypatch.chdir(files)

    def reduced(top, path="r.arff.gz", data="blobs"):
        done = CliRunner().invoke(cli, ["rank", data, "-m", "ig", "--top", str(top), "--write-reduced", path])
        return done.exception or done.stderr

    assert reduced(3) == ("wrote r.arff.gz: 3 of 11 features\nwrote r.xml: the names of the 4 labels\n")
    data = load_multilabel("r.arff.gz")
    assert (data.labels, data.n_features) == (blobs().labels, 3)
    first = (files / "r.xml").read_bytes()
    assert reduced(2) == "wrote r.arff.gz: 2 of 11 features\n"  # the names are there already
    assert (files / "r.xml").read_bytes() == first
    for other in ("<labels><label name='other'/></labels>", "something else"):
        (files / "r.xml").write_text(other)
        before = (files / "r.arff.gz").read_bytes()
        assert "the names of the labels go to r.xml, which holds something else" in str(reduced(3))
        assert (files / "r.xml").read_text() == other
        assert (files / "r.arff.gz").read_bytes() == before
    (files / "r.xml").unlink()
    done = CliRunner().invoke(cli, [
        "rank", "blobs", "-m", "ig", "--top", "1", "--write-reduced", "r.arff", "--output", "r.xml"
    ])  # fmt: skip
    assert "name two files" in str(done.exception)


def test_names_of_labels_are_read_back(tmp_path):
    from fsbench.data.label_names import label_names_text, read_label_names
    from fsbench.errors import DataError

    names = ["a", "a & b", '"q" <\'>', "tab\tline\nend", "é 中"]
    path = tmp_path / "n.xml"
    path.write_text(label_names_text(names), encoding="utf-8")
    assert read_label_names(path) == names
    with pytest.raises(DataError, match="cannot be named in an XML file"):
        label_names_text(["bell\x07"])


def test_labels_that_meka_names_are_not_taken_for_features(files, monkeypatch):
    monkeypatch.chdir(files)
    text = (files / "b.arff").read_text()
    relation = text.partition("\n")[0]

    def ranked(line):
        (files / "b.arff").write_text(text.replace(relation, line))
        done = CliRunner().invoke(cli, ["rank", "b.arff"])
        assert done.exit_code == 0, done.output
        return done.stdout.splitlines()[0].partition("features, ")[2], done.stderr

    said = "its relation (-C -4) names 4 labels: ranked as multi-label data; --class says that it has one class\n"
    assert ranked("@relation 'b: -C -4'") == ("4 labels; method: nlc br", said)
    refused = CliRunner().invoke(cli, ["search", "b.arff", "--plus", "1"]).exception
    assert str(refused).startswith("b.arff: its relation (-C -4) names 4 columns as labels; a search needs one class")
    # Columns that are no labels, none, all, or others since.
    for line in ("'b: -C 4'", "'b: -C 0'", "'b: -C -400'", "'b: -C -4-weka.filters.Remove'", "'b: -C4'"):
        assert ranked(f"@relation {line}") == ("2 classes; method: nlc", "")


@pytest.mark.parametrize("command", [["search", "b.arff", "--plus", "1"], ["run", "e.yaml"]])
def test_labels_beside_the_data_are_not_taken_for_features(files, monkeypatch, command):
    monkeypatch.chdir(files)
    (files / "l.xml").rename(files / "b.xml")
    (files / "e.yaml").write_text("datasets: [b.arff]\nrankers: [ig]\nclassifiers: [nb]\n")
    done = CliRunner().invoke(cli, command)
    assert isinstance(done.exception, UserError)
    assert "b.xml beside it names 4 columns as labels" in str(done.exception)
    assert {"run": "'kind: multilabel'", "search": "--class"}[command[0]] in str(done.exception)
    monkeypatch.setenv("FSBENCH_DATA", str(files))
    by_name = [word.replace("b.arff", "b") for word in command]
    (files / "e.yaml").write_text("datasets: [b]\nrankers: [ig]\nclassifiers: [nb]\n")
    assert "names 4 columns as labels" in str(CliRunner().invoke(cli, by_name).exception)
    (files / "e.yaml").write_text("datasets: [{path: b.arff, target: last}]\nrankers: [ig]\nfolds: {folds: 2}\n")
    told = [*command, "--class", "last"] if command[0] == "search" else [*command, "--dry-run"]
    assert CliRunner().invoke(cli, told).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blobs", "--class", "round"], "multi-label data have labels, not a class"),
        (["blobs", "--plot", "x.svg"], "there is no drawing for multi-label data"),
        (["blobs", "--transform", "brr"], "unknown transform 'brr'; did you mean 'br'?"),
        (["blobs", "--transform", "br,combine=min"], "parameter combine must be one of mean, max, weighted"),
        (["iris", "--labels", "class"], "iris is no multi-label data set"),
        (["blobs", "--transform", "fsbench.data.table:Table"], "is not a transform"),
    ],
)
def test_errors_are_one_line(arguments, message):
    with pytest.raises(UserError) as caught:
        run(*arguments)
    assert message in str(caught.value)


@pytest.mark.shared
def test_scene_by_its_file(shared, monkeypatch):
    folder = shared / "datasets" / "multilabel"
    out = run(folder / "flags.arff", "--labels", folder / "flags.xml", "--method", "relieff", "--transform", "br")
    assert "194 rows, 19 features, 7 labels" in out


ODD = {
    "never positive": np.array([[i % 2, 0] for i in range(60)]),
    "always positive": np.array([[i % 2, 1] for i in range(60)]),
    "once positive": np.array([[i % 2, i == 3] for i in range(60)]),
    "one label": np.array([[i % 3 == 0] for i in range(60)]),
    "rows without labels": np.array([[i < 20, i < 10] for i in range(60)]),
    "no labels at all": np.zeros((60, 2), dtype=int),
    "numeric columns": np.array([[i % 2, i % 3 == 0] for i in range(60)]),
}


@pytest.mark.parametrize("transform", ["br", "br,combine=max", "br,combine=weighted", "lp", "lp,prune=2"])
@pytest.mark.parametrize("method", ["relieff", "ig", "chi2", "nlc"])
@pytest.mark.parametrize("case", ODD)
def test_odd_labels_are_ranked(tmp_path, case, method, transform):
    path = write(tmp_path, "d", with_labels(ODD[case]))
    if case == "numeric columns":
        text = path.read_text()
        assert text.count("{0,1}") == 2
        path.write_text(text.replace("{0,1}", "numeric"))
    found = json.loads(run(path, "-m", method, "--transform", transform, "--format", "json"))[0]
    assert [f["rank"] for f in found["features"]] == list(range(1, 12))
    assert all(f["score"] is None or np.isfinite(f["score"]) for f in found["features"])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", "b", "c"), "the label 'c' is no column of the data; valid: size"),
        (("a", "a"), "the label 'a' is named twice, first on line 1"),
        (("size",), "the label 'size' must be 0 or 1, found"),
        (("colour",), "the label 'colour' must be declared {0,1} or {FALSE,TRUE}, found {red"),
        ((), "no label"),
    ],
)
def test_label_columns_that_are_none_are_one_line(tmp_path, names, message):
    path = write(tmp_path, "d", with_labels(ODD["once positive"]), names or ("x",))
    if not names:
        path.with_suffix(".xml").write_text("<labels></labels>")
    with pytest.raises(UserError) as caught:
        run(path, "-m", "ig", "--transform", "br")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_label_names_beside_the_data_make_them_multi_label(files, monkeypatch):
    monkeypatch.chdir(files)

    def ranked(*options):
        done = CliRunner().invoke(cli, ["rank", "b.arff", *options])
        assert done.exit_code == 0, done.output
        return done.stdout, done.stderr

    one_class, said = ranked()
    assert said == ""
    assert "2 classes; method: nlc\n" in one_class
    # Of other data, or no list of labels at all.
    for text in ("<labels><label name='other'/></labels>", "<data/>", "no XML"):
        (files / "b.xml").write_text(text)
        assert ranked() == (one_class, "")
    (files / "b.xml").write_text("<labels><label name='large'/><label name='other'/></labels>")
    assert ranked() == (one_class, (
        "b.xml lies beside it, but 'other' is no column of b.arff: taken as data with one class; "
        "--labels says which columns are labels\n"
    ))  # fmt: skip
    (files / "l.xml").rename(files / "b.xml")
    labelled, said = ranked()
    assert said == ("b.xml beside it names 4 labels: ranked as multi-label data; --class says that it has one class\n")
    assert "4 labels; method: nlc br\n" in labelled
    assert ranked("--labels", "b.xml") == ranked("--transform", "br") == (labelled, "")
    assert ranked("--class", "last") == (one_class, "")


def test_label_names_beside_csv_and_gzipped_data(files, monkeypatch):
    import gzip

    monkeypatch.chdir(files)
    (files / "l.xml").rename(files / "b.xml")
    content = (files / "b.arff").read_bytes()
    (files / "c.csv").write_text("size,red,blue\n1,1,0\n2,0,1\n3,1,1\n4,0,0\n")
    (files / "c.xml").write_text("<labels><label name='red'/><label name='blue'/></labels>")
    assert "2 labels; method: nlc br" in run("c.csv")
    (files / "b.arff").unlink()
    (files / "b.arff.gz").write_bytes(gzip.compress(content))
    assert "4 labels; method: nlc br" in run("b.arff.gz")


@pytest.mark.parametrize(("args", "known"), [
    (["blobs.arff"], "blobs"), (["blobs.arff", "--labels", "blobs.xml"], "blobs"), (["none/iris.csv"], "iris"),
    (["scene.arff.gz", "--transform", "lp"], "scene"), (["nothing-like-it.arff"], ""),
])  # fmt: skip
def test_a_file_that_is_not_there_may_be_known_by_name(tmp_path, monkeypatch, args, known):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        run(*args)
    hint = f"; the data set {known!r} is known by this name alone, without an ending" if known else ""
    assert str(caught.value) == f"{args[0]}: no such file{hint}"


@pytest.mark.parametrize(("content", "said"), [
    ('<labels><label name="x"', "cannot be used (no well-formed XML"),
    ("<labels></labels>", "cannot be used (the file names no label)"),
    ("<!DOCTYPE labels [<!ENTITY a 'b'>]><labels><label name='&a;'/></labels>", "cannot be used ("),
    ("<project><name>an XML file that speaks of something else</name></project>", ""),
    ("", ""),
])  # fmt: skip
def test_a_label_file_beside_the_data_that_cannot_be_used_is_named(files, monkeypatch, content: str, said: str) -> None:
    monkeypatch.chdir(files)
    (files / "b.xml").write_text(content)
    done = CliRunner().invoke(cli, ["rank", "b.arff", "--method", "ig"])
    assert done.exit_code == 0
    assert (f"b.xml lies beside it, but {said}" in done.stderr) == bool(said)
    assert done.stderr.count("\n") == bool(said)
