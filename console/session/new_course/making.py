"""A course and a shift out of a log or a captured cluster: written whole and sound, or not at all.

All questions are drawn by the seed of whoever takes the course. What a check finds is mended by asking less:
one draw fewer is made of a table with a flaw. What is then left is checked again, as `shadowtime check`
checks it.
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.case import load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import OWN_FOLDER, make_folder
from shadowtime.console.session.files.writers import written_bytes, written_whole
from shadowtime.console.session.new_course.stretches import HOUR, starts_of, stretches, title_of, values_of
from shadowtime.console.session.shift.responses import references
from shadowtime.console.session.shift.soundness import Report as ShiftReport
from shadowtime.console.session.shift.soundness import examine_shift
from shadowtime.console.session.slurm.capturing.anonymous import Aliases
from shadowtime.console.session.slurm.capturing.commands import EVERY
from shadowtime.console.session.slurm.capturing.taking import STAMP
from shadowtime.console.session.training.soundness import Report, Spoken, examine
from shadowtime.scenarios import read_course
from shadowtime.scenarios.errors import single
from shadowtime.scenarios.library import COURSE_FILE
from shadowtime.scenarios.slurm.scenario import is_capture
from shadowtime.scenarios.text.writing import action_table, written
from shadowtime.scenarios.traces.archive import is_log, read_bytes

CLUSTER = "cluster"
"""The folder of the capture in the folder of the course."""
DRAWN_FILE, ACTING_FILE = "01-drawn.toml", "02-actions.toml"
Table = dict[str, Any]
"""A [[question]] that a seed draws."""
ON_MACHINE: Sequence[Table] = (
    {"ask": "next_start", "pick": 2},
    {"ask": "why", "pick": 3},
    {"ask": "start_time", "pick": 3},
)
ACTING_ON_MACHINE: Sequence[Table] = ({"ask": "delayed", "pick": 4}, {"ask": "remedy", "pick": 4})
ON_CLUSTER: Sequence[Table] = (
    {"ask": "not_running", "pick": 4},
    # Reservations begin at whole minutes.
    {"ask": "planned_start", "pick": 3, "within": 60},
    {"ask": "planned_nodes", "pick": 2},
)
ACTING_ON_CLUSTER: Sequence[Table] = ({"ask": "sooner", "pick": 4}, {"ask": "put_off", "pick": 4})
TRIED = 12
"""Stretches of a log that are tried for a shift, and times that a course is mended."""
SHIFT_HOURS = 4
"""Hours of a shift on a captured cluster."""
DRAWN = "Instants and jobs are drawn anew each time. Nothing is made up: all of it was there."
ACTED = "The same moments. Suppose that the operator does something, and follow what it changes."
SHIFT_FILE = "shift.toml"
BUDGET = 4
_ORDER = ("hold", "release", "priority")
WAYS: Sequence[Mapping[str, object]] = (
    {"allow": list(_ORDER)},
    {"allow": [*_ORDER, "suspend", "resume"]},
    {"allow": [*_ORDER, "suspend", "resume"], "fairness": 0},
)
"""What may be done, and what counts: the next one if those before it bring nothing."""
GOAL = "Let the jobs wait less than they would without you. No job may wait for ever."
DEBRIEF = """
A priority or a hold pays where one job stands in the way of several others. Whatever goes before another
job lets that job wait: the figures count the mean, and with a fairness the worst wait and the wide jobs.
"""


@attrs.frozen
class Made:
    """What was written: the course, and the shift if one is sound."""

    course: Report
    shift: ShiftReport
    has_shift: bool


def new_course(folder: Path, source: Path, spoken: Spoken, anonymous: bool = False) -> Made:
    """Write a course and a shift into a new folder; an interrupt leaves nothing.

    `source` is a log or the folder of a captured cluster, whose files are copied. `anonymous`: users get
    numbers.

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
            report, shift = _of_log(made, source, spoken, anonymous)
        else:
            report, shift = _of_capture(made, source, spoken, anonymous)
        make_folder(folder.parent)
        made.rename(folder)
    return Made(report, shift, (folder / SHIFT_FILE).exists())


