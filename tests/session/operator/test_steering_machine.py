"""Steps, jumps, actions, undo, redo, save and load in any order: the state is that of the file, replayed."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel import trajectory as course
from tests.amount import many
from tests.oracles.jobs import Workload, workloads
from tests.session.build import seen
from tests.session.steering import STEERED, case_of, torus_cases, typed_actions


class Operator(RuleBasedStateMachine):
    """Moves, acts, takes back, saves and loads; the model is the saved file, read anew."""

    folder: "TemporaryDirectory[str]"

    def begin(self, case: Case, nodes: int, gap: float) -> None:
        self.gap, course.GAP = course.GAP, gap
        # What is on the disk in the end is the business of other tests; here it would take most of the time.
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(os, "fsync", lambda descriptor: None)
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name, "session.toml")
        self.session = Session(case)
        self.jobs, self.nodes = len(case.jobs), nodes
        self.done: list[tuple[int, bytes, bytes]] = []
        """Where each action was taken, and the states before and after it."""
        self.undone: list[tuple[int, bytes, bytes]] = []

    def teardown(self) -> None:
        if hasattr(self, "gap"):
            course.GAP = self.gap
            self.patch.undo()
            self.folder.cleanup()

    @rule(count=st.integers(0, 30))
    def step(self, count: int) -> None:
        self.session.step(count)

    @rule(count=st.integers(0, 30))
    def back(self, count: int) -> None:
        self.session.back(count)

    @rule(share=st.floats(0, 1))
    def jump(self, share: float) -> None:
        self.session.travel.go_fraction(share)

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        before = (self.session.number, self.session.digest(), self.session.journal)
        switches = self.session.case.scenario.machine.torus is None
        try:
            self.session.act(data.draw(typed_actions(self.jobs, self.nodes, switches)))
        except SessionError:
            assert (self.session.number, self.session.digest(), self.session.journal) == before
        else:
            self.done.append((before[0], before[1], self.session.digest()))
            self.undone.clear()

    @precondition(lambda self: self.done)
    @rule()
    def undo(self) -> None:
        self.undone.append(self.done.pop())
        assert self.session.undo() is not None
        assert (self.session.number, self.session.digest()) == self.undone[-1][:2]

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.done.append(self.undone.pop())
        assert self.session.redo() is not None
        assert (self.session.number, self.session.digest()) == (self.done[-1][0] + 1, self.done[-1][2])

    @rule()
    def survey(self) -> None:
        survey = self.session.survey()
        survey.run(20)
        self.session.take_survey(survey)

    @rule()
    def look(self) -> None:
        self.session.predict()
        self.session.rows(self.session.order(), 0, 100)
        self.session.events(1, 30)

    @rule()
    def load(self) -> None:
        """Go on in the file; all that was done can be taken back there, too."""
        number, breakpoints = self.session.number, len(self.session.journal)
        self.session.save(self.path, force=True)
        self.session = Session(load(self.path))
        assert len(self.session.journal) == breakpoints
        self.session.go_event(number)
        self.done, self.undone = [], []

    @invariant()
    def shows_what_the_file_shows(self) -> None:
        if hasattr(self, "session"):
            self.session.save(self.path, force=True)
            fresh = Session(load(self.path))
            fresh.go_event(self.session.number)
            assert seen(fresh) == seen(self.session)
            assert fresh.snapshot().last == self.session.snapshot().last


class OnFlat(Operator):
    """On a flat machine, under policies that come and go."""

    @initialize(
        workload=workloads(6),
        policy=st.sampled_from(list(STEERED)),
        on_failure=st.sampled_from(["kill", "requeue", "checkpoint"]),
        gap=st.sampled_from([0.0, 1e-3]),
    )
    def open(self, workload: Workload, policy: str, on_failure: str, gap: float) -> None:
        self.begin(case_of(workload, policy, on_failure), workload.nodes, gap)


class OnTorus(Operator):
    """On the T3D, under its own scheduler."""

    @initialize(case=torus_cases(), gap=st.sampled_from([0.0, 1e-3]))
    def open(self, case: Case, gap: float) -> None:
        self.begin(case, 128, gap)


@pytest.mark.parametrize("machine", [OnFlat, OnTorus])
def test_an_operator(machine: type[Operator]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=10, stateful_step_count=20))


@pytest.mark.proof
@pytest.mark.parametrize("machine", [OnFlat, OnTorus])
def test_an_operator_for_long(machine: type[Operator]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=many(1500), stateful_step_count=40))
