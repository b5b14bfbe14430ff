"""java.util.Random's whole numbers, many at a time, from the generator's published definition."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from fsbench.values import IntArray

__all__ = ["JavaRandom"]

U64 = npt.NDArray[np.uint64]

MULTIPLIER = 0x5DEECE66D
INCREMENT = 11
MASK = (1 << 48) - 1


class JavaRandom:
    """The linear congruential generator of java.util.Random.

    Parameters
    ----------
    seed : int
        Any whole number; its lowest 48 bits count, negative ones in two's complement.

    Examples
    --------
    >>> rng = JavaRandom(42)
    >>> [rng.next_int(10) for _ in range(5)]
    [0, 3, 8, 4, 0]
    >>> JavaRandom(42).next_ints(np.full(5, 10)).tolist()
    [0, 3, 8, 4, 0]
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ MULTIPLIER) & MASK

    def next_int(self, bound: int) -> int:
        """Draw a whole number from 0 to ``bound - 1``.

        Parameters
        ----------
        bound : int
            From 1 to 2**31 - 1.

        Returns
        -------
        int
        """
        while True:
            self._state = (self._state * MULTIPLIER + INCREMENT) & MASK
            draw = self._state >> 17
            if bound & (bound - 1) == 0:
                return (bound * draw) >> 31
            value = draw % bound
            # Draws from the last, incomplete block of `bound` numbers below 2**31 are thrown away.
            if draw - value + bound - 1 < 1 << 31:
                return value

    def next_ints(self, bounds: IntArray) -> IntArray:
        """Draw one number below each bound, in order: the numbers that `next_int` would give, faster.

        Parameters
        ----------
        bounds : ndarray of shape (n,)

        Returns
        -------
        ndarray of shape (n,)
            int64.
        """
        out = np.empty(len(bounds), dtype=np.int64)
        done = 0
        while done < len(bounds):
            wanted = bounds[done:]
            states = self._states_ahead(len(wanted))
            draws = (states >> np.uint64(17)).astype(np.int64)
            values = np.where(wanted & (wanted - 1) == 0, (wanted * draws) >> 31, draws % wanted)
            refused = (wanted & (wanted - 1) != 0) & (draws - draws % wanted + wanted - 1 >= 1 << 31)
            good = int(np.argmax(refused)) if refused.any() else len(wanted)
            out[done : done + good] = values[:good]
            done += good
            # A refused draw is used up; the same bound then meets the next one.
            self._state = int(states[min(good, len(wanted) - 1)])
        return out

    def next_signed(self) -> int:
        """Draw a whole number from -2**31 to 2**31 - 1: Java's ``nextInt()`` without a bound.

        Examples
        --------
        >>> JavaRandom(42).next_signed()
        -1170105035
        """
        self._state = (self._state * MULTIPLIER + INCREMENT) & MASK
        draw = self._state >> 16
        return draw - (1 << 32) if draw >> 31 else draw

    def shuffle(self, rows: IntArray) -> IntArray:
        """Return `rows` in the order of Weka's shuffle: from the last position down, each swapped with one up to it.

        Parameters
        ----------
        rows : ndarray of shape (n,)

        Returns
        -------
        ndarray of shape (n,)
            A copy.
        """
        order = rows.tolist()
        last = np.arange(len(order) - 1, 0, -1)
        for j, other in zip(last.tolist(), self.next_ints(last + 1).tolist(), strict=True):
            order[j], order[other] = order[other], order[j]
        return np.array(order, dtype=np.int64)

    def _states_ahead(self, count: int) -> U64:
        """Return the next `count` states; state i is ``factor[i] * state + offset[i]`` modulo 2**48."""
        factors, offsets = _jumps(1 << max(count - 1, 0).bit_length())
        # uint64 arithmetic wraps at 2**64, a multiple of 2**48, so the low 48 bits are right.
        states: U64 = (factors[:count] * np.uint64(self._state) + offsets[:count]) & np.uint64(MASK)
        return states


@lru_cache(maxsize=4)
def _jumps(count: int) -> tuple[U64, U64]:
    """Return the factors and offsets of the first `count` steps (a power of two), by doubling."""
    factors = np.array([MULTIPLIER], dtype=np.uint64)
    offsets = np.array([INCREMENT], dtype=np.uint64)
    while len(factors) < count:
        factor, offset = factors[-1], offsets[-1]
        offsets = np.concatenate([offsets, factors * offset + offsets])
        factors = np.concatenate([factors, factors * factor])
    return factors, offsets
