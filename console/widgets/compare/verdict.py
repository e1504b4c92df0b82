"""What another policy changes, in words: a sentence for each lane, and a table of users."""

from collections.abc import Container, Iterator, Sequence

from shadowtime.console.clock import Clock, duration
from shadowtime.console.session.comparison.verdict import BATCHES, FEWEST, LaneVerdict, LaneWaits, Window
from shadowtime.console.session.lab.frames import chance
from shadowtime.console.words.phrases import count


def window_of(window: Window, clock: Clock) -> str:
    """Which jobs are measured: ` of user 22, submitted from 12d 00:00:00`; empty for all."""
    since = "" if window.since is None else f" from {clock.format(window.since)}"
    until = "" if window.until is None else f" until {clock.format(window.until)}"
    user = "" if window.user is None else f" of user {window.user}"
    return f"{user}{', submitted' if since or until else ''}{since}{until}"


def verdict_lines(found: LaneVerdict, clock: Clock, decided: Container[str] | None = None) -> Iterator[str]:
    """What each other lane changes against the first: how much, for whom, and how sure that is.

    Of users only the `decided` ones are named; by default each may be.
    """
    of = f"{count(found.all.jobs, 'job')}{window_of(found.window, clock)}"
    if not found.all.jobs:
        yield f"{of}: nothing to compare; expected a window in which jobs come"
    for place, name in enumerate(found.names[1:]) if found.all.jobs else ():
        yield f"{name} against {found.names[0]}, {of}: {_change(found.all, place)}."
        if found.all.better[place] or found.all.worse[place]:
            yield f"{_evidence(found, place)}{_whom(found, place, decided)}"
    for name, never in zip(found.names, found.never, strict=True):
        if never:
            starts = "starts" if never == 1 else "start"
            yield f"{count(never, 'job')} never {starts} under {name}, and {_are(never)} not measured."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _change(all_: LaneWaits, place: int) -> str:
    better, worse = all_.better[place], all_.worse[place]
    if not better and not worse:
        return "every job waits as long"
    mean = _by("the mean wait", all_.means[0], all_.means[place + 1])
    median = _by("the median", all_.medians[0], all_.medians[place + 1])
    return f"{mean}, {median}; {better:,} wait less, {worse:,} longer"


def _by(what: str, one: float, other: float) -> str:
    """How far a figure moves: `the mean wait is 12m00s longer (1h22m, not 1h10m)`."""
    if duration(one) == duration(other):
        return f"{what} stays {duration(one)}"
    return f"{what} is {longer(other - one)} ({duration(other)}, not {duration(one)})"


def longer(seconds: float) -> str:
    """How a wait changes: `12m00s longer`, `5m00s shorter`, `the same`."""
    if not round(seconds):
        return "the same"
    return f"{duration(abs(seconds))} {'longer' if seconds > 0 else 'shorter'}"


def _evidence(found: LaneVerdict, place: int) -> str:
    bounds = found.evidence[place]
    if bounds is None:
        return f"Fewer than {FEWEST} jobs do not show whether that is chance."
    between = f"between {longer(bounds.low)} and {longer(bounds.high)}"
    carried = "It is more than chance" if bounds.carries else "It may be chance"
    sure = f"(95 %, p {chance(bounds.p)})"
    return f"{carried}: by {BATCHES} stretches of these jobs the mean wait is {between} {sure}."


def _whom(found: LaneVerdict, place: int, decided: Container[str] | None) -> str:
    """Which user gains most in all, and which pays most; empty where it is nobody, or there is one user."""
    total = {row.user: row.jobs * row.changes[place] for row in found.users if row.user}
    if len(total) < 2:
        return ""
    if decided is not None:
        total = {user: change for user, change in total.items() if user in decided}
    if not total:
        return ""
    rows = {row.user: row for row in found.users}
    least, most = min(total, key=lambda user: total[user]), max(total, key=lambda user: total[user])
    parts = [
        f"user {user} {what} most ({count(rows[user].jobs, 'job')}, {longer(rows[user].changes[place])} each)"
        for user, what, sign in ((least, "gains", -1), (most, "pays", 1))
        if sign * total[user] > 0
    ]
    if not parts:
        return ""
    text = ", ".join(parts)
    return f" {text[0].upper()}{text[1:]}."


def headings(names: Sequence[str]) -> Sequence[str]:
    """Return the headings of the table of users; `better` and `worse` are against the first lane."""
    waits = [f"{what} {name}" for name in names for what in ("mean", "median")]
    others = names[1:]
    ways = [way if len(others) == 1 else f"{way} {name}" for name in others for way in ("less", "longer")]
    return "user", "jobs", *waits, *ways


def by_lane(names: Sequence[str], row: LaneWaits) -> Iterator[Sequence[str]]:
    """A user's row of the table in lines of their own: `user jobs policy mean median less longer`."""
    who: Sequence[str] = (row.user or "-", f"{row.jobs:,}")
    ways = [("", ""), *((f"{less:,}", f"{more:,}") for less, more in zip(row.better, row.worse, strict=True))]
    for name, mean, median, way in zip(names, row.means, row.medians, ways, strict=True):
        yield *who, name, duration(mean), duration(median), *way
        who = ("", "")


BY_LANE = ("user", "jobs", "policy", "mean", "median", "less", "longer")


def cells(row: LaneWaits) -> Sequence[str]:
    waits = [duration(each) for pair in zip(row.means, row.medians, strict=True) for each in pair]
    ways = [f"{each:,}" for pair in zip(row.better, row.worse, strict=True) for each in pair]
    return row.user or "-", f"{row.jobs:,}", *waits, *ways
