r"""The smallest parts of an ARFF line: words, quoted strings, separators.

The rules are those of Weka's reader: control characters and blanks separate, ``%`` starts a comment unless
it is quoted, both quote styles take backslash escapes, and a backslash outside quotes is an ordinary character.
"""

from __future__ import annotations

import re

__all__ = ["BLANKS", "MISSING", "TOKEN", "is_word", "quote", "split_tokens", "strip_blanks", "unquote"]

MISSING = "?"
BLANKS = "".join(map(chr, range(33)))
# In this order: a word, a string in single or double quotes, a separator, a comment, a quote that never ends.
TOKEN = re.compile(
    r"""[^\x00-\x20,{}%'"]+ | '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [,{}] | %.* | ['"].*""", re.VERBOSE
)
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" """, re.VERBOSE)
_WORD = re.compile(r"""[^\x00-\x20,{}%'"]+""")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|(.))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_TO_ESCAPE = re.compile(r"[\\'\n\r\t]")
_TO_ESCAPE_NAMES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def strip_blanks(text: str) -> str:
    """Strip blanks and control characters; other Unicode blanks are part of a value, as in Weka."""
    return text.strip(BLANKS)


def split_tokens(line: str) -> list[tuple[str, int]]:
    """Split a line into raw tokens, quotes kept, each with its column from 1; a comment is dropped.

    Examples
    --------
    >>> split_tokens("@attribute 'a b' {x, y} % two")
    [('@attribute', 1), ("'a b'", 12), ('{', 18), ('x', 19), (',', 20), ('y', 22), ('}', 23)]
    """
    return [(m[0], m.start() + 1) for m in TOKEN.finditer(line) if m[0][0] != "%"]


def is_word(raw: str) -> bool:
    """Whether a raw token stands for a value: an unquoted word or a string whose quotes are closed."""
    return (raw[0] not in "'\"" and raw not in ("{", "}", ",")) or bool(_QUOTED.fullmatch(raw))


def unquote(raw: str) -> tuple[str, bool]:
    r"""Return a raw token's text, and whether it was quoted.

    Parameters
    ----------
    raw : str
        A word, or a string with its quotes.

    Returns
    -------
    text : str
    quoted : bool

    Examples
    --------
    >>> unquote("'it\\'s'"), unquote('"?"'), unquote("?")
    (("it's", True), ('?', True), ('?', False))
    """
    if raw[:1] not in ("'", '"'):
        return raw, False
    inner = raw[1:-1]
    return (_ESCAPE.sub(_unescape, inner) if "\\" in inner else inner), True


def quote(text: str) -> str:
    r"""Write a name or label so that `unquote` returns it: in quotes if it needs them.

    Examples
    --------
    >>> print(quote("plain"), quote("?"), quote("two words"), quote("it's"), quote(""))
    plain '?' 'two words' 'it\'s' ''
    """
    if text != MISSING and _WORD.fullmatch(text) and "\\" not in text and text.isprintable():
        return text
    return "'" + _TO_ESCAPE.sub(lambda m: _TO_ESCAPE_NAMES.get(m[0], "\\" + m[0]), text) + "'"


def _unescape(match: re.Match[str]) -> str:
    code, octal, single = match.groups()
    if code:
        return chr(int(code, 16))
    return chr(int(octal, 8)) if octal else _ESCAPED.get(single, single)
