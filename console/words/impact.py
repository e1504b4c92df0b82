"""Impact and advice in words: the headline, a row, what to do."""

from collections.abc import Iterator, Sequence

from shadowtime.console.clock import ELAPSED, Clock, duration
from shadowtime.console.session.impact.advice import Advice, Advised
from shadowtime.console.session.impact.impact import Impact
from shadowtime.console.session.impact.outlook import Vacated
from shadowtime.console.session.impact.rows import END, JobChange, Totals, likely_totals, totals
from shadowtime.console.words.cluster.caveats import TOUCHED, sign
from shadowtime.console.words.likely_change import basis, change_cells, likely_moves, likely_start
from shadowtime.console.words.phrases import NEVER, count, instant, moved

NOTHING_DONE = "Nothing is done on the cluster. At the limits every job runs to its limit."
DONE_LATER = "To ask about a later change: :impact drain n01 at 18:00; resume n01 at 22:00"
STAYS = 5
"""Jobs that are named of those that still run on nodes out of service."""
MOST_ACTIONS = 3
"""Actions that a piece of advice names."""
REQUESTS = {
    "size": "a size of {}",
    "nodes": "{} nodes",
    "estimate": "an estimate of {}",
    "limit": "a limit of {}",
}
"""What the user of a job asks for."""
MEANING = {"start": "starts", "end": "ends"}


def change(row: JobChange) -> str:
    """How far a start or an end moves: `12m later`, `never`, `not before: never`."""
    if row.change is not None:
        return moved(row.change)
    return f"{NEVER} {MEANING[row.what]}" if row.lost else f"{MEANING[row.what]} after all"


def cells(row: JobChange, clock: Clock = ELAPSED) -> tuple[str, ...]:
    """Return a row of a table of changes, below `HEADINGS` or, with samples, below `LIKELY_HEADINGS`."""
    mark = " (end)" if row.what == END else ""
    before, after = (instant(at, clock) + sign(row.marks or ()) for at in (row.before, row.after))
    who = str(row.job), row.user or "-", f"{row.size:,}"
    odds = () if row.likely is None else change_cells(row.likely)
    return *who, *odds, before, after, change(row) + mark


HEADINGS = ("job", "user", "size", "before", "after", "change")
LIKELY_HEADINGS = ("job", "user", "size", "likely", "1 in 10", "before", "after", "at the limits")


def headings(impact: Impact) -> tuple[str, ...]:
    return LIKELY_HEADINGS if impact.odds.samples else HEADINGS


def summary(totals: Totals) -> str:
    """Whom it hurts and whom it helps, in one line."""
    never, late, early = totals.never_jobs, totals.delayed_jobs, totals.earlier_jobs
    parts = (
        f"{count(never, 'job')} never {'starts or ends' if never == 1 else 'start or end'}" if never else "",
        f"{count(late, 'job')} later by {duration(totals.delay_total)} in all" if late else "",
        f"{count(early, 'job')} earlier by {duration(totals.gain_total)} in all" if early else "",
        f"{count(totals.gained_jobs, 'job')} that never would, after all" if totals.gained_jobs else "",
    )
    return ", ".join(filter(None, parts)) or "no job starts or ends at another time"


def marked(impact: Impact) -> str:
    """How many rows are marked, in one line; empty if none is."""
    found = sum(bool(row.marks) for row in impact.rows)
    if not found:
        return ""
    return f"{TOUCHED} marks {count(found, 'row')} of {len(impact.rows):,}: the plan leaves something out"


def by_user(impact: Impact) -> Sequence[tuple[str, str]]:
    """Each user whose jobs move, with whom it hurts and helps among them; none where users have no names."""
    if not any(user for user, _ in impact.by_user):
        return ()
    return tuple((user or "-", summary(sums)) for user, sums in impact.by_user)


def headline(impact: Impact) -> str:
    """What actions change, in one line: likely, if there are samples, and at the limits."""
    limits = f"{summary(impact.totals)}; {impact.unchanged:,} unchanged"
    if not impact.odds.samples:
        return limits
    return f"likely {summary(likely_totals(impact.rows))}; at the limits {limits}"


def report(impact: Impact, clock: Clock = ELAPSED) -> Sequence[str]:
    """The actions with their instant, what becomes of their jobs and the others, and when nodes are empty."""
    done = "; ".join(impact.do)
    # An action with an instant of its own is not done at that of the question.
    asked = f"{done}, asked" if " at " in done else done
    head = f"{asked} at {instant(impact.time, clock)}, after event {impact.event:,}:"
    nodes = (line for found in impact.vacated for line in vacated(found, impact.time, clock))
    return head, *verdict(impact), *filter(None, [basis(impact.odds)]), *nodes


def verdict(impact: Impact) -> Sequence[str]:
    """What becomes of the jobs acted upon, a line each, and of all others."""
    return *(fate(impact, job) for job in sorted(impact.acted)), headline(impact)


def fate(impact: Impact, job: int) -> str:
    """Whether a job itself is helped or harmed, in one word, and how far it moves."""
    rows = impact.rows_of(job)
    moves = f"; {summary(totals(rows))}" if len(rows) > 1 else "".join(f"; {_moves(row)}" for row in rows)
    return f"job {job}: {impact.fate(job).value}{moves}"


