"""The nodes of a cluster as a map: a cell a node, in the order of the configuration."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from string import digits

import attrs

from shadowtime.console.session.slurm.board.facts import Board, NodeFact
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, printable, width_of
from shadowtime.console.widgets.frame.letters import Held, letter
from shadowtime.console.widgets.frame.looks import LETTERS
from shadowtime.console.widgets.nodemap.cells import named_runs
from shadowtime.console.widgets.nodemap.scene import STEP_NAMES, STEPS, Cycle
from shadowtime.console.widgets.nodemap.zoom import WIDEST
from shadowtime.console.widgets.slurm.dates import Dates

TEN = 10
"""Nodes after which a row has a gap."""
LONGEST = 16
"""Cells of a name beside a row, at most."""
CHARACTERS = LETTERS + digits
CARDS = {5: 24, 4: 18, 2: 18, 1: 14}
"""Lines of a card, and its cells beside the name; the last of four or more is blank."""
KINDS = 12
"""Sets of partitions, or users, that the legend names."""

Cell = tuple[str, str]
"""The letter of a node and its role."""

STATES: Sequence[tuple[tuple[str, ...], str, str, str]] = (
    (("DOWN", "NOT_RESPONDING", "FAIL", "FAILING", "ERROR"), "X", "state:X", "down"),
    (("DRAIN", "DRAINED", "DRAINING"), "x", "state:x", "drain"),
    (("POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN"), "~", "state:H", "powered down"),
    (("POWERING_UP", "REBOOT", "REBOOT_ISSUED", "REBOOT_REQUESTED"), "^", "state:i", "booting"),
    (("MAINTENANCE", "MAINT"), "$", "state:W", "maintenance"),
    (("COMPLETING",), "c", "state:o", "completing"),
    (("UNLISTED",), "u", "warn", "held by jobs not shown"),
    (("ALLOCATED",), "a", "state:R", "allocated"),
    (("MIXED",), "m", "state:N", "mixed"),
    (("RESERVED",), "r", "state:W", "reserved"),
    (("PLANNED",), "-", "plan", "idle, planned"),
    (("IDLE",), ".", "state:.", "idle"),
)
"""Words of a node's state, the first that one of them is: its letter, its role, and what the legend says."""
UNKNOWN: Cell = ("?", "warn")
NO_GPUS: Cell = ("_", "dim")
MANY = "+"
"""The letter of ten free GPUs, or more."""


class Colouring(Cycle):
    """What the letters mean; the value is the title that says so."""

    STATE = "by state"
    JOB = "by job"
    USER = "by user"
    PARTITION = "by partition"
    END = "by end"
    GPUS = "by free GPUs"


OF_JOBS = (Colouring.STATE, Colouring.JOB, Colouring.USER)
"""Those under which a node may have several letters, with the number of a job among them."""


