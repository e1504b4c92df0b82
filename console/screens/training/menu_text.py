"""The text of the training menu: the map of the courses on the left, what one is about on the right."""

from collections.abc import Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.screens.pages.browser_text import paragraphs
from shadowtime.console.session.curriculum.map import LEVELS, Mapped
from shadowtime.console.session.curriculum.review import BOXES
from shadowtime.console.session.curriculum.trainee import Due
from shadowtime.console.session.training import POINTS, Course, LessonStanding
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, printable, wrap

SHOWN = 12
"""Questions to review that are named."""


@attrs.frozen
class Item:
    """One line of the menu that can be chosen: what is told of it, and what choosing it opens."""

    group: str
    title: str
    about: str
    opens: object
    earned: str = ""
    course: Course | None = None
    fold: str = ""
    """Of a course: `+` if its lessons are folded away, `-` if they are shown."""
    depth: int = 0
    """1: a lesson below its course."""


def menu_lines(items: Sequence[Item], cursor: int, width: int) -> tuple[list[Line], int]:
    """The titles under their groups, and the line on which the cursor stands."""
    lines: list[Line] = []
    place, group = 0, None
    for number, item in enumerate(items):
        if item.group != group:
            group = item.group
            lines += [[], [(printable(group), "head")]] if lines else [[(printable(group), "head")]]
        here = number == cursor
        if here:
            place = len(lines)
        begin = "  " * item.depth + (f"{item.fold} " if item.fold else "")
        room = max(1, width - 2 - len(item.earned) - 1)
        text = cell(begin + printable(item.title), room)
        line: list[Piece] = [("> " if here else "  ", "key"), (text, "text"), (f" {item.earned}", "dim")]
        lines.append([(cell("".join(part for part, _ in line), width), "cursor")] if here else line)
    return lines, place


def item_lines(item: Item | None, faults: Sequence[str], width: int) -> list[Line]:
    """What a choice is about; first what is wrong with it, and with courses that cannot be read."""
    lines: list[Line] = []
    for fault in faults:
        lines += wrap(fault, width, "bad", [("! ", "bad")], 2)
    if item is None:
        return lines
    if faults:
        lines.append([])
    lines += wrap(item.title, width, "strong")
    if isinstance(item.opens, Mapped):
        return [*lines, *course_lines(item.opens, width)]
    for paragraph in paragraphs(item.about):
        lines += [[], *wrap(paragraph, width)]
    if item.course is not None:
        lines += [[], *wrap(f"A lesson of: {printable(item.course.title)}", width, "dim")]
    return lines


def course_lines(mapped: Mapped, width: int) -> list[Line]:
    """A course on the map: its level, what it needs, how far the trainee is, what it teaches."""
    course, level = mapped.course, level_of(mapped.course)
    lines = wrap(level, width, "head")
    lines += wrap(progress_of(mapped), width, "good" if mapped.passed else "text")
    for need in mapped.needs:
        passed = "passed" if need.passed else "not passed yet"
        lines += wrap(f"First: {need.title} ({passed})", width, "dim" if need.passed else "warn")
    for paragraph in paragraphs(course.about):
        lines += [[], *wrap(paragraph, width)]
    if course.can:
        lines += [[], *wrap(can_of(mapped), width, "good" if mapped.passed else "text")]
    lines += [[], *wrap(f"For: {printable(' '.join(course.audience.split()))}", width, "dim")]
    return [*lines, *wrap(str(course.folder), width, "dim")]


def review_lines(missed: Sequence[Due], due: int) -> str:
    """What is to be reviewed, as paragraphs: what is due, what lies in which box, and how it works."""
    counts = [sum(it.missed.box == box for it in missed) for box in range(1, len(BOXES) + 1)]
    coming = [f"{it.missed.due}  {it.lesson.course.title}, {it.lesson.title}" for it in missed[:SHOWN]]
    gaps = ", ".join(map(str, BOXES))
    return "\n\n".join(
        (
            f"{words.count(due, 'question')} due of {len(missed)} that you missed and have not learnt yet.",
            f"A question that you missed is due the next day. Each right answer without a hint, on a day on"
            f" which it is due, puts it into the next of {len(BOXES)} boxes: it is due again after {gaps}"
            " days; after the last box it is learnt. A wrong answer puts it back into the first.",
            f"Questions in the boxes: {', '.join(map(str, counts))}.",
            *coming,
        )
    )


def level_of(course: Course) -> str:
    return "WITHOUT A LEVEL" if course.level is None else f"LEVEL {course.level}  {LEVELS[course.level]}"


def can_of(mapped: Mapped) -> str:
    """What a trainee can do after a course."""
    now = "You can now" if mapped.passed else "Afterwards you can"
    return f"{now} {' '.join(mapped.course.can.split())}"


def progress_of(mapped: Mapped) -> str:
    """How far a trainee is in a course, in a sentence."""
    total = sum(lesson.questions for lesson in mapped.lessons)
    state = "Passed: " if mapped.passed else ""
    return (
        f"{state}{mapped.points} of {words.count(mapped.most, 'point')};"
        f" {mapped.answered} of {words.count(total, 'question')} answered"
    )


def share_of(mapped: Mapped) -> str:
    if mapped.passed:
        return "passed"
    return f"{100 * mapped.points // mapped.most} %" if mapped.answered and mapped.most else ""


def points_of(standing: LessonStanding | None) -> str:
    """How far somebody has come in a lesson: `12 of 15`; the most that the answered questions give."""
    return (
        "" if standing is None or not standing.best else f"{standing.points} of {POINTS * len(standing.best)}"
    )