def _of_log(folder: Path, source: Path, spoken: Spoken, anonymous: bool) -> tuple[Report, ShiftReport]:
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
    lessons = _Lesson(DRAWN_FILE, drawn, ON_MACHINE), _Lesson(ACTING_FILE, acted, ACTING_ON_MACHINE)
    return _course(folder, source, title, lessons, spoken, 2, "backfilling"), report


def _of_capture(folder: Path, source: Path, spoken: Spoken, anonymous: bool) -> tuple[Report, ShiftReport]:
    """Write what is made of a captured cluster, and a copy of it."""
    _copy(source, folder / CLUSTER, anonymous)
    case = load(folder / CLUSTER)
    title, about = case.scenario.title, case.scenario.about
    values: dict[str, object] = {"cluster": CLUSTER}
    report = write_shift(folder, _headed(f"On duty: {title}", about, values), SHIFT_HOURS * HOUR)
    drawn = _headed("1. Why, when and where", f"The plan of the next cycle.\n\n{DRAWN}", values)
    acted = _headed("2. What a change does", f"The plan of the next cycle.\n\n{ACTED}", values)
    lessons = _Lesson(DRAWN_FILE, drawn, ON_CLUSTER), _Lesson(ACTING_FILE, acted, ACTING_ON_CLUSTER)
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
    questions: Sequence[Table]

    def write(self, folder: Path) -> None:
        _write(folder / self.file, {**self.values, "question": self.questions})

    def mend(self, folder: Path, report: Report) -> bool:
        """Take out what a report finds wrong; whether there was anything."""
        path = folder / self.file
        # A draw without enough questions is reported at the line of its table.
        lines = sorted(question.line for question in load(path).scenario.questions)
        wrong = {flaw.line for flaw in report.flaws if flaw.path == path}
        left = [
            {**table, "pick": table["pick"] - (line in wrong)}
            for line, table in zip(lines, self.questions, strict=True)
        ]
        self.questions = [table for table in left if table["pick"]]
        return bool(wrong)


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
            for lesson in lessons:
                if not lesson.questions:
                    (folder / lesson.file).unlink(missing_ok=True)
            return report
        flaw = report.flaws[0].text.replace(f"{folder}/", "")
        mended = [lesson.mend(folder, report) for lesson in asking]
        if not any(mended):
            break
    raise single(source, f"no sound course can be made of it: {flaw}; expected another log or capture")


def _copy(source: Path, folder: Path, anonymous: bool) -> None:
    """Copy what a capture is read from, unpacked."""
    make_folder(folder, 0o777 if anonymous else OWN_FOLDER)
    for name in dict.fromkeys((STAMP, "assoc_mgr.json", "jobs.json", *(command.file for command in EVERY))):
        for path in (source / name, source / f"{name}.xz"):
            if path.is_file():
                with written_bytes(folder / name) as stream:
                    stream.write(read_bytes(path))
                break
    if anonymous:
        Aliases().hide(folder)


def _write(path: Path, values: Mapping[str, object]) -> None:
    with written_whole(path) as stream:
        stream.write(written(values))


def write_shift(folder: Path, values: Mapping[str, object], until: int) -> ShiftReport:
    """Write the shift of a scenario into a folder; return its report. A shift with a flaw is not kept.

    `until` is the instant at which it ends. ScenarioError, SessionError: what is wrong with the scenario.
    """
    path, report = folder / SHIFT_FILE, ShiftReport(())
    for way in WAYS:
        shift: dict[str, object] = {
            "kind": "incident",
            "goal": GOAL,
            "until": until,
            "budget": BUDGET,
            **way,
            "debrief": DEBRIEF,
        }
        _write(path, {**values, "shift": shift})
        found = references(load(path)).best
        if found.actions:
            # At their instants: an operator counts no events.
            acted = zip(found.actions, found.times, strict=True)
            tables = [action_table(attrs.evolve(action, after=None, at=at)) for action, at in acted]
            shift["response"] = [{"name": found.name, "action": tables}]
            _write(path, {**values, "shift": shift})
        report = examine_shift(load(path))
        if not report.flaws:
            return report
    path.unlink()
    return report
