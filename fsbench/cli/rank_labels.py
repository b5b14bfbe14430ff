"""`fsbench rank` on multi-label data: loading, transformations, reduced files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fsbench.data import MultiLabelDataset
    from fsbench.multilabel import Transform
    from fsbench.multilabel.label_ranker import LabelRanker
    from fsbench.rankers import Ranker
    from fsbench.values import Dataset

__all__ = [
    "check_options",
    "file_columns",
    "is_multilabel",
    "label_rankers",
    "labels_beside",
    "make_transform",
    "names_file",
]


def is_multilabel(data: str, labels: str | None, transform: str | None) -> bool:
    """Whether the command line asks for multi-label data, or names such a set of the registry."""
    if labels is not None or transform is not None:
        return True
    from fsbench.data import info
    from fsbench.data.loading import is_path
    from fsbench.data.registry import is_known

    return not is_path(data) and is_known(data) and info(data).labels > 0


def labels_beside(data: str) -> str | None:
    """Return which columns a data file, or a file of label names beside it, names as labels, and say so.

    Without it, labels would be ranked as if they were features.

    Parameters
    ----------
    data : str
        As on the command line.
    """
    from fsbench.data.beside import labels_named

    found = labels_named(data)
    if found is None:
        return None
    if found.doubt:
        click.echo(f"{found.doubt}; --labels says which columns are labels", err=True)
        return None
    what = f"{found.where} names {found.count} labels: ranked as multi-label data"
    click.echo(f"{what}; --class says that it has one class", err=True)
    return found.given


def label_rankers(
    data: str, labels: str | None, transform: str | None, rankers: Sequence[Ranker]
) -> tuple[MultiLabelDataset, list[LabelRanker]]:
    """Load the data and put the transformation before each ranker.

    Parameters
    ----------
    data : str
        A path or a name.
    labels : str, optional
        See `fsbench.data.load_multilabel`.
    transform : str, optional
        See `make_transform`; ``br`` by default.
    rankers : sequence of Ranker
    """
    from fsbench.data import load_multilabel
    from fsbench.multilabel.label_ranker import LabelRanker

    made = make_transform(transform or "br")
    return load_multilabel(data, labels), [LabelRanker(made, ranker) for ranker in rankers]


def make_transform(text: str) -> Transform:
    """Make a transformation from ``br``, ``lp``, or either with parameters: ``br,combine=max``.

    Raises
    ------
    MethodError
        Unknown name or parameter.
    """
    from fsbench import registry
    from fsbench.errors import MethodError
    from fsbench.multilabel import Transform

    name, *given = (part.strip() for part in text.split(","))
    params = dict(part.partition("=")[::2] for part in given)
    made = registry.make("transform", {"method": name, **params}, where="--transform")
    if not isinstance(made, Transform):
        raise MethodError(f"{name!r} is not a transformation", "--transform")
    return made


def file_columns(data: MultiLabelDataset, kept: Sequence[int]) -> Dataset:
    """Return the kept features and all labels, labels last, for writing: the last label stands as the class."""
    import numpy as np

    from fsbench.data.multilabel import BINARY
    from fsbench.values import Dataset, Feature

    part = data.select(kept)
    columns = tuple(Feature(name, BINARY) for name in data.labels)
    X = np.column_stack([part.X, part.Y[:, :-1]])
    return Dataset(
        data.name, part.features + columns[:-1], X, columns[-1], part.Y[:, -1].astype(np.int64), sparse=data.sparse
    )


def names_file(path: Path, data: MultiLabelDataset) -> Path | None:
    """Return where the names of the labels go, beside a reduced data file; None if they are there already.

    Parameters
    ----------
    path : Path
        The data file that is to be written.
    data : MultiLabelDataset

    Raises
    ------
    UserError
        A file of that name holds something else, cannot be written, or a label cannot be named in it.
    """
    from fsbench.data.label_names import label_names_text, read_label_names
    from fsbench.data.locate import stem
    from fsbench.errors import DataError, UserError
    from fsbench.files import check_writable

    if path.is_char_device():
        return None
    beside = path.with_name(f"{stem(path)}.xml")
    if not beside.exists():
        label_names_text(data.labels)
        check_writable(beside)
        return beside
    try:
        there = set(read_label_names(beside))
    except DataError:
        there = set()
    if there != set(data.labels):
        text = f"the names of the labels go to {beside}, which holds something else; name another file"
        raise UserError(text, "--write-reduced")
    return None


def check_options(target: str | None, plot: Path | None) -> None:
    """Refuse options that have no meaning for multi-label data."""
    from fsbench.errors import UserError

    if target is not None:
        raise UserError("multi-label data have labels, not a class: leave out --class, or --labels and --transform")
    if plot is not None:
        raise UserError("there is no drawing for multi-label data; --explain prints the scores of each label")
