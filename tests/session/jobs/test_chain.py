"""The chain of a waiting job: every link true, no gap, the last one the start."""

import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.facts import ASIDE, WAITING
from shadowtime.console.session.jobs.chain import Chain, ChainWork
from shadowtime.console.session.jobs.forecasts import FEW
from shadowtime.console.session.session import Session
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Action, Job, Machine, PolicyChoice, Scenario
from shadowtime.scenarios import Workload as Jobs
from shadowtime.scenarios.nodes import NodeRanges, joined
from shadowtime.scenarios.values import Outage
from tests.amount import many
from tests.oracles import chain as naive
from tests.oracles.jobs import Job as Asked
from tests.oracles.jobs import Workload, workloads
from tests.oracles.steered import case as steered
from tests.oracles.steered.expected import expected
from tests.oracles.steered.run import Steered, steps
from tests.oracles.steered.workloads import GANG, MORE, SPACE, crowded_case, random_case
from tests.session.build import FIRST_ID, SOME
from tests.session.steering import STEERED, case_of, torus_cases

POLICIES = (*SPACE, *MORE, *GANG)


class OfKernel:
    """The run at the limits of the kernel: all jobs and nodes are asked after each event."""

    def __init__(self, simulation: Simulation) -> None:
        self._run = simulation.expected()
        self.turns = self._run.policy.turns

    def step(self) -> bool:
        return self._run.step()

    @property
    def now(self) -> int:
        return self._run.now

    @property
    def pending(self) -> bool:
        return self._run.pending

    def held(self) -> Mapping[int, int]:
        counts = {
            job: sum(count for _, count in self._run.nodes_of(job)) for job in range(self._run.submitted)
        }
        return {job: count for job, count in counts.items() if count}

    def free(self) -> int:
        return self._run.owners().count(-1)

    def down(self) -> int:
        return self._run.owners().count(-2)

    def over(self, job: int) -> bool:
        return self._run.state(job) == "F"

    def runs(self, job: int) -> bool:
        return self._run.state(job) == "R"

    def began(self, job: int) -> int | None:
        return self._run.start_of(job)

    def why(self, job: int) -> str:
        explained = self._run.explain(job)
        return "" if explained is None else explained[0]


class OfNaive:
    """That of the naive program, which gives no reasons."""

    def __init__(self, run: Steered) -> None:
        self._run = expected(run)
        self._events = steps(self._run)
        self.turns = self._run.gang is not None

    def step(self) -> bool:
        return next(self._events, None) is not None

    @property
    def now(self) -> int:
        return self._run.world.now

    @property
    def pending(self) -> bool:
        return self._run.pass_due

    def held(self) -> Mapping[int, int]:
        records = self._run.world.records
        return {job: len(record.nodes) for job, record in enumerate(records) if record.nodes}

    def free(self) -> int:
        return len(self._run.world.idle())

    def down(self) -> int:
        return len(self._run.world.down())

    def over(self, job: int) -> bool:
        return self._run.world.records[job].state in "FCK"

    def runs(self, job: int) -> bool:
        return self._run.world.records[job].state == "R"

    def began(self, job: int) -> int | None:
        return self._run.world.records[job].start

    def why(self, job: int) -> str:
        return ""


def found_in(chain: Chain, waits: bool) -> list[naive.Link]:
    """The links of a chain as the naive program has them, with or without its rules."""
    return [
        naive.Link(
            link.at,
            "starts" if link.kind == "backfilled" else link.kind,
            link.change,
            link.free,
            int(link.job) - FIRST_ID if link.job else None,
            link.reason.code if link.reason is not None else "",
        )
        for link in chain.links
        if link.kind != "switch" and (waits or link.kind != "waits")
    ]


def checked(session: Session, run: Steered | None = None) -> int:
    """Check the chains of all waiting jobs of a moment; return how many end with a start."""
    here, sizes, started = session.run.simulation, session.case.columns.size, 0
    forecast = here.forecast()
    forecast.run()
    starts = forecast.starts()
    for index in (*here.waiting(), *here.held()):
        if here.state(index) not in WAITING:
            continue
        chain = ChainWork(session.run, index).run()
        assert (chain is None) == (here.state(index) in ASIDE)
        if chain is None:
            continue
        assert found_in(chain, True) == naive.chain(OfKernel(here), index, sizes[index])
        if run is not None:
            assert found_in(chain, False) == naive.chain(OfNaive(run), index, sizes[index])
        if here.start_of(index) is None:
            assert chain.start == starts.get(index)
        started += chain.start is not None
    return started


