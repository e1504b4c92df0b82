"""Who uses the machine: the shares of all users make up what the metrics say of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.jobs.users import USAGE, Share, Usage, UsageWork
from shadowtime.console.session.session import Session, open_session
from shadowtime.console.session.table.ordering import Order
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import SOME, session_of
from tests.session.steering import case_of


def usage_of(session: Session) -> Usage:
    """What a work finds."""
    found = UsageWork(session.run).run()
    assert found is not None
    return found


@pytest.mark.parametrize("policy", ["easy", "conservative", "flex", "gang", "ivs"])
@SOME
@given(workload=workloads(), steps=st.integers(0, 60))
def test_the_users_make_up_the_machine(policy: str, workload: Workload, steps: int) -> None:
    """Node-hours, jobs, waits and slowdowns are those of the metrics; so are those of the classes."""
    session = open_session(case_of(workload, policy))
    session.step(steps)
    found, shot = usage_of(session), session.snapshot()
    for shares in (found.users, found.classes):
        if shot.metrics.utilization is not None and found.capacity:
            used = sum(share.used for share in shares) / found.capacity
            assert used == pytest.approx(shot.metrics.utilization)
        assert sum(share.waiting for share in shares) == len(shot.waiting)
        turning = sum(state not in "HS" for state in shot.holding.values())
        assert sum(share.running for share in shares) == len(shot.running) + turning
        assert sum(share.ended for share in shares) == shot.finished
        ended = sum(share.ended for share in shares)
        if ended:
            slowed = sum(share.slowed for share in shares) / ended
            assert slowed == pytest.approx(shot.metrics.mean_bounded_slowdown)


def test_the_users_of_a_story() -> None:
    """kim runs job 100, ada waits with 101; nobody's name is no name."""
    session = session_of(Workload([Job(0, 10, 3, 12), Job(1, 5, 4, 5), Job(2, 3, 1, 4)], 4))
    session.go_time(5)
    users = {share.name: share for share in usage_of(session).users}
    kim, ada, nobody = users["kim"], users["ada"], users[""]
    assert (kim.running, kim.holds, kim.waiting, kim.used, kim.mean_wait) == (1, 3, 0, 15, 0)
    assert (ada.running, ada.waiting, ada.wants, ada.used, ada.mean_wait) == (0, 1, 4, 0, None)
    assert (nobody.running, nobody.used, nobody.mean_slowdown) == (0, 3, 1)
    assert usage_of(session).share(kim) == 15 / 20
    assert [share.name for share in usage_of(session).users] == ["kim", "", "ada"]
    session.go_time(1)
    session.step()
    first = usage_of(session).users[0]
    assert first.holds == max(share.holds for share in usage_of(session).users) > 0


def test_the_class_that_the_operator_gives_counts() -> None:
    """A job is of the class that it has now."""
    session = open_session(case_of(Workload([Job(0, 10, 3, 12), Job(1, 5, 4, 5)], 4), "ivs"))
    session.go_time(1)
    session.act("class 101 production")
    assert {share.name for share in usage_of(session).classes} == {"batch", "production"}


@pytest.mark.parametrize("column", USAGE.orders)
def test_shares_are_ranked(column: str) -> None:
    """The largest first, names from the first; who has no value is last either way."""
    shares = [Share("ada", holds=7), Share("10", running=1, started=1, waited=5), Share("9", running=2)]
    usage = Usage(0, shares, shares, 0)
    key = USAGE[column].values(usage)
    for reverse in (False, True):
        listed = Order(USAGE, column, reverse).of(shares, usage)
        values = [key(share) for share in listed if key(share) is not None]
        if column == "user":
            assert values == (["9", "10", "ada"] if not reverse else ["ada", "10", "9"])
        else:
            assert values == sorted(values, reverse=not reverse)
        assert {share.name for share in listed} == {"10", "9", "ada"}


def test_a_work_that_is_broken_off_finds_nothing() -> None:
    """Esc leaves the page at once."""
    session = session_of(Workload([Job(0, 1, 1, 1)], 4))
    session.step(1)
    work = UsageWork(session.run)
    work.cancel()
    assert work.run() is None
