"""Files that appear only when they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fsbench.errors import DataError

__all__ = ["atomic_write"]


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name when the block ends without an error.

    Until then it has a name of its own beside it, so that several processes may write the same file: the last
    one to finish wins, and no reader ever sees a part of one.

    Parameters
    ----------
    path : Path
        Its folder must exist.

    Raises
    ------
    DataError
        The file cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        with draft.open("xb") as stream:
            yield stream
        draft.replace(path)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", str(path)) from None
    finally:
        draft.unlink(missing_ok=True)
