"""The text of the events panel: the list, what was decided, why the selected job stands where it does."""

import attrs

from shadowtime.console import words
from shadowtime.console.session import Session
from shadowtime.console.session.facts import Decision, Event, Reason, Row, Snapshot
from shadowtime.console.session.jobs.chain import Chain, steps
from shadowtime.console.widgets.frame.ink import PROMISED, Line, Piece, plain, wrap
from shadowtime.console.words import likely
from shadowtime.console.words.chain import ROOM, beside_promise, cells, clause, opening

WIDE = 80
"""Cells from which on the steps of a chain have likely instants."""
MEDIANS = "each likely instant is a median of tries: their order may be another one"
PRINTED = 1000
"""Cells of a step that is printed: it is one line."""


@attrs.frozen
class ChosenJob:
    """The job that the operator looks at: its row, why it waits, and the decision that put it there.

    That one started, resumed or preempted it; a job that waits for its first start has none.
    """

    row: Row
    reason: Reason | None = None
    turned: Decision | None = None
    later: bool = False
    """Whether the reason is that after the pass of this instant, and not as many nodes are free now."""

    chain: Chain | None = None
    """What happens until it starts, if that is known and may be seen."""

    @staticmethod
    def of(row: Row, turned: Decision | None, shot: Snapshot, chain: Chain | None = None) -> "ChosenJob":
        free, reason = shot.metrics.free_nodes, row.reason
        later = shot.pending and reason is not None and reason.numbers.get("free", free) != free
        return ChosenJob(row, reason, turned, later, chain if reason is not None else None)

    @staticmethod
    def asked(session: Session, job: int) -> "ChosenJob":
        """A job by its id where a session stands, with its chain. SessionError if there is no such job."""
        session.predict()
        index = session.index_of(job)
        chain = session.forecasts.chain(index, find=True)
        return ChosenJob.of(session.row(index), session.turned(job), session.snapshot(), chain)


def decision_lines(event: Event | None, width: int, room: int, unit: words.Unit) -> list[Line]:
    """What the event at the cursor decided, one sentence each; what has no room is counted."""
    if event is None:
        return [[("nothing has happened yet: ", "dim"), ("n", "key"), (" is the first event", "dim")]]
    lines: list[Line] = []
    for place, made in enumerate(event.decisions):
        sentence = wrap(words.decision(made, unit), width, "text", [("* ", "good")], 2)
        left = len(event.decisions) - place
        if len(lines) + len(sentence) > room - (1 if left > 1 else 0):
            more = f"and {words.count(left, 'decision')} more" if lines else words.count(left, "decision")
            return [*lines, [(f"  {more}: Enter", "dim")]]
        lines += sentence
    return lines


def first_lines(event: Event | None, width: int, unit: words.Unit) -> int:
    """The lines that the first decision of an event takes, and the count of the others."""
    if event is None or not event.decisions:
        return 1
    return len(wrap(words.decision(event.decisions[0], unit), width - 2)) + (len(event.decisions) > 1)


def why(choice: ChosenJob, now: int, number: int, unit: words.Unit) -> list[tuple[str, str, str]]:
    """Why a job waits or why it started, and when it is expected: label, role and sentence of each."""
    row = choice.row
    turned = words.decision(choice.turned, unit) if choice.turned is not None else ""
    if choice.reason is None and not row.waits:
        return [*([("WHY", "text", turned)] if turned else []), ("", "dim", words.standing(row, unit))]
    reason = (
        words.waits(row.id, choice.reason, unit) if choice.reason is not None else words.standing(row, unit)
    )
    if choice.later:
        reason += "; so it stands after the pass of this instant"
    if choice.chain is not None and choice.reason is not None:
        short = (choice.chain.free or 0) < choice.chain.needs
        if choice.reason.code in ROOM and short:
            reason = opening(choice.chain, unit)
        promised = "" if row.predicted is None else beside_promise(choice.chain, row.predicted, unit)
        reason = "; ".join(filter(None, (reason, promised or clause(choice.chain, choice.reason, unit))))
    found = [("WHY", "text", reason), *([("", "dim", turned)] if turned else [])]
    if row.likely is not None:
        said = likely.sentence(row.likely, row.predicted, now, number, unit.clock)
        found.append(("WHEN", "text" if row.likely.event == number else "stale", f"job {row.id}: {said}"))
    elif row.predicted is not None and row.predicted.promise != "settled":
        fresh = row.predicted.event == number
        role = PROMISED.get(row.predicted.promise, "text") if fresh else "stale"
        found.append(("WHEN", role, _when(row, now, fresh, unit)))
    return found


def _when(row: Row, now: int, fresh: bool, unit: words.Unit) -> str:
    predicted = row.predicted
    assert predicted is not None
    verb = "start" if row.start is None else "resume"
    text = words.prediction(row.id, predicted, now, unit, row.terms, verb)
    if row.slip:
        text += f"; that is {words.moved(row.slip)} than at its submission"
    return text if fresh else f"{text} (as of event {predicted.event:,})"


def why_lines(
    choice: ChosenJob | None, now: int, number: int, width: int, unit: words.Unit, most: int | None = None
) -> list[Line]:
    """The same as lines for the panel, with the chain of the job in at most so many steps, 0 for none."""
    if choice is None:
        return []
    lines: list[Line] = []
    for place, (label, role, sentence) in enumerate(why(choice, now, number, unit)):
        lines += wrap(sentence, width, role, [(f"{label:<5}", "key")], 5)
        if place == 0 and choice.chain is not None and most != 0:
            lines += chain_lines(choice.chain, width, unit, most)
    return lines


def chain_lines(chain: Chain, width: int, unit: words.Unit, most: int | None = None) -> list[Line]:
    """The steps of a chain, in at most so many; those that have no line are counted in one."""
    if not chain.links:
        return []
    rows = [cells(step, unit, width < WIDE) for step in steps(chain, most)]
    wide, signed, free = (max(map(len, column)) for column in list(zip(*rows, strict=True))[:3])
    lines: list[Line] = []
    for at, change, left, what in rows:
        first: list[Piece] = [(f"{at:>{wide + 5}}  {change:>{signed}}  ", "text")]
        if free:
            first.append((f"{left:>{free}} free  ", "strong"))
        lines += wrap(what, width, "text", first, sum(len(text) for text, _ in first))
    likely = [link.likely for link in chain.links if link.likely is not None]
    late = any(link.likely is not None and link.likely > link.at for link in chain.links)
    if width >= WIDE and (late or likely != sorted(likely)):
        lines += wrap(MEDIANS, width, "dim", [(" " * 5, "text")], 5)
    return lines


def why_text(choice: ChosenJob, now: int, number: int, unit: words.Unit) -> str:
    """The same as one text: a sentence a line, and after the first one each step of the chain."""
    first, *others = (sentence for _, _, sentence in why(choice, now, number, unit))
    chain = chain_lines(choice.chain, PRINTED, unit) if choice.chain is not None else []
    return "\n".join([first, *(plain(line).rstrip() for line in chain), *others])


def sentence_of(event: Event | None, unit: words.Unit) -> str:
    """The event with everything that it decided, as one text to copy."""
    if event is None:
        return "nothing has happened yet"
    head = f"{unit.instant(event.time)}  {words.occurred(event)}"
    return "\n".join([head, *(words.decision(made, unit) for made in event.decisions)])
