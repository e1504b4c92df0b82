"""Likely starts of a cluster in words."""

from collections.abc import Callable, Iterator

from shadowtime.console.session.slurm.likely.odds import ENDED, JobOdds, Likely
from shadowtime.console.words.phrases import NEVER, count

HEADINGS = "likely", "9 in 10 by"


def cells(start: JobOdds | None, instant: Callable[[int], str]) -> tuple[str, str]:
    """Return the cells of a waiting job below `HEADINGS`."""
    if start is None:
        return "", ""
    likely, late = (NEVER if at is None else instant(at) for at in (start.likely, start.late))
    return likely, late


def sentence(odds: JobOdds, instant: Callable[[int], str]) -> str:
    """Return a likely start as a sentence."""
    if odds.likely is None:
        return "likely never"
    late = "it may never start" if odds.late is None else f"9 in 10 by {instant(odds.late)}"
    early = "" if odds.early is None else f", 1 in 10 before {instant(odds.early)}"
    return f"likely {instant(odds.likely)}; {late}{early}"


def source_words(found: Likely) -> str:
    """Return where the history comes from."""
    if found.past is None:
        return "the queue, there is no accounting"
    return "the accounting"


def odds_words(found: Likely) -> Iterator[str]:
    """Yield what likely starts are drawn from, or why there are none."""
    ended = f"{count(found.history, 'job')} ended in {source_words(found)}"
    if found.history < ENDED:
        yield f"no likely starts: no history; {ended}; {ENDED} have to end first"
    else:
        samples = max((start.samples for start in found.starts.values()), default=0)
        yield f"likely: the median of {count(samples, 'sample')} of what may come; {ended}"
    if found.past is not None and found.past.fault:
        rows = f"{count(found.past.unread, 'row')} of " if found.past.unread else ""
        yield f"left out: {rows}the accounting ({found.past.fault})"
