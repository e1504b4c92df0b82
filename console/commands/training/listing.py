"""The map of the courses, without a screen."""

from collections.abc import Sequence
from datetime import date

from shadowtime.console.commands.output import say
from shadowtime.console.session.curriculum.map import LEVELS, Mapped
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.training import POINTS, Course, own_courses


def list_courses(taught: Sequence[Course], trainee: Trainee) -> None:
    """List courses by their levels, with their lessons, how far the trainee is, and what is due."""
    level: int | None = -1
    for mapped in trainee.map(taught):
        if mapped.course.level != level:
            level = mapped.course.level
            say("WITHOUT A LEVEL" if level is None else f"LEVEL {level}  {LEVELS[level]}")
        _list_course(mapped)
    due = trainee.due()
    if trainee.fault:
        say(trainee.fault)
    say()
    if due:
        say(f"Due for review since {min(it.missed.due for it in due)}: {len(due):,}   train --review")
    else:
        coming = trainee.missed()
        say(f"Next review: {coming[0].missed.due}" if coming else f"No review is due ({date.today()})")
    say("Answer sheet of a course:       shadowtime train FOLDER --answers")
    say("What operators answered so far: shadowtime train --csv")
    say(f"Courses of your own:            {own_courses()}")


def _list_course(mapped: Mapped) -> None:
    course = mapped.course
    passed = "   passed" if mapped.passed else ""
    say(f"  {course.title}   {mapped.points} of {mapped.most}{passed}")
    if mapped.needs:
        needs = (f"{it.title} ({'passed' if it.passed else 'not yet'})" for it in mapped.needs)
        say(f"    first: {'; '.join(needs)}")
    if course.can:
        now = "you can now" if mapped.passed else "afterwards you can"
        say(f"    {now} {' '.join(course.can.split())}")
    for lesson in mapped.lessons:
        standing = mapped.standings.get(lesson.name)
        points = "" if standing is None else f"   {standing.points} of {POINTS * lesson.questions}"
        say(f"    {lesson.title}{points}")
    say(f"    {course.folder}")
