"""From an experiment file to an `Experiment`, or to one line that says what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from pydantic import ValidationError

import fsbench
from fsbench.errors import ConfigError, is_one_line, nearest, show
from fsbench.experiment.experiment import (
    DatasetRef,
    Experiment,
    FoldScheme,
    MethodRef,
    ReductionRule,
    SearchRule,
    Selection,
    TestRule,
)
from fsbench.experiment.label_config import (
    check_kind,
    label_names,
    label_scheme,
    label_selections,
    setups,
    split_transform,
)
from fsbench.experiment.places import not_twice
from fsbench.experiment.places import place_error as _error
from fsbench.experiment.schema import (
    DatasetItem,
    ExperimentFile,
    MethodItem,
    SelectionItem,
    is_path,
)
from fsbench.experiment.wrong_values import first_error
from fsbench.experiment.yaml_file import YamlFile
from fsbench.published import PAPERS

__all__ = ["find_config", "load_experiment", "shipped_configs"]

# The key under which a file lists the methods of a kind.
LISTS = {"ranker": "rankers", "search": "searches", "classifier": "classifiers"}

# The one paper on multi-label data; the tables of the others are not of such.
LABEL_PAPER = "multilabel2013"


def shipped_configs() -> dict[str, Path]:
    """Return the experiments that come with fsbench: name to file."""
    package = Path(fsbench.__file__).parent
    for folder in (package / "shipped" / "configs", package.parent / "configs"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    return {}


def find_config(name: str) -> Path:
    """Return the file of a shipped experiment's name, or of a path.

    Parameters
    ----------
    name : str

    Returns
    -------
    Path

    Raises
    ------
    ConfigError
        Neither.

    Examples
    --------
    >>> find_config("quickstart").name
    'quickstart.yaml'
    """
    shipped = shipped_configs()
    if name in shipped:
        return shipped[name]
    path = Path(name)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        return path
    raise ConfigError(f"no experiment {name!r}; {nearest(name, shipped)}, or give the path of a .yaml file")


def load_experiment(name: str | Path) -> Experiment:
    """Read and check an experiment.

    Parameters
    ----------
    name : str or Path
        Name of a shipped experiment, or a path.

    Returns
    -------
    Experiment

    Raises
    ------
    ConfigError
        With file, line and key.
    MethodError
        A method that does not exist or cannot take its parameters.
    """
    file = YamlFile(name if isinstance(name, Path) else find_config(name))
    if not isinstance(file.values, dict):
        raise ConfigError(
            "an experiment file is a mapping with the keys " + ", ".join(ExperimentFile.model_fields), file.where()
        )
    try:
        model = ExperimentFile.model_validate(file.values)
    except ValidationError as error:
        raise first_error(file, error) from None
    return _experiment(file, model)


def _experiment(file: YamlFile, model: ExperimentFile) -> Experiment:
    check_kind(file, model)
    labelled = model.kind == "multilabel"
    datasets = tuple(_dataset(file, i, item) for i, item in enumerate(model.datasets))
    labels = [ref.label for ref in datasets]
    _unique(file, "datasets", labels)
    if model.paper is not None and model.paper not in PAPERS:
        raise _error(file, ("paper",), f"no printed tables of {model.paper!r}; {nearest(model.paper, PAPERS)}")
    if model.paper is not None and (model.paper == LABEL_PAPER) != labelled:
        data = "multi-label" if model.paper == LABEL_PAPER else "single-label"
        raise _error(file, ("paper",), f"{model.paper!r} is of {data} data, this experiment is not")
    for key in model.paper_names:
        if key not in labels:
            raise _error(file, ("paper_names", key), f"no data set {key!r} above; {nearest(key, labels)}")
    experiment = Experiment(
        name=model.name or file.path.stem,
        seed=model.seed,
        datasets=datasets,
        folds=_folds(file, model),
        rankers=_methods(file, "ranker", model.rankers, labelled),
        classifiers=_methods(file, "classifier", model.classifiers, labelled),
        selections=label_selections(file, model) if labelled else _selections(file, model),
        tests=TestRule(**dict(model.tests)),
        paper=model.paper,
        paper_names=dict(model.paper_names),
        base=file.path.resolve().parent,
        kind=model.kind,
        zero_division=model.zero_division,
        label_scores=model.label_scores,
        setups=setups(file, model, labels),
        searches=_methods(file, "search", model.searches, labelled=False),
        searching=SearchRule(tuple(model.searching.protocol), model.searching.folds),
    )
    _check_pairs(file, experiment)
    _check_reference(file, experiment)
    _check_reduced(file, experiment)
    _check_searches(file, model, experiment)
    if not experiment.rankers and not experiment.classifiers:  # searches alone were refused above
        raise _error(file, (), "nothing to compute: give 'rankers', 'classifiers' or both")
    return experiment


def _dataset(file: YamlFile, i: int, item: DatasetItem) -> DatasetRef:
    if (item.name is not None) + (item.path is not None) + bool(item.join) != 1:
        text = "a data set needs either 'name' (of a known one) or 'path' (of a file), or 'join' (several of them)"
        raise _error(file, ("datasets", i), text)
    if item.join and item.label is None:
        raise _error(file, ("datasets", i), "joined data sets need a 'label'")
    if item.train_rows is not None and item.first_rows is not None:
        raise _error(file, ("datasets", i), "either 'train_rows' (drawn at random) or 'first_rows', not both")
    not_twice(file, ("datasets", i, "drop"), item.drop)
    return DatasetRef(
        label=item.label or item.name or _stem(Path(item.path or "")),
        name=item.name,
        path=item.path,
        target=item.target,
        join=tuple(_part(text, item.target) for text in item.join),
        drop=tuple(item.drop),
        complete_rows=item.complete_rows,
        train_rows=item.train_rows,
        first_rows=item.first_rows,
        labels=label_names(file, i, item),
        seeds=item.seeds,
    )


def _part(text: str, target: str | None) -> DatasetRef:
    """Return one of several data sets to be joined."""
    if is_path(text):
        return DatasetRef(label=_stem(Path(text)), path=text, target=target)
    return DatasetRef(label=text, name=text, target=target)


def _stem(path: Path) -> str:
    """Return the file's name without ``.arff``, ``.csv.gz`` and the like; other dots stay."""
    while path.suffix.lower() in (".arff", ".csv", ".parquet", ".gz"):
        path = path.with_suffix("")
    return path.name


