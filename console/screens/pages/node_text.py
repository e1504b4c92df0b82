"""The text of the page of a node: who is there, who was, who is expected, and when it is free."""

from collections.abc import Callable, Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session import Action, format_action, format_nodes
from shadowtime.console.session.nodes.course import NodeCourse
from shadowtime.console.session.nodes.watch import Stay
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.table.columns import Column, layout, widths

LABEL = 16
MOST_PAST = 500
"""Jobs of the past that are listed at most: the latest ones."""


@attrs.frozen
class Named:
    """What the page shows of a job beside its stay."""

    id: int
    user: str
    size: int


About = Callable[[int], Named]
"""A job by its index."""


@attrs.frozen
class NodeText:
    """The lines of the page, and which of them is which job, by index."""

    lines: list[Line] = attrs.field(factory=list)
    jobs: dict[int, int] = attrs.field(factory=dict)

    def add_fact(self, label: str, text: str, width: int) -> None:
        self.lines.extend(fact(label, text, width, LABEL))

    def add_stays(
        self,
        heading: str,
        stays: Sequence[Stay],
        about: About,
        now: int,
        empty: str,
        width: int,
        clock: Clock,
    ) -> None:
        """Add the table of some stays under a heading; a line that says so if there is no stay.

        Instants are written as long as all columns have room beside them.
        """
        self.lines.extend(([], *wrap(heading, width, "head")))
        if not stays:
            self.lines.append([(f"  {empty}", "dim")])
            return
        rows = [(stay, about(stay.job)) for stay in stays]
        for instant in (clock.format, clock.brief, clock.minute):
            columns = _columns(instant, now, stays[0].start > now)
            wide = widths(columns, rows)
            if sum(cells + 1 for cells in wide if cells) <= width + 1:
                break
        table = layout(columns, wide, width, wide[-1]).packed(wide[-1])
        self.lines.append(table.heading())
        for row in rows:
            self.jobs[len(self.lines)] = row[0].job
            self.lines.append(table.line(row))


def _columns(instant: Callable[[int], str], now: int, ahead: bool) -> Sequence[Column[tuple[Stay, Named]]]:
    """The columns of stays, with how long it is until they begin if they are ahead, else until they end."""

    def end(stay: Stay) -> int:
        return now if stay.end is None else stay.end

    def until(stay: Stay) -> str:
        left = (stay.start if ahead else end(stay)) - now
        return words.duration(left) if left > 0 else ""

    return (
        Column("JOB", 0, lambda row: str(row[1].id), right=True),
        Column("USER", 2, lambda row: row[1].user),
        Column("SIZE", 1, lambda row: f"{row[1].size:,}", right=True),
        Column("FROM", 0, lambda row: instant(row[0].start), right=True, most=20),
        Column("TO", 0, lambda row: "-" if row[0].end is None else instant(row[0].end), right=True, most=20),
        Column("IN" if ahead else "LEFT", 3, lambda row: until(row[0]), right=True),
        Column("FOR", 0, lambda row: words.duration(end(row[0]) - row[0].start), right=True),
    )


def node_text(course: NodeCourse, about: About, width: int, clock: Clock = ELAPSED) -> NodeText:
    text, now = NodeText(), course.time
    text.add_fact("now", _standing(course, about), width)
    text.add_fact("if drained now", words.emptied(course.empty, now, clock), width)
    text.add_fact("free", _free(course, clock), width)
    share = course.busy_share
    if share is not None:
        jobs = words.count(len(course.past) + course.forgotten, "job")
        since = f"the first of the last {len(course.past):,}" if course.forgotten else "its first job"
        text.add_fact(
            "so far", f"busy {words.per_cent(share)} of the time since {since}; {jobs} before", width
        )
    for outage in course.outages:
        until = "for ever" if outage.until is None else f"to {clock.format(outage.until)}"
        how = "jobs are killed" if outage.kill else "jobs end first"
        when = f"{clock.format(outage.start)} {until}"
        text.add_fact("outage", f"{when}, of {words.named_nodes(outage.nodes)}; {how}", width)
    for action in course.actions:
        text.add_fact("action", _action(action, clock), width)
    if course.here:
        last = max((stay.end or now for stay in course.here), default=now)
        stops = course.empty is not None and course.empty > last
        why = ": TO is the next stop, not the end" if stops else ""
        text.add_stays(f"HERE NOW{why}", course.here, about, now, "", width, clock)
    text.add_stays(
        "EXPECTED  if every job runs to its estimate and nothing else comes",
        course.expected,
        about,
        now,
        "no waiting job is expected here",
        width,
        clock,
    )
    past = course.past[::-1][:MOST_PAST]
    earlier = f", the latest {MOST_PAST:,}" if len(course.past) > MOST_PAST else ""
    jobs = words.count(len(course.past) + course.forgotten, "job")
    heading = f"PAST  {jobs}{earlier}, the latest first"
    text.add_stays(heading if past else "PAST", past, about, now, "no job has been here", width, clock)
    return text


def _standing(course: NodeCourse, about: About) -> str:
    jobs = [about(stay.job) for stay in course.here]
    turns = "by turns " if len(jobs) > 1 else ""
    owners = " and ".join(f"job {each.id}{words.of_user(each.user)}" for each in jobs)
    standing = f"held {turns}by {owners}" if jobs else "idle"
    if course.down:
        return f"out of service{f', {standing}' if jobs else ''}"
    return f"{standing}; draining: out of service as soon as it is empty" if course.draining else standing


def _free(course: NodeCourse, clock: Clock) -> str:
    """When nobody is on the node: the longest time between jobs, and from when on."""
    parts, now = [], course.time
    if course.gap is not None:
        start, stop = course.gap
        begin = "now" if start <= now else clock.format(start)
        parts.append(
            f"{words.duration(stop - start)} at the longest between jobs, {begin} to {clock.format(stop)}"
        )
    if course.free_from is None:
        parts.append("out of service then until it is put back" if parts else "out of service until put back")
    else:
        begin = "from now on" if course.free_from <= now else f"from {clock.format(course.free_from)} on"
        rest = course.end - max(now, course.free_from)
        parts.append(
            f"{begin}{f', {words.duration(rest)} before the expected end of all jobs' if rest > 0 else ''}"
        )
    return "; ".join(parts)


def _action(action: Action, clock: Clock) -> str:
    when = f"after event {action.after:,}" if action.at is None else f"at {clock.format(action.at)}"
    return f"{format_action(action)}, {when}"


def node_title(node: int, processors: range | None) -> str:
    """The title of the page; on a machine of processors with those of the node."""
    if processors is None or len(processors) < 2:
        return f"NODE {node}"
    return f"NODE {node}, PE {format_nodes(((processors.start, processors.stop),))}"
