"""fsbench: benchmarks of feature selection, exact to Weka and free of leaks."""

__version__ = "0.1.0"
