"""What is different between two captures of one cluster."""

from collections.abc import Mapping

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow

Key = tuple[str, str, int]


@attrs.frozen
class Changes:
    """What happened between two captures."""

    shifts: Mapping[Key, int]
    """Row -> how much later it is planned, in seconds; only rows that moved."""
    replaced: frozenset[Key]
    """Rows with the same start on other nodes."""
    new: frozenset[Key]
    """Rows that were not there."""
    planned: frozenset[Key]
    """Rows that had no start before and have one."""
    lost: frozenset[Key]
    """Rows that had a start before and have none."""
    started: tuple[str, ...]
    """Jobs that waited before and hold nodes now."""
    ended: tuple[str, ...]
    """Jobs that held nodes before and do not now."""
    nodes: frozenset[str]
    """Nodes whose state or jobs changed."""

    @property
    def rows(self) -> frozenset[Key]:
        return frozenset(self.shifts) | self.replaced | self.new | self.planned | self.lost

    @property
    def later(self) -> int:
        return sum(shift > 0 for shift in self.shifts.values())

    @property
    def earlier(self) -> int:
        return sum(shift < 0 for shift in self.shifts.values())


NOTHING = Changes({}, frozenset(), frozenset(), frozenset(), frozenset(), (), (), frozenset())


def changes(before: Board, now: Board) -> Changes:
    """Return what the later of two boards has that the earlier one had not."""
    old = {row.key: row for row in before.rows}
    known = [(old[row.key], row) for row in now.rows if row.key in old]
    both = [(was, row) for was, row in known if was.start is not None and row.start is not None]
    held, waited = set(before.running), {row.job for row in before.rows}
    states = {node.name: (node.states, node.jobs) for node in before.nodes}
    return Changes(
        shifts={row.key: _shift(was, row, before, now) for was, row in both if _shift(was, row, before, now)},
        replaced=frozenset(
            row.key for was, row in both if was.nodes != row.nodes and not _shift(was, row, before, now)
        ),
        new=frozenset(row.key for row in now.rows if row.key not in old),
        planned=frozenset(row.key for was, row in known if was.start is None and row.start is not None),
        lost=frozenset(row.key for was, row in known if was.start is not None and row.start is None),
        started=tuple(job for job in now.running if job not in held and _waited(job, waited)),
        ended=tuple(job for job in before.running if job not in now.running),
        nodes=frozenset(node.name for node in now.nodes if states.get(node.name) != (node.states, node.jobs)),
    )


def _shift(was: PlanRow, row: PlanRow, before: Board, now: Board) -> int:
    """How much later a row is planned. A start now stays a start now."""
    assert was.start is not None and row.start is not None
    if was.start <= before.now and row.start <= now.now:
        return 0
    return row.start - was.start


def _waited(job: str, waited: set[str]) -> bool:
    """Whether a job waited, alone or as a task of its array."""
    return job in waited or f"{job.partition('_')[0]}_*" in waited
