"""How far jobs move in samples, with and without something done."""

from array import array

import pytest

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.advice import AdviceWork, Advised
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.rows import MIDDLE, START, likely_change
from shadowtime.console.session.likely.quantiles import NEVER, quantile
from shadowtime.console.session.likely.starts import FIRST
from shadowtime.console.session.session import Session, open_session
from shadowtime.kernels.operator.steering import Intervention
from tests.oracles.jobs import Job, Workload
from tests.session.build import case_of

TENS = [float(second) for second in range(25)]
"""A sample each."""


BUSY = Workload(
    [Job(40 * row, 60 + 17 * (row * row % 23), 1 + row * 7 % 16, 600 * (2 + row % 7)) for row in range(300)],
    32,
)
"""Jobs that ask for ten times what they need, on a machine that is never idle."""


def session_at(event: int) -> Session:
    """A session of the busy workload, at an event."""
    session = open_session(case_of(BUSY))
    session.go(f"#{event}")
    return session


def impact_of(session: Session, *lines: str) -> Impact:
    """The impact of actions where a session stands."""
    found = ImpactWork(session.outlook(), lines).run()
    assert found is not None
    return found


def test_a_change_is_the_median_of_the_changes_of_the_samples() -> None:
    """Not the change of the medians; 1 in 10 goes in the direction of the change."""
    after = [each + (100 if each < 13 else 0) for each in TENS]
    found = likely_change(TENS, after, waits=True)
    assert (found.change, found.tenth, found.agreeing) == (100, 100, 13)
    assert likely_change(after, TENS, waits=True).change == -100
    late = [each + (7 if each >= 22 else 0) for each in TENS]
    assert (likely_change(TENS, late, waits=True).change, likely_change(TENS, late, waits=True).tenth) == (
        0,
        7,
    )
    early = [each - (7 if each >= 22 else 0) for each in TENS]
    assert (likely_change(TENS, early, waits=True).change, likely_change(TENS, early, waits=True).tenth) == (
        0,
        -7,
    )


@pytest.mark.parametrize(
    ("before", "after", "change"), [(5.0, NEVER, NEVER), (NEVER, 5.0, -NEVER), (NEVER, NEVER, 0.0)]
)
def test_never_is_later_than_any_instant(before: float, after: float, change: float) -> None:
    found = likely_change([before] * 25, [after] * 25, waits=True)
    assert found.change == found.tenth == change
    assert found.moves == (change != 0)
    assert found.as_dict()["likely_change"] == (None if change else 0)


def test_what_changes_nothing_moves_no_sample() -> None:
    """The samples are drawn, but the same with and without it."""
    session = session_at(600)
    job = session.id_of(session.snapshot().waiting[-1])
    found = impact_of(session, f"hold {job}", f"release {job}")
    assert found.odds.samples == FIRST and len(found.odds.changes) > 3
    assert len({change.before for change in found.odds.changes.values()}) > 3
    assert not found.rows


