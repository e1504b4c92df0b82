"""What holds in every steered run, whatever is done to it."""

import random
from collections.abc import Callable
from itertools import groupby, pairwise
from typing import Any

import pytest

from tests.oracles.gang.policy import gang
from tests.oracles.jobs import random_workload
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import easy
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.maui import maui
from tests.oracles.space.orders import dynp, ivs, ljf, sjf
from tests.oracles.steered.case import KINDS, Case, Event, Policy
from tests.oracles.steered.run import Steered, fates, steered, steps
from tests.oracles.steered.workloads import GANG, MORE, SPACE, random_case
from tests.oracles.torus.unicos import unicos

ALL = (*SPACE, *MORE, *GANG)
POLICIES = pytest.mark.parametrize("policies", [SPACE, MORE, GANG, ALL], ids=["space", "more", "gang", "all"])
PLAIN: dict[str, Callable[..., Any]] = {"fcfs": fcfs, "easy": easy, "conservative": conservative}
PLAIN |= {"sjf": sjf, "ljf": ljf, "maui": lambda *case, **rest: maui(*case, **rest).starts}
PLAIN |= {"dynp": dynp, "ivs": ivs, "unicos": unicos}


@pytest.mark.proof
@pytest.mark.parametrize(("name", "parameters"), (*SPACE, *MORE))
def test_left_alone_it_is_the_plain_schedule(name: str, parameters: dict[str, Any]) -> None:
    """Without actions and outages the starts are those of the plain naive program."""
    rng = random.Random(11)
    for workload in [random_workload(rng) for _ in range(80)]:
        starts = [fate.start for fate in fates(Case(*workload, (name, parameters)))]
        assert starts == PLAIN[name](*workload, **parameters)


@pytest.mark.proof
@pytest.mark.parametrize("parameters", [parameters for _, parameters in GANG])
def test_left_alone_it_is_the_plain_gang_schedule(parameters: dict[str, Any]) -> None:
    """Without actions and outages all is as in the plain naive program."""
    rng = random.Random(12)
    for workload in [random_workload(rng) for _ in range(100)]:
        expected = gang(*workload, **parameters)
        found = fates(Case(*workload, ("gang", parameters)))
        assert [fate.start for fate in found] == expected.starts
        assert [fate.finish for fate in found] == expected.finishes
        assert [fate.preemptions for fate in found] == expected.preemptions


@pytest.mark.proof
def test_no_node_has_two_jobs_and_every_job_has_its_size() -> None:
    """Where space is shared, the stretches of a node do not overlap."""
    rng = random.Random(13)
    for case in [random_case(rng, SPACE + MORE) for _ in range(400)]:
        spans: dict[int, list[tuple[int, int]]] = {node: [] for node in range(case.nodes)}
        for job, fate in zip(case.jobs, fates(case), strict=True):
            for stretch in fate.held:
                assert len(stretch.nodes) == job.size
                for node in stretch.nodes:
                    spans[node].append((stretch.since, stretch.until))
        for stretches in spans.values():
            stretches.sort()
            assert all(one[1] <= other[0] for one, other in pairwise(stretches))


@pytest.mark.proof
def test_service_is_the_runtime() -> None:
    """Where space is shared, a job that ended without being struck has had its nodes for its runtime."""
    rng = random.Random(14)
    for case in [random_case(rng, SPACE + MORE)._replace(on_failure="kill") for _ in range(400)]:
        for job, fate in zip(case.jobs, fates(case), strict=True):
            service = sum(stretch.until - stretch.since for stretch in fate.held)
            assert service <= job.runtime
            assert fate.state != "F" or service == job.runtime
            if fate.state == "F" and fate.start is not None and fate.finish is not None:
                assert fate.finish - job.submit >= fate.wait + service


@POLICIES
def test_nodes_that_are_out_are_given_to_nobody(policies: tuple[Policy, ...]) -> None:
    """Whoever gets a node gets one that was in service."""
    rng = random.Random(15)
    for case in [random_case(rng, policies) for _ in range(150)]:
        run = Steered(case)
        out, had = set[int](), [set[int]() for _ in case.jobs]
        for _ in steps(run):
            have = [set(record.nodes) for record in run.world.records]
            for before, after in zip(had, have, strict=True):
                assert before == after or not after & out & run.world.out
            out, had = set(run.world.out), have


@POLICIES
def test_an_instant_ends_with_its_only_pass(policies: tuple[Policy, ...]) -> None:
    """With timed actions alone the kinds come in order, and a pass is missing only where all was refused."""
    rng = random.Random(16)
    for case in [random_case(rng, policies) for _ in range(150)]:
        run = steered(_timed(case))
        refused = {number for number, _ in run.refusals}
        for _, instant in groupby(run.events, key=lambda event: event.time):
            events = list(instant)
            passes = [place for place, event in enumerate(events) if event.kind == "pass"]
            ranks = [KINDS.index(event.kind) for event in events]
            assert ranks == sorted(ranks)
            assert len(passes) <= 1
            caused = [event for event in events if event.kind != "pass" and event.number not in refused]
            assert bool(passes) == bool(caused)


@POLICIES
def test_what_is_refused_changes_nothing(policies: tuple[Policy, ...]) -> None:
    """Without the refused actions all other events are the same."""
    rng = random.Random(17)
    for case in [_timed(random_case(rng, policies)) for _ in range(150)]:
        run = steered(case)
        refused = {number for number, _ in run.refusals}
        acted = zip(_acted(run), run.acted, strict=True)
        done = [case.actions[number] for event, number in acted if event.number not in refused]
        again = steered(case._replace(actions=tuple(done)))
        assert again.world.fates() == run.world.fates()
        assert [event[1:] for event in again.events] == [
            event[1:] for event in run.events if event.number not in refused
        ]


@POLICIES
def test_a_saved_session_is_the_same_run(policies: tuple[Policy, ...]) -> None:
    """An action at the instant of an earlier event may as well have the number of the one before it."""
    rng = random.Random(18)
    for case in [random_case(rng, policies) for _ in range(150)]:
        run = steered(case)
        times = {event.number: event.time for event in run.events}
        saved = list(case.actions)
        for event, number in zip(_acted(run), run.acted, strict=True):
            if times.get(event.number - 1) == event.time > run.began:
                saved[number] = saved[number]._replace(at=None, after=event.number - 1)
        again = steered(case._replace(actions=tuple(saved)))
        assert again.events == run.events
        assert again.refusals == run.refusals
        assert again.world.fates() == run.world.fates()


def _acted(run: Steered) -> list[Event]:
    """The events that are actions."""
    return [event for event in run.events if event.kind == "action"]


def _timed(case: Case) -> Case:
    """The case with its timed actions alone."""
    return case._replace(actions=tuple(action for action in case.actions if action.at is not None))
