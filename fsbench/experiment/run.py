"""Running an experiment: survey the data, plan, compute what is missing, store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from fsbench.errors import MethodError, blamed
from fsbench.experiment.cells import Cell, Record, Task, Unranked
from fsbench.experiment.executor import execute
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.heard import Heard, Warned
from fsbench.experiment.plan import PlannedFold, Planner, make_tasks
from fsbench.experiment.provenance import environment, now
from fsbench.experiment.refits import most_fits, refitted
from fsbench.experiment.sources import Missing
from fsbench.experiment.survey import DatasetFacts, survey
from fsbench.experiment.worker import Worker
from fsbench.experiment.writer import StoreWriter
from fsbench.lent import is_ours
from fsbench.searches import Search
from fsbench.values import Ranking
from fsbench.warming import Shape, Step, chains, cold, compile_steps, needed, undone

__all__ = ["Plan", "Progress", "make_plan", "pending", "pending_fits", "run_plan"]

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
    fits : mapping of str to int
        How often classifiers that are fitted anew at each prefix are fitted at the most, by label. What such a one
        has to do on a fold is a task of its own.
    statuses, reasons, skips : Counter
        Cells by status; the failed ones by reason, the skipped ones by reason, each with its data set.
    warned : Warned
        Warnings that methods gave.
    """

    tasks: int
    cells: int
    kept: int
    cost: float
    to_compile: int = 0
    compiled: int = 0
    fits: Mapping[str, int] = field(default_factory=dict)
    tasks_done: int = 0
    cost_done: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    warned: Warned = field(default_factory=Warned)
    skips: Counter[str] = field(default_factory=Counter)

    def add(self, task: Task, records: Sequence[Record]) -> None:
        """Count a finished task."""
        self.tasks_done += 1
        self.cost_done += task.cost
        self.statuses.update(record.status for record in records)
        for record in records:
            reason = f"{task.dataset}: {record.reason.removeprefix(f'{task.dataset}: ')}"
            if record.status == "failed":
                self.reasons[reason] += 1
            elif record.status == "skipped":  # the column in which each fold has it would make many kinds of one
                self.skips[reason.partition(", found some in column")[0]] += 1


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
                with nullcontext() if is_ours(search) else blamed(f"{label}: check()"):
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


def pending_fits(plan: Plan, statuses: Mapping[str, str]) -> dict[str, int]:
    """Count how often classifiers that are fitted anew at each prefix would be fitted at the most.

    Parameters
    ----------
    plan, statuses
        As in `pending`.

    Returns
    -------
    dict of str to int
        By label, of those that have something to do.
    """
    total: Counter[str] = Counter()
    for fold in plan.folds:
        total.update(_fits(plan, fold, [cell for cell in fold.cells if statuses.get(cell.key) not in FINAL]))
    return {label: count for label, count in total.items() if count}


def _fits(plan: Plan, fold: PlannedFold, cells: Sequence[Cell]) -> dict[str, int]:
    labels = refitted(plan.methods["classifier"])
    return most_fits(cells, labels, plan.experiment.prefixes(fold.n_features)) if labels else {}


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
    schedule = _Schedule(plan, store)
    tasks = [*schedule.shared(), *schedule.apart()]
    cells = sum(len(task.cells) for task in tasks)
    progress = Progress(len(tasks), cells, plan.n_cells - cells, sum(task.cost for task in tasks))
    progress.fits = pending_fits(plan, schedule.statuses)
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
    for stage in (schedule.shared, schedule.apart):
        for task, (records, warned) in execute(Heard(Worker(plan.experiment)), stage(), count):
            store.write(records)
            progress.warned.merge(warned)
            progress.add(task, records)
            yield progress
    store.finish(now())


class _Schedule:
    """What is to be computed, in two stages: a run that is stopped loses what its processes are just at.

    A fold takes our own methods seconds, and they share work. A classifier that is fitted anew at each prefix may need
    hours for it and shares nothing with the others, so that its part of a fold is a task by itself, with the rankings
    that the first stage has stored.
    """

    def __init__(self, plan: Plan, store: StoreWriter) -> None:
        self._plan, self._store = plan, store
        self._refitted = refitted(plan.methods["classifier"])
        self.statuses = store.statuses()

    def shared(self) -> list[Task]:
        """Return a task for each fold, without the classifiers that are fitted anew at each prefix."""
        return self._tasks(lambda label: label not in self._refitted, self._store.ranking)

    def apart(self) -> list[Task]:
        """Return a task for each fold and classifier that is fitted anew at each prefix, with the stored rankings.

        What failed in the first stage is not tried again: that could take hours, and give what is stored nowhere.
        """
        tasks = [task for own in self._refitted for task in self._tasks(own.__eq__, self._known)]
        return sorted(tasks, key=lambda task: -task.cost)

    def _known(self, cell: Cell) -> Ranking | Unranked | None:
        return self._store.ranking(cell) or self._store.unranked(cell)

    def _tasks(
        self, wanted: Callable[[str], bool], ranking_of: Callable[[Cell], Ranking | Unranked | None]
    ) -> list[Task]:
        return make_tasks(
            self._plan.folds,
            lambda cell: self._done(cell) or not wanted(cell.classifier),
            ranking_of,
            lambda fold, cells: sum(_fits(self._plan, fold, cells).values()),
        )

    def _done(self, cell: Cell) -> bool:
        return self.statuses.get(cell.key) in FINAL


def _kernels(plan: Plan, tasks: Sequence[Task]) -> list[Step]:
    """Return what has to be compiled for the tasks."""
    asked = {task.dataset for task in tasks}
    facts = [f for f in plan.datasets if isinstance(f, DatasetFacts) and f.label in asked]
    return needed(plan.methods, [Shape.of(len(f.y), f.n_numeric, len(f.features), f.missing) for f in facts])
