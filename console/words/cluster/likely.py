"""Likely starts of a cluster in words."""

from collections.abc import Callable, Iterator

from shadowtime.console.session.facts import TrackRecord
from shadowtime.console.session.slurm.likely.odds import ENDED, MOST_WAITING, JobOdds, Likely
from shadowtime.console.words.likely import ABSENT, held, trusted
from shadowtime.console.words.phrases import NEVER, count

HEADINGS = "likely", "9 in 10 by"


def cells(start: JobOdds | None, instant: Callable[[int], str]) -> tuple[str, str]:
    """Return the cells of a waiting job below `HEADINGS`."""
    if start is None:
        return "", ""
    likely, late = (NEVER if at is None else instant(at) for at in (start.likely, start.late))
    return likely, late


def absent(found: Likely) -> str:
    """Return why no job has a likely start, in a few words; empty if that is not so."""
    return ABSENT[found.absent] if found.absent else ""


def standing(found: Likely | None) -> str:
    """Return how likely starts stand in a few words: how many have held, or why there are none."""
    if found is None:
        return ""
    if why := absent(found):
        return f"no likely starts: {why}"
    return trusted(found.record) if found.starts else ""


def sentence(odds: JobOdds, record: TrackRecord, instant: Callable[[int], str]) -> str:
    """Return a likely start as a sentence, and how earlier ones have held."""
    if odds.likely is None:
        return "likely never"
    late = "it may never start" if odds.late is None else f"9 in 10 by {instant(odds.late)}"
    early = "" if odds.early is None else f", 1 in 10 before {instant(odds.early)}"
    return f"likely {instant(odds.likely)}; {late}{early}. {held(record)}"


def source_words(found: Likely) -> str:
    if found.seen:
        return "what the ledger has seen, without the accounting"
    if found.past is None:
        return "the queue, there is no accounting"
    return "the accounting"


def odds_words(found: Likely) -> Iterator[str]:
    """Yield what likely starts are drawn from, or why there are none."""
    ended = f"{count(found.history, 'job')} ended in {source_words(found)}"
    if found.absent == "many":
        yield f"no likely starts: {absent(found)}, more than {MOST_WAITING:,}"
    elif found.absent:
        yield f"no likely starts: no history; {ended}; {ENDED} have to end first"
    else:
        samples = max((start.samples for start in found.starts.values()), default=0)
        yield f"likely: the median of {count(samples, 'sample')} of what may come; {ended}"
        yield held(found.record)
    if found.past is not None and found.past.fault:
        rows = f"{count(found.past.unread, 'row')} of " if found.past.unread else ""
        yield f"left out: {rows}the accounting ({found.past.fault})"
