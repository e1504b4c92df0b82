"""A course and a shift out of a log or a captured cluster: written whole and sound, or not at all.

What a check finds is mended by asking less: a question with a flaw goes, and one draw fewer is made where
too few can be drawn. What is then left is checked again, as `shadowtime check` checks it.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import attrs

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import OWN_FOLDER, make_folder
from shadowtime.console.session.files.writers import written_bytes, written_whole
from shadowtime.console.session.new_course.incidents import SHIFT_FILE, write_shift
from shadowtime.console.session.new_course.questions import (
    ON_CLUSTER,
    ON_MACHINE,
    Table,
    acting_on_cluster,
    acting_on_machine,
)
from shadowtime.console.session.new_course.stretches import HOUR, starts_of, stretches, title_of, values_of
from shadowtime.console.session.shift.soundness import Report as ShiftReport
from shadowtime.console.session.slurm.capturing.anonymous import Aliases
from shadowtime.console.session.slurm.capturing.commands import EVERY
from shadowtime.console.session.slurm.capturing.taking import STAMP
from shadowtime.console.session.training.drill import Drill
from shadowtime.console.session.training.facts import Answer
from shadowtime.console.session.training.questions.kind import CHOICES
from shadowtime.console.session.training.soundness import Report, Spoken, examine
from shadowtime.scenarios import read_course
from shadowtime.scenarios.errors import single
from shadowtime.scenarios.library import COURSE_FILE
from shadowtime.scenarios.slurm.scenario import is_capture
from shadowtime.scenarios.text.writing import written
from shadowtime.scenarios.traces.archive import is_log, read_bytes

CLUSTER = "cluster"
"""The folder of the capture in the folder of the course."""
DRAWN_FILE, ACTING_FILE = "01-drawn.toml", "02-actions.toml"
ACTING = 4
"""Questions of one kind about actions."""
TRIED = 12
"""Stretches of a log that are tried for a shift, and times that a course is mended."""
SHIFT_HOURS = 4
"""Hours of a shift on a captured cluster."""
DRAWN = "Instants and jobs are drawn anew each time. Nothing is made up: all of it was there."
ACTED = "The same moments. Suppose that the operator does something, and follow what it changes."


@attrs.frozen
class Made:
    """What was written: the course, and the shift if one is sound."""

    course: Report
    shift: ShiftReport
    has_shift: bool


def new_course(folder: Path, source: Path, spoken: Spoken, anonymous: bool = False, seed: int = 0) -> Made:
    """Write a course and a shift into a new folder; an interrupt leaves nothing.

    `source` is a log or the folder of a captured cluster, whose files are copied. `anonymous`: users get
    numbers. The seed settles which moments are asked about.

    ScenarioError, SessionError: what is wrong with the source, or why no sound course can be made of it.
    OSError.
    """
    if folder.name in ("", ".."):
        raise SessionError(f"{folder} is no name of a folder; expected the name of a new folder")
    if folder.exists():
        raise SessionError(f"{folder} is there already; expected the name of a new folder")
    if not is_log(source) and not is_capture(source):
        raise single(source, "is no log and no captured cluster; expected a .swf file or such a folder")
    there = next(parent for parent in folder.parents if parent.is_dir())
    with tempfile.TemporaryDirectory(dir=there, prefix=".shadowtime-") as place:
        made = Path(place) / folder.name
        # Names of users are for their owner alone, as in a capture.
        make_folder(made, 0o777 if anonymous or is_log(source) else OWN_FOLDER)
        if is_log(source):
            report, shift = _of_log(made, source, spoken, anonymous, seed)
        else:
            report, shift = _of_capture(made, source, spoken, anonymous, seed)
        make_folder(folder.parent)
        made.rename(folder)
    return Made(report, shift, (folder / SHIFT_FILE).exists())


def _of_log(
    folder: Path, source: Path, spoken: Spoken, anonymous: bool, seed: int
) -> tuple[Report, ShiftReport]:
    """Write what is made of a log: of the first of its stretches that give a sound shift, or of the first."""
    case = load(source)
    starts = starts_of(case, source)
    found: tuple[str, dict[str, object], ShiftReport] | None = None
    for stretch, _ in zip(stretches(case, starts), range(TRIED), strict=False):
        title = title_of(case, stretch)
        values = values_of(case, starts, stretch, anonymous)
        report = write_shift(folder, _headed(f"On duty: {title}", _about(values), values), stretch.length)
        if found is None or not report.flaws:
            found = title, values, report
        if not report.flaws:
            break
    if found is None:
        raise single(source, "no stretch of it has 20 to 300 jobs, of which some wait; expected a busier log")
    title, values, report = found
    drawn = _headed("1. Who starts, when, and why", f"{_about(values)}\n\n{DRAWN}", values)
    acted = _headed("2. What an action changes", f"{_about(values)}\n\n{ACTED}", values)
    _write(folder / ACTING_FILE, acted)
    candidates = acting_on_machine(load(folder / ACTING_FILE), Random(seed))
    lessons = _Lesson(DRAWN_FILE, drawn, [*ON_MACHINE]), _Lesson(ACTING_FILE, acted, [*candidates])
    return _course(folder, source, title, lessons, spoken, 2, "backfilling"), report


def _of_capture(
    folder: Path, source: Path, spoken: Spoken, anonymous: bool, seed: int
) -> tuple[Report, ShiftReport]:
    """Write what is made of a captured cluster, and a copy of it."""
    _copy(source, folder / CLUSTER, anonymous)
    case = load(folder / CLUSTER)
    title, about = case.scenario.title, case.scenario.about
    values: dict[str, object] = {"cluster": CLUSTER}
    report = write_shift(folder, _headed(f"On duty: {title}", about, values), SHIFT_HOURS * HOUR)
    drawn = _headed("1. Why, when and where", f"The plan of the next cycle.\n\n{DRAWN}", values)
    acted = _headed("2. What a change does", f"The plan of the next cycle.\n\n{ACTED}", values)
    _write(folder / DRAWN_FILE, {**drawn, "question": [dict(ON_CLUSTER[0])]})
    capture = load(folder / DRAWN_FILE).scenario.cluster
    assert capture is not None
    candidates = acting_on_cluster(capture, Random(seed))
    lessons = _Lesson(DRAWN_FILE, drawn, [*ON_CLUSTER]), _Lesson(ACTING_FILE, acted, [*candidates])
    return _course(folder, source, title, lessons, spoken, 3, "slurm"), report


def _about(values: Mapping[str, object]) -> str:
    """What a stretch of a log is, in words."""
    machine, jobs = values["machine"], values["job"]
    assert isinstance(machine, dict) and isinstance(jobs, list)
    running, waiting = (sum(job["submit"] == at for job in jobs) for at in (0, 1))
    return (
        f"A machine of {machine['nodes']} nodes under EASY. {running} jobs run at the begin, {waiting} wait,"
        f" and {len(jobs) - running - waiting} come later."
    )


def _headed(title: str, about: str, values: Mapping[str, object]) -> dict[str, object]:
    return {"title": title, "about": about, **values}


@attrs.define
class _Lesson:
    """A lesson of a new course: its file, what it has beside its questions, and these."""

    file: str
    values: Mapping[str, object]
    questions: list[Table]

    def write(self, folder: Path) -> Path:
        """Write it; return its path."""
        path = folder / self.file
        _write(path, {**self.values, "question": self.questions})
        return path

    def settle(self, folder: Path) -> None:
        """Keep some candidates: those with one right choice of three or more, about other jobs each."""
        answers = _answers(load(self.write(folder)))
        kept, counts, asked = list[Table](), Counter[str](), set[object]()
        for table, made in zip(self.questions, answers, strict=True):
            about = table.get("job", table.get("do"))
            if made is None or counts[table["ask"]] == ACTING or about in asked:
                continue
            if len(made.right) == 1 and made.right[0] is not None and len(made.offered) >= CHOICES:
                kept.append(table)
                counts[table["ask"]] += 1
                asked.add(about)
        self.questions = kept

    def mend(self, folder: Path, report: Report) -> bool:
        """Take out what a report finds wrong; whether there was anything."""
        path = folder / self.file
        # A draw without enough questions is reported at the line of its table.
        lines = sorted(question.line for question in load(path).scenario.questions)
        wrong = {flaw.line for flaw in report.flaws if flaw.path == path}
        left = [
            table if line not in wrong else {**table, "pick": table.get("pick", 1) - 1}
            for line, table in zip(lines, self.questions, strict=True)
        ]
        self.questions = [table for table in left if table.get("pick", 1)]
        return bool(wrong)


def _answers(case: Case) -> Sequence[Answer | None]:
    return [made if isinstance(made, Answer) else None for made in Drill(case).answers]


def _course(
    folder: Path,
    source: Path,
    title: str,
    lessons: Sequence[_Lesson],
    spoken: Spoken,
    level: int,
    need: str,
) -> Report:
    """Write a course of lessons, and mend it until it is sound. ScenarioError says why it cannot be."""
    lessons[-1].settle(folder)
    for _ in range(TRIED):
        asking = [lesson for lesson in lessons if lesson.questions]
        if not asking:
            raise single(source, "no question about it has an answer; expected more waiting jobs")
        for lesson in asking:
            lesson.write(folder)
        _write(
            folder / COURSE_FILE,
            {
                "title": title,
                "about": f"Real moments of {source.name}: who starts, when, why, and what an action changes.",
                "audience": "Operators and supporters of this machine; half an hour",
                "lessons": [lesson.file for lesson in asking],
                "level": level,
                "needs": [need],
                "can": "read such a moment, and foresee what an action changes.",
            },
        )
        report = examine(read_course(folder), spoken)
        if not report.flaws:
            _remove(folder, lessons)
            return report
        flaw = report.flaws[0].text.replace(f"{folder}/", "")
        mended = [lesson.mend(folder, report) for lesson in asking]
        if not any(mended):
            break
    raise single(source, f"no sound course can be made of it: {flaw}; expected another --seed")


def _remove(folder: Path, lessons: Iterable[_Lesson]) -> None:
    for lesson in lessons:
        if not lesson.questions:
            (folder / lesson.file).unlink(missing_ok=True)


def _copy(source: Path, folder: Path, anonymous: bool) -> None:
    """Copy what a capture is read from, unpacked."""
    make_folder(folder, 0o777 if anonymous else OWN_FOLDER)
    for name in _files():
        for path in (source / name, source / f"{name}.xz"):
            if path.is_file():
                with written_bytes(folder / name) as stream:
                    stream.write(read_bytes(path))
                break
    if anonymous:
        Aliases().hide(folder)


def _files() -> Iterator[str]:
    yield from dict.fromkeys((STAMP, "assoc_mgr.json", "jobs.json", *(command.file for command in EVERY)))


def _write(path: Path, values: Mapping[str, object]) -> None:
    with written_whole(path) as stream:
        stream.write(written(values))
