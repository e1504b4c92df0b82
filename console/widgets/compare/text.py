"""The compare view as text: figures side by side, the jobs that differ, where the lanes part, what happened.

Plain functions of the standings of the lanes. No difference is shown by colour alone: each has a sign and the
word `better` or `worse`, or the name of the lane that is best.
"""

import re
from collections.abc import Callable, Sequence

import attrs
from rich.cells import cell_len

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.session.comparison.divergence import NEVER
from shadowtime.console.session.comparison.lane_figures import Figures, JobDifference, LaneFigures
from shadowtime.console.session.facts import ASIDE, Event, Row
from shadowtime.console.session.slurm.lanes.cluster_lane import Happened
from shadowtime.console.widgets.frame.ink import (
    Line,
    Piece,
    cell,
    clip,
    flowed,
    printable,
    shorten,
    width_of,
    wrap,
)
from shadowtime.console.widgets.metrics.text import ratio, times
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_text

LESS, MORE, NEITHER = -1, 1, 0
LABEL = 12
FIGURES, FIGURES_SHARE = 46, 0.56
"""Columns for the figures where there are few, and the most of them as a share of all."""
PADDING = 3
"""Cells beside the figures."""
LEAST_COLUMN, MOST_COLUMN = 8, 14
"""Cells for the figure of a lane."""
LISTED = 11
"""Lines of the jobs that differ in a summary, the heading among them."""
FEW = 3
"""Submissions of an instant that are named one by one."""
ENDLESS = 1 << 20
"""Cells that no sentence fills."""
VERDICT = 16
"""Cells for how two figures differ."""
LEAST_LANE, MOST_LANE = 9, 45
"""Cells for a job in a lane."""
APART = len("24m59s")
"""Cells for how far a job is apart."""
LARGEST = re.compile(r"-?\d+[a-z]+")
"""The largest unit of a duration."""


def points(value: float) -> str:
    """A difference of two shares, in points of a hundred: `+25.0 pt`."""
    return f"{100 * value:+.1f} pt"


def later(value: float) -> str:
    """A difference of two durations: `+1h10m`."""
    return f"{'+' if value > 0 else ''}{words.duration(value)}"


def signed(written: Callable[[float], str]) -> Callable[[float], str]:
    """A difference written as the figures themselves, with its sign."""
    return lambda value: f"{'+' if value > 0 else ''}{written(value)}"


def counted(value: float) -> str:
    """A count: `1,204`."""
    return f"{value:,.0f}"


def unit_of(it: LaneFigures, place: int) -> words.Unit:
    return words.unit_of(it.machines[place], it.clock)


@attrs.frozen
class Figure:
    """One line of the table: what it is of a lane, how it is written, and whether less or more is better.

    `over`: of which jobs it is the mean, `started` or `finished` ones; lanes in which these are not the same
    cannot be compared.
    """

    title: str
    of: Callable[[Figures], float | None]
    written: Callable[[float], str]
    apart: Callable[[float], str]
    better: int = NEITHER
    over: str = ""


def _metric(field: str) -> Callable[[Figures], float | None]:
    return lambda figures: getattr(figures.metrics, field)


NOW = Figure("util now", _metric("utilization_now"), words.per_cent, points, MORE)
SLOTS = Figure("util slots", _metric("utilization_slots"), words.per_cent, points, MORE)
TABLE = (
    NOW,
    SLOTS,
    Figure("util so far", _metric("utilization"), words.per_cent, points, MORE),
    Figure("in system", lambda figures: figures.here, words.duration, later, LESS),
    Figure(
        "mean wait",
        _metric("mean_wait"),
        words.duration,
        later,
        LESS,
        "started",
    ),
    Figure("jobs over", lambda figures: figures.finished, counted, signed(counted), MORE),
    Figure("queue", _metric("queue_length"), counted, signed(counted), LESS),
    Figure(
        "bnd slowdown",
        _metric("mean_bounded_slowdown"),
        times,
        signed(ratio),
        LESS,
        "finished",
    ),
    Figure(
        "response",
        _metric("mean_response"),
        words.duration,
        later,
        LESS,
        "finished",
    ),
    Figure(
        "slowdown",
        _metric("mean_slowdown"),
        times,
        signed(ratio),
        LESS,
        "finished",
    ),
    Figure("mean queue", _metric("mean_queue_length"), ratio, signed(ratio), LESS),
    Figure("lost", _metric("lost_capacity"), words.per_cent, points, LESS),
    Figure("backfilled", _metric("backfill_ratio"), words.per_cent, points),
    Figure("preempted", _metric("preempt_ratio"), words.per_cent, points),
)
"""In order of importance: where there is little room, the first ones are in sight."""


