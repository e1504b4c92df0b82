"""A workload in a closed loop: read, closed under the policy of the case, and a run like any other."""

from fractions import Fraction

import pytest

from shadowtime.console.session import load
from shadowtime.console.session.case import Case
from shadowtime.scenarios.models.registry import Recipe
from tests.scenarios.conftest import desk as desk_fixture
from tests.scenarios.support import Desk

desk = desk_fixture

LOG = """\
; MaxProcs: 3
1 0 -1 10 2 -1 -1 2 10 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 5 2 -1 -1 2 5 -1 1 1 -1 -1 -1 -1 1 7
3 2 -1 3 1 -1 -1 1 3 -1 1 1 -1 -1 -1 -1 2 -1
4 4 -1 3 1 -1 -1 1 3 -1 1 1 -1 -1 -1 -1 99 5
"""
MODEL = """\
title = "runs"
machine = {nodes = 128}
policy = {name = "POLICY"}
workload = {model = "feitelson97", jobs = 600, load = 0.9, seed = 4, arrivals = "ARRIVALS"}
"""


def of_log(desk: Desk, keys: str, policy: str = "easy") -> Case:
    desk.write(LOG, "a.swf")
    text = f'title = "x"\npolicy = {{name = "{policy}"}}\nworkload = {{log = "a.swf", {keys}}}\n'
    return load(desk.write(text, "a.toml"))


def finishes(case: Case) -> dict[int, int]:
    """Job -> its end."""
    simulation = case.simulation()
    simulation.run()
    return dict(zip(case.columns.id, simulation.results()["finish"], strict=True))


def test_a_log_says_who_follows_whom(desk: Desk) -> None:
    """Think times count from the end; job 4 follows one that the log does not have, and comes as recorded."""
    closed, opened = of_log(desk, 'arrivals = "closed"'), of_log(desk, 'arrivals = "open"')
    assert list(closed.columns.id) == [1, 4, 2, 3]
    assert list(closed.columns.submit) == [0, 4, 17, 22]
    assert finishes(closed) == {1: 10, 4: 7, 2: 22, 3: 25}
    assert list(opened.columns.submit) == [0, 1, 2, 4]


@pytest.mark.parametrize("policy", ["fcfs", "conservative", "gang"])
def test_each_run_of_a_model_comes_when_the_one_before_has_ended(desk: Desk, policy: str) -> None:
    """Under the policy of the case, to the second; the jobs are those of the open loop."""
    text = MODEL.replace("POLICY", policy).replace("ARRIVALS", "closed")
    case = load(desk.write(text, "a.toml"))
    generated = Recipe("feitelson97", 600, 4, Fraction("0.9")).make(128)
    assert generated.preceding is not None
    ends, submits = finishes(case), dict(zip(case.columns.id, case.columns.submit, strict=True))
    assert sorted(submits) == list(generated.workload.id)
    assert list(case.columns.submit) == sorted(submits.values())
    late = 0
    for job, before in enumerate(generated.preceding, 1):
        in_open_loop = generated.workload.submit[job - 1]
        assert submits[job] == (ends[before] if before else in_open_loop)
        late += submits[job] > in_open_loop
    assert late > 10


def test_variants_beside_it_have_the_same_submissions(desk: Desk) -> None:
    """So that a comparison is one of the same jobs; a scenario opened under another policy has its own."""
    text = MODEL.replace("POLICY", "fcfs").replace("ARRIVALS", "closed")
    path = desk.write(text, "a.toml")
    fcfs, conservative = load(path), load(path, policy="conservative")
    assert list(fcfs.under("conservative").columns.submit) == list(fcfs.columns.submit)
    assert list(conservative.columns.submit) != list(fcfs.columns.submit)


def test_a_job_whose_predecessor_is_refused_is_dropped(desk: Desk) -> None:
    """NQS takes no job of 256 processors for more than four hours."""
    desk.write(
        "; MaxProcs: 256\n"
        "1 0 -1 18000 256 -1 -1 256 18000 -1 1 1 -1 -1 1 -1 -1 -1\n"
        "2 5 -1 10 2 -1 -1 2 10 -1 1 1 -1 -1 0 -1 1 0\n"
        "3 9 -1 10 2 -1 -1 2 10 -1 1 1 -1 -1 0 -1 -1 -1\n",
        "a.swf",
    )
    text = """\
title = "x"
machine = {torus = [8, 4, 8], unit = "processor", per_node = 2}
policy = {name = "t3d"}
nqs = {limits = "after"}
workload = {log = "a.swf", arrivals = "closed"}
"""
    case = load(desk.write(text, "a.toml"))
    assert (list(case.columns.id), case.columns.dropped) == ([1, 3], {"predecessor": 1})


@pytest.mark.parametrize(
    ("keys", "column"),
    [('arrivals = "closed", status = "replay"', "status"), ('arrivals = "half"', "arrivals")],
)
def test_what_does_not_go_with_a_closed_loop_is_one_line(desk: Desk, keys: str, column: str) -> None:
    desk.write(LOG, "a.swf")
    text = f'title = "x"\npolicy = {{name = "easy"}}\nworkload = {{log = "a.swf", {keys}}}\n'
    (fault,) = desk.faults(text, "a.toml")
    assert column in fault and "expected" in fault


@pytest.mark.parametrize("source", ['log = "b.swf"', 'model = "lublin99", jobs = 5'])
def test_nothing_to_follow_is_refused(desk: Desk, source: str) -> None:
    desk.write(LOG.splitlines()[1].join(("; MaxProcs: 3\n", "\n")), "b.swf")
    text = 'title = "x"\nmachine = {nodes = 4}\npolicy = {name = "easy"}\n'
    (fault,) = desk.faults(text + f'workload = {{{source}, arrivals = "closed"}}\n', "a.toml")
    assert "expected open" in fault
