"""Estimates after Tsafrir, Etsion & Feitelson: few round values, most of the jobs at twenty of them."""

from collections import Counter
from fractions import Fraction
from math import exp
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios import Estimates, Job, Workload, estimated, lublin99
from shadowtime.scenarios.models.registry import Recipe
from shadowtime.scenarios.models.tsafrir import (
    HEAD,
    fits,
    head_shares,
    head_values,
    modal_estimates,
    rank_share,
    shuffled,
    tail_shares,
    tail_values,
    whole_jobs,
)

HOUR = 3600
RULE = Estimates("tsafrir")


def workload(*runtimes: int) -> Workload:
    return Workload.of(Job(i, 1, i, runtime, runtime) for i, runtime in enumerate(runtimes))


def test_the_popularity_of_the_ranks() -> None:
    """The published shares: 89 % together, rank 2 with 10.3 %, rank 20 with 0.9 %."""
    shares = head_shares(20, 0.89)
    assert len(shares) == 20 and abs(sum(shares) - 0.89) < 1e-12
    assert all(
        abs(100 * rank_share(x) - (14.0491 * exp(-0.177531 * x) + 0.462513)) < 1e-12 for x in range(2, 21)
    )
    assert [round(100 * share, 1) for share in (shares[0], shares[1], shares[-1])] == [21.7, 10.3, 0.9]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    "recipe",
    [Recipe("lublin99", 5000), Recipe("lublin99", 5000, kind="batch"), Recipe("feitelson96", 5000)],
    ids=["typed", "batch", "feitelson96"],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_twenty_values_hold_89_percent(recipe: Recipe, seed: int) -> None:
    """The largest is the most popular, the others have the shares of their ranks, to a job; each fits."""
    jobs = recipe.make(128).workload
    found = estimated(jobs, attrs.evolve(RULE, seed=seed))
    counts = Counter(found.estimate)
    head = head_values(max(counts), 20)
    assert abs(sum(counts[value] for value in head) - 0.89 * 5000) <= 20
    assert max(counts) - max(jobs.runtime) < HOUR and max(counts) % HOUR == 0
    ranked = [counts[max(counts)], *sorted((counts[value] for value in head[1:]), reverse=True)]
    assert all(abs(n - 5000 * s) < 1 for n, s in zip(ranked, head_shares(20, 0.89), strict=True))
    assert all(r <= e for r, e in zip(jobs.runtime, found.estimate, strict=True))
    assert found.runtime == jobs.runtime and found.notes == jobs.notes


def test_the_tail() -> None:
    """Eleven jobs of a hundred share many other multiples of five minutes, as rank^-2.267 has it."""
    counts = Counter(estimated(lublin99(5000, 128), RULE).estimate)
    tail = {value: n for value, n in counts.items() if value not in head_values(max(counts), 20)}
    assert len(tail) > 50 and all(value % 300 == 0 for value in tail)
    weights = [rank**-2.267 for rank in range(21, 21 + len(tail))]
    expected = [550 * weight / sum(weights) for weight in weights]
    assert all(abs(n - m) <= 1 for n, m in zip(sorted(tail.values(), reverse=True), expected, strict=True))


RUNTIMES = st.lists(st.integers(1, 300_000), min_size=1, max_size=60)