def called(it: LaneFigures, rooms: Sequence[int]) -> Sequence[str]:
    """Return the names of the lanes if all are whole in these cells and none are alike; else numbers."""
    names = short_names(it.names)
    whole = all(cell_len(name) <= room for name, room in zip(names, rooms, strict=True))
    if whole and len({*names}) == len(names):
        return names
    return [_numbers(it, (place,)) for place in range(len(names))]


def _numbers(it: LaneFigures, places: Sequence[int]) -> str:
    """Lanes by their numbers, as their titles have them: `[1]`, `[1,2]`."""
    return f"[{','.join(str(it.first + place + 1) for place in places)}]" if places else ""


def _leads(it: LaneFigures, leads: Sequence[Sequence[int]], room: int) -> Sequence[str]:
    """The lanes that lead in each row: one of two by its name, if there is room; else all by number."""
    names = short_names(it.names)
    if max(map(len, names)) > room or len(names) > 2 or any(len(places) > 1 for places in leads):
        return [_numbers(it, places) for places in leads]
    return [names[places[0]] if places else "" for places in leads]


def short_names(names: Sequence[str]) -> Sequence[str]:
    """Return names of lanes, of one policy with other parameters what differs: `quantum=60`."""
    policies = {name.partition(":")[0] for name in names}
    rests = [name.partition(":")[2] for name in names]
    return [printable(name) for name in (rests if len(policies) == 1 and all(rests) else names)]


def figures_width(it: LaneFigures, width: int) -> int:
    """Return the cells for the figures beside the jobs that differ: as many as whole names need."""
    names = short_names(it.names)
    whole = LABEL + 1 + sum(_whole(names)) + _behind(names) + PADDING
    return max(FIGURES, min(int(FIGURES_SHARE * width), whole))


def figures_table(it: LaneFigures, width: int, lines: int) -> Sequence[Line]:
    """The figures side by side and how they differ, in so many lines at most, the heading among them."""
    names = short_names(it.names)
    columns = _columns(names, width)
    titles = called(it, [column - 1 for column in columns])
    label = LABEL if width >= LABEL + 1 + sum(columns) + _behind(names) else LABEL - 1
    heading: list[Piece] = [(cell("METRICS", label + 1), "head")]
    heading += [
        (cell(f" {name}", wide, right=True), "head") for name, wide in zip(titles, columns, strict=True)
    ]
    against = f" {titles[-1]} is" if cell_len(titles[-1]) + 4 <= VERDICT else " it is"
    heading.append((against if len(names) == 2 else " best", "head"))
    shown = [_comparable(figure, it) for figure in TABLE if _worth(figure, it)]
    room = width - label - 2 - sum(columns)
    bests = [_bests(figure, it) for figure in shown]
    leads = _leads(it, bests, room)
    rows = [
        _figure(figure, it, label, columns, best, lead, room)
        for figure, best, lead in zip(shown, bests, leads, strict=True)
    ]
    return [clip(line, width) for line in [heading, *rows][:lines]]


def lines_of(it: LaneFigures) -> int:
    """Return for how many lines the tables have rows: all figures, and the first of the jobs that differ."""
    figures = 1 + sum(_worth(figure, it) for figure in TABLE)
    return max(figures, min(LISTED, 1 + len(it.differing.jobs)))


