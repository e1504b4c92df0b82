"""The lines around the panels of a cluster: which cluster, how old the capture is, what changed."""

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.changes import Changes
from shadowtime.console.session.slurm.board.facts import COVERED, Board
from shadowtime.console.widgets.frame.ink import Line, Piece, printable, width_of
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words import count
from shadowtime.console.words.cluster.caveats import TOUCHED, caveat
from shadowtime.console.words.plan import beside_words, marks_words

WIDE = 10_000
"""Cells of a line that is not cut."""


@attrs.frozen
class Following:
    """How a console follows its cluster."""

    every: float | None
    """Seconds between two captures; None: it does not follow."""
    paused: bool = False
    reading: bool = False
    fault: str = ""
    """Why the last capture failed; empty if it did not."""


@attrs.frozen
class Stepped:
    """Where a stepped cluster stands."""

    number: int
    """Events since the capture."""
    ahead: int
    """Seconds since the capture."""


def title(
    board: Board,
    source: str,
    dates: Dates,
    age: int | None,
    following: Following,
    stepped: Stepped | None = None,
    altered: str = "",
    width: int = WIDE,
) -> Line:
    """The first line, of so many cells. `age` is how old the capture is, in seconds; None for a folder.

    `altered` are the parameters that are not those of the configuration.
    """
    name = printable(board.cluster) or "cluster"
    # From here the others are counted.
    dates = attrs.evolve(dates, since=None)
    zone = dates.zone_name(board.now)
    # Where a stepped cluster stands matters more, that there is no answer, and other parameters.
    other_matters = stepped is not None or (age is not None and bool(following.fault or altered))
    pieces: list[Piece] = [
        (" SHADOWTIME ", "strong"),
        (f" {name}", "head"),
        ("  " if other_matters else f"  Slurm {board.release}  ", "dim"),
        (f"{dates.whole(board.now)} {zone}".rstrip(), "text"),
    ]
    if stepped is not None:
        pieces.append((f"  #{stepped.number} +{duration(stepped.ahead)}", "key"))
        if following.every is not None:
            pieces.append(("  PAUSED", "warn"))
    other: list[Piece] = [(f"  with {printable(altered)}", "warn")] if altered else []
    if stepped is not None:
        return _fitted([*pieces, *other], width)
    if age is None:
        path = printable(source)
        pieces = _fitted([*pieces, *other], width - len(f"  {_end(path, 0)}"))
        return [*pieces, (f"  {_end(path, width - width_of(pieces) - 2)}", "dim")]
    pieces.append((f"  {duration(max(0, age))} old", "warn" if following.fault else "dim"))
    if following.fault:
        pieces.append(("  NO ANSWER", "bad"))
    elif following.paused:
        pieces.append(("  PAUSED", "warn"))
    pieces += other
    if following.every is not None:
        pieces.append((f"  every {duration(following.every)}", "dim"))
    if following.reading and not following.fault and not following.paused:
        pieces.append(("  reading ...", "key"))
    return _fitted(pieces, width)


def _fitted(pieces: list[Piece], width: int) -> list[Piece]:
    """The same without the release and without the name of the program, where there is no room for them."""
    for place in (2, 0):
        if width_of(pieces) > width:
            pieces[place] = (" " * (1 + place // 2), "dim")
    return pieces


def _end(path: str, room: int) -> str:
    """As many of the last folders of a path as there is room for."""
    while len(path) > room and "/" in path.removeprefix("…/"):
        path = f"…/{path.removeprefix('…/').partition('/')[2]}"
    return path


def plan_caption(board: Board, dates: Dates) -> str:
    """Return the words behind the title of the plan: how many rows come to what, and who starts next."""
    counts = [
        f"{board.count(outcome)} {words}"
        for outcome, words in (
            ("started", "started" if board.begun else "start now"),
            ("planned", "planned"),
            ("beyond window", "beyond the window"),
            ("skipped", "skipped"),
            ("not queued", "not queued"),
            (COVERED, "covered"),
        )
        if board.count(outcome)
    ]
    row = board.next_up
    following = f"next up {row.job} at {dates.brief(row.start, board.now)}   " if row and row.start else ""
    return following + (", ".join(counts) or "nobody waits")


def plan_foot(board: Board, odds: str = "") -> str:
    """Return what is to be doubted: what the predictions leave out, and where Slurm's own are others.

    `odds`: how likely starts stand.
    """
    shared = board.shared_caveats
    parts = [beside_words(board.beside)] if board.beside.apart else []
    parts += [f"not in this plan: {'; '.join(map(caveat, shared))}"] if shared else []
    parts += [f"{TOUCHED} {text}" for text in marks_words((row.job, row.caveats) for row in board.rows)]
    # What is short comes first: a narrow frame cuts the end.
    return "   ".join(filter(None, (odds, *parts)))


def nodes_caption(board: Board) -> str:
    """Return the words behind the title of the nodes; a node that drains is not idle."""
    idle = sum(node.up and not node.jobs and "IDLE" in node.states for node in board.nodes)
    gpus, held = sum(node.gpus for node in board.nodes), sum(node.gpus_held for node in board.nodes)
    words = [
        count(len(board.nodes), "node"),
        f"{idle} idle",
        *([f"{held} of {gpus} GPUs held"] if gpus else []),
    ]
    return ", ".join(words)


def changed(changes: Changes, board: Board, dates: Dates) -> str:
    """Return what the last capture changed, in one line."""
    parts = [
        f"{number} {words}"
        for number, words in (
            (len(changes.started), "started"),
            (len(changes.ended), "ended"),
            (len(changes.new), "new"),
            (changes.later, "later"),
            (changes.earlier, "earlier"),
            (len(changes.planned), "planned now"),
            (len(changes.lost), "without a start now"),
            (len(changes.replaced), "on other nodes"),
        )
        if number
    ]
    return f"{dates.clock(board.now)}: {', '.join(parts) or 'nothing changed'}"
