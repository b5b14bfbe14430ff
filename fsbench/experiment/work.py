"""What a computation is given: cells of one fold, and all that they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsbench.experiment.cells import Cell, Task
from fsbench.experiment.experiment import Experiment

__all__ = ["Work"]


@dataclass(frozen=True, eq=False)
class Work:
    """Cells of one fold that are computed together.

    Parameters
    ----------
    experiment : Experiment
    rankers, classifiers : mapping
        Methods by label, of the kind that the experiment is of.
    data : Dataset or MultiLabelDataset
        All rows; what is ranked or searched on is a copy of the training rows alone.
    task : Task
    cells : sequence of Cell
        Those of the task that are this computation's.
    """

    experiment: Experiment
    rankers: Mapping[str, Any]
    classifiers: Mapping[str, Any]
    data: Any
    task: Task
    cells: Sequence[Cell]
