"""The page on multi-label data is true: its examples are run."""

from __future__ import annotations

import doctest


def test_examples_of_the_page(root):
    found = doctest.testfile(str(root / "fsbench" / "docs" / "multilabel.md"), module_relative=False)
    assert found.attempted > 15
    assert found.failed == 0
