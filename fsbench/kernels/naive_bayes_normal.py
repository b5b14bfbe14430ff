"""The area under the normal curve, by the rational approximations of the Cephes library.

Moshier (1989), Methods and Programs for Mathematical Functions: relative error about 1e-14. The system's own erf is
nearer to the truth by some last bits, but Weka uses these, and a difference of two areas magnifies last bits.
"""

from __future__ import annotations

import math

from fsbench.kernels.jit import jit

__all__ = ["normal_cdf"]

SQRT_HALF = math.sqrt(0.5)
LARGEST_LOG = 709.782712893383996732  # exp of its negative is the smallest that is used

# erf(x) = x T(x^2) / U(x^2) for |x| <= 1; erfc(x) = exp(-x^2) P(x) / Q(x) for 1 <= x < 8, with R and S beyond.
# The leading coefficient comes first; that of U, Q and S is 1 and left out.
T = (9.60497373987051638749, 9.00260197203842689217e1, 2.23200534594684319226e3, 7.00332514112805075473e3,
     5.55923013010394962768e4)  # fmt: skip
U = (3.35617141647503099647e1, 5.21357949780152679795e2, 4.59432382970980127987e3, 2.26290000613890934246e4,
     4.92673942608635921086e4)  # fmt: skip
P = (2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687, 4.86371970985681366614e1,
     1.96520832956077098242e2, 5.26445194995477358631e2, 9.34528527171957607540e2, 1.02755188689515710272e3,
     5.57535335369399327526e2)  # fmt: skip
Q = (1.32281951154744992508e1, 8.67072140885989742329e1, 3.54937778887819891062e2, 9.75708501743205489753e2,
     1.82390916687909736289e3, 2.24633760818710981792e3, 1.65666309194161350182e3,
     5.57535340817727675546e2)  # fmt: skip
R = (5.64189583547755073984e-1, 1.27536670759978104416, 5.01905042251180477414, 6.16021097993053585195,
     7.40974269950448939160, 2.97886665372100240670)  # fmt: skip
S = (2.26052863220117276590, 9.39603524938001434673, 1.20489539808096656605e1, 1.70814450747565897222e1,
     9.60896809063285878198, 3.36907645100081516050)  # fmt: skip


@jit
def centre(x: float) -> float:
    """Return erf(x) for x between -1 and 1."""
    w = x * x
    above = (((T[0] * w + T[1]) * w + T[2]) * w + T[3]) * w + T[4]
    below = ((((w + U[0]) * w + U[1]) * w + U[2]) * w + U[3]) * w + U[4]
    return x * above / below


@jit
def tail(x: float) -> float:
    """Return erfc(x) for x >= 0; 0 where exp(-x^2) would underflow."""
    if x < 1.0:
        return 1.0 - centre(x)
    if -x * x < -LARGEST_LOG:
        return 0.0
    if x < 8.0:
        above = (((P[0] * x + P[1]) * x + P[2]) * x + P[3]) * x + P[4]
        above = (((above * x + P[5]) * x + P[6]) * x + P[7]) * x + P[8]
        below = (((x + Q[0]) * x + Q[1]) * x + Q[2]) * x + Q[3]
        below = (((below * x + Q[4]) * x + Q[5]) * x + Q[6]) * x + Q[7]
    else:
        above = ((((R[0] * x + R[1]) * x + R[2]) * x + R[3]) * x + R[4]) * x + R[5]
        below = (((((x + S[0]) * x + S[1]) * x + S[2]) * x + S[3]) * x + S[4]) * x + S[5]
    return math.exp(-x * x) * above / below


@jit
def normal_cdf(z: float) -> float:
    """Return the area under the standard normal curve below z.

    In the upper tail, 1 minus a small area cancels to steps of 1.1e-16 and to exactly 1 beyond 8.3. That is part of
    the result: probabilities of values far above a class's mean vanish sooner than of those far below.

    Parameters
    ----------
    z : float
        In standard deviations.

    Returns
    -------
    float
    """
    x = z * SQRT_HALF
    if abs(x) < SQRT_HALF:
        return 0.5 + 0.5 * centre(x)
    area = 0.5 * tail(abs(x))
    return 1.0 - area if x > 0.0 else area
