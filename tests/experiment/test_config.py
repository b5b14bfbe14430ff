"""Experiment files: what a good one means, and one line with file, line and key for each way to spoil it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fsbench.errors import ConfigError, MethodError, UserError
from fsbench.experiment.config import find_config, load_experiment, shipped_configs
from fsbench.experiment.experiment import DatasetRef, FoldScheme, Selection, TestRule

HUGE = "0x" + "f" * 9000  # more digits than Python prints
BASIC = """\
datasets: [iris]
rankers: [nlc]
classifiers: [nb]
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "my.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_defaults(write) -> None:
    experiment = load_experiment(write(BASIC))
    assert experiment.name == "my"
    assert experiment.seed == 1
    assert experiment.datasets == (DatasetRef("iris", name="iris"),)
    assert experiment.folds == FoldScheme("stratified", 10, 1, 1, None)
    assert [ref.label for ref in (*experiment.rankers, *experiment.classifiers)] == ["nlc", "nb"]
    assert experiment.selections == (Selection("all"), Selection("best", estimate="inner_cv", folds=10))
    assert experiment.tests == TestRule("corrected-t", 0.05, "holm", 0.01, None)
    assert experiment.paper is None


def test_every_key(write, tmp_path: Path) -> None:
    experiment = load_experiment(
        write("""\
name: Everything, once
seed: 7
datasets:
  - iris
  - sub/own.arff
  - {path: other.csv.gz, target: label, label: Other}
  - {name: zoo, label: animals}
folds: {scheme: weka, folds: 5, repeats: 2}
rankers:
  - nlc
  - {method: nlc, rule: exact}
  - {method: relieff, k: 5, label: RLF}
classifiers: [{method: 1nn, ranges: weka, label: IBk}]
selections:
  - all
  - first: 3
  - first: 5
  - best: {estimate: [inner_cv, test], folds: 4}
  - best: {estimate: train}
tests: {test: paired-t, level: 0.01, correction: none, rope: 0, reference: RLF}
paper: nlc2003
paper_names: {animals: zoo}
""")
    )
    assert experiment.name == "Everything, once"
    assert experiment.tests == TestRule("paired-t", 0.01, "none", 0.0, "RLF")
    assert [ref.label for ref in experiment.datasets] == ["iris", "own", "Other", "animals"]
    assert experiment.datasets[1] == DatasetRef("own", path="sub/own.arff")
    assert experiment.datasets[2].target == "label"
    assert experiment.base == tmp_path.resolve()
    assert experiment.folds == FoldScheme("weka", 5, 2, 7, None)
    assert [ref.label for ref in experiment.rankers] == ["nlc", "nlc(rule=exact)", "RLF"]
    assert experiment.make_classifiers()["IBk"].params()["ranges"] == "weka"
    assert [(s.selection, s.k, s.estimate, s.folds) for s in experiment.selections] == [
        ("all", None, "", None),
        ("first", 3, "", None),
        ("first", 5, "", None),
        ("best", None, "inner_cv", 4),
        ("best", None, "test", None),
        ("best", None, "train", None),
    ]
    assert experiment.as_dict()["rankers"][2] == {"spec": {"method": "relieff", "k": 5}, "label": "RLF"}


def test_yaml_is_1_2(write) -> None:
    # In YAML 1.1 `on`, `no` and `0o7` would have been true, false and a text.
    experiment = load_experiment(write("seed: 0o7\ndatasets: [on, no]\nrankers: [nlc]\n"))
    assert experiment.seed == 7
    assert [ref.name for ref in experiment.datasets] == ["on", "no"]


def test_anchors_and_merge_keys(write) -> None:
    experiment = load_experiment(
        write("""\
datasets: &sets [iris, zoo]
rankers:
  - &base {method: relieff, k: 5}
  - {<<: *base, weighting: rank}
""")
    )
    assert experiment.rankers[1].spec == {"method": "relieff", "k": 5, "weighting": "rank"}


def test_rankers_without_classifiers_and_the_reverse(write) -> None:
    assert load_experiment(write("datasets: [iris]\nrankers: [nlc]\n")).classifiers == ()
    assert load_experiment(write("datasets: [iris]\nclassifiers: [nb]\n")).selections == (Selection("all"),)