def _columns(names: Sequence[str], width: int) -> Sequence[int]:
    """Cells for each lane: for its name, if there is room for all names, else for numbers."""
    columns, room = _whole(names), width - LABEL - 1 - _behind(names)
    if sum(columns) > room:
        columns = [max(_whole([""] * len(names))[0], room // len(names))] * len(names)
    spare = max(0, room - sum(columns)) // len(names)
    return [max(column, min(MOST_COLUMN, column + spare)) for column in columns]


def _whole(names: Sequence[str]) -> Sequence[int]:
    """Cells for each lane in which its name is whole, and figures are."""
    return [max(LEAST_COLUMN + (len(names) > 2), 1 + cell_len(name)) for name in names]


def _behind(names: Sequence[str]) -> int:
    """Cells behind the lanes: for how two figures differ, or which of several lanes is best."""
    return VERDICT if len(names) == 2 else len(" other jobs")


def _worth(figure: Figure, it: LaneFigures) -> bool:
    """Whether a line says anything: that of slots where there are any, others where somebody has a value."""
    if figure is SLOTS:
        return any(snapshot.matrix is not None for snapshot in it.snapshots)
    values = [figure.of(figures) for figures in it.figures]
    return any(values) if figure.better == NEITHER else any(value is not None for value in values)


def _comparable(figure: Figure, it: LaneFigures) -> Figure:
    idle = any(snapshot.upcoming is None for snapshot in it.snapshots)
    if figure in (NOW, SLOTS) and (idle or it.until < NEVER):
        # A machine that has nothing left to do is no worse for standing idle; later captures have more jobs.
        return attrs.evolve(figure, better=NEITHER)
    return figure


def _alike(figure: Figure, it: LaneFigures) -> bool:
    """Whether a figure is of the same jobs in all lanes."""
    return not figure.over or bool(getattr(it.differing, figure.over))


def _figure(
    figure: Figure,
    it: LaneFigures,
    label: int,
    columns: Sequence[int],
    bests: Sequence[int],
    lead: str,
    room: int,
) -> list[Piece]:
    values = [figure.of(figures) for figures in it.figures]
    known = [value for value in values if value is not None]
    line: list[Piece] = [(cell(figure.title, label) + " ", "dim")]
    for place, (value, wide) in enumerate(zip(values, columns, strict=True)):
        text = "-" if value is None else figure.written(value)
        mark = "*" if len(values) > 2 and place in bests else ""
        line.append((cell(f"{mark}{text}", wide, right=True), "strong" if place in bests else "text"))
    if len(known) < len(values):
        return line
    if not _alike(figure, it):
        return [*line, (" of other jobs" if room >= len("of other jobs") else " other jobs", "dim")]
    if len(values) == 2:
        return [*line, *_against(figure, known)]
    text = f" {lead}" if bests else " alike"
    if not bests and len({figure.written(value) for value in known}) > 1:
        text = ""
    return [*line, (text, "good" if bests else "dim")]


def _bests(figure: Figure, it: LaneFigures) -> Sequence[int]:
    """The places of the best values; none where all are alike, one is missing, or none is better."""
    values = [figure.of(figures) for figures in it.figures]
    known = [value for value in values if value is not None]
    if figure.better == NEITHER or len(known) < len(values) or not _alike(figure, it):
        return ()
    if len({figure.written(value) for value in known}) == 1:
        return ()
    best = max(known) if figure.better == MORE else min(known)
    return [place for place, value in enumerate(values) if value == best]


def _against(figure: Figure, values: Sequence[float]) -> list[Piece]:
    """How the second figure differs from the first."""
    difference = values[1] - values[0]
    text = figure.apart(difference)
    if figure.written(values[0]) == figure.written(values[1]) or not any(c in "123456789" for c in text):
        return [(" the same", "dim")]
    if figure.better == NEITHER:
        return [(f" {text}", "text")]
    good = (difference > 0) == (figure.better == MORE)
    return [(f" {text} ", "text"), ("better" if good else "worse", "good" if good else "bad")]


# The jobs that differ.


@attrs.frozen
class JobsLayout:
    """How the table of jobs is laid out in a width."""

    id: int
    size: int
    mark: str
    """The unit of a job's size, if there is room."""
    count: int
    lane: int
    rest: int
    """Cells behind the lanes: for how far they are apart, and for who is ahead."""

    @property
    def left(self) -> int:
        """Cells before the lanes."""
        return left_of(self.id, self.size, self.count)

    @property
    def ahead(self) -> bool:
        """Whether there is room for who is ahead."""
        return self.rest >= len("apart   ahead")

    @staticmethod
    def of(it: LaneFigures, width: int) -> "JobsLayout":
        """The widest cells for the lanes that leave room for how far they are apart."""
        firsts = [found.rows[0] for found in it.differing.jobs]
        wide = max([len(row.called) for row in firsts], default=1)
        size = max([len(f"{row.size:,}") for row in firsts], default=1)
        name = max(map(len, short_names(it.names)))
        by = 9 + (name if len(it.names) == 2 and name <= max(MOST_COLUMN, width // 6) else len("[1,2,3]"))
        count, lanes = it.differing.count, len(it.names)
        mark = unit_of(it, 0).mark
        least, bare = APART + LEAST_LANE * lanes, left_of(wide, size, count)
        if bare < left_of(wide, size + len(mark), count) > width - least:
            mark = ""
        left = width - left_of(wide, size + len(mark), count)
        lane = min(MOST_LANE, max(LEAST_LANE, (left - by) // lanes))
        return JobsLayout(wide, size + len(mark), mark, count, lane, left - lane * lanes)


def left_of(wide: int, size: int, count: int) -> int:
    """Cells for a job's id and size, and for how many jobs differ above them."""
    return max(len(f"{count:,} DIFFER "), wide + size + 3)


def jobs_table(it: LaneFigures, chosen: int | None, width: int, lines: int) -> Sequence[Line]:
    """Return the jobs that differ most: state, wait or start in each lane, the difference, the lane ahead.

    A plus means that the difference grows, `no end` that the job is held in a lane. The selected job has
    a `>`.
    """
    if not it.differing.known:
        return [[("JOBS THAT DIFFER", "head")], [("are being found out ...", "dim")]][:lines]
    if not it.differing.jobs:
        ever = it.partings is None or it.partings.spans
        alike = wrap("all jobs start and end alike, past and predicted", width, "dim")
        return [[(f"NO JOB DIFFERS{' SO FAR' if ever else ''}", "head")], *alike][:lines]
    layout = JobsLayout.of(it, width)
    heading: list[Piece] = [(cell(f"{it.differing.count:,} DIFFER", layout.left), "head")]
    names = called(it, [layout.lane - 1] * len(it.names))
    heading += [(cell(name, layout.lane - 1) + " ", "head") for name in names]
    heading.append(("apart   ahead" if layout.ahead else "apart", "head"))
    leads = _leads(it, [found.leads for found in it.differing.jobs], layout.rest - 8)
    rows = [
        _job(found, it, found.rows[0].index == chosen, layout, lead)
        for found, lead in zip(it.differing.jobs, leads, strict=True)
    ]
    return [clip(line, width) for line in [heading, *rows][:lines]]


def _job(found: JobDifference, it: LaneFigures, chosen: bool, layout: JobsLayout, lead: str) -> list[Piece]:
    first = found.rows[0]
    size = f"{first.size:,}{layout.mark}"
    who = f"{'>' if chosen else ' '}{first.called:>{layout.id}} {size:>{layout.size}}"
    line: list[Piece] = [(cell(who, layout.left), "strong" if chosen else "text")]
    for row in found.rows:
        line.append((row.state or "-", f"state:{row.state}"))
        line.append((cell(f" {_standing(row, layout.lane - 3, it.clock)}", layout.lane - 2) + " ", "text"))
    growing = "+" if found.growing else ""
    by = f"{words.duration(found.by)}{growing}"
    if len(by) > layout.rest:
        by = f"{_coarse(found.by)}{growing}"
    if not found.by and any(row.state in ASIDE for row in found.rows):
        by = "no end"
    if not layout.ahead:
        return [*line, (by, "strong")]
    return [*line, (f"{by:<8}", "strong"), (lead, "dim")]


def _standing(row: Row, room: int, clock: Clock) -> str:
    """Return the state of a job in a lane, as far as it fits: how long it has waited, or when it starts."""
    waited = f"{'has ' * (row.start is None)}waited {words.duration(row.wait)}"
    texts = [_coarse(row.wait), words.duration(row.wait), waited]
    if row.start is None and row.predicted is not None:
        at = clock.format(row.predicted.time)
        texts = [*_until(row.predicted.time - row.now), at, f"starts {at}", f"starts {at}, {waited}"]
    if row.start is not None:
        until = f" to {clock.format(row.end)}" if row.state == "F" and row.end is not None else ""
        texts.append(f"{'' if until else 'since '}{clock.format(row.start)}{until}, {waited}")
    return next((text for text in reversed(texts) if len(text) <= room), texts[0])


def _until(seconds: int) -> tuple[str, ...]:
    """How long it is until a predicted start, shortest first."""
    if seconds <= 0:
        return ("now",)
    return f"+{_coarse(seconds)}", f"+{words.duration(seconds)}", f"in {words.duration(seconds)}"


def _coarse(seconds: int) -> str:
    """A duration in its largest unit: `13h`."""
    found = LARGEST.match(words.duration(seconds))
    return found[0] if found else words.duration(seconds)


# Where the lanes part, and what happened.


def verdict(it: LaneFigures, width: int) -> str:
    """Whether the lanes agree at this instant, and when that changes; nothing while it is not known.

    How many jobs differ is said as far as there is room.
    """
    if it.partings is None:
        return ""
    if not it.partings.spans:
        return "they never part: every job starts and ends alike"
    span = it.partings.apart(it.time) if it.begun else None
    if span is None:
        after = it.partings.next_divergence(it.time if it.begun else it.time - 1)
        if after is None:
            return "they agree from here to the end"
        again = " again" if it.begun and it.partings.previous_divergence(it.time) is not None else ""
        so_far = "" if again else " so far"
        text = f"they agree{so_far}; they part{again} at {it.clock.format(after)}"
        known = it.differing.count if it.differing.known else 0
        ahead = f"{text}; {known:,} predicted to differ"
        return ahead if known and len(ahead) <= width else text
    never = "and never agree again" if it.until == NEVER else "to the last capture"
    until = f"until {it.clock.format(span[1])}" if span[1] < NEVER else never
    count = it.partings.jobs_apart(it.time)
    jobs = f"{words.count(count, 'job')} differ{'s' * (count == 1)} by now"
    text = f"apart since {it.clock.format(span[0])} {until}"
    texts = [text, f"{text}; {count:,} differ by now", f"{text}; {jobs}"]
    every = it.differing.count
    if it.differing.known and every != count:
        # The table of jobs counts those that are predicted to differ, too.
        texts.append(f"{texts[-1]}, {every:,} with the predicted ones")
    return next((text for text in reversed(texts) if len(text) <= width), text)


def outlook(it: LaneFigures) -> str:
    """Return the mean response of each whole run; empty while it is not known."""
    if it.until < NEVER:
        return f"after the last capture, at {it.clock.format(it.until)}, nothing is known"
    means = it.partings.responses if it.partings is not None else ()
    known = [mean for mean in means if mean is not None]
    if len(known) < len(it.names):
        return "" if it.partings is None else "not every job ends in every lane"
    listed = ", ".join(f"{name} {words.duration(mean)}" for name, mean in zip(it.names, known, strict=True))
    best = [name for name, mean in zip(it.names, known, strict=True) if mean == min(known)]
    verdict = "alike" if len(best) == len(known) else f"{', '.join(best)} better"
    return f"mean response at the end: {listed}: {verdict}"


def happened(it: LaneFigures, place: int) -> str:
    """What happens in a lane at this instant, and which of the actions so far it refused."""
    refused = it.refused[place]
    if not refused:
        return _happened(it, place)
    one, many = "an action is refused here", f"{len(refused)} actions are refused here, the last"
    return f"{one if len(refused) == 1 else many}: {refused[-1].text}; {_happened(it, place)}"


def _happened(it: LaneFigures, place: int) -> str:
    unit = unit_of(it, place)
    if it.events[place]:
        came = sum(event.kind == "submit" for event in it.events[place])
        many = [f"{came:,} jobs are submitted"] if came > FEW else []
        listed = [event for event in it.events[place] if not many or event.kind != "submit"]
        return "; ".join([*many, *(_event(event, it.clock, unit) for event in listed)])
    last = it.snapshots[place].last
    if last is None:
        return "nothing has happened yet"
    over = " and all is over" if it.snapshots[place].upcoming is None and it.until == NEVER else ""
    return f"nothing; event {last.number:,} was the last, at {it.clock.format(last.time)}{over}"


def _event(event: Event, clock: Clock, unit: words.Unit) -> str:
    if isinstance(event, Happened) and event.moment is not None:
        zone = None if clock.epoch is None else clock.epoch.tzinfo
        return event_text(event.moment, Dates(zone), event.moment.at)
    return words.tally(event.decisions, unit) if event.kind == "pass" else words.event(event, unit)


def named(it: LaneFigures, place: int, text: str, width: int) -> Line:
    """A line about a lane, behind its name."""
    names, room = _named(it, width)
    return clip([(cell(names[place], room) + "  ", "head"), (printable(text), "text")], width)


def reason(it: LaneFigures, text: str, width: int, lines: int) -> Sequence[Line]:
    """Go on about the lane before, in so many lines at most."""
    indent = _named(it, width)[1] + 2
    return shorten(wrap(text, width, "dim", [(" " * indent, "dim")], indent), lines, width)


def _named(it: LaneFigures, width: int) -> tuple[Sequence[str], int]:
    """The names of the lanes before lines of a width, and the cells for them."""
    room = max(MOST_COLUMN, width // 6)
    names = called(it, [room] * len(it.names))
    return names, min(room, max(map(len, names)))


def head(it: LaneFigures, place: int, width: int) -> list[str]:
    """Return the utilization of a lane, and the jobs that wait, run and are over, in lines of a width."""
    lines = flowed(_busy(it, place, "util now", words.per_cent), width)
    return lines if len(lines) < 3 else flowed(_busy(it, place, "now", lambda value: f"{value:.1%}"), width)


def _busy(it: LaneFigures, place: int, now: str, share: Callable[[float], str]) -> list[str]:
    shot, metrics = it.snapshots[place], it.figures[place].metrics
    parts = [f"{now} {share(metrics.utilization_now)}"]
    if shot.matrix is not None:
        parts.append(f"slots {share(metrics.utilization_slots)}")
    if metrics.utilization is not None:
        parts.append(f"so far {share(metrics.utilization)}")
    parts += words.tallied(shot, unit_of(it, place), "wait", "run", "hold")
    return [*parts, f"{shot.finished:,} over"]


def title(it: LaneFigures, name: str, state: str, speed: str, width: int) -> Line:
    """The title: what is compared on the left, where the lanes stand on the right."""
    right: list[Piece] = [
        (f"{state} ", "key" if "||" in state else "warn"),
        (f" {it.clock.format(it.time)} " if it.begun else " before the first event ", "strong"),
        (f" {speed} ", "dim"),
    ]
    room = max(0, width - width_of(right) - 1)
    lanes = " | ".join(printable(lane) for lane in it.names)
    left = clip([(" COMPARE ", "head"), (f" {printable(name)} ", "strong"), (f" {lanes}", "dim")], room)
    return [*left, (" " * (room + 1 - width_of(left)), "text"), *right]


def summary(it: LaneFigures, width: int) -> list[Line]:
    """All of it as lines: where the lanes stand and part, what happens, the figures, the jobs that differ.

    The tables have so many cells; sentences are as long as they are.
    """
    when = it.clock.format(it.time) if it.begun else "before the first event"
    lines: list[Line] = [[(f"{when}: {' | '.join(it.names)}", "strong")]]
    lines += [[(text, "text")] for text in (verdict(it, ENDLESS), outlook(it)) if text]
    lines += [named(it, place, happened(it, place), ENDLESS) for place in range(len(it.names))]
    lines += [*figures_table(it, width, len(TABLE) + 1), *jobs_table(it, None, width, LISTED)]
    return lines
