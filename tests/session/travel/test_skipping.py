"""Steps over events of some kinds: where they stop, and that a step back undoes a step forward."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session import SessionError
from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel import skipping
from shadowtime.scenarios import Job, Machine, PolicyChoice, Scenario
from shadowtime.scenarios import Workload as Jobs
from tests.oracles.jobs import Job as Naive
from tests.oracles.jobs import Workload, workloads
from tests.session.build import SOME, case_of, straight

KINDS = ("submit", "finish", "switch_slot", "pass")


def gang(naive: Workload, quantum: int = 2) -> Case:
    """A case of jobs that take turns of so many seconds."""
    jobs = [
        Job(id=k + 1, size=job.size, submit=job.submit, runtime=5 * job.runtime, estimate=5 * job.estimate)
        for k, job in enumerate(naive.jobs)
    ]
    choice = PolicyChoice("gang", {"quantum": quantum})
    return base_case(Scenario("a test", Machine(naive.nodes), choice, Jobs.of(jobs), Path("test.toml")))


def stops(case: Case, kinds: set[str]) -> list[int]:
    """The events that steps stop at, by their definition: read from a straight run."""
    found, others = [], set[str]()
    moments = straight(case)
    for number, moment in enumerate(moments):
        if moment.last is None:
            continue
        time, kind, _ = moment.last
        before = moments[number - 1].last
        if before is None or before[0] != time or before[1] == "pass":
            others = set()
        if kind == "pass":
            if kind not in kinds and not (others and others <= kinds):
                found.append(number)
        else:
            others.add(kind)
            if kind not in kinds:
                found.append(number)
    return found


def check(case: Case, kinds: set[str]) -> None:
    """Walk to the end and back to the beginning, and compare every stop with the definition."""
    session, moments = Session(case), straight(case)
    session.skip(kinds)
    expected, last = stops(case, kinds), len(moments) - 1
    found, digests = [0], {0: session.digest()}
    while session.step():
        found.append(session.number)
        digests[session.number] = session.digest()
        assert session.digest() == moments[session.number].digest
    assert found == sorted({0, *expected, last})
    back = [session.number]
    while session.back():
        back.append(session.number)
        assert session.digest() == digests[session.number]
    assert back == found[::-1]
    assert session.snapshot().last is None


@pytest.mark.proof
@pytest.mark.parametrize(("window", "widest"), [(1, 3), (1, skipping.WIDEST), (skipping.WINDOW,) * 2])
@SOME
@given(workload=workloads(), kinds=st.sets(st.sampled_from(KINDS)))
def test_steps_stop_where_they_should_both_ways(
    window: int, widest: int, workload: Workload, kinds: set[str]
) -> None:
    """Under gang scheduling, with any kinds passed over: each stop, and each state, both ways."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skipping, "WINDOW", window)
        patch.setattr(skipping, "WIDEST", widest)
        check(gang(workload), kinds)


@SOME
@given(workload=workloads(), kinds=st.sets(st.sampled_from(KINDS)))
def test_the_same_where_the_policy_shares_space(workload: Workload, kinds: set[str]) -> None:
    check(case_of(workload, "easy"), kinds)


@SOME
@given(workload=workloads(), data=st.data())
def test_several_steps_are_steps_one_after_the_other(workload: Workload, data: st.DataObject) -> None:
    """From any position, in mid-instant too; what lies under the clock may be passed over itself."""
    case = gang(workload)
    last = len(straight(case)) - 1
    one, many = Session(case), Session(case)
    for session in (one, many):
        session.skip(["switch_slot"])
    here, count = data.draw(st.integers(0, last)), data.draw(st.integers(1, 6))
    for sign in (1, -1):
        one.go_event(here)
        many.go_event(here)
        for _ in range(count):
            one.step() if sign > 0 else one.back()
        moved = many.step(count) if sign > 0 else many.back(count)
        assert many.number == one.number == here + sign * moved
        assert many.digest() == one.digest()


def test_switches_and_their_passes_are_stepped_over() -> None:
    """Two jobs of the whole machine take turns: what is left are submissions, ends, and their passes."""
    session = Session(gang(Workload([Naive(0, 4, 3, 4), Naive(0, 4, 3, 4)], 3)))
    session.skip(["switch_slot"])
    found = []
    while session.step():
        event = session.snapshot().last
        assert event is not None
        found.append(event.kind)
    assert found == ["submit", "submit", "pass", "finish", "pass", "finish", "pass"]
    assert session.number > 2 * len(found)


def test_a_step_back_over_many_switches_looks_at_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several windows without a stop lie between the pass at the beginning and the first end."""
    monkeypatch.setattr(skipping, "WINDOW", 2)
    monkeypatch.setattr(skipping, "WIDEST", 4)
    session = Session(gang(Workload([Naive(0, 40, 3, 40), Naive(0, 40, 3, 40)], 3)))
    session.skip(["switch_slot"])
    found = [session.number]
    while session.step():
        found.append(session.number)
    assert max(later - before for before, later in pairwise(found)) > 16
    for count in range(1, len(found)):
        session.go_end()
        session.back(count)
        assert session.number == found[-1 - count]


def test_nothing_is_passed_over_unless_asked() -> None:
    session = Session(gang(Workload([Naive(0, 4, 3, 4), Naive(0, 4, 3, 4)], 3)))
    assert session.skipped == frozenset() and session.stepped(7) == 7 and session.stepped(-7) == 0
    session.skip(["switch_slot"])
    assert session.skipped == {"switch_slot"}
    session.skip(())
    assert session.step(3) == 3 and session.back(2) == 2


def test_what_is_no_kind_is_said_in_one_line() -> None:
    session = Session(gang(Workload([Naive(0, 4, 3, 4)], 3)))
    with pytest.raises(
        SessionError, match=re.escape("'swich' is no kind of event; expected none, or some of")
    ):
        session.skip(["submit", "swich"])
    assert session.skipped == frozenset()
