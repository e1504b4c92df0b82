"""The text of the training menu: courses and lessons on the left, what one of them is about on the right."""

from collections.abc import Mapping, Sequence

import attrs

from console import words
from console.screens.pages.browser_text import paragraphs
from console.session.training import POINTS, Course, Lesson, Standing
from console.widgets.frame.ink import Line, Piece, cell, printable, wrap


@attrs.frozen
class Item:
    """One line of the menu that can be chosen: what is told of it, and what choosing it opens."""

    group: str
    title: str
    about: str
    opens: object
    earned: str = ""
    """How far the operator has come in it."""
    course: Course | None = None


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
        room = max(1, width - 2 - len(item.earned) - 1)
        text = cell(printable(item.title), room)
        line: list[Piece] = [("> " if here else "  ", "key"), (text, "text"), (f" {item.earned}", "dim")]
        lines.append([(cell("".join(part for part, _ in line), width), "cursor")] if here else line)
    return lines, place


def item_lines(item: Item | None, faults: Sequence[str], width: int) -> list[Line]:
    """What a choice is about; first what is wrong with it, and with courses that cannot be read."""
    lines: list[Line] = []
    for fault in faults:
        lines += wrap(printable(fault), width, "bad", [("! ", "bad")], 2)
    if item is None:
        return lines
    if faults:
        lines.append([])
    lines += wrap(printable(item.title), width, "strong")
    for paragraph in paragraphs(item.about):
        lines += [[], *wrap(printable(paragraph), width)]
    if item.course is not None:
        course = item.course
        lines += [[], *wrap(f"THE COURSE: {printable(course.title)}", width, "head")]
        for paragraph in paragraphs(course.about):
            lines += [*wrap(printable(paragraph), width), []]
        lines += wrap(f"For: {printable(' '.join(course.audience.split()))}", width, "dim")
        lines += wrap(printable(str(course.folder)), width, "dim")
    return lines


def lesson_items(
    course: Course, lessons: Sequence[Lesson], standings: Mapping[str, Standing]
) -> tuple[Item, ...]:
    """The lessons of a course with the points that the operator has in each."""
    return tuple(
        Item(course.title, lesson.title, lesson.about, lesson, points_of(standings.get(lesson.name)), course)
        for lesson in lessons
    )


def points_of(standing: Standing | None) -> str:
    """How far somebody has come in a lesson: `12 of 15`; the most that the answered questions give."""
    return (
        "" if standing is None or not standing.best else f"{standing.points} of {POINTS * len(standing.best)}"
    )


def counted(points: int) -> str:
    """All points of an operator."""
    return words.count(points, "point")
