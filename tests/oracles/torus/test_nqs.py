"""Naive NQS: who enters which queue, who is released when, and what that does to the T3D behind it."""

import random
from typing import Any

import pytest

from tests.oracles.torus.nodes_of_unicos import t3d_unicos
from tests.oracles.torus.nqs import DAY, HOUR, LIMITS, Front, Varying, queue_for
from tests.oracles.torus.t3d import Action, T3DJob, T3DOutcome, moments, t3d
from tests.oracles.torus.workloads import random_nqs_case

NOON, EVENING, NIGHT, MORNING = 12 * HOUR, 20 * HOUR, 2 * HOUR, 5 * HOUR


def batch(size: int, estimate: int = HOUR, user: int = 1, submit: int = 0, runtime: int = 60) -> T3DJob:
    """A production job."""
    return T3DJob(submit, runtime, size, estimate, "production", user)


def front(jobs: list[T3DJob], limits: str) -> Front:
    """NQS to which all of them have come."""
    nqs = Front(jobs, LIMITS[limits])
    for job in range(len(jobs)):
        nqs.arrive(job)
    return nqs


@pytest.mark.parametrize(
    ("size", "estimate", "before", "after"),
    [
        (2, 4 * HOUR, "pe32", "pe32"),
        (32, 4 * HOUR, "pe32", "pe32"),
        (32, 4 * HOUR + 1, "pe64_long", "pe64_long"),
        (64, 60, "pe64", "pe64"),
        (64, 4 * HOUR, "pe64", "pe64"),
        (64, 19 * HOUR, "pe64_long", "pe64_long"),
        (64, 19 * HOUR + 1, None, "pe64_long"),
        (2, 40 * HOUR, None, "pe64_long"),
        (2, 40 * HOUR + 1, None, None),
        (128, 900, "pe128_short", "pe128_short"),
        (128, 901, "pe128", "pe128"),
        (128, 4 * HOUR + 1, None, "pe64_long"),
        (256, 900, "pe256_short", "pe256_short"),
        (256, 4 * HOUR, "pe256", "pe256"),
        (256, 4 * HOUR + 1, None, None),
    ],
)
def test_a_job_enters_the_narrowest_queue_that_gives_it_the_time(
    size: int, estimate: int, before: str | None, after: str | None
) -> None:
    """Of two as narrow the one with the shorter time; a long narrow job goes to a wider queue."""
    for limits, name in (("before", before), ("after", after)):
        chosen = queue_for(batch(size, estimate), LIMITS[limits])
        assert (chosen and chosen.name) == name


def test_the_tables_are_those_of_the_paper() -> None:
    """By day, with all numbers that vary, the columns add up to what they add up to by hand."""

    def total(limits: str, part: int) -> tuple[int, int, int]:
        rows = LIMITS[limits].queues
        return (
            sum(row.user[part] for row in rows),
            sum(row.run[part] for row in rows),
            sum(row.aggregate[part] for row in rows),
        )

    assert total("before", 0) == total("before", 1) == (8, 16, 128 + 192 + 96 + 128 + 128 + 256 + 256)
    assert total("after", 0) == (8, 19, 128 + 128 + 96 + 128)
    assert total("after", 1) == (12, 20, 128 + 192 + 128 + 128 + 256 + 256 + 256)
    assert LIMITS["before"].processors == (256, 96, 96, 192)
    assert LIMITS["after"].processors == (512, 320, 256, 320)


def test_a_job_that_no_queue_takes_is_turned_away_with_the_reason() -> None:
    """Either nobody takes so many processors, or not for so long."""
    outcome = t3d([batch(256, 5 * HOUR), batch(8, 20 * HOUR), batch(8)], nqs="before")
    assert outcome.starts == [None, None, 4]
    assert outcome.turned_away == {
        0: "no queue takes 256 processors for more than 14400 s",
        1: "no queue takes 8 processors for more than 68400 s",
    }


def test_a_user_may_have_so_many_jobs_in_a_queue_and_so_many_in_all() -> None:
    """After: 3 in pe32 and 2 in pe64 are 5, so the next one waits whatever its queue; another user's goes."""
    jobs = [
        batch(2),
        batch(2),
        batch(2),
        batch(2),
        batch(64),
        batch(64),
        batch(64, 5 * HOUR),
        batch(2, user=2),
    ]
    nqs = front(jobs, "after")
    assert nqs.release(NIGHT) == [0, 1, 2, 4, 5, 7]
    nqs.leave(4)
    assert nqs.release(NIGHT) == [6]
    nqs.leave(0)
    assert nqs.release(NIGHT) == [3]


