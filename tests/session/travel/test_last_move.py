"""Who made a job stand where it stands: the decision that started, resumed or preempted it last."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel.last_move import ACTING
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, SOME, case_under, session_of

N12 = Workload(
    [Job(0, 10, 4, 10), Job(0, 20, 6, 20), Job(1, 10, 10, 10), Job(2, 8, 2, 40), Job(3, 30, 2, 50)], 10
)
"""The five jobs of Niu et al. 2012, Figure 3: at 20 the fifth is preempted for the third."""
PREEMPTING = ("checkpoint", "pbas", "easy")


def saving() -> Session:
    """Those jobs at the instant at which the head has its nodes and others are being saved for 2 s."""
    session = Session(case_under(N12, "checkpoint", {"p": 0.2, "threshold": 0, "delay": 2, "extend": 1}))
    session.go_time(20)
    return session


def walked(session: Session) -> dict[int, Decision]:
    """Step to the end of the instant or of the session; return the last acting decision about each job."""
    last: dict[int, Decision] = {}
    event = session.snapshot().last
    for number in range(1, session.number + 1):
        event = session.events(number, 1)[0]
        last |= {made.job: made for made in event.decisions if made.job is not None and made.kind in ACTING}
    return last


@pytest.mark.proof
@pytest.mark.parametrize("policy", PREEMPTING)
@SOME
@given(workload=workloads(), data=st.data())
def test_it_is_the_last_decision_about_the_job(policy: str, workload: Workload, data: st.DataObject) -> None:
    """Anywhere, for any job, also after it is over, it is what a walk through all events ends with."""
    session = session_of(workload, policy)
    for _ in range(3):
        session.go_event(data.draw(st.integers(0, 80)))
        last = walked(session)
        for row in range(len(workload.jobs)):
            assert session.turned(FIRST_ID + row) == last.get(FIRST_ID + row), (session.number, row)


def test_a_preempted_job_and_the_head_that_waits_for_its_nodes() -> None:
    """The head holds its nodes and runs when the others are saved; who gave way waits, with its progress."""
    session = saving()
    shot = session.snapshot()
    assert dict(shot.holding) == {2: "W"}
    assert 2 not in shot.waiting and 2 not in shot.running
    assert session.order() == [*shot.waiting, 2, *shot.running]
    head = session.row(2)
    assert head.state == "W" and not head.waits and head.start is None
    assert head.reason is not None and head.reason.code == "about_to_run"
    assert head.predicted is not None
    assert (head.predicted.promise, head.predicted.time) == ("settled", 22)
    started = session.turned(FIRST_ID + 2)
    assert started is not None
    assert (started.kind, started.reason.code) == ("start", "after_preemption")
    stopped = session.turned(FIRST_ID + 4)
    assert stopped is not None
    assert (stopped.kind, stopped.reason.numbers["head"]) == ("preempt", FIRST_ID + 2)
    session.predict()
    row = session.row(4)
    assert row.state == "O" and row.waits and row.preemptions == 1
    assert row.terms == {"done": 10, "left": 40}
    assert row.wait == 10 - 3 and row.since == session.time == row.now
    assert row.predicted is not None and row.predicted.promise == "expected" and row.slip is None
    session.go_time(22)
    assert not session.snapshot().holding
    assert session.row(2).state == "R"
    assert session.turned(FIRST_ID + 2) == started, "it was started when it got its nodes"


def test_who_is_to_get_nodes_waits_for_the_pass_until_then() -> None:
    """Between the event and its pass nobody has been stopped yet, and the head holds nothing."""
    session = saving()
    while not session.snapshot().pending:
        session.back()
    assert session.time == 20 and not session.snapshot().holding
    head = session.why(FIRST_ID + 2)
    assert head is not None and head.code == "pass_pending"


def test_the_head_is_shown_how_long_a_stop_takes() -> None:
    """Where the policy saves in no time nothing is added."""
    for delay in (2, 0):
        session = Session(case_under(N12, "checkpoint", {"p": 0.2, "threshold": 0, "delay": delay}))
        session.go_time(2)
        head = session.why(FIRST_ID + 2)
        assert head is not None and head.code == "head_blocked"
        assert head.numbers.get("delay", 0) == delay


def test_who_waits_again_is_sorted_by_all_its_stays() -> None:
    """The queue sorted by wait counts an interrupted job from when it came, but for the time it ran."""
    session = saving()
    session.go_time(22)
    waits = {index: session.row(index).wait for index in session.order()}
    assert [waits[index] for index in session.order("wait")] == sorted(waits.values(), reverse=True)
    assert waits[4] == (10 - 3) + (22 - 20)
