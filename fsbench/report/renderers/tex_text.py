"""Texts for LaTeX: nothing in a name is a command, and every character is one that pdfLaTeX knows."""

from __future__ import annotations

import unicodedata

from fsbench.report.renderers.plain import clean

__all__ = ["accents", "escape"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "◦": r"$\circ$",
    "•": r"$\bullet$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
}

# Letters of T1 that are no accent on a letter.
_LETTERS = {
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    "đ": r"\dj{}",
    "Đ": r"\DJ{}",
    "þ": r"\th{}",
    "Þ": r"\TH{}",
    "ð": r"\dh{}",
    "Ð": r"\DH{}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u ",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r ",
    "\u030b": "H ",
    "\u030c": "v ",
    "\u0327": "c ",
    "\u0328": "k ",
}
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip


def escape(text: str) -> str:
    r"""Return a text that LaTeX prints as it is; what pdfLaTeX has no letter for is written as its number.

    Examples
    --------
    >>> print(escape("A_1%&<b>"))
    A\_1\%\&\textless{}b\textgreater{}
    >>> print(escape("größe φ 数 a--b"))
    größe $\varphi$ [U+6570] a-{}-b
    """
    return " ".join(map(_word, clean(text).split(" ")))


# A longer word, such as a path, may be broken at its punctuation.
_LONG = 24


def _word(word: str) -> str:
    out, before = [], ""
    for c in word:
        if c == before and c in "-',":
            out.append("{}")  # two of them would be joined to another sign
        out.append(_letter(c))
        if len(word) > _LONG and c in "/_.-:,;":
            out.append(r"\allowbreak{}")
        before = c
    return "".join(out)


def accents(text: str) -> str:
    r"""Return a field of a BibTeX entry in ASCII; its braces stay, they keep capitals.

    Examples
    --------
    >>> print(accents("{WEKA} & José, pp. 1--9"))
    {WEKA} \& Jos{\'e}, pp. 1--9
    """
    return "".join(c if c in "{}-" else _letter(c) if c.isascii() else _accented(c) for c in clean(text))


def _letter(c: str) -> str:
    if c in _ESCAPES:
        return _ESCAPES[c]
    if c.isascii() or c in _LETTERS:
        return c
    # The input encoding knows the accented letters of Latin-1 and of Latin Extended-A.
    return c if _parts(c) and ord(c) < 0x180 else _accented(c)


def _accented(c: str) -> str:
    parts = _parts(c)
    if parts:
        letter = {"i": r"\i ", "j": r"\j "}.get(parts[0], parts[0])
        return rf"{{\{_ACCENTS[parts[1]]}{letter}}}"
    if c in _LETTERS:
        return f"{{{_LETTERS[c]}}}"
    if c in _ESCAPES:
        return _ESCAPES[c]
    return rf"$\{_GREEK[c]}$" if c in _GREEK else f"[U+{ord(c):04X}]"


def _parts(c: str) -> str:
    """Return a letter and its accent, "" if a character is anything else."""
    parts = unicodedata.normalize("NFD", c)
    return parts if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS else ""
