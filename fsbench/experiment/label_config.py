"""What an experiment file says of multi-label data: label columns, transformations, selections by score, setups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fsbench.errors import nearest, show
from fsbench.experiment.experiment import Selection
from fsbench.experiment.places import Place, not_twice, place_error
from fsbench.experiment.schema import DatasetItem, ExperimentFile, FoldsBlock, SelectionItem
from fsbench.experiment.yaml_file import YamlFile
from fsbench.registry import ALIASES, METHODS

__all__ = ["check_kind", "label_names", "label_scheme", "label_selections", "setups", "split_transform"]

# More label columns than any file has.
MOST_LABELS = 10**6
SCHEMES = ("mulan", "plain", "file")
_CHOICES = "all, {threshold: score}, {first: k}, {share: of the features}"
_OF_CLASSES = ("target", "join", "complete_rows", "train_rows", "first_rows")
_OF_LABELS = ("zero_division", "label_scores", "setups")


def check_kind(file: YamlFile, model: ExperimentFile) -> None:
    """Refuse keys that belong to experiments of another kind.

    Raises
    ------
    ConfigError
        With file, line and key.
    """
    if model.kind == "multilabel":
        for i, item in enumerate(model.datasets):
            for key in _OF_CLASSES:
                if key in item.model_fields_set:
                    raise place_error(file, ("datasets", i, key), "not for multi-label data: leave this key out")
        return
    for key in _OF_LABELS:
        if key in model.model_fields_set:
            raise place_error(file, (key,), "only in experiments with 'kind: multilabel'")
    for i, item in enumerate(model.datasets):
        if item.labels is not None:
            raise place_error(file, ("datasets", i, "labels"), "only in experiments with 'kind: multilabel'")
    _check_methods(file, model)
    for i, chosen in enumerate(model.selections):
        for key in ("threshold", "share"):
            if getattr(chosen, key) is not None:
                raise place_error(file, ("selections", i, key), "only in experiments with 'kind: multilabel'")


def _check_methods(file: YamlFile, model: ExperimentFile) -> None:
    """Refuse what our methods take in multi-label experiments only; methods of the user's may have such a parameter."""
    for i, ranker in enumerate(model.rankers):
        if "transform" in (ranker.model_extra or {}) and _is_builtin("ranker", ranker.method):
            raise place_error(file, ("rankers", i, "transform"), "only in experiments with 'kind: multilabel'")
    for i, classifier in enumerate(model.classifiers):
        name = classifier.method
        if _is_builtin("label-classifier", name) and not _is_builtin("classifier", name):
            text = f"{name!r} is for experiments with 'kind: multilabel' only"
            raise place_error(file, ("classifiers", i), text)


def _is_builtin(kind: str, name: str) -> bool:
    """Whether a name is that of one of our methods of a kind."""
    return name in METHODS[kind] or name.lower() in (METHODS[kind] | ALIASES[kind])


def label_names(file: YamlFile, i: int, item: DatasetItem) -> str | int | tuple[str, ...] | None:
    """Return what a data set says of its label columns.

    Raises
    ------
    ConfigError
        Neither an XML file, nor a number of columns, nor names.
    """
    given = item.labels
    place = ("datasets", i, "labels")
    if given is None or (isinstance(given, str) and given.strip()):
        return given
    if isinstance(given, int) and not isinstance(given, bool) and 0 < abs(given) <= MOST_LABELS:
        return given
    if isinstance(given, list) and given and all(isinstance(name, str) for name in given):
        not_twice(file, place, given)
        return tuple(given)
    text = "must be an XML file, a list of column names, or how many columns (-3: the last three), found "
    raise place_error(file, place, text + show(given))


def label_scheme(file: YamlFile, block: FoldsBlock) -> str:
    """Return the scheme of the folds: Mulan's own by default.

    Raises
    ------
    ConfigError
        A scheme that needs a class.
    """
    if "scheme" not in block.model_fields_set:
        return "mulan"
    if block.scheme not in SCHEMES:
        text = f"{block.scheme!r} needs data with one class; valid for multi-label data: {', '.join(SCHEMES)}"
        raise place_error(file, ("folds", "scheme"), text)
    return block.scheme


def split_transform(file: YamlFile, i: int, extra: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Part the keys of a ranker into its own parameters and the transformation before it.

    Parameters
    ----------
    file : YamlFile
    i : int
        Place in the list of rankers.
    extra : mapping
        The keys beside ``method``; ``transform`` is a name, or a mapping with ``method`` and parameters.

    Returns
    -------
    tuple of dict and dict
        Parameters of the ranker; the transformation, binary relevance by default.

    Raises
    ------
    ConfigError
        Neither a name nor a mapping.
    """
    given = extra.get("transform", "br")
    own = {key: value for key, value in extra.items() if key != "transform"}
    if isinstance(given, str) and given:
        return own, {"method": given}
    if isinstance(given, dict) and isinstance(given.get("method"), str):
        return own, given
    text = f"must be br, lp, or a mapping with 'method' and its parameters, found {show(given)}"
    raise place_error(file, ("rankers", i, "transform"), text)


def label_selections(file: YamlFile, model: ExperimentFile) -> tuple[Selection, ...]:
    """Return the selections; by default all features, and those with a score of at least 0.01.

    Raises
    ------
    ConfigError
        A selection that needs a class, is given twice, or needs rankers that are not there.
    """
    if "selections" not in model.model_fields_set:
        found = [Selection("all"), Selection("threshold", amount=0.01)]
    else:
        found = []
        for i, item in enumerate(model.selections):
            selection = _selection(file, i, item)
            if selection in found:
                raise place_error(file, ("selections", i), "this selection is given twice")
            if selection.needs_ranking and not model.rankers:
                raise place_error(file, ("selections", i), f"{selection.selection!r} needs at least one ranker")
            found.append(selection)
    return tuple(s for s in found if model.rankers or not s.needs_ranking)


def _selection(file: YamlFile, i: int, item: SelectionItem) -> Selection:
    given = list(_given(item))
    if len(given) != 1:
        raise place_error(file, ("selections", i), f"a selection of multi-label data is one of {_CHOICES}")
    return given[0]


def _given(item: SelectionItem) -> Iterator[Selection]:
    """Yield every selection that an entry names; a kind that needs a class counts as two."""
    if item.all:
        yield Selection("all")
    if item.first is not None:
        yield Selection("first", k=item.first)
    if item.threshold is not None:
        yield Selection("threshold", amount=float(item.threshold))
    if item.share is not None:
        yield Selection("share", amount=float(item.share))
    if item.ordered or item.best is not None or item.reduced is not None:
        yield from (Selection(""), Selection(""))


def setups(file: YamlFile, model: ExperimentFile, labels: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the groups of data sets that reports show one after the other.

    Raises
    ------
    ConfigError
        A data set that is not of the experiment, or stands twice in one group.
    """
    for name, members in model.setups.items():
        for i, label in enumerate(members):
            place: Place = ("setups", name, i)
            if label not in labels:
                raise place_error(file, place, f"no data set {label!r} above; {nearest(label, labels)}")
        not_twice(file, ("setups", name), members)
    return {name: tuple(members) for name, members in model.setups.items()}
