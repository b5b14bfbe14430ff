"""Running an experiment: survey the data, plan, compute what is missing, store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fsbench.errors import MethodError
from fsbench.experiment.cells import Record, Task
from fsbench.experiment.executor import execute
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.heard import Heard
from fsbench.experiment.plan import PlannedFold, Planner, make_tasks
from fsbench.experiment.provenance import environment, now
from fsbench.experiment.sources import Missing
from fsbench.experiment.survey import DatasetFacts, survey
from fsbench.experiment.worker import Worker
from fsbench.experiment.writer import StoreWriter
from fsbench.searches import Search
from fsbench.warming import Shape, Step, chains, cold, compile_steps, needed, undone

__all__ = ["Plan", "Progress", "make_plan", "pending", "run_plan"]

# Statuses that a later run need not compute again.
FINAL = ("ok", "skipped")


@dataclass(frozen=True, eq=False)
class Plan:
    """An experiment with its data sets looked at and its cells listed.

    Parameters
    ----------
    experiment : Experiment
    methods : mapping of str to mapping
        ``ranker``, ``classifier`` and, where there are searches, ``search``, each label to method.
    datasets : tuple of DatasetFacts or Missing
    folds : tuple of PlannedFold
    """

    experiment: Experiment
    methods: Mapping[str, Mapping[str, Any]]
    datasets: tuple[DatasetFacts | Missing, ...]
    folds: tuple[PlannedFold, ...]

    @property
    def missing(self) -> list[Missing]:
        """The data sets that are not there."""
        return [facts for facts in self.datasets if isinstance(facts, Missing)]

    @property
    def n_cells(self) -> int:
        """Number of cells of all kinds."""
        return sum(len(fold.cells) for fold in self.folds)


@dataclass
class Progress:
    """How far a run has come; handed to the caller after each task.

    Parameters
    ----------
    tasks, cells : int
        To be computed in this run.
    kept : int
        Cells found in the store.
    cost : float
        Expected work of all tasks, in arbitrary units.
    to_compile, compiled : int
        Families of kernels that were not compiled before this run, and those that have been since.
    warned : Counter
        Warnings that methods gave, by their text: see `fsbench.experiment.heard`.
    """

    tasks: int
    cells: int
    kept: int
    cost: float
    to_compile: int = 0
    compiled: int = 0
    tasks_done: int = 0
    cost_done: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    warned: Counter[str] = field(default_factory=Counter)

    def add(self, task: Task, records: Sequence[Record]) -> None:
        """Count a finished task."""
        self.tasks_done += 1
        self.cost_done += task.cost
        self.statuses.update(record.status for record in records)
        self.reasons.update(f"{task.dataset}: {record.reason}" for record in records if record.status == "failed")


def make_plan(experiment: Experiment, fetch: bool = True) -> Plan:
    """Look at the data sets and list the cells.

    Parameters
    ----------
    experiment : Experiment
    fetch : bool, default True
        Whether the network may be used for data sets that are not here.

    Returns
    -------
    Plan

    Raises
    ------
    UserError
        A data set that cannot be read or split as asked, or a search whose parameters do not fit it.
    """
    methods: dict[str, dict[str, Any]] = {
        "ranker": experiment.make_rankers(),
        "classifier": experiment.make_classifiers(),
    }
    if experiment.searches:
        methods["search"] = dict(experiment.make_searches())
    planner = Planner(experiment, methods["ranker"], methods["classifier"], methods.get("search"))
    datasets = tuple(survey(experiment, fetch))
    _check_searches(methods.get("search", {}), [facts for facts in datasets if isinstance(facts, DatasetFacts)])
    folds: list[PlannedFold] = []
    for facts in datasets:
        if isinstance(facts, DatasetFacts):
            about = facts.label, facts.digest, len(facts.features)
            folds += [planner.fold(*about, split) for split in facts.splits]
            folds += planner.searched(*about, [*facts.splits, *facts.seeded])
    return Plan(experiment, methods, datasets, tuple(folds))


def _check_searches(searches: Mapping[str, Search], datasets: Sequence[DatasetFacts]) -> None:
    """Refuse searches that could only fail, before hours are spent on the others."""
    widest = max((len(facts.features) for facts in datasets), default=0)
    for label, search in searches.items():
        for facts in datasets:
            try:
                search.check(len(facts.features), facts.features)
            except MethodError as error:
                raise MethodError(error.what, f"searches: {label}: data set {facts.label}") from None
        # A limit may be for the wider ones of several data sets; one that is above them all is a slip of the pen.
        if datasets and search.max_size is not None and search.max_size > widest:
            has = "the widest data set has" if len(datasets) > 1 else "the data set has"
            raise MethodError(f"max_size is {search.max_size}, but {has} {widest} features", f"searches: {label}")


def pending(plan: Plan, statuses: Mapping[str, str]) -> int:
    """Count the cells that a run would compute.

    Parameters
    ----------
    plan : Plan
    statuses : mapping of str to str
        Of the stored facts, by key.

    Returns
    -------
    int
    """
    return sum(statuses.get(cell.key) not in FINAL for fold in plan.folds for cell in fold.cells)


def run_plan(
    plan: Plan,
    store: StoreWriter,
    jobs: Callable[[Sequence[Task]], int],
    compilers: int = 1,
) -> Iterator[Progress]:
    """Compute what the store does not hold yet.

    Parameters
    ----------
    plan : Plan
    store : StoreWriter
    jobs : callable
        From the tasks to the number of processes.
    compilers : int, default 1
        Processes that compile kernels, if those are more.

    Yields
    ------
    Progress
        Once at the start, after each family of kernels that had to be compiled, and after each task.
    """
    store.write_plan(plan.experiment, plan.methods, plan.datasets, plan.folds)
    statuses = store.statuses()
    tasks = make_tasks(plan.folds, lambda cell: statuses.get(cell.key) in FINAL, store.ranking)
    cells = sum(len(task.cells) for task in tasks)
    progress = Progress(len(tasks), cells, plan.n_cells - cells, sum(task.cost for task in tasks))
    count = jobs(tasks) if tasks else 1
    # Compiled before anything is timed, and each kernel by one process only.
    wanted = _kernels(plan, tasks)
    progress.to_compile = len(chains(cold(wanted)))
    yield progress
    if not tasks:
        return
    for _ in execute(compile_steps, chains(undone(wanted)), max(count, compilers if progress.to_compile else 1)):
        if progress.compiled < progress.to_compile:
            progress.compiled += 1
            yield progress
    store.begin(environment(plan.experiment.seed, count))
    for task, (records, warned) in execute(Heard(Worker(plan.experiment)), tasks, count):
        store.write(records)
        progress.warned.update(warned)
        progress.add(task, records)
        yield progress
    store.finish(now())


def _kernels(plan: Plan, tasks: Sequence[Task]) -> list[Step]:
    """Return what has to be compiled for the tasks."""
    asked = {task.dataset for task in tasks}
    facts = [f for f in plan.datasets if isinstance(f, DatasetFacts) and f.label in asked]
    return needed(plan.methods, [Shape.of(len(f.y), f.n_numeric, len(f.features), f.missing) for f in facts])
