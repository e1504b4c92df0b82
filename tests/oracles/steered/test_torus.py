"""The naive program of the T3D with failing nodes, on cases whose times were worked out by hand.

A job of 64 is loaded in 32 s, and saved or restored in 60 s; one of 128 in 64 s and 120 s.
"""

from typing import Any

import pytest

from tests.oracles.steered.case import Outage
from tests.oracles.steered.torus import Deed, SteeredTorus, TorusCase, nodes_of
from tests.oracles.torus.jobs import T3DJob
from tests.oracles.torus.machine import Block

ONE = [T3DJob(0, 1000, 64, 1000, "production")]
FIRST = tuple(range(64))
"""The nodes of the block that a first job of 64 gets."""


def over(case: TorusCase) -> SteeredTorus:
    """The run of a case, at its end."""
    run = SteeredTorus(case)
    for _ in run.run():
        pass
    return run


def case(*deeds: Deed, jobs: list[T3DJob] = ONE, on_failure: str = "requeue", **rest: Any) -> TorusCase:
    """A case of the page's parameters."""
    return TorusCase(jobs, list(deeds), rest.pop("outages", []), on_failure, rest.pop("interval", 300), {})


def test_nodes_are_numbered_along_x_then_y_then_z() -> None:
    """The block of 64 that lies lowest has the first 64 nodes."""
    assert nodes_of(Block((0, 0, 0), 64)) == frozenset(FIRST)
    assert nodes_of(Block((0, 0, 4), 2)) == {4, 5}


@pytest.mark.parametrize(
    ("on_failure", "finish", "wasted"),
    [("kill", 232, 200 * 64), ("requeue", 1264, 200 * 64), ("checkpoint", 1264, 200 * 64)],
)
def test_what_a_struck_job_ran_is_wasted(on_failure: str, finish: int, wasted: int) -> None:
    """Struck at 232, after 200 s: it is over, or loaded again elsewhere until 264 and done 1000 s later."""
    run = over(case(Deed(232, "down", nodes=(5,)), on_failure=on_failure))
    assert run.outcome().finishes == [finish]
    assert run.wasted == wasted


def test_a_checkpoint_keeps_whole_intervals() -> None:
    """700 s ran, 600 are kept: loaded again from 732 to 764, it needs another 400."""
    run = over(case(Deed(732, "down", nodes=(5,)), on_failure="checkpoint"))
    assert (run.outcome().finishes, run.wasted) == ([1164], 100 * 64)


def test_a_first_loading_that_is_broken_off_is_no_waste() -> None:
    """Struck at 20 of its 32 s of loading, it is loaded elsewhere until 52."""
    run = over(case(Deed(20, "down", nodes=(0,))))
    assert (run.outcome().starts, run.outcome().finishes, run.wasted) == ([52], [1052], 0)


def test_a_save_that_is_broken_off_is_waste_as_far_as_it_went() -> None:
    """Suspended at 132, struck at 150: 18 s of saving and 100 of running are lost; it is loaded anew."""
    run = over(case(Deed(132, "suspend", 0), Deed(150, "down", nodes=(0,))))
    assert (run.outcome().finishes, run.wasted) == ([150 + 32 + 1000], (18 + 100) * 64)


def test_so_is_a_restore_by_a_failure_or_by_a_cancel() -> None:
    """Saved from 132 to 192; restored from 200 on, of which 40 of 60 s have gone by at 240."""
    before = (Deed(132, "suspend", 0), Deed(200, "resume", 0))
    assert over(case(*before)).wasted == (60 + 60) * 64
    assert over(case(*before, Deed(240, "down", nodes=(63,)))).wasted == (60 + 40 + 100) * 64
    assert over(case(*before, Deed(240, "cancel", 0))).wasted == (60 + 40) * 64


def test_a_block_with_a_node_out_of_service_is_nobodys() -> None:
    """One drained node keeps the machine from a job of 256, until it is up; one of 64 goes elsewhere."""
    whole = [T3DJob(0, 10, 256, 10, "interactive")]
    run = over(case(Deed(0, "drain", nodes=(200,)), Deed(4000, "up", nodes=(200,)), jobs=whole))
    assert run.outcome().starts == [4000 + 128]
    run = over(case(jobs=ONE, outages=[Outage((7,), 0)]))
    assert run.outcome().starts == [32]
    assert run.outcome().loads[0][0].block == Block((2, 0, 0), 64)


def test_who_runs_on_a_drained_node_runs_on() -> None:
    """The node is down when the job leaves it, and cannot be drained twice."""
    run = over(case(Deed(50, "drain", nodes=(3,)), Deed(60, "drain", nodes=(3,))))
    assert run.outcome().finishes == [1032]
    assert [deed.at for deed in run.refused] == [60]
    assert run.floor.out == {3} and run.floor.holder(3) is None
