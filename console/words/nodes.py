"""Nodes in words: which ones a job has, and when some are empty."""

from collections.abc import Callable

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session import NodeRanges, Row, format_nodes
from shadowtime.console.session.nodes.lists import named_nodes
from shadowtime.console.session.nodes.whereabouts import Whereabouts
from shadowtime.console.words.phrases import ahead
from shadowtime.console.words.units import NODES, Unit

MOST_HOLDERS = 6
"""Jobs before another one on its nodes that are named."""


def holds(row: Row) -> str:
    """The nodes that a job holds, in a sentence; empty if it holds no nodes."""
    return f"job {row.called} holds {named_nodes(row.nodes)}" if row.nodes else ""


def whereabouts(found: Whereabouts, clock: Clock = ELAPSED) -> str:
    """Where a job was last, or is expected: `0-15,32, expected from 0d 08:00:00`.

    Where odds are known, the nodes that it gets in most cases come first.
    """
    nodes = format_nodes(found.nodes)
    if found.since is None:
        return f"{nodes}, held last"
    if found.likely is not None:
        few, asked = (sum(stop - first for first, stop in some) for some in (found.likely, found.nodes))
        share = f"{few:,} of {asked:,}: " if few < asked else ""
        most = f"in most cases {share}{format_nodes(found.likely)}" if few else "none in most cases"
        return f"{most}; at the limits {nodes} from {clock.minute(found.since)}"
    return f"{nodes}, expected from {clock.format(found.since)}"


def waits_for(found: Whereabouts, clock: Clock = ELAPSED) -> str:
    """Who has the nodes before the job: `0-63: job 1 may run until 0d 08:00:00`; empty if they are free."""
    named = [
        held_until(_listed(each.nodes), f"job {each.job}", clock.format(each.until), each.runs)
        for each in found.holders[:MOST_HOLDERS]
    ]
    others = len(found.holders) - MOST_HOLDERS
    return "; ".join([*named, *([f"{others} more before"] if others > 0 else [])])


def idle_now(found: Whereabouts, asks: int, now: int, unit: Unit = NODES) -> str:
    """Who comes to the nodes that are idle now before a job of `asks` would end there; empty if none are."""
    named = []
    for each in found.idle[:MOST_HOLDERS]:
        nodes = _listed(each.nodes)
        if each.at is None:
            named.append(too_few(nodes, unit.sized(each.count), asks))
        else:
            named.append(comes_to(nodes, f"job {each.job}", each.at, now, unit.instant))
    others = len(found.idle) - MOST_HOLDERS
    return "; ".join([*named, *([f"{others} more come"] if others > 0 else [])])


def _listed(nodes: NodeRanges) -> str:
    """A list with blanks at which a line can end."""
    return format_nodes(nodes).replace(",", ", ")


def held_until(nodes: str, who: str, until: str, runs: bool) -> str:
    """Who has nodes that a job waits for, and until when; it may run there, or is to come before the job."""
    return f"{nodes}: {who} {'may run' if runs else 'is planned before it,'} until {until}"


def too_few(nodes: str, sized: str, asks: int) -> str:
    """Idle nodes to which nobody comes, fewer than a job asks for."""
    return f"{nodes}: {sized}, it asks for {asks:,}"


def comes_to(nodes: str, who: str, at: int, now: int, instant: Callable[[int], str]) -> str:
    """Who comes to idle nodes before a waiting job would end there."""
    if at <= now:
        return f"{nodes}: {who} starts there"
    return f"{nodes}: free until {instant(at)}, then {who} is planned there"


def emptied(at: int | None, now: int, clock: Clock = ELAPSED) -> str:
    """When drained nodes are empty: `empty at 0d 08:00:00 (in 7h40m)`, or `empty now`."""
    if at is None:
        return "nobody knows when the last job leaves"
    return "empty now" if at <= now else f"empty at {clock.format(at)} ({ahead(at - now)})"
