"""How the tests of steering make cases and actions: small machines, and an operator who never rests."""

from collections.abc import Mapping
from pathlib import Path

import attrs
from hypothesis import strategies as st

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.session import Session
from shadowtime.kernels.policies.torus.torus import SIDES, SIZES
from shadowtime.scenarios import Action, Job, Machine, PolicyChoice, Scenario, Workload
from tests.oracles.jobs import Workload as Naive
from tests.session.build import FIRST_ID, POLICIES, case_under

STEERED: Mapping[str, tuple[str, Mapping[str, object]]] = {
    **POLICIES,
    "sjf": ("sjf", {}),
    "ivs": ("ivs", {"delta": 0, "interactive": 4}),
    "maui-preempt": ("maui", {"windows": "widest", "preempt": True}),
    "wbas": ("wbas", {"frame": 6}),
    "gang": ("gang", {"quantum": 3}),
    "gang-first": ("gang", {"quantum": 2, "packing": "first", "slots": 2, "overhead": 1}),
    "unicos": ("unicos", {"limit": 5}),
}
"""The policies that share the space, or the time, of a flat machine."""
SWITCHES = (
    PolicyChoice("fcfs"),
    PolicyChoice("easy", {"scan": "shortest"}),
    PolicyChoice("conservative"),
    PolicyChoice("gang", {"quantum": 2}),
    PolicyChoice("checkpoint", {"p": 0.3, "threshold": 2, "delay": 2, "extend": 1}),
)
PARAMETERS: tuple[tuple[str, object], ...] = (("scan", "longest"), ("quantum", 4), ("compress", "replan"))
ON_JOBS = ("hold", "release", "suspend", "resume", "start", "cancel")
ON_NODES = ("drain", "down", "up")
CLASSES = ("interactive", "debug", "production", "benchmark", "standby")


def case_of(naive: Naive, policy: str, on_failure: str = "kill") -> Case:
    """A case of a naive workload on a machine whose failures do that."""
    case = case_under(naive, *STEERED[policy])
    machine = Machine(naive.nodes, on_failure=on_failure, checkpoint_interval=2)
    return base_case(attrs.evolve(case.scenario, machine=machine))


@st.composite
def torus_cases(draw: st.DrawFn, policy: str = "t3d") -> Case:
    """A case of a few jobs on the T3D."""
    submit, jobs = 0, []
    for row in range(draw(st.integers(1, 7))):
        submit += draw(st.sampled_from([0, 1, 30, 400]))
        runtime = draw(st.sampled_from([1, 60, 700, 5000]))
        size = draw(st.sampled_from(SIZES))
        klass = draw(st.sampled_from(CLASSES))
        jobs.append(Job(FIRST_ID + row, size, submit, runtime, runtime, klass=klass))
    return base_case(
        Scenario(
            "a test",
            Machine(128, SIDES, "processor", 2),
            PolicyChoice(policy),
            Workload.of(jobs),
            Path("t.toml"),
        )
    )


@st.composite
def typed_actions(draw: st.DrawFn, jobs: int, nodes: int, switches: bool = True) -> Action:
    """Anything that an operator may try; much of it is refused."""
    do = draw(
        st.sampled_from(ON_JOBS * 2 + ("class", "priority") + ON_NODES + ("policy", "parameter") * switches)
    )
    if do in ON_NODES:
        first = draw(st.integers(0, nodes - 1))
        return Action(do, nodes=((first, draw(st.integers(first + 1, nodes))),))
    if do == "policy":
        return Action(do, policy=draw(st.sampled_from(SWITCHES)))
    if do == "parameter":
        key, value = draw(st.sampled_from(PARAMETERS))
        return Action(do, key=key, value=value)
    job = FIRST_ID + draw(st.integers(0, jobs - 1))
    to: str | int | None = None
    if do == "class":
        to = draw(st.sampled_from(CLASSES))
    elif do == "priority":
        to = draw(st.integers(-2, 2))
    return Action(do, job=job, to=to)


def states(session: Session) -> list[str]:
    """The letter of every job, by row."""
    simulation = session.run.simulation
    return [simulation.state(row) for row in range(len(session.case.jobs))]