@pytest.mark.parametrize(("text", "message"), [
    ("", "my.yaml:1: an experiment file is a mapping with the keys name, seed,"),
    ("- iris\n", "my.yaml:1: an experiment file is a mapping"),
    ("rankers: [nlc]\n", "my.yaml:1: the key 'datasets' is missing"),
    ("datasets: [iris]\n", "my.yaml:1: nothing to compute: give 'rankers', 'classifiers' or both"),
    (BASIC + "sead: 1\n", "my.yaml:4: unknown key 'sead'; did you mean 'seed'?"),
    (BASIC + "seed: x\n", "my.yaml:4: seed: must be a whole number, found 'x'"),
    (BASIC + "seed: true\n", "my.yaml:4: seed: must be a whole number, found true"),
    (BASIC + "seed: -1\n", "my.yaml:4: seed: must be at least 0, found -1"),
    (BASIC + "seed: 1\nname: a\nseed: 2\n", "my.yaml:6: the key 'seed' is given twice"),
    (BASIC + "name: ../up\n", "my.yaml:4: name: must be a name that can be a folder's, found '../up'"),
    (BASIC + "folds:\n  scheme: stratifed\n", "my.yaml:5: folds.scheme: found 'stratifed'; did you mean 'stratified'?"),
    (BASIC + "folds:\n  scheme: x\n",
     "my.yaml:5: folds.scheme: found 'x'; valid: stratified, weka, mulan, plain, holdout, file"),
    (BASIC + "folds:\n  folds: 1\n", "my.yaml:5: folds.folds: must be at least 2, found 1"),
    (BASIC + "folds:\n  fold: 5\n", "my.yaml:5: folds: unknown key 'fold'; did you mean 'folds'?"),
    (BASIC + "folds: {scheme: file}\n", "my.yaml:4: folds.scheme: 'scheme: file' and 'file: ...' go together"),
    (BASIC + "folds: {file: f.txt}\n", "my.yaml:4: folds.file: 'scheme: file' and 'file: ...' go together"),
    (BASIC + "folds: {scheme: file, file: f.txt, repeats: 2}\n", "my.yaml:4: folds.repeats: the file decides"),
    (BASIC + "folds:\n", "my.yaml:4: folds: must be a mapping, found nothing"),
    ("datasets: []\nrankers: [nlc]\n", "my.yaml:1: datasets: must be a list with at least one entry, found []"),
    ("datasets: iris\nrankers: [nlc]\n", "my.yaml:1: datasets: must be a list, found 'iris'"),
    ("rankers: [nlc]\ndatasets:\n  - iris\n  - iris\n", "my.yaml:4: datasets[2]: 'iris' is given twice"),
    ("rankers: [nlc]\ndatasets:\n  - 2003\n", "my.yaml:3: datasets[1]: must be a name or a mapping, found 2003"),
    ("rankers: [nlc]\ndatasets:\n  - {label: x}\n", "my.yaml:3: datasets[1]: a data set needs either 'name'"),
    ("rankers: [nlc]\ndatasets:\n  - {nme: x}\n", "my.yaml:3: datasets[1]: unknown key 'nme'; did you mean 'name'?"),
    ("datasets: [iris]\nrankers:\n  - nlc\n  - relief\n",
     "my.yaml:4: rankers[2]: unknown ranker 'relief'; did you mean 'relieff'?"),
    ("datasets: [iris]\nrankers:\n  - {method: relieff, kk: 3}\n",
     "my.yaml:3: rankers[1]: relieff: unknown parameter 'kk'; did you mean 'k'?"),
    ("datasets: [iris]\nrankers:\n  - {method: relieff, k: 0}\n",
     "my.yaml:3: rankers[1]: relieff: parameter k must be a whole number of at least 1, found 0"),
    ("datasets: [iris]\nrankers:\n  - {k: 3}\n", "my.yaml:3: rankers[1]: the key 'method' is missing"),
    ("datasets: [iris]\nrankers:\n  - nlc\n  - nlc\n", "my.yaml:4: rankers[2]: 'nlc' is given twice; tell them apart"),
    ("datasets: [iris]\nrankers:\n  - here.py:X\n", "my.yaml:3: rankers[1]: no such file: "),
    ("datasets: [iris]\nrankers:\n  - fsbench.classifiers.naive_bayes:NaiveBayes\n",
     "my.yaml:3: rankers[1]: 'fsbench.classifiers.naive_bayes:NaiveBayes' is no ranker"),
    (BASIC + "selections:\n  - al\n", "my.yaml:5: selections[1]: must be a name or a mapping, found 'al'"),
    (BASIC + "selections:\n  - first: 0\n", "my.yaml:5: selections[1].first: must be at least 1, found 0"),
    (BASIC + "selections:\n  - {first: 1, best: {}}\n",
     "my.yaml:5: selections[1]: a selection is one of all, ordered, best, reduced,"),
    (BASIC + "selections:\n  - best: {estimate: innercv}\n",
     "my.yaml:5: selections[1].best.estimate[1]: found 'innercv'; did you mean 'inner_cv'?"),
    (BASIC + "selections:\n  - all\n  - all\n", "my.yaml:6: selections[2]: 'all' is given twice"),
    (BASIC + "selections:\n  - best\n  - best: {folds: 3}\n", "my.yaml:6: selections[2]: 'best inner_cv' is given"),
    ("datasets: [iris]\nclassifiers: [nb]\nselections:\n  - first: 1\n",
     "my.yaml:4: selections[1]: 'first' needs at least one ranker"),
    ("datasets: [iris]\nclassifiers: [nb]\nrankers:\n  - ig\n  - nlc\nselections: [reduced]\n",
     "my.yaml:5: rankers[2]: 'reduced' keeps scores above a threshold, but few label changes are good in nlc;"),
    (BASIC + "paper: multilabel2013\n", "my.yaml:4: paper: 'multilabel2013' is of multi-label data, this"),
    (BASIC + "tests: {level: 1.5}\n", "my.yaml:4: tests.level: must be below 1, found 1.5"),
    (BASIC + "tests: {level: .nan}\n", "my.yaml:4: tests.level: must be"),
    (BASIC + "tests: {correction: hulm}\n", "my.yaml:4: tests.correction: found 'hulm'; did you mean 'holm'?"),
    (BASIC + "tests: {correction: false}\n", "my.yaml:4: tests.correction: found false; valid: holm, none"),
    (BASIC + "tests: {rope: -0.1}\n", "my.yaml:4: tests.rope: must be at least 0, found -0.1"),
    (BASIC + "tests: {rope: .nan}\n", "my.yaml:4: tests.rope: must be"),
    (BASIC + "tests: {reference: nlx}\n", "my.yaml:4: tests.reference: no ranker 'nlx' above; did you mean 'nlc'?"),
    (BASIC + "tests: {refrence: nlc}\n", "my.yaml:4: tests: unknown key 'refrence'; did you mean 'reference'?"),
    (BASIC + "paper_names:\n  irs: x\n", "my.yaml:5: paper_names.irs: no data set 'irs' above; did you mean 'iris'?"),
    (BASIC + "folds: {repeats: 99999999999999999999}\n",
     "my.yaml:4: folds.repeats: must be at most 10000, found 99999999999999999999"),
    (BASIC + "seed: " + "9" * 5000 + "\n", "my.yaml:4: '999"),
    (BASIC + f"seed: 0x{'f' * 5000}\n", "my.yaml:4: seed: must be below 2^63, found a number of 20000 bits"),
    (BASIC + "selections: [{reduced: {thresholds: [.nan]}}]\n",
     "my.yaml:4: selections[1].reduced.thresholds[1]: must be a number, found nan"),
    (BASIC + "selections: [{reduced: {tolerance: .inf}}]\n",
     "my.yaml:4: selections[1].reduced.tolerance: must be a number, found inf"),
    (BASIC + "name: [x]\n", "my.yaml:4: name: must be a text, found ['x']"),
    (BASIC + "name: 2026-11-30\n",
     "my.yaml:4: name: must be a text (quote it if it looks like a number), found 2026-11-30"),
    (BASIC + "name: 2026-13-45\n",
     "my.yaml:4: '2026-13-45' cannot be read as a number or date; quote it if it is a text"),
    (BASIC + "seed: !!int x\n", "my.yaml:4: 'x' cannot be read as int"),
    (BASIC + "name: !own x\n", "my.yaml:4: a value with a tag (!name) is not for experiment files"),
    (BASIC + "name: !own [x]\n", "my.yaml:4: a value with a tag (!name) is not for experiment files"),
    (BASIC + "tests: !own {level: 0.1}\n", "my.yaml:4: a value with a tag (!name) is not for experiment files"),
    (BASIC + "name: !!bool maybe\n", "my.yaml:4: 'maybe' cannot be read as bool"),
    (BASIC + 'name: !!int ""\n', "my.yaml:4: '' cannot be read as int"),
    (BASIC + 'name: !!float ""\n', "my.yaml:4: '' cannot be read as float"),
    (BASIC + "name: 9999-12-31T23:59:59.9999999999Z\n",
     "my.yaml:4: '9999-12-31T23:59:59.9999999999Z' cannot be read as a number or date; quote it if it is a text"),
    (BASIC + "[[a]]: 1\n", "my.yaml:4: a key must be a text, found a list"),
    (BASIC + "[{}]: 1\n", "my.yaml:4: a key must be a text, found a list"),
    (BASIC + "{a: {b: c}}: 1\n", "my.yaml:4: a key must be a text, found a mapping"),
    (BASIC + "{a: 1}: 1\n", "my.yaml:4: a key must be a text, found a mapping"),
    (BASIC + "name: &a [x]\n*a : 1\n", "my.yaml:5: a key must be a text, found a list"),
    (BASIC + f"name: x\n? {HUGE}\n: 1\n", "my.yaml:5: a key must be a text, found a number of 36000 bits"),
    (BASIC + f"folds: {{scheme: {HUGE}}}\n", "my.yaml:4: folds.scheme: found a number of 36000 bits; valid: "),
    (BASIC + f"searches: [{{method: sfg, start: [{HUGE}]}}]\n",
     "my.yaml:4: searches[1]: sfg: parameter start must be a list of feature names or indices from 0, found a list"),
    (BASIC + "name: x\n# \a\n", "my.yaml:5: not valid YAML: unacceptable character #x0007"),
    ("datasets: [iris]\nrankers: ['fsbench.method:Method']\n",
     "my.yaml:2: rankers[1]: 'fsbench.method:Method' is not a ranker"),
    (BASIC + "searches: ['fsbench.method:Method']\n",
     "my.yaml:4: searches[1]: 'fsbench.method:Method' is not a search"),
    ('datasets: [{name: iris, label: "  "}]\nrankers: [nlc]\n', "my.yaml:1: datasets[1].label: must be "),
    ('datasets: [iris]\nrankers: [{method: nlc, label: " "}]\n', "my.yaml:2: rankers[1].label: must be "),
    (BASIC + "searches: [{method: sfg, tolerance: .inf}]\n",
     "my.yaml:4: searches[1]: sfg: parameter tolerance must be a finite number, found inf"),
    (BASIC + "1.5: x\n", "my.yaml:4: a key must be a text (quote it if it looks like a number), found 1.5"),
    (BASIC + "null: x\n", "my.yaml:4: a key must be a text, found nothing"),
    (BASIC + "tests: {1: 2}\n", "my.yaml:4: tests: a key must be a text (quote it if it looks like a number), found 1"),
    (BASIC + "paper_names: {1: x}\n", "my.yaml:4: paper_names: a key must be a text (quote it"),
    (BASIC + 'name: "\\ud83d"\n', r"my.yaml:4: '\ud83d' holds half of a character; write both, or the character"),
    (BASIC + 'paper_names: {"\\ud83d": x}\n', r"my.yaml:4: '\ud83d' holds half of a character"),
    ("rankers: [nlc]\ndatasets:\n  - {name: iris, drop: [x, x]}\n",
     "my.yaml:3: datasets[1].drop[2]: 'x' is given twice"),
    ("datasets: [iris]\nrankers: [nlc]\nclassifiers:\n  - {method: nb, rankers: [nlc, nlc]}\n",
     "my.yaml:4: classifiers[1].rankers[2]: 'nlc' is given twice"),
    (BASIC + "searches: [sfg]\nsearching: {protocol: [nested, nested]}\n",
     "my.yaml:5: searching.protocol[2]: 'nested' is given twice"),
    (BASIC + "searches: [{method: pta, plus: 1e23}]\n",
     "my.yaml:4: searches[1]: pta: parameter plus must be a whole number of at least 0, below 2^63, found 1e+23"),
    (BASIC + "searches: [{method: sfg, start: [1, 1]}]\n",
     "my.yaml:4: searches[1]: sfg: start names the feature 1 twice"),
    (BASIC + "searches: [{method: sfg, start: {a: 1}}]\n",
     "my.yaml:4: searches[1]: sfg: parameter start must be a list of feature names or indices from 0, found {'a': 1}"),
    (BASIC + "searches: [{method: sfg, start: 3}]\n", "my.yaml:4: searches[1]: sfg: parameter start must be a list"),
    (BASIC + "searches: [{method: sfg, start: [a, b], max_size: 1}]\n",
     "my.yaml:4: searches[1]: sfg: start holds 2 features, more than max_size 1"),
    (BASIC + "searches: [{method: sbg, start: [a], min_size: 2}]\n",
     "my.yaml:4: searches[1]: sbg: start holds 1 features, fewer than the 2 to end with"),
    (BASIC + "x: [1\n", "my.yaml:5: not valid YAML: expected ',' or ']'"),
    (BASIC + "\tx: 1\n", "my.yaml:4: not valid YAML"),
    (BASIC + "name: *nowhere\n", "my.yaml:4: not valid YAML: found undefined alias"),
    ("datasets: &a [*a]\nrankers: [nlc]\n", "my.yaml:1: datasets[1]: must be a name or a mapping, found nothing"),
])  # fmt: skip
def test_one_line_says_what_is_wrong(write, tmp_path: Path, text: str, message: str) -> None:
    path = write(text)
    with pytest.raises(UserError) as caught:
        load_experiment(path)
    shown = str(caught.value)
    assert shown.startswith(f"{tmp_path}/{message}"), shown
    assert "\n" not in shown


