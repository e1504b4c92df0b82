"""The jobs as the simulator Batsim writes them, which evalys and other programs draw.

The columns: https://batsim.readthedocs.io/en/latest/output-jobs.html. As there, a job has its line once it is
over, in order of the ends. A job that was stopped and went on elsewhere has the nodes that it had last.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.files.replay import Held, Nodes, Replay
from shadowtime.console.session.files.tidy import Cells
from shadowtime.console.session.files.writers import counted, written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.kernels.core.order import order_of
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.nodes import format_nodes, joined

COLUMNS = (
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
    "consumed_energy",
    "metadata",
)
"""In Batsim's order. Energy is not simulated: -1; metadata is empty."""

SUCCESS = "COMPLETED_SUCCESSFULLY"
"""The final state of a job that ended by itself."""


def save_batsim(replay: Replay, path: str | Path, progress: Progress | None = None) -> None:
    """Write the jobs that are over. OSError leaves nothing half-written."""
    case = replay.case
    # Before the nodes: a sort takes memory, too.
    order = order_of(replay.simulation.results("finish")["finish"])
    held = replay.held(progress)
    with written_whole(path) as stream:
        cells = Cells(stream)
        cells.row(COLUMNS)
        cells.rows(counted(rows(case, replay.simulation, order, held), len(case.jobs), progress))


def rows(
    case: Case, simulation: Simulation, order: Sequence[int], held: Held
) -> Iterator[tuple[object, ...]]:
    """The line of each job that has ended, in an order of all jobs."""
    jobs = case.columns
    name = re.sub(r"(\.swf)?(\.gz|\.xz)?$|\.toml$", "", case.scenario.path.name)
    for index in order:
        start, finish, _, _, _ = simulation.result(index)
        if start == NONE or finish == NONE:
            continue
        submit = jobs.submit[index]
        state = _final_state(simulation.outcome(index), bool(jobs.killed[index]))
        yield (
            jobs.id[index],
            name,
            f"delay{jobs.runtime[index]}",
            submit,
            jobs.size[index],
            jobs.estimate[index],
            int(state == SUCCESS),
            state,
            start,
            finish - start,
            finish,
            start - submit,
            finish - submit,
            f"{(finish - submit) / (finish - start):.6f}" if finish > start else "",
            interval_set(held.of(index)),
            -1,
            "",
        )


def _final_state(outcome: str | None, killed: bool) -> str:
    """How a job ended, in Batsim's words."""
    if outcome == "struck":
        return "COMPLETED_FAILED"
    return "COMPLETED_WALLTIME_REACHED" if killed else SUCCESS


def interval_set(nodes: Nodes) -> str:
    """Nodes as an interval set: `0-15 32`."""
    return format_nodes(joined((first, first + count) for first, count in nodes)).replace(",", " ")
