"""The lines around the panels: title, message, note, next up, the event, and the keys."""

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from shadowtime.console import words
from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.keys import CHART, Key
from shadowtime.console.session import Note
from shadowtime.console.session.facts import Event, Row, Snapshot
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, clip, printable, width_of, wrap
from shadowtime.console.widgets.frame.pen import Penned
from shadowtime.console.widgets.queue.columns import STALE, UNKNOWN, starts, unknown

LEAST_NAME = 12
"""Cells of a scenario's name for which the policy gives way."""
POLICY = 14
"""Cells for which the scenario's name gives way to the policy: `conservative` is not cut."""
BETWEEN = " · "
LEAST_TITLE = 16
"""Cells below which no beginning of the scenario's title is shown."""


class StatusLine(Penned):
    """Lines of pieces, as many as it is high, without a scrollbar and without the focus."""

    DEFAULT_CSS = "StatusLine { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: Sequence[Line] = ()

    def put(self, *lines: Line) -> None:
        if list(lines) != list(self.lines):
            self.lines = lines
            self.refresh()

    def render_line(self, y: int) -> Strip:
        return self.pen.strip(self.lines[y] if y < len(self.lines) else (), self.size.width)


class KeyLine(StatusLine):
    """The keys that are wanted most, as many as there is room for; each can be clicked."""

    def __init__(self, keys: Sequence[Key], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys = keys

    def put_keys(self, keys: Sequence[Key]) -> None:
        if list(keys) != list(self._keys):
            self._keys = keys
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        styles = self.pen.styles
        segments: list[Segment] = []
        room = width
        for key in kept(self._keys, width):
            click = Style.from_meta({"@click": _clicked(key)}) if key.action else Style.null()
            text = f" {key.keys[0]}"
            segments.append(Segment(text, styles["key"] + click))
            segments.append(Segment(f" {key.label} ", styles["dim"] + click))
            room -= len(text) + len(key.label) + 2
        return Strip([*segments, Segment(" " * max(0, room), self.pen.base)])


def _clicked(key: Key) -> str:
    """What a click does: actions of a chart belong to the panel in use."""
    return f"{'focused' if key.group == CHART else 'screen'}.{key.action}"


def kept(keys: Sequence[Key], width: int) -> list[Key]:
    """The keys that fit, the most wanted first; help and quit are always among them."""
    always = [key for key in keys if key.id in ("help", "quit")]
    room = width - sum(_wide(key) for key in always)
    chosen: list[Key] = []
    for key in keys:
        if key not in always and _wide(key) <= room:
            chosen.append(key)
            room -= _wide(key)
    return [*chosen, *always]


def _wide(key: Key) -> int:
    return len(key.keys[0]) + len(key.label) + 3


def title_line(
    names: Sequence[str],
    title: str,
    state: str,
    snapshot: Snapshot,
    speed: str,
    width: int,
    clock: Clock = ELAPSED,
) -> list[Piece]:
    """The title: what is simulated on the left, where the clock stands on the right.

    Of the names (the scenario, its policy, its machine) the last go where there is no room; the policy is cut
    before it goes, as is the title. The speed and the number of all events go before the first name does.
    """
    total = f"/{snapshot.total:,}" if snapshot.total is not None else ""
    for shown, speeds in ((total, [(f" {speed} ", "dim")]), (total, []), ("", [])):
        right: list[Piece] = [
            (f"{state} ", "key" if "||" in state else "warn"),
            (f" event {snapshot.number:,}{shown} ", "text"),
            (f" {clock.format(snapshot.time)} ", "strong"),
            *speeds,
        ]
        room = max(0, width - width_of(right) - 1)
        if room >= LEAST_NAME:
            break
    # Which policy it is matters more than the end of a long file name.
    policy = min(len(names[1]) + 2, POLICY) if len(names) > 1 else 0
    first = room if room < policy + LEAST_NAME else room - policy
    left: list[Piece] = clip([(f" {printable(names[0])} ", "strong")], first)
    for name in names[1:]:
        spare = room - width_of(left)
        if len(name) + 2 <= spare:
            left.append((f" {printable(name)} ", "dim"))
        elif name is names[1] and spare >= policy > 0:
            left.append((cell(f" {printable(name)}", spare), "dim"))
    if room - width_of(left) >= LEAST_TITLE:
        left = clip([*left, (f" {printable(title)}", "dim")], room)
    return [*left, (" " * (room + 1 - width_of(left)), "text"), *right]


def next_up(rows: Sequence[Row], snapshot: Snapshot, width: int, unit: words.Unit) -> Line:
    """The jobs that start next: the first in full, the others with their instants as far as there is room."""
    if not rows:
        return [("NEXT UP  ", "head"), ("nobody waits", "dim")]
    row = rows[0]
    text = f"job {row.id}, {unit.sized(row.size)}, {_when(row, snapshot.number, unit.clock)}"
    head: Piece = ("NEXT UP  ", "head")
    known = any(row.predicted or row.likely or unknown(row) != UNKNOWN for row in rows)
    more = "" if known else "  in order of the queue until starts are predicted"
    room = width - len(more)
    reason: Piece = (f"  {words.brief(row.reason, row.now, unit)}", "dim")
    # The reason goes first, then how long it is until then.
    texts = text, text, text.rpartition(", ")[0]
    lines = [[head, (each, "text"), *end] for each, end in zip(texts, ([reason], [], []), strict=True)]
    line = clip(next((each for each in lines if width_of(each) <= room), lines[-1]), room)
    if more:
        return [*line, (more, "dim")]
    return _listed(line, (_starting(row, unit.clock) for row in rows[1:]), width)


def _starting(row: Row, clock: Clock) -> str:
    """A job with its likely start, or with the predicted one."""
    if row.likely is not None and row.likely.likely is not None:
        return f"{row.id} {clock.minute(row.likely.likely)}"
    return f"{row.id} {clock.minute(row.predicted.time)}" if row.predicted is not None else f"{row.id}"


def ends_next(rows: Sequence[Row], snapshot: Snapshot, width: int, unit: words.Unit) -> Line:
    """How many jobs run, and those that end first, at the latest, as far as there is room."""
    head: Piece = ("RUNNING  ", "head")
    if not snapshot.running:
        return [head, ("nobody runs", "dim")]
    ends = ((row.id, row.end if row.predicted_end is None else row.predicted_end.time) for row in rows)
    texts = (f"{job} by {unit.clock.minute(end)}" for job, end in ends if end is not None)
    return _listed([head, (f"{len(snapshot.running):,}", "text")], texts, width)


def _listed(line: Line, texts: Iterable[str], width: int) -> Line:
    """A line, and behind it as many texts as fit whole."""
    pieces = list(line)
    for text in texts:
        if width_of(pieces) + len(BETWEEN) + len(text) > width:
            break
        pieces += [(BETWEEN, "dim"), (text, "text")]
    return pieces


def _when(row: Row, number: int, clock: Clock) -> str:
    """When a job starts: `at 0d 05:00:00 exp, in 1h02m`, or `likely 0d 04:10, in 12m`.

    A prediction of another event is marked.
    """
    made = row.predicted
    if row.likely is not None and row.likely.likely is not None:
        old = STALE if row.likely.event != number else ""
        return f"likely {clock.minute(row.likely.likely)}{old}, {words.ahead(row.likely.likely - row.now)}"
    if made is None:
        return starts(row, number, clock.brief)
    stale = STALE if made.event != number else " "
    promise = words.PROMISES.get(made.promise, "")
    return f"at {clock.format(made.time)}{stale}{promise}, {words.ahead(made.time - row.now)}"


def event_line(event: Event | None, width: int, unit: words.Unit) -> Line:
    if event is None:
        return [("EVENT    ", "head"), ("before the first event", "dim")]
    number, text = f"{event.number:,}  ", printable(words.event(event, unit))
    line: Line = [
        ("EVENT    ", "head"),
        (number, "text"),
        (f"{unit.instant(event.time)}  ", "text"),
        (text, "text"),
    ]
    # The title has the instant.
    return clip(line if width_of(line) <= width else [*line[:2], *line[3:]], width)


def note_lines(note: Note, now: bool, width: int, most: int, clock: Clock = ELAPSED) -> list[Line]:
    """A note of the scenario in at most `most` lines; a longer one ends in an ellipsis.

    Where its moment is no longer `now` it has its time, and stands back.
    """
    role = "note" if now else "dim"
    heading: Piece = (f"{words.heading(note, now, clock)}  ", "key" if now else "dim")
    lines = wrap(note.text, width, role, [heading], 6)
    if len(lines) <= most:
        return list(lines)
    end: Line = [("… ", role), (":note", "key")]
    last = clip(lines[most - 1], width - width_of(end) - 1)
    return [*lines[: most - 1], [*last[:-1], (last[-1][0].rstrip("… "), last[-1][1]), *end]]
