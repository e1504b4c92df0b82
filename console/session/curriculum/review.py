"""What was missed, and when it is due again: Leitner's boxes.

A question that was answered wrong, or shown, lies in box 1 and is due the next day. A right answer on a day
on which it is due, without a hint, puts it into the next box; with a hint it stays. Out of the last box it is
learnt. A wrong answer, on whatever day, puts it back into box 1. A right answer before the day changes
nothing: what was read a minute ago is not remembered. (S. Leitner, So lernt man lernen, 1972, has five boxes;
the intervals double, as most programs with such boxes do.)

Days are those of the wall clock where the trainee sits. Nothing is kept: the boxes follow from the answers.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

import attrs

from shadowtime.console.session.training import GIVEN_UP, RIGHT, WRONG, Record

BOXES = (1, 2, 4, 8, 16)
"""Days until a question in each box is due."""

Place = tuple[str, str, int, str]
"""Course, lesson, question from 1 (0 if a seed draws the lesson's questions), kind of question."""


@attrs.frozen
class Missed:
    """A question that was missed and is not learnt yet."""

    course: str
    lesson: str
    question: int
    """Its place in the lesson, from 1; 0: any question of this kind, for a seed draws them."""
    ask: str
    box: int
    """From 1."""
    due: date

    @property
    def place(self) -> Place:
        """What makes it the same question."""
        return (self.course, self.lesson, self.question, self.ask)


PlaceOf = Callable[[Record], Place | None]
"""Which question an answer is of; None if there is no such question any more."""


def missed(records: Iterable[Record], place_of: PlaceOf) -> tuple[Missed, ...]:
    """Return the questions in the boxes, in the order in which they are due, from answers in their order."""
    boxes: dict[Place, tuple[int, date]] = {}
    for record in records:
        place, day = place_of(record), day_of(record.moment)
        if place is None or day is None:
            continue
        if record.verdict in (WRONG, GIVEN_UP):
            boxes[place] = _into(1, day)
        elif record.verdict == RIGHT and place in boxes:
            box, due_day = boxes[place]
            if day < due_day:
                continue
            if record.hints:
                boxes[place] = _into(box, day)
            elif box < len(BOXES):
                boxes[place] = _into(box + 1, day)
            else:
                del boxes[place]
    found = (Missed(*place, box, day) for place, (box, day) in boxes.items())
    return tuple(sorted(found, key=lambda it: (it.due, it.place)))


def of_question(record: Record, drawn: bool) -> Place:
    """Return which question an answer is of; of drawn questions the kind alone counts."""
    return (record.course, record.lesson, 0 if drawn else record.question, record.ask)


def day_of(moment: str) -> date | None:
    """Return the day of a moment where the trainee sits; None if the text is no moment."""
    try:
        return datetime.fromisoformat(moment).astimezone().date()
    except ValueError:
        return None


def _into(box: int, day: date) -> tuple[int, date]:
    return box, day + timedelta(days=BOXES[box - 1])
