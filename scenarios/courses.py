"""Courses: a folder of scenario files with questions, and a `course.toml` that puts them in order.

```toml
title = "Backfilling"
about = "What it teaches, and what one can do afterwards."
audience = "Whom it is for."
lessons = ["01-first-come.toml", "02-shadow-time.toml"]
level = 1
needs = ["screens"]
can = "compute the shadow time of the head without a tool."
```
"""

from pathlib import Path

import attrs

from shadowtime.scenarios.errors import ScenarioError, shown, single
from shadowtime.scenarios.library import COURSE_FILE
from shadowtime.scenarios.reader import open_document
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.text.paths import Path as Place
from shadowtime.scenarios.text.table import Table

LESSONS_EXPECTED = "the names of its scenario files, in their order"
NEEDS_EXPECTED = 'the names of courses, or of lessons as in "backfilling/02-shadow-time"'
MOST_LEVEL = 6
"""The highest level; the lowest is 0, reading the screens."""


@attrs.frozen
class Course:
    """A course: what it says of itself, and the scenario files of its lessons in their order."""

    folder: Path
    title: str
    about: str
    audience: str
    lessons: tuple[Path, ...]
    level: int | None = None
    """Its place in the curriculum, from 0 to 6; None if it has none."""
    needs: tuple[str, ...] = ()
    """What is to be taken before: the folder of a course, or `folder/lesson` without `.toml`."""
    can: str = ""
    """What the trainee can do afterwards: the words after "You can now "."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name


def read_course(path: Path | str) -> Course:
    """The course in a folder. ScenarioError carries every fault of its `course.toml`.

    The lessons must be there; what is in them is not read.
    """
    folder = Path(path)
    if folder.name == COURSE_FILE:
        folder = folder.parent
    if not folder.is_dir():
        raise single(folder, f"no such folder; expected one with a {COURSE_FILE}")
    if not (folder / COURSE_FILE).exists():
        raise single(folder, f"has no {COURSE_FILE}; expected one with title, about, audience and lessons")
    document = open_document(folder / COURSE_FILE)
    root = Table(document, (), "the course", document.values)
    texts = [root.text(key, required=True, empty=False) for key in ("title", "about", "audience")]
    lessons = _lessons(root, folder)
    level, can = root.integer("level", 0, MOST_LEVEL), root.text("can", empty=False)
    needs = _needs(root, folder.name)
    root.close()
    if document.faults:
        raise document.error()
    title, about, audience = ((text or "").strip() for text in texts)
    return Course(folder, title, about, audience, lessons, level, needs, (can or "").strip())


def line_of(course: Course, path: Place) -> int:
    """Return the line of a value of `course.toml`; that of the nearest thing around it if it is not there."""
    return open_document(course.folder / COURSE_FILE).place(path)[0] or 1


def named_lessons(folder: Path) -> tuple[Path, ...]:
    """Return the lessons that a `course.toml` names and that are there, whatever else is wrong with it."""
    try:
        names = open_document(folder / COURSE_FILE).values.get("lessons")
    except ScenarioError:
        return ()
    found = list(names) if isinstance(names, list) else []
    return tuple(folder / it for place, it in enumerate(found) if not _wrong(it, found[:place], folder))


def _lessons(root: Table, folder: Path) -> tuple[Path, ...]:
    names = root.take("lessons", LESSONS_EXPECTED, required=True)
    if names is None:
        return ()
    if not isinstance(names, list) or not names:
        root.fault("lessons", f"expected {LESSONS_EXPECTED}")
        return ()
    found = []
    for place, name in enumerate(names):
        wrong = _wrong(name, names[:place], folder)
        if wrong:
            root.document.fault(("lessons", place), f"lesson {place + 1} is {shown(name)}; {wrong}")
        else:
            found.append(folder / name)
    return tuple(found)


def _needs(root: Table, own: str) -> tuple[str, ...]:
    """Read what a course needs. Whether there are such courses is checked by `shadowtime check`."""
    names = root.take("needs", NEEDS_EXPECTED)
    if names is None:
        return ()
    if not isinstance(names, list):
        root.fault("needs", f"expected a list: {NEEDS_EXPECTED}")
        return ()
    for place, name in enumerate(names):
        wrong = _wrong_need(name, names[:place], own)
        if wrong:
            root.document.fault(("needs", place), f"need {place + 1} is {shown(name)}; {wrong}")
    return tuple(name for name in names if isinstance(name, str))


def _wrong_need(name: object, before: list[object], own: str) -> str:
    """What is wrong with a name in `needs`; empty if nothing is."""
    parts = name.split("/") if isinstance(name, str) and name.isprintable() else []
    if not 1 <= len(parts) <= 2 or any(part in ("", ".", "..") or part.endswith(".toml") for part in parts):
        return f"expected one of {NEEDS_EXPECTED}"
    if parts[0] == own:
        return "it is the course itself; expected another one"
    return "it is in the list already; expected each once" if name in before else ""


def _wrong(name: object, before: list[object], folder: Path) -> str:
    """What is wrong with the name of a lesson; empty where nothing is."""
    if not isinstance(name, str) or not name.endswith(".toml") or name == COURSE_FILE:
        return "expected the name of a scenario file (.toml) in the folder of the course"
    if Path(name).name != name or not name.isprintable():
        return "expected a file in the folder of the course itself, without a path"
    if name in before:
        return "it is in the list already; expected each lesson once"
    if not (folder / name).is_file():
        return f"there is no such file in {printable(str(folder))}"
    return ""
