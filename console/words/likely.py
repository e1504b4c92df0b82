"""Likely starts in words."""

from collections.abc import Iterator

from shadowtime.console.clock import duration
from shadowtime.console.session import Row
from shadowtime.console.session.clock import Clock, same_day
from shadowtime.console.session.facts import LikelyStart, Prediction, TrackRecord
from shadowtime.console.session.jobs.history import Life
from shadowtime.console.session.likely.starts import ENDED, LikelyStarts
from shadowtime.console.words.phrases import NEVER, ahead, moved, per_cent

HEADINGS = ("job", "user", "size", "waited", "likely", "9 in 10 by", "1 in 10 before", "at the limits")
NUMBERS = ("job", "size", "waited", "likely", "9 in 10 by", "1 in 10 before", "at the limits")
FEWEST = 20
"""Settled forecasts from which on it is worth saying how many have held."""
AIM = "80 in 100"
"""The share of forecasts that should come true: their bounds are those at 1 in 10 and 9 in 10."""
LIMITS = {
    "guaranteed": "guaranteed by",
    "planned": "planned for",
    "expected": "at the limits",
    "settled": "at",
}
"""What a predicted start is called beside a likely one, by its promise."""
ABSENT = {
    "few": "too few jobs",
    "history": "no history",
    "accounting": "no history",
    "many": "too many jobs and tasks wait",
    "failed": "the policy failed in what may come",
}
"""Why nobody has a likely start."""
MORE = {
    "few": f"; {ENDED} have to end first",
    "history": f"; fewer than {ENDED} jobs have ended so far",
    "accounting": "; too few jobs of the accounting have ended",
}
"""The rest of the sentence."""


def cells(row: Row, clock: Clock) -> tuple[str, ...]:
    """Return the cells of a waiting job below `HEADINGS`."""
    likely = row.likely
    odds = (
        ("", "", "")
        if likely is None
        else tuple(
            NEVER if at is None else clock.format(at) for at in (likely.likely, likely.late, likely.early)
        )
    )
    expected = NEVER if row.unforeseen else "" if row.predicted is None else clock.format(row.predicted.time)
    return (row.called, row.user, str(row.size), duration(row.wait), *odds, expected)


def sentence(likely: LikelyStart, expected: Prediction | None, now: int, number: int, clock: Clock) -> str:
    """Return a likely start as a sentence, with that at the limits and how many such ones came true.

    `number` is the event that is shown: a forecast of another one is marked.
    """
    limits = "" if expected is None else f"; {LIMITS[expected.promise]} {clock.minute(expected.time)}"
    old = f" (as of event {likely.event:,})" if likely.event != number else ""
    return f"{odds(likely, now, clock)}{limits}{old}. {held(likely.record)}"


def odds(likely: LikelyStart, now: int, clock: Clock) -> str:
    """Return a likely start and its odds: `likely 0d 14:10 (in 2h); 9 in 10 by 0d 18:00 (...)`."""
    if likely.likely is None:
        return "likely never"
    late = "it may never start" if likely.late is None else f"9 in 10 by {clock.minute(likely.late)}"
    early = "" if likely.early is None else f" (1 in 10 before {clock.minute(likely.early)})"
    return f"likely {clock.minute(likely.likely)} ({ahead(likely.likely - now)}); {late}{early}"


def short(likely: LikelyStart, clock: Clock) -> tuple[str, str]:
    """Return the same in a few words: `likely 0d 14:10` and `9 in 10 by 18:00`."""
    middle, late = _minute(likely.likely, clock), _minute(likely.late, clock)
    return f"likely {middle}", f"9 in 10 by {same_day(late, middle)}"


def held(record: TrackRecord) -> str:
    """Return how many earlier forecasts came true, as a sentence."""
    if record.settled < FEWEST:
        return "Not calibrated yet"
    return f"Of the last {record.settled:,} such forecasts {_share(record)} came true, {AIM} should"


def standing(answer: LikelyStarts | None) -> str:
    """Return how likely starts stand in a few words: how many came true, or why there are none."""
    if answer is None or not (answer.absent or answer.starts):
        return ""
    if answer.absent:
        return f"no likely starts: {ABSENT[answer.absent]}"
    return trusted(answer.record)


def trusted(record: TrackRecord) -> str:
    """Return how many likely starts came true, in a few words."""
    held = "not calibrated yet" if record.settled < FEWEST else f"{_share(record)} came true, {AIM} should"
    return f"likely starts: {held}"


def _share(record: TrackRecord) -> str:
    return f"{100 * record.held / record.settled:.0f} in 100"


def absent(code: str) -> str:
    """Return why a job has no likely start, as a sentence."""
    return f"no likely start: {ABSENT[code]}{MORE.get(code, '')}"


def record_words(answer: LikelyStarts | None) -> Iterator[str]:
    """Yield how many earlier forecasts came true, or why there are no odds."""
    if answer is not None and answer.absent:
        yield absent(answer.absent)
    elif answer is not None and answer.starts:
        yield held(answer.record)


def life_table(life: Life, clock: Clock) -> list[str]:
    """Return how the forecast of a job moved: a heading, and a line for each moment."""
    rows = [("AT", "LIKELY", "9 IN 10 BY", "AT THE LIMITS")] if life.odds else [("", "", "", "")]
    for made in life.predicted:
        odds = life.odds.get(made.event)
        rows.append(
            (
                clock.format(life.instants[made.event]),
                "" if odds is None else _minute(odds.likely, clock),
                "" if odds is None else _minute(odds.late, clock),
                _limit(made, bool(life.odds), clock),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        "  ".join([*(f"{text:<{wide}}" for text, wide in zip(row, widths, strict=False) if wide), row[-1]])
        for row in rows
    ]


def _limit(made: Prediction, brief: bool, clock: Clock) -> str:
    """A predicted start; below its heading without what everybody knows."""
    at = clock.minute(made.time) if brief else clock.format(made.time)
    return at if brief and made.promise == "expected" else f"{at} {made.promise}"


def came(life: Life, start: int, clock: Clock) -> str:
    """Return how far the start that came was from what was forecast at the submission."""
    first = life.predicted[0]
    odds = life.odds.get(first.event)
    far = [_far(start - first.time, "predicted at the limits")]
    if odds is not None and odds.likely is not None:
        far.insert(0, _far(start - odds.likely, "likely at its submission"))
    return f"{clock.format(start)}  started: {', '.join(far)}"


def _far(seconds: int, what: str) -> str:
    return f"{moved(seconds)} than was {what}" if seconds else f"just when it was {what}"


def _minute(at: int | None, clock: Clock) -> str:
    return NEVER if at is None else clock.minute(at)


def metrics(answer: LikelyStarts | None) -> list[tuple[str, str]]:
    """Return how good likely starts have been so far, as a fact; none below `FEWEST` settled ones."""
    record = None if answer is None else answer.record
    if record is None or record.settled < FEWEST:
        return []
    off = "" if record.off is None else f", half within {duration(record.off)}"
    return [("likely", f"{per_cent(record.held / record.settled, 0)} came true{off}")]


def accuracy(answer: LikelyStarts | None) -> str:
    """Return the same as a sentence; empty as long as it is not known."""
    record = None if answer is None else answer.record
    if record is None or record.settled < FEWEST:
        return ""
    share = _share(record)
    text = f"of {record.settled:,} forecasts {share} came true: the job started between the two bounds"
    off = (
        ""
        if record.off is None
        else f"; half of the jobs started within {duration(record.off)} of the likely start"
    )
    return f"{text}, as {AIM} should{off}"
