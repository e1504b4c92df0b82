"""Policies in plain Python: what they are asked, and what they are given back."""

from typing import Any

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PlainPolicy, PolicyError
from tests.kernels.drive import table
from tests.oracles.jobs import Job

JOBS = [Job(0, 5, 2, 5), Job(1, 5, 4, 5), Job(2, 5, 1, 5)]


class Starts:
    """Starts what fits, and counts its passes."""

    def __init__(self) -> None:
        self.memory = 0

    def schedule(self, machine: Any) -> None:
        """One after the other."""
        self.memory += 1
        for job in machine.waiting:
            if job.size <= machine.free:
                machine.start(job)
                return


class Text(str):
    """A text that is no plain one."""

    def __format__(self, how: str) -> str:
        """Raise."""
        raise RuntimeError


class Promise:
    """An answer that is no instant."""

    def __repr__(self) -> str:
        """Return what is no plain text."""
        return Text("soon")


class Promises(Starts):
    """Promises something else."""

    def promise(self, machine: Any, job: Any) -> Promise:
        """No instant."""
        return Promise()


class Explains(Starts):
    """Explains with what is no plain text."""

    def explain(self, machine: Any, job: Any) -> Text:
        """Spoil the memory too."""
        self.memory = 100
        return Text("so")


def simulation(kind: type) -> Simulation:
    """A machine of four nodes under a policy of that class."""
    return Simulation(table(JOBS), 4, PlainPolicy("mine", {}, kind))


def test_the_words_of_an_answer_are_a_plain_text() -> None:
    """Whatever text they are made of."""
    run = simulation(Promises)
    run.run(until=1)
    with pytest.raises(PolicyError, match="policy mine promised soon at 1 s"):
        run.promise(1)
    run = simulation(Explains)
    run.run(until=1)
    reason = run.explain(1)
    assert reason is not None and type(dict[str, object](reason[1])["text"]) is str


def test_the_memory_of_a_copy_is_given_back() -> None:
    """Once the policy is called again; what it did while it explained is forgotten."""
    run, other = simulation(Starts), simulation(Explains)
    run.run(until=1)
    before, there = run.copy(), run.digest()
    other.run(until=1)
    other.explain(1)
    for each in (run, other):
        each.run()
    after = run.digest()
    assert other.digest() == after
    run.restore(before)
    assert run.digest() == there
    run.run()
    assert run.digest() == after


def test_a_memory_that_cannot_be_given_back_is_refused_at_once() -> None:
    """Not when the operator first goes back."""

    class ReadOnly(Starts):
        memory = property(lambda self: 3)

        def __init__(self) -> None:
            pass

    with pytest.raises(PolicyError, match=r"policy mine cannot be made: AttributeError"):
        simulation(ReadOnly)


def test_what_is_seen_in_a_call_is_not_seen_after_it() -> None:
    """The machine moves on, without the lock of Python."""
    machines = []

    class Keeps(Starts):
        def schedule(self, machine: Any) -> None:
            machines.append((machine, machine.plan()))
            super().schedule(machine)

    simulation(Keeps).run()
    for machine, plan in machines:
        for look in (lambda m=machine: m.waiting, lambda m=machine: m.running, machine.plan):
            with pytest.raises(ValueError, match="machine"):
                look()
        assert plan.free_at(plan.now) <= plan.nodes
        with pytest.raises(ValueError, match="expected"):
            plan.reserve(plan.now, 1, 2**63 - 1)
