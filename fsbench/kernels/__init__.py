"""Compiled loops: arrays in, arrays out, nothing validated. The only package that imports numba.

Each kernel cites the formula it computes and has a plain-Python oracle in the tests.
"""