LABELLED = {"kind": "multilabel", "datasets": "[emotions]", "rankers": "[ig]", "classifiers": "[brknn]"}
# The places of a file, with the rest of the entry around each.
PLACES = [
    *("name", "seed", "kind", "datasets", "folds", "rankers", "searches", "searching", "classifiers", "selections"),
    *("tests", "zero_division", "label_scores", "setups", "paper", "paper_names"),
    *(f"folds.{key}" for key in ("scheme", "folds", "repeats", "seed", "file")),
    *(f"tests.{key}" for key in ("test", "level", "correction", "rope", "reference")),
    *(f"datasets.{key}" for key in ("name", "path", "target", "label", "labels", "join", "drop", "complete_rows")),
    *(f"datasets.{key}" for key in ("train_rows", "first_rows", "seeds")),
    *(f"{kind}.{key}" for kind in ("rankers", "classifiers", "searches") for key in ("method", "label", "rankers")),
    *(f"selections.{key}" for key in ("all", "ordered", "first", "best", "reduced", "threshold", "share")),
    *("selections.best.estimate", "selections.best.folds", "selections.reduced.folds"),
    *("selections.reduced.tolerance", "selections.reduced.thresholds", "searching.protocol", "searching.folds"),
    *("rankers.transform", "setups.a", "paper_names.iris"),
]
WRONG = [
    *("1e23", "99999999999999999999999999", "-1", "1.5", ".nan", ".inf", "true", "''", "null", "[]", "[1]", "{a: 1}"),
    *("{1: 2}", "2026-11-30", "!!binary aGVsbG8=", "[null]", "[x, x]", "[[1]]", r'"\ud83d"'),
]


