"""Matplotlib's SVG made fit for a page: no styles or identifiers that reach beyond it, readable aloud, any colours."""

from __future__ import annotations

import html
import re

from fsbench.report.figures import style

__all__ = ["as_file", "as_inline"]

_ROOT = re.compile(r'<svg\b[^>]*?\bviewBox="([^"]*)"[^>]*>')
_UNUSED = re.compile(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>|<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ID = re.compile(r' id="([^"]*)"')
_USED = re.compile(r'(?<=href="#)[^"]*|(?<=url\(#)[^)]*')
_FAMILY = re.compile(r"; font-family: [^;\"]*")

# DejaVu's letters are as wide as Verdana's; those of other families are narrower, so nothing is cut off.
_STROKES = "stroke-linejoin: round; stroke-linecap: butt"
_PAPER = "var(--figure-paper, #fff)"
_FONT = "'DejaVu Sans', Verdana, Geneva, sans-serif"


def as_inline(text: str, key: str, title: str, words: str) -> str:
    """Return the ``<svg>`` element that Matplotlib wrote, ready to stand within HTML.

    Parameters
    ----------
    text : str
        Matplotlib's SVG file.
    key : str
        Begins every identifier.
    title, words : str
        Read aloud in place of the drawing.

    Returns
    -------
    str
    """
    root = _ROOT.search(text)
    if root is None:  # pragma: no cover (Matplotlib always writes one)
        raise ValueError("no <svg> element with a viewBox")
    body = _UNUSED.sub("", text[root.end() :]).strip()
    names = _own_names(body, key)
    # Within tags only: a feature may be called like a colour or an identifier.
    body = _TAG.sub(lambda tag: _page_tag(tag.group(0), names), body)
    box = root.group(1)
    width, height = box.split()[2:]
    escape = html.escape
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" class="figure" '
        f'width="{width}pt" height="{height}pt" viewBox="{box}" role="img" '
        f'aria-labelledby="{key}-title {key}-desc" '
        f'style="font-family: {_FONT}; {_STROKES}{_least(float(width))}">\n'
        f'<title id="{key}-title">{escape(style.clean(title))}</title>\n'
        f'<desc id="{key}-desc">{escape(style.clean(words))}</desc>\n{body}\n'
    )


def _least(width: float) -> str:
    """Return the least width on a page: narrower, letters would be too small, and the page's frame scrolls."""
    return f"; min-width: {0.75 * width:.0f}pt" if width > 300 else ""


def as_file(text: str, key: str, title: str, words: str) -> str:
    """Return the same as a file of its own, black on white, for programs that know no CSS variables."""
    inline = as_inline(text, key, title, words)
    start, end = inline.split("</desc>\n", 1)
    end = _TAG.sub(lambda t: t.group(0).replace("currentColor", "#000000").replace(_PAPER, "#ffffff"), end)
    page = '<rect width="100%" height="100%" fill="#ffffff"/>\n'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{start}</desc>\n{page}{end}'


def _own_names(body: str, key: str) -> dict[str, str]:
    """Return new identifiers for those that something refers to; Matplotlib gives each drawing the same others."""
    used = {name for tag in _TAG.findall(body) for name in _USED.findall(tag)}
    found = (name for tag in _TAG.findall(body) for name in _ID.findall(tag) if name in used)
    return {old: f"{key}-{i}" for i, old in enumerate(dict.fromkeys(found))}


def _page_tag(tag: str, names: dict[str, str]) -> str:
    """Return a tag with the page's identifiers, font and colours."""
    tag = _ID.sub(lambda m: f' id="{names[m.group(1)]}"' if m.group(1) in names else "", tag)
    tag = _USED.sub(lambda m: names.get(m.group(0), m.group(0)), tag)
    tag = _FAMILY.sub("", tag)
    return tag.replace(style.INK, "currentColor").replace(style.PAPER, _PAPER)