def _folds(file: YamlFile, model: ExperimentFile) -> FoldScheme:
    block = model.folds
    scheme = label_scheme(file, block) if model.kind == "multilabel" else block.scheme
    if (block.scheme == "file") != (block.file is not None):
        text = "'scheme: file' and 'file: ...' go together: fold numbers are read from a file, one a row"
        raise _error(file, ("folds", "file" if block.file else "scheme"), text)
    if block.scheme == "file":
        for key in block.model_fields_set & {"folds", "repeats", "seed"}:
            raise _error(file, ("folds", key), "the file decides the folds; leave this key out")
    for i, item in enumerate(model.datasets):
        stated = item.train_rows or item.first_rows
        if (block.scheme == "holdout") != (stated is not None):
            text = "'scheme: holdout' of the folds and 'train_rows' or 'first_rows' of every data set go together"
            raise _error(file, ("datasets", i), text)
    if block.scheme == "holdout" and "folds" in block.model_fields_set:
        raise _error(file, ("folds", "folds"), "a holdout has one training and one test part; leave this key out")
    seed = model.seed if block.seed is None else block.seed
    return FoldScheme(scheme, block.folds, block.repeats, seed, block.file)


def _methods(file: YamlFile, kind: str, items: Sequence[MethodItem], labelled: bool) -> tuple[MethodRef, ...]:
    refs = []
    base = file.path.resolve().parent
    for i, item in enumerate(items):
        where = f"{file.where((LISTS[kind], i))}: {LISTS[kind]}[{i + 1}]"
        extra, transform = dict(item.model_extra or {}), None
        if labelled and kind == "ranker":
            extra, transform = split_transform(file, i, extra)
        full = "label-classifier" if labelled and kind == "classifier" else kind
        ref = MethodRef(full, {"method": item.method, **extra}, transform=transform)
        method = ref.make(base, where) if transform is None else ref.make_label_ranker(base, where)
        if item.rankers is not None and kind != "classifier":
            raise _error(file, (LISTS[kind], i, "rankers"), "only a classifier says which rankers it is combined with")
        not_twice(file, (LISTS[kind], i, "rankers"), item.rankers or ())
        pairs = None if item.rankers is None else tuple(item.rankers)
        label = item.label or method.label
        if not is_one_line(label):
            raise _error(file, (LISTS[kind], i), f"{show(label)} is no name in one line; give it a 'label'")
        refs.append(replace(ref, label=label, rankers=pairs))
    _unique(file, LISTS[kind], [ref.label for ref in refs])
    return tuple(refs)


def _check_pairs(file: YamlFile, experiment: Experiment) -> None:
    known = [ref.label for ref in (*experiment.rankers, *experiment.searches)]
    for i, classifier in enumerate(experiment.classifiers):
        for name in classifier.rankers or ():
            if name not in known:
                kinds = "ranker or search" if experiment.searches else "ranker"
                text = f"no {kinds} {name!r} above; {nearest(name, known)}"
                raise _error(file, ("classifiers", i, "rankers"), text)


