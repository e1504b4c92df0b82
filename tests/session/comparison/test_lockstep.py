"""Lockstep: lanes moved together are where each alone is, and part where a search event by event says."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.console.session import Case, load, open_session
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.errors import SessionError
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import Moment, case_under, straight
from tests.session.comparison.lanes import go, states_of

DILEMMA = Path(__file__).parents[3] / "scenarios" / "fj97" / "dilemma.toml"
Lanes = tuple[tuple[str, dict[str, object]], ...]
LANES: tuple[Lanes, ...] = (
    (("fcfs", {}), ("easy", {})),
    (("easy", {}), ("gang", {"quantum": 2})),
    (("conservative", {}), ("checkpoint", {"p": 0.3, "threshold": 2, "delay": 2, "extend": 1}), ("fcfs", {})),
)
"""What the rules are tried on: space against space, against time, and a policy that preempts."""
SOME = settings(max_examples=20)
laned = pytest.mark.parametrize("lanes", LANES, ids=lambda lanes: "-".join(name for name, _ in lanes))


def cases_of(workload: Workload, lanes: Lanes) -> list[Case]:
    """Return the workload under each policy, on one machine."""
    return [case_under(workload, policy, parameters) for policy, parameters in lanes]


def lockstep_of(cases: Sequence[Case], known: bool = False) -> Lockstep:
    """Return lanes of cases, with their partings where they are to be known."""
    made = Lockstep([open_session(case) for case in cases])
    if known:
        learn(made)
    return made


def learn(lockstep: Lockstep) -> None:
    """Find out where the lanes part."""
    courses = lockstep.courses()
    while courses.run(50):
        pass
    courses.take()
    partings = courses.partings()
    assert partings is not None
    lockstep.learn(partings)


def happened(column: Sequence[int]) -> set[int]:
    """The jobs, by row, of which a column holds an instant."""
    return {row for row, time in enumerate(column) if time != -1}


@attrs.frozen
class Alone:
    """Every lane run by itself, and what it shows after each instant."""

    lanes: Sequence[Sequence[Moment]]

    @property
    def instants(self) -> list[int]:
        """The instants at which anything happens in any lane."""
        return sorted({moment.time for lane in self.lanes for moment in lane[1:]})

    def at(self, time: int) -> list[Moment]:
        """What each lane shows after an instant, its pass included."""
        return [[m for n, m in enumerate(lane) if n == 0 or m.time <= time][-1] for lane in self.lanes]

    def digests(self, time: int) -> tuple[bytes, ...]:
        """The state of each lane after an instant."""
        return tuple(moment.digest for moment in self.at(time))

    def agree(self, time: int) -> bool:
        """Whether the same jobs have started and the same jobs have ended in all lanes."""
        states = [[happened(m.results[name]) for name in ("start", "finish")] for m in self.at(time)]
        return all(state == states[0] for state in states)

    def divergences(self) -> list[int]:
        """The instants after which they do not agree, having agreed before."""
        states = [True, *(self.agree(time) for time in self.instants)]
        return [t for t, before, now in zip(self.instants, states, states[1:], strict=False) if before > now]

    def differences(self) -> list[int]:
        """The instants at which a job starts or ends that does so at another time in another lane."""
        found = set()
        for name in ("start", "finish"):
            for times in zip(*(lane[-1].results[name] for lane in self.lanes), strict=True):
                if len(set(times)) > 1:
                    found |= set(times)
        return sorted(found - {-1})

    def decisions(self) -> list[int]:
        """The instants at which any lane starts, preempts or resumes."""
        return sorted({m.time for lane in self.lanes for m in lane if m.acted})


def alone(cases: Sequence[Case]) -> Alone:
    """Run every case by itself."""
    return Alone([straight(case) for case in cases])


@pytest.mark.proof
@laned
@SOME
@given(workload=workloads(), data=st.data())
def test_steps_stop_at_every_instant_of_any_lane_and_change_no_byte(
    lanes: Lanes, workload: Workload, data: st.DataObject
) -> None:
    """Forward and back, each lane is where it is alone, and nothing that happens is passed over."""
    cases = cases_of(workload, lanes)
    found, lockstep = alone(cases), lockstep_of(cases)
    begin = states_of(lockstep)
    assert not lockstep.begun and lockstep.back() == 0
    seen = []
    while lockstep.step():
        seen.append(lockstep.time)
        assert states_of(lockstep) == found.digests(lockstep.time)
    assert seen == found.instants and lockstep.over
    count = data.draw(st.integers(0, len(seen)))
    assert lockstep.back(count) == count
    if count < len(seen):
        assert (lockstep.time, states_of(lockstep)) == (seen[-1 - count], found.digests(seen[-1 - count]))
    assert lockstep.back(len(seen)) == len(seen) - count
    assert states_of(lockstep) == begin


@pytest.mark.proof
@SOME
@given(workload=workloads())
def test_steps_pass_over_instants_of_skipped_kinds(workload: Workload) -> None:
    """They stop where steps of any lane by itself would; both ways, and at the end of the last lane."""
    cases = cases_of(workload, LANES[1])
    lockstep, wanted = lockstep_of(cases), set()
    lockstep.skip(("switch_slot", "finish"))
    for case in cases:
        session = open_session(case)
        session.skip(("switch_slot", "finish"))
        while session.step():
            wanted.add(session.time)
    seen = []
    while lockstep.step():
        seen.append(lockstep.time)
    assert seen == sorted(wanted)
    found, back = alone(cases), []
    while lockstep.back():
        back.append(lockstep.time)
        assert states_of(lockstep) == (found.digests(lockstep.time) if lockstep.begun else begin(cases))
    assert set(seen[:-1]) >= set(back[:-1]) and back == sorted(back, reverse=True)


def begin(cases: Sequence[Case]) -> tuple[bytes, ...]:
    """The state of each case before its first event."""
    return tuple(case.simulation().digest() for case in cases)


@pytest.mark.proof
@laned
@SOME
@given(workload=workloads(), data=st.data())
def test_a_time_leads_to_the_last_instant_that_is_not_later(
    lanes: Lanes, workload: Workload, data: st.DataObject
) -> None:
    """Wherever one comes from: the state is that of a straight run, also before the first event."""
    cases = cases_of(workload, lanes)
    found, lockstep = alone(cases), lockstep_of(cases)
    for time in data.draw(st.lists(st.integers(-3, found.instants[-1] + 3), min_size=1, max_size=6)):
        lockstep.go_time(time)
        earlier = [instant for instant in found.instants if instant <= time]
        assert lockstep.begun == bool(earlier)
        assert not earlier or lockstep.time == earlier[-1]
        assert states_of(lockstep) == found.digests(time)


@pytest.mark.proof
@laned
@SOME
@given(workload=workloads())
def test_decisions_of_any_lane_are_stopped_at_in_both_directions(lanes: Lanes, workload: Workload) -> None:
    cases = cases_of(workload, lanes)
    found, lockstep = alone(cases), lockstep_of(cases)
    forward, backward = [], []
    while lockstep.next_decision():
        forward.append(lockstep.time)
        assert states_of(lockstep) == found.digests(lockstep.time)
    assert forward == found.decisions()
    lockstep.go_end()
    while lockstep.previous_decision():
        backward.append(lockstep.time)
        assert states_of(lockstep) == found.digests(lockstep.time)
    last = found.instants[-1]
    assert backward == [time for time in reversed(found.decisions()) if time < last]


@pytest.mark.proof
@laned
@SOME
@given(workload=workloads())
def test_divergences_are_where_a_search_event_by_event_finds_them(lanes: Lanes, workload: Workload) -> None:
    """And so are the jobs that start or end at different times; every instant of both, in both directions."""
    cases = cases_of(workload, lanes)
    found, lockstep = alone(cases), lockstep_of(cases, known=True)
    for wanted, forward, back in (
        (found.divergences(), lockstep.next_divergence, lockstep.previous_divergence),
        (found.differences(), lockstep.next_difference, lockstep.previous_difference),
    ):
        lockstep.go_start()
        seen = []
        while forward():
            seen.append(lockstep.time)
            assert states_of(lockstep) == found.digests(lockstep.time)
        assert seen == wanted
        lockstep.go_end()
        end, seen = lockstep.time, []
        while back():
            seen.append(lockstep.time)
        assert seen == [time for time in reversed(wanted) if time < end]
    partings = lockstep.partings
    assert partings is not None
    for time in found.instants:
        assert (partings.apart(time) is None) == found.agree(time) == (partings.jobs_apart(time) == 0)


def test_the_dilemma_parts_when_the_small_job_may_start() -> None:
    """Until 20 minutes EASY does what FCFS does; from then on they never agree before the end."""
    lockstep = lockstep_of([load(DILEMMA, policy="fcfs"), load(DILEMMA, policy="easy")], known=True)
    assert lockstep.next_divergence() and lockstep.time == 1200
    assert not lockstep.next_divergence() and lockstep.time == 1200, "there it stays"
    assert lockstep.next_difference() and lockstep.time == 3600, "FCFS starts the large job"
    assert lockstep.previous_difference() and lockstep.time == 1200
    assert lockstep.partings is not None
    assert lockstep.partings.spans == ((1200, 25200),)
    assert [lockstep.partings.jobs_apart(time) for time in (1199, 1200, 3600, 25199, 25200)] == [
        0,
        1,
        2,
        1,
        0,
    ]


def test_places_are_those_of_the_lane_that_is_named() -> None:
    lockstep = lockstep_of([load(DILEMMA, policy="fcfs"), load(DILEMMA, variant="gang")])
    for lane, text, time in (
        (0, "3 start", 10800),
        (1, "3 start", 1800),
        (1, "#0", 0),
        (0, "0 00:15:00", 600),
    ):
        assert go(lockstep, text, lane)
        assert lockstep.time == time and lockstep.begun == (text != "#0")
    here = states_of(lockstep)
    with pytest.raises(SessionError, match="there is no job 99"):
        go(lockstep, "99 start", 1)
    assert states_of(lockstep) == here


def test_a_lane_may_stand_anywhere_before_the_lanes_are_put_together() -> None:
    """They stand where the first one stood, with the pass of that instant."""
    first, other = open_session(load(DILEMMA)), open_session(load(DILEMMA, variant="easy"))
    first.go_event(5)
    lockstep = Lockstep([first, other])
    assert lockstep.time == 1200 and [lane.number for lane in lockstep.lanes] == [6, 6]
    assert lockstep.names == ("fcfs", "easy")


def test_what_cannot_be_compared_is_refused_in_one_line() -> None:
    one = open_session(load(DILEMMA))
    with pytest.raises(SessionError, match="1 cannot be compared; expected 2 to 4 lanes"):
        Lockstep([one])
    other = open_session(case_under(Workload([Job(0, 1, 1, 1)], 2), "fcfs", {}))
    with pytest.raises(SessionError, match="expected the same workload"):
        Lockstep([one, other])
    with pytest.raises(SessionError, match="not known yet"):
        Lockstep([one, open_session(load(DILEMMA))]).next_divergence()


def test_courses_that_are_stopped_find_nothing() -> None:
    lockstep = lockstep_of([load(DILEMMA), load(DILEMMA, variant="gang")])
    courses = lockstep.courses()
    assert courses.run(3) and (courses.lane, courses.number) == (0, 3)
    courses.cancel()
    assert not courses.run() and courses.partings() is None


@pytest.mark.proof
@pytest.mark.parametrize(
    ("log", "nodes", "spoken"),
    [
        ("KTH-SP2-1996-2.1-cln.swf.xz", 100, ("easy", "gang:quantum=10m", "checkpoint:delay=215,extend=430")),
        ("SDSC-BLUE-2000-4-cln.derived.swf.xz", 1152, ("easy", "conservative")),
    ],
)
def test_divergences_of_a_whole_log_are_where_its_events_are(
    log: str, nodes: int, spoken: Sequence[str], traces: Path
) -> None:
    """Beside a run of every lane that is looked at event by event, from the first to the last."""
    case = load(traces / log, nodes=nodes)
    cases = [case.spoken(text) for text in spoken]
    lockstep = lockstep_of(cases, known=True)
    partings = lockstep.partings
    assert partings is not None
    agreed, parted = True, []
    for time, agree in agreements([case.simulation() for case in cases], len(case.jobs)):
        if agreed and not agree:
            parted.append(time)
        agreed = agree
        assert (partings.apart(time) is None) == agree
    assert parted == [begin for begin, _ in partings.spans] and len(parted) > 100
    for time in parted[:: len(parted) // 50]:
        lockstep.go_time(time - 1)
        assert lockstep.next_divergence() and lockstep.time == time
        assert states_of(lockstep)[0] == digest_at(cases[0], time)


def agreements(simulations: Sequence[Simulation], jobs: int) -> Iterator[tuple[int, bool]]:
    """Every instant at which anything happens, and whether the same jobs have started and ended after it."""
    # In how many lanes each job has started, and has ended; how often that is in some and not in all.
    counts, odd, lanes = ([0] * jobs, [0] * jobs), 0, len(simulations)
    started: list[set[int]] = [set() for _ in simulations]
    while upcoming := [peeked[0] for simulation in simulations if (peeked := simulation.peek())]:
        time = min(upcoming)
        for simulation, known in zip(simulations, started, strict=True):
            while (peeked := simulation.peek()) is not None and peeked[0] == time:
                simulation.step()
                assert simulation.last is not None
                kind, job = simulation.last[1:]
                new = set(simulation.running()) - known if EVENT_NAMES[kind] != "submit" else ()
                known.update(new)
                found = [(0, row) for row in new]
                found += [(1, job)] if EVENT_NAMES[kind] in ("finish", "kill") else []
                for which, row in found:
                    counts[which][row] += 1
                    odd += (counts[which][row] == 1) - (counts[which][row] == lanes)
        yield time, odd == 0


def digest_at(case: Case, time: int) -> bytes:
    """The state of a straight run after an instant."""
    simulation = case.simulation()
    simulation.run(until=time)
    return simulation.digest()


def test_all_lanes_stand_where_they_stood_where_one_cannot_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy that fails in one lane leaves the others at no other instant."""
    lockstep = lockstep_of([load(DILEMMA, policy="fcfs"), load(DILEMMA, policy="easy")])
    lockstep.go_time(600)
    before, go_time = states_of(lockstep), lockstep.lanes[1].go_time

    def fail(time: int, progress: object = None) -> bool:
        if time > 600:
            raise PolicyError("easy has failed")
        return go_time(time)

    monkeypatch.setattr(lockstep.lanes[1], "go_time", fail)
    with pytest.raises(PolicyError, match="easy has failed"):
        lockstep.go_time(20_000)
    assert (lockstep.time, states_of(lockstep)) == (600, before)
