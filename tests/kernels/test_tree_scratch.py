"""Memory that is kept between runs of the tree kernels."""

from __future__ import annotations

import threading

import pytest

from fsbench.kernels.tree_scratch import MOST_KEPT, SPACIOUS, Size, give_back, scratch

SMALL = Size(rows=10, features=3, tasks=1, lanes=2, labels=4, longest=4, cells=8, capacity=100, classes=2)


@pytest.mark.parametrize("bound", [name for name in Size._fields if name != "classes"])
def test_memory_serves_what_is_not_larger(bound: str) -> None:
    larger = SMALL._replace(**{bound: getattr(SMALL, bound) + 1})
    assert larger.serves(SMALL)
    assert not SMALL.serves(larger)


def test_memory_serves_only_its_number_of_classes_and_what_is_not_far_smaller() -> None:
    assert not SMALL._replace(classes=3).serves(SMALL)
    assert SMALL._replace(capacity=SPACIOUS * SMALL.capacity).serves(SMALL)
    assert not SMALL._replace(capacity=SPACIOUS * SMALL.capacity + 1).serves(SMALL)


def test_one_of_a_kind_is_kept_a_thread() -> None:
    made: list[Size] = []

    def make(size: Size) -> int:
        made.append(size)
        return len(made)

    larger = SMALL._replace(rows=20)
    assert [scratch("test", size, make) for size in (SMALL, SMALL, larger, SMALL)] == [1, 1, 2, 2]
    other = threading.Thread(target=lambda: scratch("test", SMALL, make))
    other.start()
    other.join()
    assert made == [SMALL, larger, SMALL]
    give_back("test", MOST_KEPT)
    assert scratch("test", SMALL, make) == 2
    give_back("test", MOST_KEPT + 1)
    assert scratch("test", SMALL, make) == 4
