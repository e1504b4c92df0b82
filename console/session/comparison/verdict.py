"""What another policy changes, for whom, and whether the evidence carries it.

Measured are the jobs that were submitted in a window and start in every lane; the lanes are whole runs.
What differs is the wait of the same job, in another lane against the first. Waits of jobs that come one
after the other depend on each other: no job is evidence by itself. In order of submission the measured jobs
are cut into `BATCHES` stretches; the mean of each is one observation, and the interval is the wider the more
neighbouring stretches are alike (docs/operating.md, Comparing policies).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import fsum, sqrt
from typing import Protocol

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.places import (
    BEGINNING,
    LAST,
    SUBMIT,
    AtJob,
    AtTime,
    Place,
    parse_place,
)
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.lab.intervals import p_value, student
from shadowtime.console.session.likely.quantiles import quantile
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.work import Work
from shadowtime.scenarios.experiment import LEVEL

BATCHES = 20
FEWEST = 20 * BATCHES
"""Measured jobs below which nothing is said about the evidence."""
MOST_ALIKE = 0.9
"""The largest correlation of neighbouring stretches that is counted with."""
COLUMNS = ("of", "user", "policy", "jobs", "mean_wait", "median_wait", "longest_wait", "better", "worse")
"""`of` is `all` or `user`: a job may have no user. Waits are in seconds; `better` and `worse` are
jobs against the first policy, whose rows have none."""
_LINE = re.compile(r"(?:from\s+)?(?P<since>.*?)(?:\s*\buntil\s+(?P<until>.*?))?(?:\s*\buser=(?P<user>\S+))?")
EXPECTED = "a time, +30d, or the submission of a job (31 submit)"


@attrs.frozen
class Window:
    """The instants between which the measured jobs were submitted, both included, and their user.

    None for no bound, and for all users.
    """

    since: int | None = None
    until: int | None = None
    user: str | None = None

    def holds(self, at: int, user: str) -> bool:
        """Whether a job of a user that was submitted at an instant is measured."""
        if self.user is not None and user != self.user:
            return False
        return (self.since is None or self.since <= at) and (self.until is None or at <= self.until)


ALL = Window()


@attrs.frozen
class LaneWaits:
    """The waits of the measured jobs, of all or of one user, in each lane; seconds."""

    user: str
    jobs: int
    means: tuple[float, ...]
    medians: tuple[float, ...]
    longest: tuple[int, ...]
    better: tuple[int, ...]
    """How many jobs wait less than in the first lane, in each of the others."""
    worse: tuple[int, ...]

    @property
    def changes(self) -> tuple[float, ...]:
        """By how much the mean wait is longer than in the first lane, in each of the others."""
        return tuple(mean - self.means[0] for mean in self.means[1:])

    def as_dict(self) -> dict[str, object]:
        """Return the row of `compare --json`."""
        return {
            "user": self.user,
            "jobs": self.jobs,
            "mean_waits": list(self.means),
            "median_waits": list(self.medians),
            "longest_waits": list(self.longest),
            "better": list(self.better),
            "worse": list(self.worse),
        }


@attrs.frozen
class Evidence:
    """Bounds of the change of the mean wait, with 95 % confidence, by the stretches; seconds."""

    low: float
    high: float
    p: float
    """Two-sided, if nothing changed."""

    @property
    def carries(self) -> bool:
        """Whether the change is not of either sign."""
        return self.low > 0 or self.high < 0


@attrs.frozen
class LaneVerdict:
    """What the other lanes change against the first."""

    names: tuple[str, ...]
    window: Window
    all: LaneWaits
    """Of all measured jobs."""
    users: tuple[LaneWaits, ...]
    """By user, the one whose total wait changes most in any lane first; none where users have no names."""
    evidence: tuple[Evidence | None, ...]
    """Of each other lane; None below `FEWEST` measured jobs."""
    never: tuple[int, ...]
    """How many jobs of the window never start, in each lane; these are not measured in any."""
    worst: tuple[int, ...]
    """The measured jobs by index whose waits are farthest from that in the first lane, the farthest first."""
    waits: tuple[tuple[int, ...], ...]
    """The waits of each of these in the lanes, in seconds."""

    def as_dict(self) -> dict[str, object]:
        """Return what `compare --json` has of it."""
        bounds = [None if each is None else [each.low, each.high] for each in self.evidence]
        return {
            "from": self.window.since,
            "until": self.window.until,
            "user": self.window.user,
            "all": self.all.as_dict(),
            "bounds": bounds,
            "p": [None if each is None else each.p for each in self.evidence],
            "never": list(self.never),
            "users": [each.as_dict() for each in self.users],
        }


class VerdictWork(Work[LaneVerdict]):
    """Finds what lanes change, by the first starts of their whole courses."""

    def __init__(
        self,
        jobs: "ComparedJobs",
        names: Sequence[str],
        starts: Sequence[Sequence[int]],
        window: Window,
        worst: int,
    ) -> None:
        self._asked = jobs, names, starts, window, worst

    def _found(self, progress: Progress) -> LaneVerdict:
        return verdict(*self._asked)


class ComparedJobs(Protocol):
    """The jobs of the lanes, by index, in order of submission."""

    @property
    def id(self) -> Sequence[int]:
        """Their numbers."""

    @property
    def submit(self) -> Sequence[int]:
        """Their submissions."""

    @property
    def user(self) -> Sequence[str]:
        """Their users; empty for a job without one."""


def verdict(
    jobs: ComparedJobs,
    names: Sequence[str],
    starts: Sequence[Sequence[int]],
    window: Window = ALL,
    worst: int = 0,
) -> LaneVerdict:
    """Return what the lanes come to, by the first start of each job in each of them, NONE for none.

    So many of the `worst` jobs are listed.
    """
    submits, users = jobs.submit, jobs.user
    inside = [job for job, at in enumerate(submits) if window.holds(at, users[job])]
    measured = [job for job in inside if all(lane[job] != NONE for lane in starts)]
    waits = [[lane[job] - submits[job] for job in measured] for lane in starts]
    by_user: dict[str, list[int]] = {}
    for place, job in enumerate(measured):
        by_user.setdefault(users[job], []).append(place)
    rows = [_waits(user, [[lane[at] for at in places] for lane in waits]) for user, places in by_user.items()]
    rows.sort(key=lambda row: (-row.jobs * max(map(abs, row.changes), default=0), row.user))
    spread = [max(abs(wait - each[0]) for wait in each) for each in zip(*waits, strict=True)]
    apart = [place for place, by in enumerate(spread) if by]
    apart.sort(key=lambda place: (-spread[place], jobs.id[measured[place]]))
    return LaneVerdict(
        tuple(names),
        window,
        _waits("", waits),
        tuple(row for row in rows if len(rows) > 1 or row.user),
        tuple(_evidence([b - a for a, b in zip(waits[0], lane, strict=True)]) for lane in waits[1:]),
        tuple(sum(lane[job] == NONE for job in inside) for lane in starts),
        tuple(measured[place] for place in apart[:worst]),
        tuple(tuple(lane[place] for lane in waits) for place in apart[:worst]),
    )


def _waits(user: str, waits: Sequence[Sequence[int]]) -> LaneWaits:
    first, count = waits[0], len(waits[0])
    return LaneWaits(
        user,
        count,
        tuple(sum(lane) / count if count else 0.0 for lane in waits),
        tuple(float(quantile(sorted(lane), 0.5)) if lane else 0.0 for lane in waits),
        tuple(max(lane, default=0) for lane in waits),
        tuple(sum(b < a for a, b in zip(first, lane, strict=True)) for lane in waits[1:]),
        tuple(sum(b > a for a, b in zip(first, lane, strict=True)) for lane in waits[1:]),
    )


def _evidence(changes: Sequence[int]) -> Evidence | None:
    """The interval of the mean of the stretches, which have the same number of jobs but for one.

    Neighbouring stretches that are alike count for fewer: of a series with correlation r of neighbours the
    mean is (1 + r) / (1 - r) times as uncertain, in squares, as that of independent values.
    """
    if len(changes) < FEWEST:
        return None
    means = list(_stretches(changes))
    middle = fsum(means) / BATCHES
    apart = [mean - middle for mean in means]
    squares = fsum(each * each for each in apart)
    if not squares:
        return Evidence(middle, middle, float(not middle))
    alike = min(MOST_ALIKE, max(0.0, fsum(one * other for one, other in pairwise(apart)) / squares))
    error = sqrt(squares / (BATCHES - 1) / BATCHES * (1 + alike) / (1 - alike))
    reach = student(LEVEL, BATCHES - 1) * error
    return Evidence(middle - reach, middle + reach, p_value(middle / error, BATCHES - 1))


def _stretches(changes: Sequence[int]) -> Iterator[float]:
    count = len(changes)
    for place in range(BATCHES):
        stretch = changes[place * count // BATCHES : (place + 1) * count // BATCHES]
        yield sum(stretch) / len(stretch)


def write_users(found: LaneVerdict, path: str, force: bool = False) -> None:
    """Write the waits as CSV, all users together first. SessionError for a file that is there; OSError."""
    rows = []
    for of, row in (("all", found.all), *(("user", user) for user in found.users)):
        for place, name in enumerate(found.names):
            ways = (row.better[place - 1], row.worse[place - 1]) if place else ("", "")
            waits = row.means[place], row.medians[place], row.longest[place]
            rows.append((of, row.user, name, row.jobs, *waits, *ways))
    save_rows(path, COLUMNS, rows, force)


def typed_window(
    case: Case,
    since: str | None = None,
    until: str | None = None,
    user: str | None = None,
    clock: Clock | None = None,
) -> Window:
    """Return the window of two typed places and a user. SessionError in one line.

    `+30d` counts from the beginning of the window, for that itself from the first submission. `clock` is how
    instants are read, by default as elapsed time.
    """
    clock = clock or Clock(case.scenario.epoch)
    submits = case.columns.submit
    first = submits[0] if len(submits) else 0
    begin = None if not since else _instant(case, since, first, BEGINNING, clock)
    end = None if not until else _instant(case, until, first if begin is None else begin, LAST, clock)
    if begin is not None and end is not None and end < begin:
        raise SessionError(f"{until} is before {since}; expected a window that ends after it begins")
    if user is not None and user not in set(case.columns.user):
        raise SessionError(f"no job is of user {user}; expected the name of a user")
    return Window(begin, end, user)


def window_line(case: Case, line: str, clock: Clock) -> Window:
    """Return the window of a typed line: `300d until +30d user=22`. SessionError in one line."""
    found = _LINE.fullmatch(line.strip())
    assert found is not None
    return typed_window(case, found["since"], found["until"], found["user"], clock)


def _instant(case: Case, text: str, here: int, unbounded: Place, clock: Clock) -> int | None:
    """The instant of a typed place; None for the end of the run that bounds nothing on this side."""
    place = parse_place(text, clock, here)
    if isinstance(place, AtTime):
        return place.time
    if isinstance(place, AtJob) and place.moment == SUBMIT:
        return case.columns.submit[case.index_of(case.id_called(place.job))]
    if place == unbounded:
        return None
    raise SessionError(f"{text} is not at the same instant under every policy; expected {EXPECTED}")
