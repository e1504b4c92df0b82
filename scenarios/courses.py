"""Courses: a folder of scenario files with questions, and a `course.toml` that puts them in order.

```toml
title = "Backfilling"
about = "What it teaches, and what one can do afterwards."
audience = "Whom it is for."
lessons = ["01-first-come.toml", "02-shadow-time.toml"]
```
"""

from pathlib import Path

import attrs

from scenarios.errors import one_line, shown, single
from scenarios.library import COURSE_FILE
from scenarios.reader import open_document
from scenarios.text.document import Document
from scenarios.text.table import Table

LESSONS_EXPECTED = "the names of its scenario files, in their order"


@attrs.frozen
class Course:
    """A course: what it says of itself, and the scenario files of its lessons in their order."""

    folder: Path
    title: str
    about: str
    audience: str
    lessons: tuple[Path, ...]

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
    root.close()
    if document.faults:
        raise document.error()
    title, about, audience = ((text or "").strip() for text in texts)
    return Course(folder, title, about, audience, lessons)


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
            _fault(root.document, place, name, wrong)
        else:
            found.append(folder / name)
    return tuple(found)


def _wrong(name: object, before: list[object], folder: Path) -> str:
    """What is wrong with the name of a lesson; empty where nothing is."""
    if not isinstance(name, str) or not name.endswith(".toml") or name == COURSE_FILE:
        return "expected the name of a scenario file (.toml) in the folder of the course"
    if Path(name).name != name or not name.isprintable():
        return "expected a file in the folder of the course itself, without a path"
    if name in before:
        return "it is in the list already; expected each lesson once"
    if not (folder / name).is_file():
        return f"there is no such file in {one_line(str(folder))}"
    return ""


def _fault(document: Document, place: int, name: object, wrong: str) -> None:
    document.fault(("lessons", place), f"lesson {place + 1} is {shown(name)}; {wrong}")