def _moves(row: JobChange) -> str:
    """How far the start or the end of a job moves, with the verb."""
    limits = change(row) if row.change is None else f"{MEANING[row.what]} {change(row)}"
    return limits if row.likely is None else f"{likely_moves(row.likely)}; at the limits {limits}"


def vacated(found: Vacated, now: int, clock: Clock = ELAPSED) -> Iterator[str]:
    """When nodes that are drained or reserved are empty; then which jobs are there until then."""
    begin, end = instant(found.begin, clock), instant(found.end, clock)
    begun = f"{found.nodes} from {begin}" if found.begin > now else found.nodes
    if found.reservation:
        begun = f"{found.reservation}: {found.nodes} from {begin} until {end}"
    if not found.stays:
        yield f"{begun}: no job runs there{' when it begins' if found.reservation else ''}"
        return
    still = f"{count(len(found.stays), 'job')} still there when it begins, " if found.reservation else ""
    yield f"{begun}: {still}empty at {instant(found.empty, clock)} at the latest"
    jobs = ", ".join(
        f"job {stay.job} of {stay.user} on {stay.nodes} until {instant(stay.until, clock)}"
        for stay in found.stays[:STAYS]
    )
    more = f", and {len(found.stays) - STAYS:,} more" if len(found.stays) > STAYS else ""
    yield f"there until then: {jobs}{more}"


def cost(advice: Advice) -> str:
    if not advice.payers:
        return "nobody pays"
    limits = summary(advice.totals)
    return (
        limits if advice.likely is None else f"likely {summary(advice.likely_totals)}; at the limits {limits}"
    )


def outcome(advice: Advice, clock: Clock = ELAPSED) -> str:
    """When the job starts with a piece of advice, and what that likely costs."""
    return f"starts at {instant(advice.start, clock)}; {cost(advice).partition('; at the limits')[0]}"


def request(advice: Advice) -> str:
    """What the user of the job could ask for: `a size of 4`."""
    what, _, value = advice.do[0].split()
    return REQUESTS[what].format(value)


def only_the_user(advice: Advice, job: int) -> str:
    """Why an operator cannot do it, and what is left to do."""
    return (
        f"only the user of job {job} can ask for {request(advice)}; "
        f":impact {advice.do[0]} shows what it would change"
    )


def could_ask(found: Advised) -> str:
    """The heading of what the user of the job could ask for."""
    nothing = "" if any(not each.asks for each in found.advice) else "nothing that an operator can do helps; "
    return f"{nothing}the user of job {found.job} could ask for:"


def what_to_do(advice: Advice) -> str:
    """The actions, and what gives back what they take; or what the user could ask for."""
    if advice.asks:
        return f"the user could ask for {request(advice)}"
    back = f"; then {_joined(advice.then)}" if advice.then else ""
    return _joined(advice.do) + back


def _joined(actions: Sequence[str]) -> str:
    more = len(actions) - MOST_ACTIONS
    return " and ".join([*actions[:MOST_ACTIONS], *([f"{more} more"] if more > 0 else [])])


def advice_cells(advice: Advice, clock: Clock = ELAPSED) -> tuple[str, str, str]:
    """Return a row of a table of advice: what to do, when the job starts then, what it costs."""
    return what_to_do(advice), instant(advice.start, clock), cost(advice)


def advice_odds(advice: Advice, by: int, clock: Clock = ELAPSED) -> str:
    """When the job likely starts with a piece of advice; empty without samples."""
    return "" if advice.likely is None else likely_start(advice.likely, by, clock, after=True)


def _counted(found: Advised, clock: Clock) -> str:
    """Which start a deadline counts from; empty if it counts from none."""
    if found.counted is None:
        return ""
    which = "likely start" if found.counted.likely else "start at the limits"
    text = f"{duration(found.counted.earlier)} before its {which}, {instant(found.counted.start, clock)}"
    over = found.counted.start - found.counted.earlier < found.time
    return f" (now: {text}, is over)" if over else f" ({text})"


def advised(found: Advised, clock: Clock = ELAPSED) -> str:
    job, by = f"job {found.job}", instant(found.by, clock) + _counted(found, clock)
    start = "never starts at the limits"
    if found.start is not None:
        start = f"starts at {instant(found.start, clock)} at the limits"
    if found.assumed:
        by += f" (now, since no time was given; advise {found.job} by +2h asks for one)"
    if not found.needed:
        return f"{job} {start}: nothing needs to be done"
    if found.likely is not None:
        start += f" ({likely_start(found.likely, found.by, clock, after=False)} if nothing is done)"
    if not found.advice:
        return f"{job} {start}: nothing of {found.tried:,} things tried starts it by {by}"
    return f"{job} {start}; what starts it by {by}, the cheapest for others first:"


def numbered(job: str, number: str) -> str:
    """The number that actions take for a job that is called otherwise."""
    return f"job {job} has the number {number} here"


def payers(advice: Advice, most: int) -> Sequence[JobChange]:
    """Return the other jobs that are delayed, the most delayed first."""
    return [row for row in advice.payers if _later(row)][:most]


def _later(row: JobChange) -> bool:
    return row.likely.change > 0 if row.likely is not None else row.lost or (row.change or 0) > 0


def pays(row: JobChange) -> str:
    return f"job {row.job} {change(row) if row.likely is None else likely_moves(row.likely)}"
