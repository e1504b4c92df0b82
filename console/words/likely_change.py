"""How far jobs move in samples, in words: a sample is a try of what may come."""

from collections.abc import Sequence

from shadowtime.console.clock import Clock
from shadowtime.console.session.comparison.lane_odds import LaneOdds
from shadowtime.console.session.impact.outlook import LikelyMoves
from shadowtime.console.session.impact.rows import LikelyChange
from shadowtime.console.session.likely.quantiles import NEVER as NOT_AT_ALL
from shadowtime.console.words.likely import ABSENT, MORE
from shadowtime.console.words.phrases import NEVER, moved

STARTED = "started"


def shift(seconds: float) -> str:
    """How far a start or an end moves: `12m00s later`, `unchanged`, `never`, `after all`."""
    if abs(seconds) == NOT_AT_ALL:
        return NEVER if seconds > 0 else "after all"
    return moved(round(seconds))


def change_cells(likely: LikelyChange | None) -> tuple[str, str]:
    """Return how far a job likely moves, and how far in 1 of 10 tries; empty without samples."""
    return ("", "") if likely is None else (shift(likely.change), shift(likely.tenth))


def likely_moves(likely: LikelyChange) -> str:
    """How far a job likely moves: `likely 40m00s later (1 in 10: 3h00m later)`."""
    if likely.change == NOT_AT_ALL:
        return f"likely never {'starts' if likely.waits else 'ends'}"
    tenth = f" (1 in 10: {shift(likely.tenth)})" if likely.tenth != likely.change else ""
    return f"likely {shift(likely.change)}{tenth}"


def lanes_verdict(odds: LaneOdds, names: Sequence[str], clock: Clock) -> str:
    """When a job likely starts in each lane; how much later than in the first, the median of all tries.

    Lanes in which it started with the first are named beside that.
    `job 31 under easy: likely 0d 14:10, 9 in 10 by 0d 18:00; under conservative: likely 0d 16:10, 9 in 10 by
    0d 20:00, try by try 2h00m later: 22 of 25 agree`.
    """
    first, *others = (_lane(likely, late, odds.time, clock) for likely, late in odds.shown)
    alike, parts = [names[0]], list[str]()
    for name, when, each in zip(names[1:], others, odds.others, strict=True):
        by_tries = f"try by try {shift(each.change)}: {each.agreeing} of {each.samples} agree"
        sure = when.startswith(STARTED) and first.startswith(STARTED)
        if sure and not each.change:
            alike.append(name)
        else:
            parts.append(f"under {name}: {when}, {shift(each.change) if sure else by_tries}")
    named = " and ".join(filter(None, (", ".join(alike[:-1]), alike[-1])))
    return "; ".join([f"job {odds.job} under {named}: {first}", *parts])


def _lane(likely: float, late: float, now: int, clock: Clock) -> str:
    """When a job starts in a lane; the samples of one that has started have its start."""
    if late <= now:
        return f"{STARTED} {clock.minute(round(late))}"
    if likely == NOT_AT_ALL:
        return f"likely {NEVER}"
    by = "it may never start" if late == NOT_AT_ALL else f"9 in 10 by {clock.minute(round(late))}"
    return f"likely {clock.minute(round(likely))}, {by}"


def basis(odds: LikelyMoves) -> str:
    """What the likely numbers come from, or why there are none; empty where there never are."""
    if odds.absent:
        return f"no likely changes: {ABSENT[odds.absent]}{MORE.get(odds.absent, '')}"
    if not odds.samples:
        return ""
    return (
        f"LIKELY is the middle of {odds.samples} tries of what may come, each with and without it; "
        "in 1 try of 10 a job moves as far as 1 IN 10, or farther."
    )


def likely_start(likely: LikelyChange, by: int, clock: Clock, *, after: bool) -> str:
    """When a job likely starts, with the share in time: `likely 0d 14:10, in time in 22 of 25 tries`."""
    at = likely.after if after else likely.before
    shown = NEVER if at == NOT_AT_ALL else clock.format(round(at))
    return f"likely {shown}, in time in {likely.in_time(by)[after]} of {likely.samples} tries"
