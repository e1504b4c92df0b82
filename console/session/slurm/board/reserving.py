"""The reservations of the operator: what they hold, who waits for them, and whom they delay."""

from collections import defaultdict
from collections.abc import Mapping

import attrs

from shadowtime.console.session.slurm.board.facts import COVERED, Board
from shadowtime.console.session.slurm.problem import problem
from shadowtime.console.session.slurm.queue import queue
from shadowtime.kernels.slurm.cycle import run_cycle
from shadowtime.scenarios.slurm import Capture, format_hosts
from shadowtime.scenarios.text.gate import printable

ACTIVE, COMING = "active", "coming"


@attrs.frozen
class ReservationRow:
    """A reservation that is not over. Instants are seconds since 1970."""

    name: str
    state: str
    """`active` or `coming`."""
    begin: int
    end: int
    nodes: str
    """As a list such as `n[1-4]`."""
    size: int
    """How many nodes."""
    users: tuple[str, ...]
    accounts: tuple[str, ...]
    flags: tuple[str, ...]
    waiting: tuple[str, ...]
    """The waiting jobs that ask for it."""
    delays: tuple[str, ...]
    """The waiting jobs that the next cycle would start earlier without it."""


def reservation_rows(board: Board) -> tuple[ReservationRow, ...]:
    """Return the reservations, the first to begin first."""
    capture, now = board.capture, board.now
    waiting: dict[str, list[str]] = defaultdict(list)
    for job in capture.jobs:
        if job.waiting and job.reservation:
            waiting[job.reservation].append(job.shown)
    there = [each for each in capture.reservations if each.end + each.moved(now) > now]
    # The questions of a lesson ask for the starts that this would show.
    covered = bool(board.count(COVERED))
    planned = _starts(capture, now) if there and not covered else {}
    rows = []
    for each in there:
        begin, end = each.begin + each.moved(now), each.end + each.moved(now)
        others = tuple(other for other in capture.reservations if other is not each)
        without = {} if covered else _starts(attrs.evolve(capture, reservations=others), now)
        own = waiting[each.name]
        rows.append(
            ReservationRow(
                name=printable(each.name),
                state=ACTIVE if begin <= now else COMING,
                begin=begin,
                end=end,
                nodes=format_hosts(each.nodes),
                size=len(each.nodes),
                users=tuple(map(printable, each.users)),
                accounts=tuple(map(printable, each.accounts)),
                flags=tuple(sorted(each.flags)),
                waiting=tuple(own),
                delays=tuple(
                    job
                    for job, start in without.items()
                    if job not in own and (job not in planned or start < planned[job])
                ),
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.begin, row.name)))


def _starts(capture: Capture, now: int) -> Mapping[str, int]:
    """Waiting job -> its first start in the plan of a cycle."""
    entries = queue(capture, now)
    found: dict[str, int] = {}
    for place in run_cycle(problem(capture, entries, now)).places:
        if place.start is not None:
            name = entries[place.entry].name
            found[name] = min(place.start, found.get(name, place.start))
    return found