@pytest.mark.parametrize(("limits", "most"), [("before", 4), ("after", 8)])
def test_a_queue_lets_so_many_run(limits: str, most: int) -> None:
    """All of different users and small: pe32 lets 4, later 8, of them through."""
    jobs = [batch(2, user=user) for user in range(20)]
    assert front(jobs, limits).release(NIGHT) == list(range(most))


def test_a_queue_has_so_many_processors_for_all_its_jobs() -> None:
    """The fifth of 32 would make 160 of pe32's 128; the sixth, smaller, finds no room either; pe64 has."""
    jobs = [batch(size, user=user) for user, size in enumerate([32, 32, 32, 16, 32, 16, 2, 64])]
    assert front(jobs, "after").release(NIGHT) == [0, 1, 2, 3, 5, 7]


@pytest.mark.parametrize(
    ("limits", "now", "released"),
    [
        ("before", NIGHT, [0, 1, 2, 3]),
        ("before", MORNING, [0, 1, 4]),
        ("before", NOON, [0, 1, 4]),
        ("before", EVENING, [0, 1, 2]),
        ("after", NIGHT, [0, 1, 2, 3, 4, 5, 6]),
        ("after", MORNING, [0, 1, 2, 3, 4, 6]),
        ("after", NOON, [0, 1, 2, 3]),
        ("after", EVENING, [0, 1, 2, 3, 4, 6]),
    ],
)
def test_all_queues_together_have_so_many_processors(limits: str, now: int, released: list[int]) -> None:
    """Who does not fit is passed over, and those behind may go."""
    sizes = [32, 32, 128, 64, 32, 64, 32]
    jobs = [batch(size, 900, user) for user, size in enumerate(sizes)]
    assert front(jobs, limits).release(now) == released


def test_all_queues_together_release_so_many_jobs() -> None:
    """Before: 8 at most, at midnight, when there would be processors for more."""
    jobs = [batch(size, 900, user) for user, size in enumerate([2] * 4 + [64] * 3)]
    jobs += [batch(2, 5 * HOUR, user) for user in (7, 8)]
    assert front(jobs, "before").release(NIGHT) == list(range(8))


def test_wide_jobs_are_for_the_night() -> None:
    """After: by day pe128 and pe256 release nobody; at night one job each, as the processors allow."""
    jobs = [batch(256, user=1), batch(128, user=2), batch(128, user=3), batch(128, 900, user=4)]
    assert front(jobs, "after").release(NOON) == [3]
    assert front(jobs, "after").release(EVENING) == [0]
    assert front(jobs[1:], "after").release(EVENING) == [0, 2]
    assert front(jobs, "after").release(NIGHT) == [0, 1, 3]


@pytest.mark.parametrize(
    ("now", "boundary"),
    [(0, 4), (4 * HOUR, 7), (7 * HOUR, 18), (18 * HOUR - 1, 18), (18 * HOUR, 24), (DAY - 1, 24), (DAY, 28)],
)
def test_the_day_has_four_periods(now: int, boundary: int) -> None:
    """They change at 0, 4, 7 and 18 hours, and an epoch moves that."""
    assert Front([], LIMITS["after"]).next_boundary(now) == boundary * HOUR
    assert Front([], LIMITS["after"], epoch=HOUR).next_boundary(now - HOUR) == (boundary - 1) * HOUR
    assert Front([], LIMITS["after"]).at(Varying(1, 2), 7 * HOUR) == 1
    assert Front([], LIMITS["after"]).at(Varying(1, 2), 18 * HOUR) == 2


def at_noon(jobs: list[T3DJob], *actions: Action, **rules: Any) -> T3DOutcome:
    """What becomes of jobs behind NQS when second 0 is Monday noon."""
    return t3d(jobs, actions, nqs="after", epoch=NOON, **rules)


def test_a_boundary_releases_without_any_other_event() -> None:
    """Noon: the job of 256 has to wait for six o'clock; only then it is submitted to the machine.

    At night the large limit lets it go at once.
    """
    outcome = at_noon([batch(256, user=1, runtime=100)])
    assert outcome.releases == [6 * HOUR]
    assert outcome.starts == [6 * HOUR + 128]
    assert [change.at for change in outcome.history][:2] == [6 * HOUR, 6 * HOUR]