@attrs.frozen
class MapText:
    """The map of one board. On a node with several jobs the one that ends last gives letter and colour."""

    board: Board
    colouring: Colouring = Colouring.STATE
    chosen: frozenset[str] = frozenset()
    """The nodes that stand out: those of the job under the cursor."""
    number: Callable[[str], int] | None = None
    """The number of a job, by name, for its letter and its hue; by default its id."""
    letters: Held = attrs.field(factory=dict)
    dates: Dates = attrs.field(factory=Dates)

    def cell(self, node: NodeFact) -> Cell:
        letter, role = self._plain(node)
        if node.name in self.chosen:
            return letter, f"chosen:{role}"
        # A node that is down is in reverse: beside a chosen job it would be read as one of its nodes.
        return letter, f"other:{role}" if self.chosen and role.startswith("state:") else role

    def _plain(self, node: NodeFact) -> Cell:
        state = _state(node)
        if self.colouring is Colouring.PARTITION:
            kind = self.kinds[node.partitions]
            return (_letter(kind), f"job:{kind}") if node.up else state
        if self.colouring is Colouring.GPUS:
            return _free(node) if node.up else state
        if not node.jobs or not node.up or self.colouring is Colouring.STATE:
            return state
        last = self.board.last_on[node.name]
        if self.colouring is Colouring.JOB:
            number = last.id if self.number is None else self.number(last.shown)
            return letter(self.letters, number), f"job:{number}"
        if self.colouring is Colouring.USER:
            return self.users[last.user], f"user:{last.user}"
        step = bisect_right(STEPS, max(0, last.end - self.board.now))
        return str(step), f"ramp:{step}"

    @cached_property
    def kinds(self) -> Mapping[tuple[str, ...], int]:
        """Each set of partitions that a node is in -> its number, in the order of the nodes."""
        found: dict[tuple[str, ...], int] = {}
        for node in self.board.nodes:
            found.setdefault(node.partitions, len(found))
        return found

    @cached_property
    def users(self) -> Mapping[str, str]:
        """Each user with running jobs, in the order of the names -> a letter."""
        return letters_by_name(sorted({job.user for jobs in self.board.runs_on.values() for job in jobs}))

    def legend(self) -> str:
        nodes = self.board.nodes
        met = {_state(node)[0] for node in nodes if self._by_state(node)}
        states = [f"{letter} {word}" for _, letter, _, word in STATES if letter in met]
        if self.colouring is Colouring.STATE:
            return "  ".join(states)
        if self.colouring is Colouring.PARTITION:
            kinds = {",".join(names) or "-": _letter(kind) for names, kind in self.kinds.items()}
            return "  ".join([_named(kinds), *states])
        if self.colouring is Colouring.GPUS:
            return "  ".join([*_free_words(nodes), *states])
        shown = [node for node in nodes if _shows(node)]
        if self.colouring is Colouring.END:
            steps = sorted({self.cell(node)[0] for node in shown})
            return "  ".join([*(f"{step} {STEP_NAMES[int(step)]}" for step in steps), *states])
        if self.colouring is Colouring.USER:
            users = sorted({self.board.last_on[node.name].user for node in shown})
            return "  ".join(filter(None, [_named({user: self.users[user] for user in users}), *states]))
        return "  ".join([*(["a letter a job"] if shown else []), *states])

    def _by_state(self, node: NodeFact) -> bool:
        """Whether the letter of a node is that of its state."""
        if self.colouring in (Colouring.GPUS, Colouring.PARTITION):
            return not node.up
        return self.colouring is Colouring.STATE or not _shows(node)

    def grid(self, width: int, height: int = 0) -> "MapGrid":
        """The rows for a width: cards or several letters a node if the whole map fits the height so."""
        names = [node.name for node in self.board.nodes]
        # Four digits of a user would be read as four nodes.
        digits = self.colouring is Colouring.USER and any(map(str.isdigit, self.users.values()))
        several = range(WIDEST, 1, -1) if self.colouring in OF_JOBS and not digits else ()
        scales = (*((tall, 0) for tall in CARDS), *((1, wide) for wide in several))
        found = (MapGrid.of(names, width, tall, wide) for tall, wide in scales)
        return next((grid for grid in found if 0 < grid.lines <= height), MapGrid.of(names, width))

    def line(self, number: int, cursor: int | None, grid: "MapGrid") -> Line:
        """A line of the map: the name of a row's first node, then its cells; or a line of its cards.

        `cursor` is a node or None.
        """
        place, part = divmod(number, grid.tall)
        nodes, row, wide = self.board.nodes, grid.rows[place], grid.wide
        if grid.cards:
            return tuple(chain.from_iterable(self._card(nodes[at], part, at == cursor, grid) for at in row))
        pieces: list[Piece] = [(cell(nodes[row.start].name, self.label) + " ", "dim")]
        for first in range(row.start, row.stop, TEN):
            if first > row.start:
                pieces.append((" " * wide, "dim"))
            places = range(first, min(first + TEN, row.stop))
            letters = ((self._holder(nodes[at]), *self._marked(at, cursor)) for at in places)
            pieces += named_runs(letters, wide, printable)
        return pieces

    def _marked(self, place: int, cursor: int | None) -> Cell:
        letter, role = self.cell(self.board.nodes[place])
        return letter, "cursor cell" if place == cursor else role

    def _holder(self, node: NodeFact) -> str:
        """The job that ends last on a node, and how many others there are; empty without one."""
        if not _shows(node):
            return ""
        return self.board.last_on[node.name].shown + (f"+{len(node.jobs) - 1}" if len(node.jobs) > 1 else "")

    def _card(self, node: NodeFact, part: int, pointed: bool, grid: "MapGrid") -> Line:
        """A line of the card of a node."""
        room, now = grid.wide - self.label - 2, self.board.now
        gpus = f" {node.gpus_held}/{node.gpus} GPU" if node.gpus else ""
        until = "" if node.free_at is None else f"to {self.dates.brief(node.free_at, now)}"
        then = self.dates.job_at(node.next_job, node.next_start, now)
        user = f" {self.board.last_on[node.name].user}" if len(node.jobs) == 1 else ""
        letter, role = self.cell(node)
        head = f"{letter} {' '.join(node.jobs) or node.state}{user}"
        held = f"{node.cpus_taken}/{node.cpus} CPU{gpus}"
        facts = {5: (held, until, then), 4: (held, until or then)}.get(grid.tall, (until or then,))
        text = cell(printable([head, *facts, ""][part]), room).rstrip()
        blank = " " * (room + 1 - width_of([(text, "")])), "dim"
        if part:
            return (" " * (self.label + 1), "dim"), (text, "plan" if then and text == then else "text"), blank
        name = cell(node.name, self.label), "cursor cell" if pointed else "dim"
        return name, (" ", "dim"), (text, role), blank

    @cached_property
    def label(self) -> int:
        """Cells of the names beside the rows."""
        return label_width([node.name for node in self.board.nodes])


