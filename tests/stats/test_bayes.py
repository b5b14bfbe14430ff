"""Bayesian tests against closed forms and baycomp."""

import numpy as np
import pytest
import scipy.stats

from fsbench.stats import correlated_t, signed_rank
from tests.stats.examples import DEMSAR

# baycomp 1.0.3: SignedRankTest.probs(x, y, rope, nsamples=200000, random_state=1), C4.5 and C4.5+m of Demsar's Table 6:
# that the first is better, that they are equivalent, that the second is better.
SIGNED = {0.0: (0.000935, 0.0, 0.999065), 0.01: (0.0, 0.32865, 0.67135)}

# baycomp 1.0.3: CorrelatedTTest.probs(FOLDS[0], FOLDS[1], rope, runs=2), two times 10 folds.
FOLDS = (
    np.array([902, 672, 821, 772, 777, 789, 699, 788, 757, 966, 811, 782, 786, 767, 747, 780, 824, 788, 848, 790])
    / 1e3,
    np.array([913, 729, 847, 766, 782, 815, 767, 790, 759, 1006, 795, 784, 822, 794, 760, 811, 749, 829, 829, 750])
    / 1e3,
)
CORRELATED = {
    0.0: (0.19892990942993816, 0.0, 0.8010700905700618),
    0.01: (0.06152699764969096, 0.3928787726861074, 0.5455942296642017),
}


@pytest.mark.parametrize("rope", SIGNED)
def test_signed_rank_of_demsar(rope: float) -> None:
    found = signed_rank(DEMSAR[:, 0], DEMSAR[:, 1], rope)
    # Both draw samples; the standard error of ours is at most 0.0022.
    assert (found.better, found.same, found.worse) == pytest.approx(SIGNED[rope], abs=0.007)
    assert found.better + found.same + found.worse == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_signed_rank_equals_baycomp(seed: int) -> None:
    peer = pytest.importorskip("baycomp")
    rng = np.random.default_rng(seed)
    # Steps of a hundredth put pairs on the border of the region.
    a = rng.integers(60, 90, 10) / 100
    b = a + rng.integers(-3, 5, 10) / 100
    # An eighth of a step keeps the other's comparison of floats from deciding what is on the border.
    for rope in (0.00875, 0.02125):
        theirs = peer.SignedRankTest.probs(a, b, rope, nsamples=50_000, random_state=seed)
        ours = signed_rank(a, b, rope)
        assert (ours.better, ours.same, ours.worse) == pytest.approx(theirs, abs=0.012)


def test_signed_rank_in_closed_form() -> None:
    # All differences are +1 and the region ends at 0.75: pairs with the pseudo-observation have the mean 0.5 and lie
    # in it. Better has the weight (1 - w)**2 with w ~ Beta(0.5, n), so it wins where w < 1 - sqrt(1/2).
    n = 3
    expected = scipy.stats.beta.cdf(1 - np.sqrt(0.5), 0.5, n)
    found = signed_rank([1.0] * n, [0.0] * n, 0.75)
    assert found.better == pytest.approx(expected, abs=0.007)
    assert found.same == pytest.approx(1 - expected, abs=0.007)


def test_the_same_seed_gives_the_same_probabilities() -> None:
    a, b = DEMSAR[:, 2], DEMSAR[:, 3]
    assert signed_rank(a, b, 0.01, seed=7) == signed_rank(a, b, 0.01, seed=7)
    assert signed_rank(a, b, 0.01, seed=7) != signed_rank(a, b, 0.01, seed=8)


def test_swapping_the_methods_swaps_the_probabilities() -> None:
    one = signed_rank(DEMSAR[:, 0], DEMSAR[:, 1], 0.01)
    two = signed_rank(DEMSAR[:, 1], DEMSAR[:, 0], 0.01)
    assert (one.worse, one.same, one.better) == (two.better, two.same, two.worse)


def test_identical_methods_are_equivalent() -> None:
    same = [0.5, 0.6, 0.7]
    assert signed_rank(same, same, 0.01).same == 1.0
    found = signed_rank(same, same, 0.0)
    assert (found.worse, found.same, found.better) == (0.5, 0.0, 0.5)
    found = correlated_t(same, same, [9] * 3, [1] * 3, 0.01)
    assert (found.worse, found.same, found.better) == (0.0, 1.0, 0.0)
    found = correlated_t(same, same, [9] * 3, [1] * 3, 0.0)
    assert (found.worse, found.same, found.better) == (0.5, 0.0, 0.5)


@pytest.mark.parametrize("rope", CORRELATED)
def test_correlated_t_of_baycomp(rope: float) -> None:
    found = correlated_t(*FOLDS, [90] * 20, [10] * 20, rope)
    assert (found.better, found.same, found.worse) == pytest.approx(CORRELATED[rope], abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_correlated_t_equals_baycomp(seed: int) -> None:
    peer = pytest.importorskip("baycomp")
    rng = np.random.default_rng(seed)
    a = rng.random(30)
    b = a + rng.normal(0.01, 0.05, 30)
    theirs = peer.CorrelatedTTest.probs(a, b, 0.01, runs=3)
    found = correlated_t(a, b, [90] * 30, [10] * 30, 0.01)
    assert (found.better, found.same, found.worse) == pytest.approx(theirs, abs=1e-9)


def test_a_constant_difference_is_certain() -> None:
    found = correlated_t([0.3, 0.4, 0.5], [0.1, 0.2, 0.3], [9] * 3, [1] * 3, 0.01)
    assert (found.worse, found.same, found.better) == (0.0, 0.0, 1.0)
    found = correlated_t([0.3, 0.4, 0.5], [0.1, 0.2, 0.3], [9] * 3, [1] * 3, 0.3)
    assert found.same == 1.0


def test_too_little_says_so() -> None:
    assert signed_rank([0.5], [0.4], 0.01).reason == "one data set: a comparison over data sets needs two or more"
    assert signed_rank([], [], 0.01).reason == "no data sets: a comparison over data sets needs two or more"
    assert correlated_t([0.5], [0.4], [9], [1], 0.01).reason == "one fold: a comparison on folds needs two or more"
    assert correlated_t([0.5, 0.6], [0.4, 0.3], [0, 0], [1, 1], 0.01).reason == "no training rows"
    assert signed_rank([0.5], [0.4], 0.01).better is None
