"""From fetched files to the data set that the registry describes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from fsbench.data.arff import read_arff
from fsbench.data.streams import BLOCK, open_binary
from fsbench.values import Dataset, Feature

__all__ = ["RECIPES", "Recipe"]

Recipe = Callable[[Sequence[Path]], Dataset]

_THYROID = (
    "age n,sex MF,on_thyroxine,query_on_thyroxine,on_antithyroid_medication,thyroid_surgery,query_hypothyroid,"
    "query_hyperthyroid,pregnant,sick,tumor,lithium,goitre,TSH_measured ny,TSH n,T3_measured ny,T3 n,"
    "TT4_measured ny,TT4 n,T4U_measured ny,T4U n,FTI_measured ny,FTI n,TBG_measured ny,TBG n"
)
_COVERTYPE = (
    "Elevation",
    "Aspect",
    "Slope",
    "Horizontal_Distance_To_Hydrology",
    "Vertical_Distance_To_Hydrology",
    "Horizontal_Distance_To_Roadways",
    "Hillshade_9am",
    "Hillshade_Noon",
    "Hillshade_3pm",
    "Horizontal_Distance_To_Fire_Points",
)


def _thyroid() -> list[Feature]:
    """Return the 25 features of the two-class thyroid files of Quinlan (1986)."""
    found = []
    for text in _THYROID.split(","):
        name, _, kind = text.partition(" ")
        found.append(Feature(name, None if kind == "n" else tuple(kind or "ft")))
    return found


def _covertype() -> list[Feature]:
    binary = [f"Wilderness_Area{i}" for i in range(1, 5)] + [f"Soil_Type{i}" for i in range(1, 41)]
    return [Feature(n) for n in _COVERTYPE] + [Feature(n, ("0", "1")) for n in binary]


def _plain(files: Sequence[Path]) -> Dataset:
    """Take one ARFF file as it is."""
    return read_arff(files[0]).to_dataset(source=str(files[0]))


def _class_first(files: Sequence[Path]) -> Dataset:
    """Join ARFF files of one head, whose class is the first attribute."""
    parts = [read_arff(file).to_dataset("first", source=str(file)) for file in files]
    X, y = np.concatenate([p.X for p in parts]), np.concatenate([p.y for p in parts])
    return replace(parts[0], X=X, y=y)


def _spectf_test(files: Sequence[Path]) -> Dataset:
    """Mend SPECTF.test as it is spread: 269 rows, of which 187 are test rows.

    The first training row stands before them, all 80 training rows after them, and one of them stands twice.
    """
    spread = _class_first(files)
    seen: set[bytes] = set()
    kept = []
    for i in range(1, spread.n_rows - 80):
        row = np.append(spread.X[i], spread.y[i]).tobytes()
        if row not in seen:
            kept.append(i)
        seen.add(row)
    return spread.take(np.array(kept))


def _spectf(files: Sequence[Path]) -> Dataset:
    """Join the 80 training rows and the mended test rows."""
    train, test = _class_first(files[:1]), _spectf_test(files[1:])
    return replace(train, X=np.concatenate([train.X, test.X]), y=np.concatenate([train.y, test.y]))


def _headed(features: Callable[[], list[Feature]], labels: str, class_first: bool = False) -> Recipe:
    """Return a recipe that puts a head before bare rows."""

    def recipe(files: Sequence[Path]) -> Dataset:
        target = Feature("class", tuple(labels.split()))
        columns = [target, *features()] if class_first else [*features(), target]
        kinds = ["numeric" if c.labels is None else "{" + ",".join(c.labels) + "}" for c in columns]
        head = "@relation rows\n" + "".join(
            f"@attribute {c.name} {kind}\n" for c, kind in zip(columns, kinds, strict=True)
        )
        whole = files[0].with_name(files[0].name + ".headed.arff")
        with open_binary(files[0]) as rows, whole.open("wb") as stream:
            stream.write(head.encode() + b"@data\n")
            while chunk := rows.read(BLOCK):
                stream.write(chunk)
        return read_arff(whole).to_dataset("first" if class_first else "last", source=str(whole))

    return recipe


def _matrix(files: Sequence[Path]) -> Dataset:
    """Read a MATLAB file with the matrices X and Y, classes -1 and 1."""
    from scipy.io import loadmat

    content = loadmat(files[0])
    X = np.asarray(content["X"], dtype=np.float64)
    y = (np.asarray(content["Y"]).ravel() > 0).astype(np.int64)
    features = tuple(Feature(f"x{i + 1}") for i in range(X.shape[1]))
    return Dataset("", features, X, Feature("class", ("-1", "1")), y)


def _waves() -> list[Feature]:
    return [Feature(f"x{i}") for i in range(1, 22)]


RECIPES: dict[str, Recipe] = {
    "plain": _plain,
    "class-first": _class_first,
    "spectf-test": _spectf_test,
    "spectf": _spectf,
    "waveform-21": _headed(_waves, "0 1 2"),
    "sick-euthyroid": _headed(_thyroid, "sick-euthyroid negative"),
    "hypothyroid-uci3163": _headed(_thyroid, "hypothyroid negative", class_first=True),
    "covertype": _headed(_covertype, "1 2 3 4 5 6 7"),
    "matrix": _matrix,
    "last-labels": _plain,  # of multi-label sets; see `fsbench.data.fetch_labels`
}