def spoilt(place: str, value: str) -> str:
    """Return a file with a wrong value at one place."""
    top, *rest = place.split(".")
    for key in reversed(rest):
        value = f"{{{key}: {value}}}"
    if rest and top in ("datasets", "rankers", "classifiers", "searches", "selections"):
        known = {
            "datasets": "name: iris",
            "rankers": "method: ig",
            "classifiers": "method: nb",
            "searches": "method: sfg",
        }
        own = known.get(top, "")
        fits = own and rest[0] not in ("name", "path", "join", "method")
        value = f"[{{{own}, {value[1:]}]" if fits else f"[{value}]"
    values = {"datasets": "[iris]", "rankers": "[ig]", "classifiers": "[nb]"}
    if place in ("rankers.transform", "selections.threshold", "selections.share", "datasets.labels", "setups.a"):
        values = dict(LABELLED)
    if top == "searching":
        values["searches"] = "[sfg]"
    return "".join(f"{key}: {given}\n" for key, given in (values | {top: value}).items())


@pytest.mark.parametrize("place", PLACES)
def test_every_place_speaks_for_itself(write, place: str) -> None:
    """Whatever is refused is refused in this project's words, not in those of the libraries beneath."""
    refused = 0
    for value in WRONG:
        path = write(spoilt(place, value))
        try:
            load_experiment(path)
        except UserError as error:
            shown = str(error)
            refused += 1
            assert re.match(rf"{re.escape(str(path))}:\d+: ", shown), shown
            assert "\n" not in shown
            assert not re.search(r"must be [A-Z]|[Ii]nput|should|something else|Tagged|datetime|ordereddict", shown), (
                shown
            )
    assert refused >= 10


