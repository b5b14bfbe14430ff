"""Where tasks are computed: in this process, or in several beside each other."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing import resource_tracker
from typing import TypeVar

from fsbench.errors import UserError
from fsbench.kernels.threads import set_threads

__all__ = ["execute"]

T = TypeVar("T")
R = TypeVar("R")


def execute(compute: Callable[[T], R], tasks: Sequence[T], jobs: int = 1) -> Iterator[tuple[T, R]]:
    """Compute tasks and hand each on as it is done, in any order.

    Parameters
    ----------
    compute : callable
        From a task to what came out; picklable if `jobs` is above 1.
    tasks : sequence
        Started in this order.
    jobs : int, default 1
        Number of processes; 1 means this one.

    Yields
    ------
    task, result
    """
    yield from _serial(compute, tasks) if jobs == 1 or len(tasks) < 2 else _processes(compute, tasks, jobs)


def _serial(compute: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[T, R]]:
    if not tasks:
        return
    from threadpoolctl import threadpool_limits  # here: to import the module costs a small command some milliseconds

    try:
        # Libraries behind foreign methods get one thread, as in the worker processes: for data of this size more
        # threads wait for each other most of the time, and the last bits of a sum may depend on their number.
        with threadpool_limits(1):
            for task in tasks:
                yield task, compute(task)
    finally:
        set_threads(None)  # a worker allows itself one thread; this process is more than a worker


def _processes(compute: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[tuple[T, R]]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    calls = (delayed(_compute_at)(compute, i, task, os.getpid()) for i, task in enumerate(tasks))
    with parallel_config("loky", inner_max_num_threads=1), _stopped_on_interrupt():
        pool = Parallel(min(jobs, len(tasks)), return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
        try:
            with _interrupt_held():
                results = pool(calls)
            for i, result in results:
                yield tasks[i], result
        except TerminatedWorkerError:
            text = "a worker process died, perhaps for want of memory; run again to go on, with fewer --jobs if need be"
            raise UserError(text) from None


@contextmanager
def _interrupt_held() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back while processes are started: they inherit that, and none ends in a traceback.

    What has been held back reaches this process, and it alone, at the end.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # on its own start it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _compute_at(compute: Callable[[T], R], i: int, task: T, parent: int) -> tuple[int, R]:
    """Compute in a worker process."""
    _become_worker(parent)
    return i, compute(task)


@cache
def _become_worker(parent: int) -> None:
    """Leave Ctrl-C and SIGTERM to the parent, and end with it: a worker whose parent was killed would wait for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # sent to the whole group, it would be taken for a lack of memory
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@contextmanager
def _stopped_on_interrupt() -> Iterator[None]:
    """End the worker processes at once when the run is interrupted; otherwise they are kept for another run."""
    from joblib.externals.loky import get_reusable_executor

    try:
        yield
    except (KeyboardInterrupt, GeneratorExit):
        # As it is: for other arguments loky would wait for its workers, and hold a lock that they need to end.
        get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
        raise
