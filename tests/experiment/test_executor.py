"""Tasks in this process and in others."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from threadpoolctl import threadpool_info, threadpool_limits

from fsbench.errors import UserError
from fsbench.experiment.cells import Cell, Record, Task
from fsbench.experiment.executor import execute
from fsbench.kernels.threads import set_threads, threads
from fsbench.values import Split

TASKS = [Task("d", "", Split(np.arange(3), np.arange(3, 5)), (Cell(f"key{i}", "result"),)) for i in range(6)]


def told(task: Task) -> list[Record]:
    """Return a record that says in which process, and with how many threads, it was made."""
    set_threads(1)
    return [Record(task.cells[0].key, "result", "ok", reason=f"{os.getpid()} {threads()}")]


def dying(task: Task) -> list[Record]:
    if task.cells[0].key == "key3":
        os._exit(9)
    return told(task)


def test_in_this_process_in_order() -> None:
    allowed = threads()
    found = list(execute(told, TASKS))
    assert [task for task, _ in found] == TASKS
    assert {records[0].reason for _, records in found} == {f"{os.getpid()} 1"}
    assert threads() == allowed  # the worker's limit does not outlive the run


def test_libraries_get_one_thread_meanwhile() -> None:
    with threadpool_limits(2):
        found = dict(execute(library_threads, [1, 2]))
        assert found[1] == found[2] == {1}
        assert library_threads(0) == {2}
    assert dict(execute(library_threads, [1, 2], jobs=2)) == found


def library_threads(_: int) -> set[int]:
    np.ones(2) @ np.ones(2)
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_in_two_processes_each_task_once() -> None:
    found = list(execute(told, TASKS, jobs=2))
    assert sorted(records[0].key for _, records in found) == [f"key{i}" for i in range(6)]
    assert all(records[0].key == task.cells[0].key for task, records in found)
    assert {records[0].reason.split()[1] for _, records in found} == {"1"}
    assert str(os.getpid()) not in {records[0].reason.split()[0] for _, records in found}


def test_a_dead_worker_is_one_line() -> None:
    with pytest.raises(UserError, match="a worker process died, perhaps for want of memory; run again to go on"):
        list(execute(dying, TASKS, jobs=2))


def test_an_error_of_the_users_crosses_the_border() -> None:
    with pytest.raises(UserError, match="d: has changed"):
        list(execute(changed, TASKS, jobs=2))


def changed(task: Task) -> list[Record]:
    raise UserError("has changed", task.dataset)


def held(task: Task) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_processes_are_started_deaf_to_ctrl_c() -> None:
    # Else one that is still importing prints a traceback before it can be told to leave Ctrl-C to this process.
    get_reusable_executor().shutdown(kill_workers=True)  # those of the tests before may have been started otherwise
    assert {blocked for _, blocked in execute(held, TASKS, jobs=2)} == {True}
    assert not held(TASKS[0])
