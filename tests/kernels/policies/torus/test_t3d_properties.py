"""What must hold of the T3D's scheduler in every state and at every decision, whatever the operator does."""

import random
from collections import Counter
from typing import Any

import pytest

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.core.simulation import Simulation
from tests.kernels.policies.torus.torus_drive import PASS, play, simulate
from tests.oracles.torus.classes import Rules
from tests.oracles.torus.machine import saving_time
from tests.oracles.torus.workloads import T3DCase, random_asking_case, random_case, random_nqs_case

MOVES = "N-W N-i W-i W-N W-O i-R R-o R-F o-O o-S O-W O-i O-S W-S S-O"
LEGAL = {tuple(move.split("-")) for move in MOVES.split()}
CANCELLED = {(state, "F") for state in "NWiRoOS"}
LOADED = EVENT_NAMES.index("loaded")
SWAPPED_IN = EVENT_NAMES.index("swapped_in")
SWAPPED_OUT = EVENT_NAMES.index("swapped_out")
ACTION = EVENT_NAMES.index("action")
Facts = dict[str, Any]


class Watch:
    """A run, looked at after every event."""

    def __init__(self, case: T3DCase) -> None:
        self.case, self.simulation = case, simulate(case)
        self.rules = Rules(**{key: value for key, value in case.rules.items() if key != "nqs"})
        self.jobs = range(len(case.jobs))
        self.states = [""] * len(case.jobs)
        self.terms: list[Facts] = [{}] * len(case.jobs)
        self.status: Facts = self.simulation.status()
        self.wires: dict[int, int] = {}
        self.entered: dict[int, int] = {}
        self.done: Counter[int] = Counter()
        self.preempted: Counter[int] = Counter()

    def run(self) -> None:
        """Run to the end and look."""
        for kind in play(self.simulation, self.case.actions):
            terms = [self.simulation.terms(job) for job in self.jobs]
            status = self.simulation.status()
            if kind == PASS:
                self.check_decisions(status)
            self.check_moves(kind)
            self.check_machine(terms, status)
            self.terms, self.status = terms, status
        for job in self.jobs:
            if self.simulation.finish_of(job) is not None:
                assert self.done[job] == self.case.jobs[job].runtime

    def check_moves(self, kind: int) -> None:
        """Only legal moves; a job runs for as long as its runtime, in however many pieces."""
        now = self.simulation.now
        for job in self.jobs:
            before, state = self.states[job], self.simulation.state(job)
            if before == state:
                continue
            self.states[job] = state
            if before == "":
                assert state == "N" or (state == "F" and self.simulation.start_of(job) is None)
                continue
            assert (before, state) in LEGAL or (kind in (ACTION, PASS) and (before, state) in CANCELLED)
            if before == "R":
                self.done[job] += now - self.entered[job]
            if state == "R":
                assert kind in (LOADED, SWAPPED_IN)
                self.entered[job] = now
            assert state not in "OS" or before != "o" or kind == SWAPPED_OUT

    def check_machine(self, terms: list[Facts], status: Facts) -> None:
        """Blocks do not overlap, wires are kept, one reservation at most; the limit of the system holds."""
        owners = Counter(owner for owner in self.simulation.owners() if owner >= 0)
        for job in self.jobs:
            size, state = self.case.jobs[job].size, self.states[job]
            holds = state in ("i", "R", "o")
            assert owners[job] == (size if holds else 0)
            assert sum(count for _, count in self.simulation.nodes_of(job)) == owners[job]
            if holds:
                assert self.simulation.nodes_of(job)[0][0] == terms[job]["base"]
                wire = self.wires.setdefault(job, terms[job]["wire"])
                assert wire == terms[job]["wire"]
            elif state and state in "OS":
                assert terms[job]["wire"] == self.wires[job]
            assert (state == "W") <= ("base" in terms[job] and "wire" in terms[job])
        assert sum(term.get("reserved", 0) for term in terms) == (status["reservation"] is not None)
        assert self.simulation.free == 256 - sum(owners.values())
        assert status["system"] <= self.rules.system_limit
        assert status["stored"] <= self.rules.storage
        assert sum(status["wires"]) == sum("wire" in term for term in terms)

    def check_decisions(self, status: Facts) -> None:
        """Who is preempted, for whom, and what the choice is said to cost."""
        now = self.simulation.now
        decisions = self.simulation.decisions()
        reserved = {job for kind, job, *_ in decisions if kind == "reserve"}
        if status["reservation"] is not None:
            reserved.add(status["reservation"]["job"])
        for kind, job, code, numbers in decisions:
            if kind == "preempt":
                was = self.terms[job]
                assert now >= was["undisturbed_until"]
                assert SERVICES[was["service"]] not in ("debug", "benchmark")
                assert numbers["level"] < numbers["head_level"] + (numbers["head"] in reserved)
                assert numbers["until"] >= now + saving_time(self.case.jobs[job].size)
                self.preempted[job] += 1
            elif kind in ("start", "resume"):
                assert (kind == "resume") == (job in self.wires)
                assert numbers["waited"] == self.terms[job].get("waited", numbers["waited"])
                assert numbers["base"] == self.simulation.nodes_of(job)[0][0]
            elif kind in ("reserve", "place"):
                assert code == "least_cost"
                assert numbers["needs"] == self.case.jobs[job].size
                assert self.simulation.state(job) == "W"
        for job in self.jobs:
            assert self.simulation.preemptions(job) in (self.preempted[job], 0)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("draw", "count"), [(random_case, 60), (random_nqs_case, 20), (random_asking_case, 30)]
)
def test_the_rules_hold_in_every_state(draw: Any, count: int) -> None:
    """Moves, blocks, wires, limits, reservations, preemptions and progress, after every event."""
    for seed in range(count):
        Watch(draw(random.Random(50_000 + seed))).run()


