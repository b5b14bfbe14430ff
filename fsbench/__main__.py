"""``python -m fsbench``."""

from fsbench.cli.main import main

main()
