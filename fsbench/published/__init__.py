"""The numbers that the papers printed, one module a paper, beside their transcriptions as CSV."""

from __future__ import annotations

import importlib
from types import ModuleType

from fsbench.errors import ConfigError, nearest
from fsbench.published.printed import PrintedCell, Prose, number, read

__all__ = ["PAPERS", "PrintedCell", "Prose", "number", "paper", "read"]

# The shipped configuration of a paper to its module.
PAPERS = {
    "nlc2003": "fsbench.published.nlc",
    "rsa2007": "fsbench.published.rsa",
    "exclusiveness2003": "fsbench.published.exclusiveness",
    "multilabel2013": "fsbench.published.multilabel",
}


def paper(name: str) -> ModuleType:
    """Return the module that holds a paper's numbers.

    Parameters
    ----------
    name : str
        The name of its configuration, such as ``"nlc2003"``.

    Returns
    -------
    module
        With ``TITLE``, ``cells()`` and ``prose()``.

    Raises
    ------
    ConfigError
        No paper of this name.

    Examples
    --------
    >>> len(paper("nlc2003").cells())
    432
    """
    if name not in PAPERS:
        raise ConfigError(f"no printed numbers for {name!r}; {nearest(name, PAPERS)}")
    return importlib.import_module(PAPERS[name])
