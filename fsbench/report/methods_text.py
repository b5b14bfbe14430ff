"""The methods section as Markdown and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable

from fsbench.report.methods import Cite, MethodsSection, Paragraph
from fsbench.report.renderers import markdown
from fsbench.report.renderers.tex_text import escape

__all__ = ["latex", "markdown_text"]


def markdown_text(methods: MethodsSection, title: str) -> str:
    """Return Markdown; citations as pandoc reads them, ``[@key]``, and the references in plain words below."""
    lines = [f"# Methods: {markdown.escape(title)}", ""]
    for paragraph in methods.paragraphs:
        text = _join(paragraph, markdown.escape, lambda keys: "[" + "; ".join(f"@{k}" for k in keys) + "]")
        lines += [f"**{markdown.escape(paragraph.title)}.** {text}", ""]
    if methods.references:
        lines += ["## References", ""]
        lines += [f"- `{reference.key}`: {markdown.escape(reference.plain())}" for reference in methods.references]
    return "\n".join(lines).rstrip("\n") + "\n"


def latex(methods: MethodsSection) -> str:
    r"""Return a part of a document; ``\input`` it, with ``references.bib`` as its bibliography."""
    lines = [r"% \usepackage[T1]{fontenc}\usepackage{textcomp}; \bibliography{references}"]
    for paragraph in methods.paragraphs:
        text = _join(paragraph, escape, lambda keys: rf"\cite{{{','.join(keys)}}}").replace(r" \cite", r"~\cite")
        lines += [rf"\paragraph{{{escape(paragraph.title)}.}} {text}", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _join(paragraph: Paragraph, escaped: Callable[[str], str], cite: Callable[[tuple[str, ...]], str]) -> str:
    texts = []
    for piece in paragraph.pieces:
        if isinstance(piece, Cite):
            texts.append(cite(piece.keys))
        else:
            # Escaping folds blanks; those at the ends part the pieces.
            left, right = " " * piece.startswith(" "), " " * (piece.endswith(" ") and bool(piece.strip()))
            texts.append(left + escaped(piece) + right)
    return "".join(texts).strip()