def reasons(simulation: Simulation, jobs: range) -> dict[int, tuple[str, Facts] | None]:
    """Why each job does not run."""
    return {job: simulation.explain(job) for job in jobs}


WAITING = {
    "block_reserved", "block_clearing", "over_job_limit", "over_system_limit", "over_class_limit",
    "over_large_limit", "reserved_for", "still_undisturbed", "nothing_lower", "no_free_block",
    "wire_beside",
}  # fmt: skip
MOVING = {"i": "being_loaded", "o": "being_saved", "S": "suspended"}


@pytest.mark.parametrize(
    ("draw", "count"), [(random_case, 60), (random_nqs_case, 20), (random_asking_case, 30)]
)
def test_every_job_that_does_not_run_has_a_reason(draw: Any, count: int) -> None:
    """After every pass, in numbers that are true; before it, that the pass is still to come."""
    counted: Counter[str] = Counter()
    for seed in range(count):
        case = draw(random.Random(90_000 + seed))
        simulation, jobs = simulate(case), range(len(case.jobs))
        for _ in play(simulation, case.actions):
            status = simulation.status()
            for job, reason in reasons(simulation, jobs).items():
                state = simulation.state(job)
                if state in ("", "F", "R"):
                    assert reason is None
                    continue
                assert reason is not None
                code, numbers = reason
                counted[code] += 1
                if state in MOVING:
                    assert code == MOVING[state]
                elif simulation.pending:
                    assert code == "pass_pending"
                else:
                    check_reason(simulation, case, job, code, numbers, status)
    every = {
        random_case: WAITING - {"no_free_block", "wire_beside"},
        random_nqs_case: {"nqs_user", "nqs_queue_user"},
        random_asking_case: {"wire_beside", "block_reserved", "still_undisturbed", "nothing_lower"},
    }[draw]
    assert set(counted) >= every


def check_reason(
    simulation: Simulation, case: T3DCase, job: int, code: str, reason: Facts, status: Facts
) -> None:
    """One reason after a pass."""
    assert (reason["needs"], reason["free"]) == (case.jobs[job].size, simulation.free)
    state, terms = simulation.state(job), simulation.terms(job)
    if code.startswith("nqs_"):
        assert state == "N"
        more = reason["needs"] if code in ("nqs_processors", "nqs_aggregate") else 1
        assert reason["in_use"] + more > reason["limit"]
        return
    assert code in WAITING
    if "limit" in reason and code != "over_job_limit":
        assert reason["in_use"] + reason["needs"] > reason["limit"]
    if state == "W" and code == "nothing_lower":
        # The storage was full: the reservation goes in the next pass.
        assert terms["reserved"] and reason["base"] == terms["base"]
        assert not simulation.terms(reason["blocker"])["preemptable"]
    elif state == "W" and code == "wire_beside":
        assert terms["reserved"] and reason["base"] == terms["base"]
    elif state == "W" and not code.startswith("over_"):
        assert code == ("block_reserved" if terms["reserved"] else "block_clearing")
        assert reason["base"] == terms["base"]
        assert reason["at"] >= simulation.now
    if code == "over_system_limit":
        # A late job may take the reservation of one of lower priority, which then does not count.
        taken = status["reservation"]["size"] if status["reservation"] else 0
        assert reason["in_use"] in (status["system"], status["system"] - taken)
        assert "done" not in terms
    if code == "still_undisturbed":
        assert simulation.state(reason["blocker"]) in ("R", "i")
        assert reason["at"] > simulation.now
    if code == "wire_beside":
        assert simulation.terms(reason["blocker"])["wire"] == reason["wire"]
        assert simulation.state(reason["blocker"]) in ("i", "R", "o")
    if code == "nothing_lower":
        assert reason["blocker_level"] == simulation.terms(reason["blocker"])["level"]
    if code == "reserved_for":
        assert simulation.state(reason["head"]) == "W"