def _check_reduced(file: YamlFile, experiment: Experiment) -> None:
    """Refuse to cut at a threshold what falls towards the better features."""
    if not any(selection.selection == "reduced" for selection in experiment.selections):
        return
    used = {name for ref in experiment.classifiers for name in experiment.pairs(ref.label)}
    for i, (label, ranker) in enumerate(experiment.make_rankers().items()):
        if label in used and not ranker.higher_is_better:
            text = f"'reduced' keeps scores above a threshold, but few {ranker.unit} are good in {label}; "
            raise _error(file, ("rankers", i), text + "choose 'best' or 'first', or give the classifiers 'rankers'")


def _check_searches(file: YamlFile, model: ExperimentFile, experiment: Experiment) -> None:
    not_twice(file, ("searching", "protocol"), model.searching.protocol)
    if "searching" in model.model_fields_set and not experiment.searches:
        raise _error(file, ("searching",), "there are no 'searches' that it could be about")
    if experiment.searches and experiment.kind == "multilabel":
        raise _error(file, ("searches",), "not for multi-label data: searches need one class")
    if experiment.searches and not experiment.classifiers:
        raise _error(file, ("searches",), "searches need a classifier: its accuracy is what they climb")
    rankers = [ref.label for ref in experiment.rankers]
    for i, ref in enumerate(experiment.searches):
        if ref.label in rankers:
            raise _error(file, ("searches", i), f"{ref.label!r} is a ranker too; tell them apart by 'label'")
    for i, item in enumerate(model.datasets):
        if item.seeds is None:
            continue
        if not experiment.searches or "search-cv" not in experiment.searching.protocol:
            text = "fold seeds are for 'searches' with the protocol search-cv"
            raise _error(file, ("datasets", i, "seeds"), text)
        if experiment.folds.scheme in ("file", "holdout"):
            text = f"the folds {experiment.folds.scheme!r} cannot be drawn by seed"
            raise _error(file, ("datasets", i, "seeds"), text)


def _check_reference(file: YamlFile, experiment: Experiment) -> None:
    # A search that only reports the error it was searched on is in no table of accuracies.
    nested = experiment.searches if "nested" in experiment.searching.protocol else ()
    known = [ref.label for ref in (*experiment.rankers, *nested)]
    name = experiment.tests.reference
    if name is not None and name not in known:
        kinds = "ranker or nested search" if experiment.searches else "ranker"
        raise _error(file, ("tests", "reference"), f"no {kinds} {name!r} above; {nearest(name, known)}")


def _selections(file: YamlFile, model: ExperimentFile) -> tuple[Selection, ...]:
    given = [(i, s) for i, item in enumerate(model.selections) for s in _expand(file, i, item)]
    seen: set[tuple[str, int | None, str]] = set()
    for i, s in given:
        # Inner folds are left out: tables could not tell two estimates apart that differ in them only.
        if (s.selection, s.k, s.estimate) in seen:
            text = " ".join(str(part) for part in (s.selection, s.k, s.estimate) if part)
            raise _error(file, ("selections", i), f"{text!r} is given twice")
        seen.add((s.selection, s.k, s.estimate))
        if s.needs_ranking and not model.rankers and "selections" in model.model_fields_set:
            raise _error(file, ("selections", i), f"{s.selection!r} needs at least one ranker")
    return tuple(s for _, s in given if model.rankers or not s.needs_ranking)


def _expand(file: YamlFile, i: int, item: SelectionItem) -> Iterator[Selection]:
    """Yield one selection for each estimate of ``best``, one for the others."""
    given = [item.all, item.ordered, item.first is not None, item.best is not None, item.reduced is not None]
    if sum(given) != 1:
        text = "a selection is one of all, ordered, best, reduced, {first: k}, {best: {estimate: ..., folds: ...}}"
        raise _error(file, ("selections", i), text)
    if item.reduced is not None:
        thresholds = tuple(item.reduced.thresholds)
        if any(a <= b for a, b in pairwise(thresholds)):
            raise _error(file, ("selections", i, "reduced", "thresholds"), "thresholds must fall")
        rule = ReductionRule(item.reduced.tolerance, thresholds)
        yield Selection("reduced", estimate="inner_cv", folds=item.reduced.folds, reduction=rule)
    elif item.best is None:
        yield Selection("first", k=item.first) if item.first else Selection("all" if item.all else "ordered")
    else:
        for estimate in item.best.estimate:
            yield Selection("best", estimate=estimate, folds=item.best.folds if estimate == "inner_cv" else None)


def _unique(file: YamlFile, key: str, labels: Sequence[str]) -> None:
    for i, label in enumerate(labels):
        if label in labels[:i]:
            raise _error(file, (key, i), f"{label!r} is given twice; tell them apart by 'label'")
