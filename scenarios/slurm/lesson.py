"""A lesson or a shift on a captured cluster: a file, and the folder that it is about.

The cluster as one machine without partitions (`scenarios/slurm/scenario.py`) stands for what a scenario has
beside its questions: no question is about it. A shift is played on that machine.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import attrs

from shadowtime.scenarios.clusters import cluster_folders
from shadowtime.scenarios.lessons.questions import Subject, read_questions
from shadowtime.scenarios.slurm.capture import read_capture
from shadowtime.scenarios.slurm.changes import Change, number_of, parse_change
from shadowtime.scenarios.slurm.config import WEIGHTS
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.scenario import capture_values, is_capture
from shadowtime.scenarios.text.document import Document
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.values import Scenario

WEIGH = "weigh"
"""What a change does that gives a factor of priorities another weight."""
_WEIGHT = re.compile(r"set (PriorityWeight\w+)=(\d{1,9})", re.ASCII)
_INSTANT = re.compile(r"(?:(?:(\d{4})-)?(\d\d?)-(\d\d?) )?(\d\d?):(\d\d)(?::(\d\d))?", re.ASCII)


def read_lesson(document: Document, path: Path, read_folder: Callable[[Path], Scenario]) -> Scenario:
    """Read a lesson. `read_folder` reads a captured folder as a scenario.

    ScenarioError carries every fault of the file, or the fault of its cluster.
    """
    root = Table(document, (), "the file", document.values)
    title, about, debrief = (root.text(key) or "" for key in ("title", "about", "debrief"))
    folder = _cluster_of(root, path)
    capture = read_capture(folder)
    if not capture.taken:
        raise broken(folder, "does not say when it was read; expected a folder that says so")
    jobs = {number_of(job) for job in capture.jobs if job.waiting}
    wrong = partial(_wrong, capture.taken)
    questions = read_questions(root, Subject(jobs, cluster=True, wrong=wrong))
    root.close()
    if document.faults:
        raise document.error()
    return attrs.evolve(
        read_folder(folder),
        title=title or path.stem,
        path=path,
        about=about.strip(),
        questions=questions,
        debrief=debrief.strip(),
        text=document.text,
        cluster=capture,
    )


def put_cluster(document: Document, path: Path) -> None:
    """Give the file of a shift the machine, the jobs and the outages of its cluster, beside its own.

    ScenarioError: the cluster is not there, or cannot be read.
    """
    values = dict(document.values)
    captured = capture_values(_cluster_of(Table(document, (), "the file", values), path))
    del values["cluster"]
    for key in ("machine", "policy", "job", "outage"):
        if key in captured:
            values[key] = _with(captured[key], values.get(key))
    document.values = values


def _with(captured: object, own: object) -> object:
    """A table or a list of the cluster with that of the file; what is neither is left to the reader."""
    if own is None:
        return captured
    if isinstance(captured, dict) and isinstance(own, dict):
        return {**captured, **own}
    # Its own come first: their places in the file are those of the list.
    return [*own, *captured] if isinstance(captured, list) and isinstance(own, list) else own


def _cluster_of(root: Table, path: Path) -> Path:
    """The captured folder that a file names. ScenarioError if there is none."""
    name = root.text("cluster", required=True, empty=False) or ""
    folder = _folder(path.parent, name)
    if folder is None:
        root.fault("cluster", "expected the folder of a captured cluster, or the name of a shipped one")
        raise root.document.error()
    return folder


def _folder(beside: Path, name: str) -> Path | None:
    """The folder that a lesson names: beside it, or shipped."""
    try:
        found = [beside / name, *(folder for folder in cluster_folders() if folder.name == name)]
        return next((folder for folder in found if is_capture(folder)), None)
    except (OSError, ValueError):
        return None


def _wrong(taken: int, text: str) -> str:
    """What is wrong with a change; empty if nothing is."""
    try:
        supposed_change(text, taken)
    except ValueError as error:
        return printable(str(error))
    return ""


def supposed_change(text: str, taken: int) -> Change:
    """Return the change that a question supposes at the instant of the capture. ValueError in one line.

    `set PriorityWeightAge=0` is a change, too: `WEIGH` of a factor.
    """
    if (weight := _WEIGHT.fullmatch(" ".join(text.split()))) is not None:
        factor = next((factor for factor, name in WEIGHTS.items() if name == weight[1]), None)
        if factor is None:
            raise ValueError(f"there is no weight {weight[1][:40]}; expected one such as PriorityWeightAge")
        return Change(WEIGH, factor, weight[2])
    change = parse_change(text, partial(instant_after, taken))
    if change.later is not None or change.what == "requeue":
        raise ValueError(
            f"{text[:60]!r} is not made at the instant of the capture; expected one such as drain n05"
        )
    return change


def instant_after(taken: int, word: str) -> int:
    """Return the next instant from a capture on that a clock in UTC shows so: `21:30`, `11-24 01:30:00`.

    A date may have its year. ValueError for another text, and where there is no such instant within a year.
    """
    found = _INSTANT.fullmatch(word)
    if found is None:
        raise ValueError(f"{word[:60]!r} is no instant; expected 21:30 or 11-24 01:30")
    year, month, day, hour, minute, second = (int(part) if part else None for part in found.groups())
    begin = datetime.fromtimestamp(taken, UTC)
    for later in (0, 1):
        # The 29th of February is not in each year, and 25:00 in none.
        with suppress(ValueError):
            at = begin.replace(hour=hour or 0, minute=minute or 0, second=second or 0)
            if month is None or day is None:
                at += timedelta(days=later)
            else:
                at = at.replace(year=begin.year + later if year is None else year, month=month, day=day)
            if at >= begin:
                return int(at.timestamp())
    raise ValueError(f"{word[:60]!r} is no instant from the capture on; expected 21:30 or 11-24 01:30")
