"""Weka beside us: a Java virtual machine that works on request, so that both sides can be timed in turn."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from fsbench.data import write_arff
from fsbench.values import Dataset, Split

HOW = (
    "Weka's jar was not found: set WEKA_JAR to weka.jar (its libraries beside it), for instance that of\n"
    "  pip download --no-deps --no-binary :all: python_weka_wrapper3==0.3.3   (unpack; python/weka/lib/weka.jar)\n"
    "and have a JDK (java, javac) on the path"
)


class Answer(NamedTuple):
    """What a request cost and found: seconds of the clock, of the working thread, of the whole JVM with its helpers."""

    wall: float
    thread: float
    process: float
    found: str


def find_jar() -> Path | None:
    """Return Weka's jar: WEKA_JAR, or that of an installed python-weka-wrapper3; None without one or without a JDK."""
    places = [Path(os.environ["WEKA_JAR"])] if os.environ.get("WEKA_JAR") else []
    if (spec := importlib.util.find_spec("weka")) and spec.submodule_search_locations:
        places += [Path(folder, "lib", "weka.jar") for folder in spec.submodule_search_locations]
    found = next((place for place in places if place.is_file()), None)
    return found if shutil.which("java") and shutil.which("javac") else None


class Weka:
    """A running Weka.

    Parameters
    ----------
    jar : Path
        The folder's other jars are taken as its libraries.
    """

    def __init__(self, jar: Path) -> None:
        self._folder = tempfile.TemporaryDirectory()
        classpath = os.pathsep.join([self._folder.name, str(jar), str(jar.parent / "*")])
        source = Path(__file__).with_name("WekaTimes.java")
        subprocess.run(["javac", "-nowarn", "-cp", classpath, "-d", self._folder.name, str(source)], check=True)
        call = ["java", "-XX:+UseSerialGC", "-Xmx3g", "-cp", classpath, "WekaTimes"]
        self._java = subprocess.Popen(
            call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._java.kill()
        self._java.wait()
        self._folder.cleanup()

    def ask(self, *request: str) -> Answer:
        """Have one request (see WekaTimes.java) done."""
        assert self._java.stdin is not None
        assert self._java.stdout is not None
        self._java.stdin.write("\t".join(request) + "\n")
        self._java.stdin.flush()
        line = self._java.stdout.readline()
        if not line:
            raise RuntimeError(f"Weka ended over {request}")
        wall, thread, process, found = line.rstrip("\n").split(" ", 3)
        return Answer(float(wall), float(thread), float(process), found)

    def give(self, data: Dataset, splits: Sequence[Split]) -> None:
        """Hand over a data set and its folds; afterwards its name stands for both."""
        arff, folds = Path(self._folder.name, f"{data.name}.arff"), self.folds_file(data.name, data.n_rows, splits)
        write_arff(replace(data, note=""), arff)
        self.ask("data", data.name, str(arff), folds)

    def folds_file(self, name: str, n_rows: int, splits: Sequence[Split]) -> str:
        """Write the fold of each row; return the file."""
        fold = np.empty(n_rows, dtype=np.int64)
        for i, split in enumerate(splits):
            fold[split.test] = i
        path = Path(self._folder.name, f"{name}.folds")
        path.write_text("\n".join(map(str, fold.tolist())))
        return str(path)
