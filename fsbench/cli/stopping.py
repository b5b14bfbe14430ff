"""A run that is asked to end: SIGTERM, as `kill`, `timeout` and queues send it, is taken like Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["INTERRUPTED", "TERMINATED", "Stop", "terminable"]

INTERRUPTED, TERMINATED = 130, 143  # exit codes: 128 and the number of the signal


@dataclass
class Stop:
    """Whether the process was asked to end by SIGTERM."""

    terminated: bool = False

    @property
    def code(self) -> int:
        """The exit code of a run that was stopped."""
        return TERMINATED if self.terminated else INTERRUPTED


@contextmanager
def terminable() -> Iterator[Stop]:
    """Make SIGTERM a `KeyboardInterrupt`, so that what Ctrl-C puts in order is put in order.

    Yields
    ------
    Stop
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def interrupt(*_: object) -> None:
        stop.terminated = True
        # What starts in the background of a shell ignores SIGINT.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        # Not raised here: whoever holds Ctrl-C back, holds this back.
        signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before[0])
        if stop.terminated:
            signal.signal(signal.SIGINT, before[1])
