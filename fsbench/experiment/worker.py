"""What a worker process does with a task: load, compute, hand back records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fsbench.experiment.cells import Record, Task
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.label_plan import UNIT
from fsbench.experiment.label_sources import load_label_dataset
from fsbench.experiment.label_unit import compute_labelled
from fsbench.experiment.ranked import compute_ranked
from fsbench.experiment.searched import compute_searched
from fsbench.experiment.sources import load_dataset
from fsbench.experiment.work import Work
from fsbench.kernels.threads import set_threads

__all__ = ["UNITS", "Worker"]

# How each kind of cell is computed. A cell names its unit; a task may hold cells of several.
UNITS: dict[str, Callable[[Work], Iterator[Record]]] = {
    "ranked": compute_ranked,
    "searched": compute_searched,
    UNIT: compute_labelled,
}


@dataclass(frozen=True)
class Worker:
    """Computes tasks of one experiment; called in this process or sent to others.

    Parameters
    ----------
    experiment : Experiment
    """

    experiment: Experiment

    def __call__(self, task: Task) -> list[Record]:
        """Compute the cells of a task.

        Parameters
        ----------
        task : Task

        Returns
        -------
        list of Record
            One for each cell; an error of a method is a record, not an exception.

        Raises
        ------
        DataError
            The data set cannot be loaded any more, or its content has changed since the run was planned.
        """
        # One thread a process: processes run side by side, and times are those of one core.
        set_threads(1)
        experiment = self.experiment
        load = load_label_dataset if experiment.kind == "multilabel" else load_dataset
        data = load(experiment.dataset(task.dataset), experiment.base, task.digest)
        # Methods are made here from their names: a class from a file of the user's could not be sent.
        rankers, classifiers = experiment.make_rankers(), experiment.make_classifiers()
        records: list[Record] = []
        for unit in dict.fromkeys(cell.unit for cell in task.cells):
            cells = [cell for cell in task.cells if cell.unit == unit]
            records += UNITS[unit](Work(experiment, rankers, classifiers, data, task, cells))
        return records