def session_of(case: steered.Case) -> Session:
    """A session of a naive case, with all that is done in it and all that fails."""
    actions = [action_of(each) for each in case.actions if each.at is not None]
    actions.sort(key=lambda each: each.at or 0)
    numbered = [action_of(each) for each in case.actions if each.at is None]
    outages = [Outage(ranges(each.nodes), each.start, each.until, each.kill) for each in case.outages]
    jobs = [
        Job(FIRST_ID + row, job.size, job.submit, job.runtime, job.estimate)
        for row, job in enumerate(case.jobs)
    ]
    return Session(
        base_case(
            Scenario(
                "a test",
                Machine(case.nodes, on_failure=case.on_failure, checkpoint_interval=case.interval),
                PolicyChoice(*case.policy),
                Jobs.of(jobs),
                Path("test.toml"),
                actions=(*actions, *sorted(numbered, key=lambda each: each.after or 0)),
                outages=tuple(outages),
            )
        )
    )


def action_of(action: steered.Action) -> Action:
    """An action as a scenario has it."""
    return Action(
        action.do,
        at=action.at,
        after=action.after,
        job=None if action.job is None else FIRST_ID + action.job,
        to=action.to if action.do == "priority" else None,
        nodes=ranges(action.nodes),
        policy=None if action.policy is None else PolicyChoice(*action.policy),
    )


def ranges(nodes: Iterable[int]) -> NodeRanges:
    """Nodes as a scenario has them."""
    return joined((node, node + 1) for node in nodes)


def agree(seed: int) -> int:
    """The chains at a random moment of a random run are those of the naive program."""
    rng = random.Random(seed)
    case = crowded_case(rng, POLICIES) if seed % 50 == 0 else random_case(rng, POLICIES)
    last = rng.randint(0, sum(1 for _ in steps(Steered(case))))
    run, session = Steered(case), session_of(case)
    for _ in range(last):
        run.step()
    session.go_event(last)
    return checked(session, run)


def test_chains_agree() -> None:
    assert sum(agree(seed) for seed in range(150)) > 100


@pytest.mark.proof
@pytest.mark.parametrize("start", range(1000, 5000, 1000))
def test_many_chains_agree(start: int) -> None:
    assert sum(agree(seed) for seed in range(start, start + many(1000))) > 0


@pytest.mark.parametrize("policy", STEERED)
@SOME
@given(workload=workloads(), steps=st.integers(0, 30))
def test_every_link_is_true(policy: str, workload: Workload, steps: int) -> None:
    session = Session(case_of(workload, policy))
    session.step(steps)
    checked(session)


@SOME
@given(case=torus_cases(), steps=st.integers(0, 30))
def test_every_link_is_true_on_the_t3d(case: Case, steps: int) -> None:
    session = Session(case)
    session.step(steps)
    checked(session)


def test_a_job_that_does_not_wait_has_no_chain() -> None:
    """Nor does one that the operator holds, or whose work is broken off."""
    session = Session(case_of(Workload([Asked(0, 5, 2, 5), Asked(1, 5, 2, 5)], 2), "easy"))
    assert ChainWork(session.run, 0).run() is None
    session.go_time(1)
    work = ChainWork(session.run, 1)
    work.cancel()
    assert work.run() is None and ChainWork(session.run, 0).run() is None
    assert [link.kind for link in _chain(session, 1).links] == ["ends", "start"]
    session.act(f"hold {FIRST_ID + 1}")
    assert ChainWork(session.run, 1).run() is None


def _chain(session: Session, index: int) -> Chain:
    found = ChainWork(session.run, index).run()
    assert found is not None
    return found


def test_the_chain_of_a_long_queue_is_found_by_a_work_alone() -> None:
    """It is kept for its event, and one of another event is not taken."""
    jobs = [Asked(0, 5, 2, 5), *(Asked(1, 5, 2, 5) for _ in range(FEW + 1))]
    session = Session(case_of(Workload(jobs, 2), "easy"))
    session.go_time(1)
    forecasts = session.forecasts
    assert forecasts.chain(1) is None
    work = forecasts.start_chain(1)
    assert work is not None
    found = work.run()
    forecasts.take_chain(work, found)
    assert forecasts.chain(1) == found is not None and forecasts.start_chain(1) is None
    session.step()
    forecasts.take_chain(work, found)
    assert forecasts.chain(1) is None and forecasts.start_chain(1) is not None
    assert forecasts.chain(1, find=True) is not None
