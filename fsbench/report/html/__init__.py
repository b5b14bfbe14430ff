"""The report as one HTML page: a template, a style sheet, a script, and what fills them."""

from fsbench.report.html.page import render

__all__ = ["render"]
