"""Estimates by a rule in place of the users' own, and submissions closer together."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios import Estimates, Job, Workload, estimated, shrunk


def workload(*pairs: tuple[int, int]) -> Workload:
    return Workload.of(Job(i, 1, 10 * i, runtime, estimate) for i, (runtime, estimate) in enumerate(pairs))


PAIRS = st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**6)), min_size=1, max_size=30).map(
    lambda pairs: [(runtime, runtime + more) for runtime, more in pairs]
)


def test_as_they_are() -> None:
    """`log` changes nothing."""
    jobs = workload((5, 9))
    assert estimated(jobs, Estimates()) is jobs


def test_exact() -> None:
    """The runtime; also of a job that was killed at its old estimate."""
    jobs = estimated(workload((5, 9), (7, 3)), Estimates("exact"))
    assert list(jobs.estimate) == list(jobs.runtime) == [5, 3]


@pytest.mark.proof
@given(PAIRS, st.fractions(1, 400), st.integers(0, 5))
def test_uniform(pairs: list[tuple[int, int]], factor: Fraction, seed: int) -> None:
    """Between the runtime and floor(factor * runtime), both included; the seed decides."""
    rule = Estimates("uniform", factor=factor, seed=seed)
    jobs = estimated(workload(*pairs), rule)
    assert all(r <= e <= factor * r for r, e in zip(jobs.runtime, jobs.estimate, strict=True))
    assert list(jobs.estimate) == list(estimated(workload(*pairs), rule).estimate)


def test_uniform_reaches_its_bounds_evenly() -> None:
    """Every second from the runtime to its double is as likely as any other."""
    jobs = estimated(workload(*[(4, 4)] * 5000), Estimates("uniform", factor=Fraction(2)))
    counts = [list(jobs.estimate).count(value) for value in range(4, 9)]
    assert sum(counts) == 5000
    assert all(850 < count < 1150 for count in counts)


def test_uniform_is_the_same_on_every_machine() -> None:
    """The numbers drawn are part of the promise."""
    jobs = estimated(workload(*[(1000, 1000)] * 6), Estimates("uniform", factor=Fraction(4), seed=1))
    assert list(jobs.estimate) == [1403, 3543, 3292, 1765, 2486, 2348]


@given(PAIRS, st.fractions(0, 1))
def test_alpha(pairs: list[tuple[int, int]], alpha: Fraction) -> None:
    """run + ceil(alpha * (request - run)); 0 is exact, 1 the user's own."""
    jobs = estimated(workload(*pairs), Estimates("alpha", alpha=alpha))
    for (runtime, request), estimate in zip(pairs, jobs.estimate, strict=True):
        share = alpha * (request - runtime)
        assert share <= estimate - runtime < share + 1
    assert list(estimated(workload(*pairs), Estimates("alpha", alpha=Fraction(0))).estimate) == list(
        jobs.runtime
    )


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=20), st.fractions(Fraction(1, 1000), 5))
def test_shrinking(times: list[int], factor: Fraction) -> None:
    """floor(factor * submit), in exact numbers; the order stays."""
    jobs = Workload.of(Job(i, 1, time, 1, 1) for i, time in enumerate(times))
    closer = shrunk(jobs, factor)
    assert list(closer.submit) == [int(factor * time) for time in sorted(times)]
    assert closer.id == jobs.id


def test_months_stay_when_submissions_shrink() -> None:
    """The month of a job is that of the log."""
    assert shrunk(workload((1, 1)), Fraction(1, 2)).group is None


def test_times_that_would_pass_all_bounds() -> None:
    """They are refused, not wrapped round."""
    jobs = Workload.of([Job(1, 1, 2**60, 2**60, 2**60)])
    with pytest.raises(ValueError, match=r"are 2\^62 seconds or more"):
        estimated(jobs, Estimates("uniform", factor=Fraction(1000)))
    with pytest.raises(ValueError, match=r"are 2\^62 seconds or more"):
        shrunk(jobs, Fraction(1000))


def test_a_kind_that_is_none() -> None:
    """The kinds are fixed."""
    with pytest.raises(ValueError, match="kind"):
        Estimates("modal")