def test_halves_of_a_character_as_json_writes_them(write) -> None:
    experiment = load_experiment(write(BASIC + r'name: "\ud83d\ude00 caf\u00e9"' + "\n"))
    assert experiment.name == "\U0001f600 café"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_bytes(b"\xff\xfe\x00name")
    with pytest.raises(ConfigError, match="cannot be read: it is not UTF-8 text"):
        load_experiment(path)


def test_no_such_experiment(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no experiment 'nlc203'; did you mean 'nlc2003'"):
        load_experiment("nlc203")
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_experiment(str(tmp_path / "none.yaml"))


def test_a_method_of_the_users_is_found_beside_the_file(write, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from fsbench.rankers import Ranker\n"
        "class Mine(Ranker):\n"
        "    power: int = 2\n"
        "    def score(self, train):\n"
        "        return train.X.var(axis=0) ** self.power\n"
    )
    text = "datasets: [iris]\nrankers: [mine.py:Mine, {method: 'mine.py:Mine', power: 3, label: cubed}]\n"
    assert [ref.label for ref in load_experiment(write(text)).rankers] == ["Mine", "cubed"]
    with pytest.raises(MethodError, match=r"my\.yaml:2: rankers\[1\]: .*mine\.py has no 'Mien'; did you mean 'Mine'\?"):
        load_experiment(write("datasets: [iris]\nrankers: [mine.py:Mien]\n"))


@pytest.mark.parametrize("name", sorted(shipped_configs()))
def test_shipped_experiments_are_valid_and_named_as_their_file(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.name == name == find_config(name).stem
    assert experiment.seed == 1


def test_aliases_of_aliases_are_counted_before_they_are_written_out(tmp_path: Path) -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    path = tmp_path / "e.yaml"
    path.write_text("\n".join([*lines, "datasets: *i"]), encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"e\.yaml: with its aliases written out it holds [\d,]+ values; at most 100,"
    ):
        load_experiment(path)


@pytest.mark.parametrize("levels", [41, 5000])
def test_brackets_within_brackets(tmp_path: Path, levels: int) -> None:
    path = tmp_path / "e.yaml"
    path.write_text("name: x\ndatasets: " + "[" * levels + "]" * levels, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"e\.yaml:2: nested too deeply: more than 40 levels"):
        load_experiment(path)


def test_reduced_beside_a_ranker_of_falling_scores_that_no_classifier_uses(write) -> None:
    experiment = write(
        "datasets: [iris]\nrankers: [ig, nlc]\nclassifiers: [{method: nb, rankers: [ig]}]\nselections: [reduced]\n"
    )
    assert [s.selection for s in load_experiment(experiment).selections] == ["reduced"]