def test_rows_are_in_order_of_the_likely_change() -> None:
    """A drain delays; who moves in 1 of 10 samples alone has a row, too."""
    found = impact_of(session_at(600), "drain 0-15")
    odds = [row.likely for row in found.rows]
    assert len(odds) > 3
    changes = [each.change for each in odds if each is not None]
    assert len(changes) == len(odds) and changes == sorted(changes, reverse=True)
    assert all(each.agreeing > FIRST // 2 for each in odds if each is not None and each.change)
    moved = {row.index for row in found.rows}
    assert {job for job, change in found.odds.changes.items() if change.moves} <= moved


def test_a_job_that_moves_in_samples_alone_is_unchanged_at_the_limits() -> None:
    """The sums at the limits and those that are unchanged there are all jobs."""
    session = session_at(600)
    found = impact_of(session, f"hold {session.id_of(session.snapshot().waiting[0])}")
    assert any(row.before == row.after for row in found.rows)
    jobs = len(session.outlook().seen)
    assert found.unchanged + sum(row.before != row.after for row in found.rows) == jobs


def test_a_sample_of_the_fork_is_what_the_policy_makes_of_it() -> None:
    """A job that is started on an empty machine starts now in every sample."""
    session = session_at(600)
    snapshot, index = session.snapshot(), session.snapshot().waiting[-1]
    cancelled = [f"cancel {session.id_of(job)}" for job in snapshot.running]
    found = impact_of(session, *cancelled, f"start {session.id_of(index)}").odds.changes[index]
    assert found.times[1] == array("d", [session.time] * FIRST)
    assert found.in_time(session.time) == (found.in_time(session.time)[0], FIRST)


def test_advice_has_the_odds_of_the_job_and_of_who_pays() -> None:
    """What is taken is given back in the second after the start of the sample."""
    session = session_at(600)
    job = session.id_of(session.snapshot().waiting[0])
    found = AdviceWork(session.outlook(), job, "now").run()
    assert isinstance(found, Advised) and found.likely is not None
    assert found.likely.change == 0 and found.likely.in_time(session.time)[0] < FIRST
    assert found.advice
    costs = [(advice.asks, advice.likely_totals.delay_total) for advice in found.advice]
    assert costs == sorted(costs)
    for advice in found.advice:
        assert advice.likely is not None
        assert advice.likely.in_time(session.time)[1] == FIRST
    taken = [advice for advice in found.advice if advice.then]
    assert taken and all(row.likely is not None and row.likely.change < NEVER for row in taken[0].payers)


def test_the_likely_starts_are_those_of_the_queue() -> None:
    """Calibrated and of all samples before the action, at the same level after it."""
    session = session_at(600)
    session.forecasts.find_likely()
    answer = session.forecasts.likely
    assert answer is not None and answer.levels[1] != MIDDLE
    answer_job = session.snapshot().waiting[-1]
    afresh = session_at(600)
    for asked in (session, afresh):
        odds = impact_of(asked, "drain 0-15").odds.changes
        for job, start in answer.starts.items():
            assert odds[job].before == (NEVER if start.likely is None else start.likely)
            assert odds[job].after == quantile(odds[job].times[1], answer.levels[1])
        found = AdviceWork(asked.outlook(), asked.id_of(answer_job), "now").run()
        assert found is not None and found.likely is not None
        assert found.likely.before == answer.starts[answer_job].likely
        lane = asked.samples_of(answer_job)
        assert lane.shown(lambda: False) == (answer.starts[answer_job].likely, answer.starts[answer_job].late)


def test_a_deadline_before_the_start_counts_from_the_one_that_is_shown() -> None:
    """The likely start; that at the limits where nothing is likely, or if the job starts by then there."""
    session = session_at(600)
    jobs = [session.id_of(job) for job in session.snapshot().waiting]
    seen = set()
    for job in jobs[:12]:
        found = AdviceWork(session.outlook(), job, "-1").run()
        assert found is not None and found.likely is not None and found.counted is not None
        assert found.start is not None and found.by == max(found.counted.start - 1, session.time)
        likely = round(found.likely.before)
        by_likely = found.start > max(likely - 1, session.time)
        assert (found.counted.likely, found.counted.start) == (
            by_likely,
            likely if by_likely else found.start,
        )
        assert found.needed or found.by == session.time
        assert all(each.start <= found.by for each in found.advice)
        seen.add((found.counted.likely, found.needed))
    assert (True, True) in seen
    early = session_at(20)
    plain = AdviceWork(early.outlook(), early.id_of(early.snapshot().waiting[-1]), "-1").run()
    assert plain is not None and plain.counted is not None and not plain.counted.likely
    assert plain.counted.start == plain.start


def test_nodes_go_and_come_at_instants() -> None:
    """At the limits as in a run with these actions; likely as now, if nothing happens before."""
    session = session_at(600)
    while (coming := session.fork_simulation().peek()) is not None and coming[0] < session.time + 3:
        session.step()
    now = session.time
    until = "drain 0-15 at +10m", "up 0-15 at +4h"
    found = impact_of(session, *until)
    times = (("drain", now + 600), ("up", now + 4 * 3600))
    run = session.fork_simulation().expected([Intervention(do, at=at, nodes=[(0, 16)]) for do, at in times])
    run.run()
    assert found.rows and found.odds.samples == FIRST
    assert all(row.after == run.start_of(row.index) for row in found.rows if row.what == START)
    assert impact_of(session, *until[::-1]).rows == found.rows

    def likely(line: str) -> dict[int, tuple[float, float]]:
        changes = impact_of(session, line).odds.changes
        return {job: (change.after, change.tenth) for job, change in changes.items()}

    soon, at_once = likely("drain 0-15 at +1"), likely("drain 0-15")
    assert soon == at_once != likely("drain 0-15 at +2h")


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (("drain 0-15 at now",), "no time after"),
        (("drain 0-15 at soon",), "no time after"),
        (("drain 0-99 at +1h",), "no node 99"),
        (("drain 0 at +1h", "drain 1"), "is done now"),
        (("policy easy at +1h",), "easy at"),
    ],
)
def test_what_cannot_be_done_at_an_instant_is_refused(lines: tuple[str, ...], wrong: str) -> None:
    """An instant that has passed or cannot be read, a node that is not there, an action at no instant."""
    with pytest.raises(SessionError, match=wrong):
        impact_of(session_at(600), *lines)


def test_without_history_there_are_no_odds() -> None:
    """Fewer than 20 jobs have ended."""
    found = impact_of(session_at(20), "drain 0-15")
    assert (found.odds.samples, found.odds.absent) == (0, "history")
    assert all(row.likely is None for row in found.rows)
