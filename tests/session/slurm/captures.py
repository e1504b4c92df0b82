"""Captured clusters that follow each other in time, for the console, the ledger and what changed."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING, BoardReading
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.running import RunningRow, running_rows
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.table.ordering import Order
from tests.scenarios.slurm.support import NOW, files, job, number, write


def waiting(id_: int, **facts: Any) -> dict[str, Any]:
    """A job that waits for two nodes, without the reservation's trouble: ten minutes."""
    overlay: dict[str, Any] = facts.pop("overlay", {})
    return job(42, id_, limit=10, **facts) | overlay


def running(id_: int, nodes: tuple[str, ...], begin: int, **facts: Any) -> dict[str, Any]:
    """A job that began and may run for ten minutes."""
    times = {"start_time": number(begin), "end_time": number(begin + 600)}
    return job(42, id_, limit=10, nodes=nodes, **facts) | times


def ended(id_: int, nodes: str, begin: int, state: str = "COMPLETED") -> dict[str, Any]:
    """A job that is over and still shown."""
    found = job(42, id_, limit=10)
    return found | {"job_state": [state], "start_time": number(begin), "nodes": nodes}


def contents(jobs: Iterable[dict[str, Any]], after: int = 0, name: str = "test") -> dict[str, Any]:
    """The files of a cluster of four nodes, `after` seconds after the first capture."""
    found = files(42)
    found["squeue.json"] |= {"jobs": list(jobs), "last_update": number(NOW + after)}
    found["reservations.json"]["reservations"] = []
    found["config.txt"] += f"ClusterName = {name}\n"
    return found


def captured(folder: Path, jobs: Iterable[dict[str, Any]], after: int = 0, name: str = "test") -> Board:
    """The board of such a cluster."""
    return board(Folder(write(folder, contents(jobs, after, name))).take())


def shown_rows(found: Board, text: str) -> tuple[PlanRow, ...]:
    """The rows of the plan that a filter lets through."""
    return tuple(Order(PLAN).of(found.rows, BoardReading(found, found.now), text))


def shown_running(found: Board, text: str) -> tuple[RunningRow, ...]:
    """The jobs that hold nodes and that a filter lets through."""
    return tuple(Order(RUNNING).of(running_rows(found), BoardReading(found, found.now), text))
