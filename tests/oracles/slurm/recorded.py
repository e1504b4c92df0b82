"""Recorded plans of real clusters: the rows of `plan.csv` beside those of the naive program."""

import csv
import os
from pathlib import Path
from typing import NamedTuple

from shadowtime.scenarios.slurm import format_hosts, parse_hosts
from tests.oracles.slurm.cycle import Row

OPEN = (
    "k-least-loaded",
    "k-tree",
)
"""Kinds whose rule is not defined (docs/slurm.md, What is not modelled)."""


def snapshots() -> list[Path]:
    """The folders of the recorded clusters, none if `SHADOWTIME_ORACLES` is not set."""
    folder = os.environ.get("SHADOWTIME_ORACLES")
    if not folder:
        return []
    found = sorted(path.parent for path in Path(folder).glob("slurm*/2*/*/plan.csv"))
    return [path for path in found if not path.name.startswith(OPEN)]


class Recorded(NamedTuple):
    """A recorded plan: the second of its cycle, its rows."""

    now: int
    rows: list[dict[str, str]]


def read_plan(folder: Path) -> Recorded:
    """Read the recorded plan of a folder; its first line holds the second of the cycle."""
    first, *lines = (folder / "plan.csv").read_text(encoding="utf-8").splitlines()
    return Recorded(int(first.split()[2].rstrip(";")), list(csv.DictReader(lines)))


def written(row: Row) -> tuple[str, ...]:
    """A row of the naive program in the words of a recorded one."""
    return (
        row.job, row.partition, row.reservation, row.outcome, str(row.start or ""), str(row.end or ""),
        ",".join(sorted(row.nodes)), row.note,
    )  # fmt: skip


def expected(row: dict[str, str], now: int) -> tuple[str, ...]:
    """A recorded row. One without an outcome is skipped; a job may be seen to start a second late.

    The row of a started task has the task's own id, which an entry of its array does not know.
    """
    started, outcome = row["outcome"] == "started", row["outcome"]
    late = started and 0 <= int(row["start"]) - now <= 1
    return (
        row["job_id"], row["partition"], row["reservation"], "skipped" if outcome == "none" else outcome,
        str(now) if late else row["start"], row["end"],
        ",".join(sorted(parse_hosts(row["nodes"]))), row["note"],
    )  # fmt: skip


def differences(rows: list[Row], plan: Recorded) -> list[str]:
    """The rows that differ, by their places in the queue."""
    # slurmctld passes over an entry without a line if a start of the cycle has reached a limit on jobs.
    ours = [written(row) for row in rows if row.note != "limit on jobs"]
    theirs = [expected(row, plan.now) for row in plan.rows]
    pairs = enumerate(zip(ours, theirs, strict=False), 1)
    wrong = [
        f"{place}: {shown(one)}; recorded: {shown(two)}" for place, (one, two) in pairs if not same(one, two)
    ]
    if len(ours) != len(theirs):
        wrong.append(f"{len(ours)} rows; {len(theirs)} are recorded")
    return wrong


def same(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether two rows agree: a reason counts where one is recorded."""
    return one[:7] == two[:7] and (not two[7] or one[7] == two[7])


def shown(row: tuple[str, ...]) -> str:
    """A row in one line."""
    return " ".join([*row[:6], format_hosts(row[6].split(",")) if row[6] else "", row[7]])