@attrs.frozen
class MapGrid:
    """Which nodes stand in which row: the names of a row differ in their number only."""

    rows: tuple[range, ...]
    across: int
    """Nodes of a full row."""
    tall: int = 1
    """Lines of a row."""
    wide: int = 1
    """Cells of a node."""
    cards: bool = False
    """Whether each node has its name and its jobs, and not a letter."""

    @classmethod
    def of(cls, names: Sequence[str], width: int, tall: int = 1, wide: int = 1) -> "MapGrid":
        """The rows for a width: as many nodes as fit, whole tens if there is room for ten.

        No cells a node stand for cards of so many lines.
        """
        cards, label = not wide, label_width(names)
        wide = wide or label + 2 + CARDS[tall]
        across = room = max(1, (width if cards else width - label - 1) // wide)
        while not cards and across > 1 and across + (across - 1) // TEN > room:
            across -= 1
        if not cards and across > TEN:
            across -= across % TEN
        rows, start = [], 0
        for place in range(1, len(names) + 1):
            if place == len(names) or _stem(names[place]) != _stem(names[start]):
                rows += [range(at, min(at + across, place)) for at in range(start, place, across)]
                start = place
        return cls(tuple(rows), across, tall, wide, cards)

    @property
    def lines(self) -> int:
        return len(self.rows) * self.tall - (self.tall > 2)

    def row_of(self, place: int) -> int:
        return max(0, bisect_right(self.rows, place, key=lambda row: row.start) - 1)

    def moved(self, place: int, right: int, down: int) -> int:
        """The node so many cells to the right and rows below; the edge stops the way."""
        if not self.rows:
            return place
        if right:
            return min(max(0, place + right), self.rows[-1].stop - 1)
        row = self.row_of(place)
        column = place - self.rows[row].start
        wanted = self.rows[min(max(0, row + down), len(self.rows) - 1)]
        return wanted.start + min(column, len(wanted) - 1)

    def at(self, line: int, column: int) -> int | None:
        """The node at a cell, counted from the first cell of the row; None where no node stands."""
        row, place = line // self.tall, column // self.wide
        if not 0 <= row < len(self.rows) or column < 0 or (place % (TEN + 1) == TEN and not self.cards):
            return None
        place -= 0 if self.cards else place // (TEN + 1)
        return self.rows[row].start + place if place < len(self.rows[row]) else None


def label_width(names: Sequence[str]) -> int:
    return min(LONGEST, max(map(len, names), default=0))


def _stem(name: str) -> str:
    return name.rstrip(digits)


def letters_by_name(names: Sequence[str]) -> Mapping[str, str]:
    """Return a letter or digit for each name: the first of its own that no name before it has.

    What all names begin with is passed over. A name without a letter of its own gets one that is left, or
    else shares the first of its letters.
    """
    shared = len(common_beginning(names)) if len(names) > 1 else 0
    taken: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        own = [letter for letter in name[shared:] + name if letter in CHARACTERS]
        free = (letter for letter in chain(own, CHARACTERS) if letter not in used)
        taken[name] = next(free, (own or LETTERS)[0])
        used.add(taken[name])
    return taken


def common_beginning(names: Sequence[str]) -> str:
    least, most = min(names), max(names)
    return next((least[:at] for at, letter in enumerate(least) if letter != most[at]), least)


def _free(node: NodeFact) -> Cell:
    """How many GPUs of a node nobody holds, as a digit; the more are held, the further the role."""
    if not node.gpus:
        return NO_GPUS
    free = max(0, node.gpus - node.gpus_held)
    role = "state:R" if not free else "state:." if not node.gpus_held else "state:N"
    return (str(free) if free < TEN else MANY), role


def _free_words(nodes: Sequence[NodeFact]) -> Iterator[str]:
    up = [node for node in nodes if node.up]
    counts = sorted({min(TEN, max(0, node.gpus - node.gpus_held)) for node in up if node.gpus})
    if counts:
        yield "a digit: GPUs free"
    if TEN in counts:
        yield f"{MANY} {TEN} or more"
    if any(not node.gpus for node in up):
        yield f"{NO_GPUS[0]} without GPUs"


def _letter(kind: int) -> str:
    return LETTERS[kind % len(LETTERS)]


def _named(letters: Mapping[str, str]) -> str:
    """The words of a legend: as many names as it has room for, each behind its letter."""
    words = [f"{letter} {printable(name)}" for name, letter in islice(letters.items(), KINDS)]
    return "  ".join([*words, *(["..."] if len(letters) > KINDS else [])])


def _state(node: NodeFact) -> Cell:
    for words, sign, role, _ in STATES:
        if any(word in node.states for word in words):
            return sign, role
    return UNKNOWN


def _shows(node: NodeFact) -> bool:
    """Whether jobs give the node its letter."""
    return bool(node.jobs) and node.up