def test_the_waiting_time_counts_from_the_release() -> None:
    """The second of 128 is released at the end of the first; the large limit then keeps it for an hour."""
    rows = [batch(128, 900, runtime=900), batch(128, 900, submit=1, runtime=60)]
    big = T3DJob(0, 20000, 128, 20000, "interactive", 9)
    outcome = at_noon([big, *rows])
    assert outcome.releases[2] == outcome.finishes[1]
    assert outcome.releases[1:] == [0, 3600 + 64 + 900]
    assert outcome.starts[2] == 3600 + 64 + 900 + 3600 + 64


def test_interactive_and_debug_jobs_pass_by() -> None:
    """However many of one user there are, and however long they ask for."""
    jobs = [T3DJob(0, 60, 8, 99 * HOUR, klass, 1) for klass in ("interactive", "debug") * 5]
    outcome = at_noon(jobs)
    assert outcome.releases == [0] * 10
    assert outcome.turned_away == {}


def test_a_held_job_may_be_cancelled_or_get_another_class_but_not_be_suspended() -> None:
    """The last two wait for their user's first three: the one is cancelled, the other goes at 61."""
    jobs = [batch(2) for _ in range(5)]
    suspend, resume = Action(5, "suspend", 3), Action(5, "resume", 3)
    actions = [suspend, resume, Action(10, "cancel", 3), Action(10, "class", 4, "interactive")]
    outcome = at_noon(jobs, *actions)
    assert outcome.refused == [suspend, resume]
    assert outcome.starts == [1, 1, 1, None, 62]
    assert outcome.releases == [0, 0, 0, None, 61]
    last = list(moments(jobs, actions, nqs="after", epoch=NOON))[-1]
    assert last.classes[4] == "interactive"


def test_a_job_of_nqs_counts_there_whatever_its_class_becomes() -> None:
    """Three made interactive still are their user's three: the fourth waits for the end of one of them."""
    jobs = [batch(2, runtime=500) for _ in range(4)]
    outcome = at_noon(jobs, *[Action(10, "class", job, "interactive") for job in range(3)])
    assert outcome.releases == [0, 0, 0, 501]


def test_suspended_jobs_count_until_they_are_over() -> None:
    """A user who suspends three jobs gets no fourth in; nobody waits for ever for the clock to help."""
    jobs = [batch(2, runtime=500) for _ in range(4)]
    outcome = at_noon(jobs, *[Action(10, "suspend", job) for job in range(3)])
    assert outcome.releases == [0, 0, 0, None]


@pytest.mark.proof
def test_the_limits_hold_at_every_moment() -> None:
    """Whoever is past NQS and not over stays within what Table 2 allows at any time of the day."""
    rng, waited = random.Random(34), 0
    for _ in range(12):
        case = random_nqs_case(rng)
        limits = LIMITS[case.rules["nqs"]]
        rows = {job: queue_for(row, limits) for job, row in enumerate(case.jobs)}
        for moment in moments(case.jobs, case.actions, **case.rules):
            inside = [
                job
                for job, state in enumerate(moment.states)
                if state not in ("", "F", "C") and case.jobs[job].klass not in ("interactive", "debug")
            ]
            assert len(inside) <= limits.run
            assert sum(case.jobs[job].size for job in inside) <= max(limits.processors)
            for queue in limits.queues:
                mine = [case.jobs[job] for job in inside if rows[job] == queue]
                assert len(mine) <= max(queue.run)
                assert sum(row.size for row in mine) <= max(queue.aggregate)
                assert all(sum(row.user == user for row in mine) <= max(queue.user) for user in range(5))
            waited += len(moment.held)
    assert waited > 1000


@pytest.mark.proof
def test_nqs_gives_unicos_the_same_jobs() -> None:
    """Whoever is turned away there is turned away here, and all others run."""
    rng = random.Random(35)
    for _ in range(10):
        case = random_nqs_case(rng)
        outcome = t3d_unicos(case.jobs, nqs=case.rules["nqs"], epoch=case.rules["epoch"])
        away = {job for job, start in enumerate(outcome.starts) if start is None}
        assert away == set(t3d(case.jobs, **case.rules).turned_away)