@given(RUNTIMES, st.integers(0, 9), st.none() | st.integers(300_000, 10**6))
def test_no_estimate_is_below_its_runtime(runtimes: list[int], seed: int, longest: int | None) -> None:
    """Whatever the runtimes are; none is above the largest either, and the seed decides."""
    jobs, rule = workload(*runtimes), attrs.evolve(RULE, seed=seed, max=longest)
    estimates = estimated(jobs, rule).estimate
    limit = longest or -(-max(runtimes) // HOUR) * HOUR
    assert all(r <= e <= limit for r, e in zip(runtimes, estimates, strict=True))
    assert estimates == estimated(jobs, rule).estimate


def test_another_seed_gives_other_estimates() -> None:
    """Values, ranks and jobs are drawn."""
    jobs = lublin99(500, 128)
    assert estimated(jobs, RULE).estimate != estimated(jobs, attrs.evolve(RULE, seed=2)).estimate


def test_where_the_runtimes_are_too_long_for_the_model() -> None:
    """The jobs ask for the next popular value, and how many do is noted."""
    jobs = workload(*[10 * HOUR + 1] * 99, 20 * HOUR)
    found = estimated(jobs, RULE)
    assert set(found.estimate) <= {20 * HOUR, *range(10 * HOUR, 20 * HOUR, 300)}
    (note,) = found.notes
    misfits = int(note.split()[0])
    assert (
        note == f"{misfits} jobs run too long for the estimates of the model: the next popular one is taken"
    )
    found_all = modal_estimates(jobs.runtime, 20 * HOUR)
    assert found_all.misfits == misfits > 10
    # 12 hours is the next popular value.
    assert Counter(found.estimate)[12 * HOUR] >= misfits


def test_ranks_are_drawn_until_the_runtimes_fit() -> None:
    """Forty jobs of nine hours fit with some ranks and not with others: those that fit are taken."""
    runtimes = [9 * HOUR] * 40 + [30] * 60
    assert [modal_estimates(runtimes, 18 * HOUR, seed=seed).misfits for seed in range(20)] == [0] * 20


@pytest.mark.parametrize(
    ("longest", "values"),
    [
        (1, [1]),
        (3, [3, 2, 1]),
        (HOUR, [3600, 300, 600, 900, 1200, 1800, 3000, 2400, 3300, 2700, 2100, 1500]),
        (18 * HOUR, [18 * HOUR, *HEAD[:-1], *(hours * HOUR for hours in (17, 16, 15, 14, 13))]),
        (60 * HOUR, [60 * HOUR, *HEAD, *(hours * HOUR for hours in (48, 24, 36, 54))]),
        (200 * HOUR, [200 * HOUR, *HEAD, *(hours * HOUR for hours in (192, 168, 144, 120))]),
    ],
)
def test_the_popular_values(longest: int, values: list[int]) -> None:
    """The published ones, filled up with round multiples downward from the largest, never more than 20."""
    found = head_values(longest, 20)
    assert found[: len(values)] == values
    assert len(found) == len(set(found)) == min(20, longest) and max(found) == longest
    assert head_values(longest, 3) == found[:3]


def test_the_values_of_the_tail_are_as_round_as_they_can_be() -> None:
    """Five minutes where those are enough, else minutes, else seconds, else as many as there are."""
    draw, head = Random(1).random, head_values(2 * HOUR, 20)
    for length, unit in ((4, 300), (5, 60), (50, 60), (200, 1), (10_000, 1)):
        found = tail_values(draw, 2 * HOUR, head, length)
        assert len(found) == len(set(found)) == min(length, 2 * HOUR - len(head))
        assert not set(found) & set(head) and max(found) < 2 * HOUR
        assert all(value % unit == 0 for value in found)
    assert tail_values(draw, 1, [1], 5) == [] and tail_shares(20, 0, 0.11) == []


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=30).filter(lambda s: sum(s) > 0.01), st.integers(0, 500)
)
def test_whole_jobs(shares: list[float], jobs: int) -> None:
    """All of them, and nobody is a whole one off."""
    counts = whole_jobs(shares, jobs)
    assert sum(counts) == jobs
    assert all(abs(n - jobs * s / sum(shares)) < 1 + 1e-9 for n, s in zip(counts, shares, strict=True))


@given(st.integers(0, 40), st.integers(0, 20))
def test_shuffled(count: int, seed: int) -> None:
    """Every item once."""
    items = [3 * i for i in range(count)]
    assert sorted(shuffled(Random(seed).random, items)) == items


def test_shuffled_evenly() -> None:
    """Each of three items comes first, and second, as often as any other."""
    draw = Random(1).random
    orders = Counter(tuple(shuffled(draw, "abc")) for _ in range(6000))  # type: ignore[arg-type]
    assert len(orders) == 6 and all(850 < count < 1150 for count in orders.values())


@pytest.mark.proof
def test_matches_are_drawn_evenly() -> None:
    """The one estimate of ten that differs goes to each job as often, where all are as long."""
    rules = (Estimates("tsafrir", seed=seed, max=600, popular=2, share=Fraction(1)) for seed in range(2000))
    columns = (estimated(workload(*[1] * 10), rule).estimate for rule in rules)
    whose = Counter(column.index(300) for column in columns)
    assert len(whose) == 10 and all(150 < count < 250 for count in whose.values())


def test_fitting() -> None:
    """For every value no more runtimes are longer than there are estimates above it."""
    assert fits([1, 2, 3], [3, 2, 1], [1, 1, 1]) and fits([1, 1, 3], [3, 1], [1, 2])
    assert not fits([1, 2, 3], [3, 1], [1, 2]) and not fits([4], [3], [1])


def test_what_cannot_be() -> None:
    """A runtime above the largest estimate, a share too small for its values, times beyond all bounds."""
    with pytest.raises(ValueError, match="max is 60 seconds; the longest runtime is 61"):
        estimated(workload(61), attrs.evolve(RULE, max=60))
    with pytest.raises(ValueError, match=r"share is 0.5; 20 popular values have 0.776 or more"):
        Estimates("tsafrir", share=Fraction(1, 2))
    with pytest.raises(ValueError, match=r"are 2\^62 seconds or more"):
        estimated(workload(2**62 - 1), RULE)
