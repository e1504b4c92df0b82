"""When a job likely starts in several lanes."""

from collections.abc import Sequence

from shadowtime.console.session.comparison.lane_odds import JobSamples, LaneOdds, LaneOddsWork
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import FIRST
from shadowtime.console.session.session import Session, open_session
from tests.session.build import case_under
from tests.session.impact.test_odds import BUSY


def session_under(policy: str, event: int = 0) -> Session:
    """A session of the busy workload, at an event."""
    session = open_session(case_under(BUSY, policy, {}))
    session.go(f"#{event}")
    return session


def odds_of(lanes: Sequence[Session], job: int) -> LaneOdds:
    """The odds of a job in lanes."""
    found = LaneOddsWork(job, 0, [lane.samples_of(job) for lane in lanes]).run()
    assert found is not None
    return found


def test_lanes_with_the_same_past_have_the_same_samples() -> None:
    """Every sample agrees that nothing moves."""
    session = session_under("easy", 600)
    job = session.snapshot().waiting[-1]
    found = odds_of([session, session.fork("again")], job)
    assert found.shown[0] == found.shown[1] and session.time <= found.shown[0][0] < found.shown[0][1]
    assert (found.others[0].change, found.others[0].agreeing) == (0, FIRST)


def test_another_lane_is_measured_against_the_first() -> None:
    """Its job is sampled at the same instant, under its policy and from its past."""
    easy, fcfs = session_under("easy", 600), session_under("fcfs")
    fcfs.go_time(easy.time)
    job = next(job for job in easy.snapshot().waiting if job in fcfs.snapshot().waiting)
    found = odds_of([easy, fcfs], job)
    alone = odds_of([fcfs], job)
    assert found.shown[1:] == alone.shown
    assert odds_of([fcfs, easy], job).others[0].change == -found.others[0].change


def test_a_job_that_has_started_has_one_start_and_a_held_one_none() -> None:
    session = session_under("easy", 600)
    running, waiting = session.snapshot().running[0], session.snapshot().waiting[0]
    assert odds_of([session], running).shown == ((session.started_at(running),) * 2,)
    held = session.fork("held", f"hold {session.id_of(waiting)}")
    assert odds_of([held], waiting).shown == ((NEVER, NEVER),)


def test_without_history_nothing_is_known() -> None:
    session = session_under("easy", 20)
    samples = session.samples_of(session.snapshot().waiting[0])
    assert isinstance(samples, JobSamples) and not samples.known
