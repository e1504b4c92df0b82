"""Going back, forking and forecasting under the schedulers of the torus: exact also while memory moves."""

import random
from collections.abc import Callable

import pytest

from shadowtime.kernels.core.simulation import Copy, Simulation
from tests.kernels.drive import observe
from tests.kernels.policies.torus.torus_drive import ACTION, PASS, act, play, simulate, small_case
from tests.oracles.torus.jobs import Action
from tests.oracles.torus.t3d import t3d
from tests.oracles.torus.workloads import T3DCase, random_case, random_nqs_case

SEEDS = range(25)
Draw = Callable[[random.Random], T3DCase]


def seen(simulation: Simulation, count: int) -> dict[str, object]:
    """All that the simulation shows at one position, in the policy's terms too."""
    terms = [simulation.terms(job) for job in range(count)]
    held = [simulation.nodes_of(job) for job in range(count)]
    return {**observe(simulation, count), "terms": terms, "status": simulation.status(), "held": held}


class Tape:
    """A run with its operator: what was seen after each event, copies, and how to get to the next."""

    def __init__(self, case: T3DCase, policy: str = "t3d") -> None:
        self.count = len(case.jobs)
        self.simulation = simulate(case, policy)
        self.steps: list[Action | None] = []
        self.views = [seen(self.simulation, self.count)]
        self.copies: list[Copy] = [self.simulation.copy()]
        self.decisions = [self.simulation.decisions()]
        refused: list[Action] = []
        actions = iter(sorted(case.actions, key=lambda action: action.at))
        for kind in play(self.simulation, case.actions, refused):
            action = next(action for action in actions if action not in refused) if kind == ACTION else None
            self.steps.append(action)
            self.views.append(seen(self.simulation, self.count))
            self.copies.append(self.simulation.copy())
            self.decisions.append(self.simulation.decisions())

    def go_on(self, simulation: Simulation, place: int) -> None:
        """One event from a place of the tape to the next."""
        action = self.steps[place]
        if action is None:
            assert simulation.step()
        else:
            assert act(simulation, action) is None


@pytest.mark.proof
@pytest.mark.parametrize("policy", ["t3d", "unicos"])
def test_forward_and_back_is_the_identity(policy: str) -> None:
    """From any position to any other, with transfers in flight, in mid-instant, across actions."""
    moving = 0
    for seed in SEEDS:
        rng = random.Random(seed)
        case = small_case(rng)
        if policy == "unicos":
            site = {key: value for key, value in case.rules.items() if key in ("nqs", "epoch")}
            case = T3DCase(case.jobs, [], {**site, "limit": rng.choice((0, 50, 3600))})
        tape = Tape(case, policy)
        for _ in range(6):
            place = rng.randrange(len(tape.views))
            tape.simulation.restore(tape.copies[place])
            assert seen(tape.simulation, tape.count) == tape.views[place]
            moving += bool({"i", "o"} & set(tape.views[place]["states"]))  # type: ignore[call-overload]
            for here in range(place, min(place + rng.randint(0, 25), len(tape.steps))):
                tape.go_on(tape.simulation, here)
                assert seen(tape.simulation, tape.count) == tape.views[here + 1]
                assert tape.simulation.decisions() == tape.decisions[here + 1]
    assert moving > 20


@pytest.mark.proof
def test_an_action_that_is_taken_back_leaves_no_trace() -> None:
    """Without its actions the run is as if there never had been any, whatever they led to the first time."""
    for seed in SEEDS:
        case = small_case(random.Random(1000 + seed))
        simulation, plain = simulate(case), simulate(case)
        begin = simulation.copy()
        for _ in play(simulation, case.actions):
            pass
        simulation.restore(begin)
        while plain.step():
            assert simulation.step()
            assert seen(simulation, len(case.jobs)) == seen(plain, len(case.jobs))


def test_a_fork_is_independent() -> None:
    """What happens in a fork leaves no trace in the original; both end alike."""
    for seed in SEEDS:
        case = small_case(random.Random(2000 + seed))
        simulation, count = simulate(case), len(case.jobs)
        total = simulate(case).run()
        simulation.run(events=random.Random(seed).randint(0, total))
        before, fork = seen(simulation, count), simulation.fork()
        assert seen(fork, count) == before
        fork.run()
        assert seen(simulation, count) == before
        simulation.run()
        assert seen(simulation, count) == seen(fork, count)


def expected(case: T3DCase, simulation: Simulation) -> dict[int, int]:
    """When the naive program next runs each job that is new, waits or is being saved, if all estimates hold.

    Jobs that have not come are cut, and those that are not over run for their estimates: up to now the naive
    program cannot detect the difference.
    """
    now = simulation.now
    jobs = [
        job if simulation.state(k) == "F" else job._replace(runtime=job.estimate)
        for k, job in enumerate(case.jobs[: simulation.submitted])
    ]
    past = [action for action in case.actions if action.at <= now and action.job < len(jobs)]
    runs: dict[int, int] = {}
    for change in t3d(jobs, past, **case.rules).history:
        if change.state == "R" and change.at > now:
            runs.setdefault(change.job, change.at)
    beside = (k for k in simulation.held() if simulation.start_of(k) is None or simulation.state(k) == "o")
    waiting = {*simulation.waiting(), *beside}
    return {job: at for job, at in runs.items() if job in waiting}


@pytest.mark.proof
@pytest.mark.parametrize(("draw", "count"), [(random_case, 8), (random_nqs_case, 4)])
def test_forecasts_are_the_naive_ones(draw: Draw, count: int) -> None:
    """Waits, tables and transfers go on in a forecast; it leaves the simulation as it is."""
    for seed in range(count):
        rng = random.Random(seed)
        case = draw(rng)
        case = T3DCase(case.jobs[:15], [a for a in case.actions if a.job < 15], case.rules)
        simulation = simulate(case)
        for kind in play(simulation, case.actions):
            if kind != PASS or rng.random() < 0.7:
                continue
            digest = simulation.digest()
            forecast = simulation.forecast()
            forecast.run()
            assert forecast.starts() == expected(case, simulation)
            assert simulation.digest() == digest
