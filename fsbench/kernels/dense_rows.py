"""Rows of text to numbers: values with commas between, one row a line."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fsbench.kernels.jit import jit

__all__ = ["DONE", "NOMINAL", "NUMERIC", "ODD", "hash_token", "parse_rows", "powers_of_five"]

NUMERIC, NOMINAL = 0, 1
DONE, ODD = 0, 1
LARGEST_POWER = 290
_FEW_DIGITS = 18  # as many fit into a signed word, one more into an unsigned one
_USUAL_DIGITS = 15  # a whole number of as many is a double
_WHOLE = np.uint64(1 << 53)

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]


@cache
def powers_of_five() -> tuple[Words, Words, NDArray[np.int64]]:
    """Return 5**q for -290 <= q <= 290 as ``(high * 2**64 + low) * 2**exponent``, cut off after 128 bits.

    Returns
    -------
    high, low : ndarray of uint64
        The 128 leading bits; the true value is less than one unit of `low` above.
    exponent : ndarray of int64
    """
    high, low, exponent = [], [], []
    for q in range(-LARGEST_POWER, LARGEST_POWER + 1):
        shift = 0 if q >= 0 else 128 + (5**-q).bit_length()
        value = 5**q if q >= 0 else (1 << shift) // 5**-q
        excess = value.bit_length() - 128
        value = value >> excess if excess >= 0 else value << -excess
        high.append(value >> 64)
        low.append(value & (2**64 - 1))
        exponent.append(excess - shift)
    return np.array(high, dtype=np.uint64), np.array(low, dtype=np.uint64), np.array(exponent, dtype=np.int64)


@jit
def _multiply(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the high and the low half of a 128-bit product."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a1, a0, b1, b0 = a >> half, a & mask, b >> half, b & mask
    low = a0 * b0
    middle = a1 * b0 + (low >> half)
    other = a0 * b1 + (middle & mask)
    return a1 * b1 + (middle >> half) + (other >> half), (other << half) | (low & mask)


@jit
def _scale(digits: np.uint64, high: np.uint64, low: np.uint64, exponent: int) -> tuple[bool, float]:
    """Return ``digits * 10**q``, correctly rounded, and whether that could be made sure of.

    The product of the digits, shifted to 64 bits, with the 128 leading bits of 5**q is a lower bound of the true
    product and misses it by less than two units of its second word. Where the bits below the 53 that are kept
    are not that close to one half, both bounds round to the same double.

    Parameters
    ----------
    digits : uint64
        Not 0.
    high, low : uint64
        Of 5**q, from `powers_of_five`.
    exponent : int
        Of 5**q, plus q.
    """
    one, zero = np.uint64(1), np.uint64(0)
    shift = 0
    while digits < one << np.uint64(63):
        digits <<= one
        shift += 1
    top, second = _multiply(digits, high)
    carry, _ = _multiply(digits, low)
    room = np.uint64(0xFFFFFFFFFFFFFFFF) - carry
    if second > room:
        second -= room + one
        top += one
    else:
        second += carry
    bits = 11 if top >> np.uint64(63) else 10
    drop = np.uint64(bits)
    rest, half = top & ((one << drop) - one), one << (drop - one)
    if rest == half and second == zero:
        return False, 0.0
    if rest == half - one and second >= np.uint64(0xFFFFFFFFFFFFFFFE):
        return False, 0.0
    kept = top >> drop
    if rest >= half:
        kept += one
    two = exponent - shift + 128 + bits
    if two < -1020 or two > 960:
        return False, 0.0
    return True, math.ldexp(np.float64(kept), int(two))


@jit
def hash_token(text: Bytes, start: int, stop: int, column: int) -> int:
    """Hash a token of a column to 31 bits (FNV-1a, cut off so that no product overflows)."""
    h = np.int64((2166136261 ^ column) & 0x7FFFFFFF)
    for i in range(start, stop):
        h = ((h ^ np.int64(text[i])) * 16777619) & 0x7FFFFFFF
    return h ^ (h >> 15)  # type: ignore[return-value]


@jit
def parse_rows(
    text: Bytes,
    start: int,
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    entries: NDArray[np.int64],
    spelled: Bytes,
    exact: NDArray[np.float64],
    high: Words,
    low: Words,
    exponent: NDArray[np.int64],
    out: NDArray[np.float64],
    row: int,
    line: int,
) -> tuple[int, int, np.uint64, int]:
    """Read rows until the text ends or a line holds anything but plain values.

    Plain are decimal numbers of at most 19 digits behind leading zeros, known spellings of labels, the bare question
    mark, blanks around them, empty lines, and lines of comment. Everything else is left to a slower reader: this one
    stops before such a line. What it does read is correctly rounded.

    Parameters
    ----------
    text : ndarray of uint8
        Whole lines; the last byte is a newline.
    start : int
        Where to begin: the start of a line.
    kinds : ndarray of shape (n_columns,)
        NUMERIC or NOMINAL.
    slots : ndarray of shape (power of two,)
        Open hash table of indices into `entries`, -1 where empty (see `hash_token`).
    entries : ndarray of shape (n_entries, 4)
        Column, start and stop in `spelled`, code of the label.
    spelled : ndarray of uint8
        All spellings of all labels, end to end.
    exact : ndarray of float64
        10**0 to 10**22, the powers of ten that are doubles.
    high, low, exponent : ndarray
        From `powers_of_five`.
    out : ndarray of shape (capacity, n_columns)
        Filled from `row` on; NaN is missing.
    row, line : int
        Rows filled and lines read so far.

    Returns
    -------
    row, line : int
        The same afterwards.
    at : int
        Where reading stopped.
    status : int
        DONE or ODD.

    Notes
    -----
    Everything stands in one loop: a call that passes arrays costs more than the number it would read. A capacity
    that is a power of two would put all values of a row into the same few lines of the processor's cache.
    """
    last = len(kinds) - 1
    mask = len(slots) - 1
    one, ten, few = np.uint64(1), np.uint64(10), np.uint64(_FEW_DIGITS)
    usual = np.uint64(_USUAL_DIGITS)
    # Unsigned positions: numba would ask of a signed one whether it counts from the end.
    at, size = np.uint64(start), np.uint64(len(text))
    while at < size:
        begin = at
        while text[at] <= 32 and text[at] != 10:
            at += one
        if text[at] == 37:  # a comment
            while text[at] != 10:
                at += one
        if text[at] == 10:
            at += one
            line += 1
            continue
        for column in range(last + 1):
            while text[at] <= 32 and text[at] != 10:
                at += one
            first = at
            if kinds[column] == NUMERIC:
                # The usual number first: few digits, a point among them at most, the separator right behind.
                negative = text[at] == 45
                here = at + one if negative else at
                number, fraction, first = np.int64(0), np.uint64(0), here
                digit = np.int64(text[here]) - 48
                while 0 <= digit <= 9:
                    number = number * 10 + digit  # of too many digits nothing is used
                    here += one
                    digit = np.int64(text[here]) - 48
                count = here - first
                if digit == -2:
                    here += one
                    first = here
                    digit = np.int64(text[here]) - 48
                    while 0 <= digit <= 9:
                        number = number * 10 + digit
                        here += one
                        digit = np.int64(text[here]) - 48
                    fraction = here - first
                    count += fraction
                if one <= count <= usual and text[here] == (10 if column == last else 44):
                    value = float(number)
                    if fraction > 0:
                        value /= exact[fraction]
                    out[column, row] = -value if negative else value
                    at = here + one
                    continue
                first = at
            if text[at] == 63:
                at += one
                out[column, row] = np.nan
            elif kinds[column] == NUMERIC:
                negative = text[at] == 45
                if negative or text[at] == 43:
                    at += one
                # Up to 18 digits, without zeros before them, fit into a signed word; one more is taken in by hand.
                first, power, number = at, np.int64(0), np.int64(0)
                while text[at] == 48:
                    at += one
                stop = at + few
                digit = np.int64(text[at]) - 48
                while 0 <= digit <= 9 and at < stop:
                    number = number * 10 + digit
                    at += one
                    digit = np.int64(text[at]) - 48
                if digit == -2:  # the decimal point
                    at += one
                    first += one
                    fraction, stop = at, stop + one
                    if number == 0:
                        while text[at] == 48:
                            at += one
                        stop = at + few
                    digit = np.int64(text[at]) - 48
                    while 0 <= digit <= 9 and at < stop:
                        number = number * 10 + digit
                        at += one
                        digit = np.int64(text[at]) - 48
                    power = np.int64(fraction) - np.int64(at)
                if at == first:
                    return row, line, begin, ODD
                digits = np.uint64(number)
                if 0 <= digit <= 9:
                    digits = digits * ten + np.uint64(digit)
                    at += one
                    digit = np.int64(text[at]) - 48
                    if power == 0 or 0 <= digit <= 9:
                        return row, line, begin, ODD
                    power -= 1
                if digit == 53 or digit == 21:  # e, E
                    at += one
                    down = text[at] == 45
                    if down or text[at] == 43:
                        at += one
                    tens, first, stop = np.int64(0), at, at + np.uint64(4)
                    digit = np.int64(text[at]) - 48
                    while 0 <= digit <= 9 and at < stop:
                        tens = tens * 10 + digit
                        at += one
                        digit = np.int64(text[at]) - 48
                    if at == first:
                        return row, line, begin, ODD
                    power = power - tens if down else power + tens
                if digits <= _WHOLE and -22 <= power <= 22:
                    # Both factors are doubles, so that one correctly rounded operation is all there is.
                    value = float(np.int64(digits))  # signed words convert faster
                    value = value * exact[power] if power > 0 else value / exact[-power]
                elif digits == 0:
                    value = 0.0
                elif -LARGEST_POWER <= power <= LARGEST_POWER:
                    q = power + LARGEST_POWER
                    ok, value = _scale(digits, high[q], low[q], exponent[q] + power)
                    if not ok:
                        return row, line, begin, ODD
                else:
                    return row, line, begin, ODD
                out[column, row] = -value if negative else value
            else:
                h = np.int64((2166136261 ^ column) & 0x7FFFFFFF)
                c = text[at]
                if c == 39 or c == 34:  # a quoted label: as spelled, if nothing in it is escaped
                    h = ((h ^ np.int64(c)) * 16777619) & 0x7FFFFFFF
                    at += one
                    while text[at] != c and text[at] != 92 and text[at] != 10:
                        h = ((h ^ np.int64(text[at])) * 16777619) & 0x7FFFFFFF
                        at += one
                    if text[at] != c:
                        return row, line, begin, ODD
                    h = ((h ^ np.int64(c)) * 16777619) & 0x7FFFFFFF
                    at += one
                else:
                    while not (c <= 32 or c == 44 or c == 34 or c == 37 or c == 39 or c == 123 or c == 125):
                        h = ((h ^ np.int64(c)) * 16777619) & 0x7FFFFFFF
                        at += one
                        c = text[at]
                length = at - first
                slot = (h ^ (h >> 15)) & mask
                code = np.int64(-1)
                while code < 0 and slots[slot] >= 0:
                    e = slots[slot]
                    offset = np.uint64(entries[e, 1])
                    if entries[e, 0] == column and np.uint64(entries[e, 2]) - offset == length:
                        i = np.uint64(0)
                        while i < length and text[first + i] == spelled[offset + i]:
                            i += one
                        if i == length:
                            code = entries[e, 3]
                    slot = (slot + 1) & mask
                if code < 0:
                    return row, line, begin, ODD
                out[column, row] = np.float64(code)
            while text[at] <= 32 and text[at] != 10:
                at += one
            if text[at] != (10 if column == last else 44):
                return row, line, begin, ODD
            at += one
        row += 1
        line += 1
    return row, line, at, DONE
