"""What an experiment file may say: one model a block, every key with its default.

The models check types and bounds; what concerns several keys, or methods and files, is checked in `config`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from fsbench.evaluation.reduction import THRESHOLDS, TOLERANCE

__all__ = [
    "LABEL",
    "BestBlock",
    "Block",
    "DatasetItem",
    "ExperimentFile",
    "FoldsBlock",
    "MethodItem",
    "ReducedBlock",
    "SearchingBlock",
    "SelectionItem",
    "TestsBlock",
    "is_path",
]

Estimate = Literal["inner_cv", "train", "test"]
Protocol = Literal["search-cv", "nested"]


def _listed(value: Any) -> Any:
    """Take one thing for a list of one."""
    return [value] if isinstance(value, str) else value


# In one line, and not of blanks only.
_SIGNS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
LABEL = rf"^[^{_SIGNS}]*[^\s{_SIGNS}][^{_SIGNS}]*$"


class Block(BaseModel):
    """Base of the blocks: unknown keys are errors, nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class DatasetItem(Block):
    """A data set: a name or path alone, or a mapping."""

    name: str | None = Field(None, min_length=1)
    path: str | None = Field(None, min_length=1)
    target: str | None = None
    label: str | None = Field(None, pattern=LABEL)
    labels: Any = None
    join: list[str] = []
    drop: Annotated[list[str], BeforeValidator(_listed)] = []
    complete_rows: bool = False
    train_rows: int | None = Field(None, ge=1)
    first_rows: int | None = Field(None, ge=1)
    seeds: int | None = Field(None, ge=1, le=10**4)

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"path" if is_path(value) else "name": value}
        return value


class FoldsBlock(Block):
    """How rows are split into folds."""

    scheme: Literal["stratified", "weka", "mulan", "plain", "holdout", "file"] = "stratified"
    folds: int = Field(10, ge=2, le=10**6)
    repeats: int = Field(1, ge=1, le=10**4)
    seed: int | None = Field(None, ge=0, lt=2**63)
    file: str | None = None


class MethodItem(Block):
    """A method: a name alone, or a mapping with parameters beside the key ``method``."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    method: str = Field(min_length=1)
    label: str | None = Field(None, pattern=LABEL)
    rankers: list[str] | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return {"method": value} if isinstance(value, str) else value


class BestBlock(Block):
    """The best prefix of a ranking, by one or more estimates of its accuracy."""

    estimate: Annotated[list[Estimate], BeforeValidator(_listed)] = Field(["inner_cv"], min_length=1)
    folds: int = Field(10, ge=2, le=10**6)


class ReducedBlock(Block):
    """A ranking by relevance cut at a threshold; see `fsbench.evaluation.reduction`."""

    folds: int = Field(10, ge=2, le=10**6)
    tolerance: float = Field(TOLERANCE, ge=0, allow_inf_nan=False)
    thresholds: list[Annotated[float, Field(allow_inf_nan=False)]] = Field(list(THRESHOLDS), min_length=1)


class SelectionItem(Block):
    """``all``, ``ordered``, ``{first: k}``, ``best`` or ``reduced``; the last two may have a mapping behind them.

    Of multi-label experiments: ``all``, ``{first: k}``, ``{threshold: score}`` or ``{share: of the features}``.
    """

    all: bool = False
    ordered: bool = False
    first: int | None = Field(None, ge=1, le=10**9)
    best: BestBlock | None = None
    reduced: ReducedBlock | None = None
    threshold: float | None = Field(None, allow_inf_nan=False)
    share: float | None = Field(None, gt=0, le=1, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        words: dict[str, Any] = {"all": True, "ordered": True, "best": {}, "reduced": {}}
        if isinstance(value, str):
            return {value: words[value]} if value in words else value
        if isinstance(value, dict):  # `- best:` with nothing behind it
            return {key: {} if key in ("best", "reduced") and given is None else given for key, given in value.items()}
        return value


class SearchingBlock(Block):
    """How searches are judged, and the inner folds of the protocol ``nested``."""

    protocol: Annotated[list[Protocol], BeforeValidator(_listed)] = Field(["nested"], min_length=1)
    folds: int = Field(5, ge=2, le=10**6)


class TestsBlock(Block):
    """The significance tests of the tables."""

    test: Literal["paired-t", "corrected-t"] = "corrected-t"
    level: float = Field(0.05, gt=0, lt=1, allow_inf_nan=False)
    correction: Literal["holm", "none"] = "holm"
    rope: float = Field(0.01, ge=0, lt=1, allow_inf_nan=False)
    reference: str | None = None


class ExperimentFile(Block):
    """The whole file."""

    name: str | None = Field(None, pattern=rf"^[^./\\\s{_SIGNS}][^/\\{_SIGNS}]*$")
    seed: int = Field(1, ge=0, lt=2**63)
    kind: Literal["ranking", "multilabel"] = "ranking"
    datasets: list[DatasetItem] = Field(min_length=1)
    folds: FoldsBlock = FoldsBlock()
    rankers: list[MethodItem] = []
    searches: list[MethodItem] = []
    searching: SearchingBlock = SearchingBlock()
    classifiers: list[MethodItem] = []
    selections: list[SelectionItem] = Field([SelectionItem(all=True), SelectionItem(best=BestBlock())], min_length=1)
    tests: TestsBlock = TestsBlock()
    zero_division: Literal["one", "zero", "skip"] = "one"
    label_scores: bool = False
    setups: dict[str, list[str]] = {}
    paper: str | None = None
    paper_names: dict[str, str] = {}


def is_path(text: str) -> bool:
    """Whether a text names a file rather than an entry of the registry."""
    suffixes = (".arff", ".csv", ".parquet", ".gz")
    return "/" in text or "\\" in text or text.lower().endswith(suffixes)
