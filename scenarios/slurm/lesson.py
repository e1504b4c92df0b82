"""A lesson on a captured cluster: a file with questions, and the folder that they are about.

The cluster as one machine without partitions (`scenarios/slurm/scenario.py`) stands for what a scenario has
beside its questions: no question is about it.
"""

from collections.abc import Callable, Container
from pathlib import Path

import attrs

from shadowtime.scenarios.clusters import cluster_folders
from shadowtime.scenarios.slurm.capture import read_capture
from shadowtime.scenarios.slurm.changes import number_of, parse_change
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.scenario import is_capture
from shadowtime.scenarios.story import read_among
from shadowtime.scenarios.text.document import Document
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.values import (
    CLUSTER_QUESTIONS,
    CLUSTER_QUESTIONS_ABOUT_A_JOB,
    CLUSTER_QUESTIONS_AFTER_A_CHANGE,
    CLUSTER_QUESTIONS_DRAWN,
    MOST_PICKED,
    Question,
    Scenario,
)

CHANGES_EXPECTED = "two to four changes"


def read_lesson(document: Document, path: Path, read_folder: Callable[[Path], Scenario]) -> Scenario:
    """Read a lesson. `read_folder` reads a captured folder as a scenario.

    ScenarioError carries every fault of the file, or the fault of its cluster.
    """
    root = Table(document, (), "the file", document.values)
    title, about, debrief = (root.text(key) or "" for key in ("title", "about", "debrief"))
    name = root.text("cluster", required=True, empty=False) or ""
    folder = _folder(path.parent, name)
    if folder is None:
        root.fault("cluster", "expected the folder of a captured cluster, or the name of a shipped one")
        raise document.error()
    capture = read_capture(folder)
    if not capture.taken:
        raise broken(folder, "does not say when it was read; expected a folder that says so")
    questions = _questions(root, {number_of(job) for job in capture.jobs if job.waiting})
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


def _folder(beside: Path, name: str) -> Path | None:
    """The folder that a lesson names: beside it, or shipped."""
    try:
        found = [beside / name, *(folder for folder in cluster_folders() if folder.name == name)]
        return next((folder for folder in found if is_capture(folder)), None)
    except (OSError, ValueError):
        return None


def _questions(root: Table, jobs: Container[int]) -> tuple[Question, ...]:
    questions = []
    for table in root.tables("question"):
        ask = table.choice("ask", CLUSTER_QUESTIONS, required=True)
        pick = table.integer("pick", 1, MOST_PICKED)
        job = _job(table, ask, pick, jobs)
        do, among = _do(table, ask), _among(table, ask)
        within = table.seconds("within")
        if within is not None and ask not in (None, "planned_start"):
            table.fault("within", f"it goes with planned_start; the question is {ask}")
        text, hint, debrief = (table.text(key, empty=False) or "" for key in ("text", "hint", "debrief"))
        table.close()
        if ask is not None:
            line = table.document.line((*table.path, "ask"))
            questions.append(
                Question(
                    0, ask, job, within or 0, text.strip(), hint.strip(), line,
                    pick=pick or 0, do=do, among=among, debrief=debrief.strip(),
                )
            )  # fmt: skip
    return tuple(questions)


def _job(table: Table, ask: str | None, pick: int | None, jobs: Container[int]) -> int | None:
    """Read the job, unless a seed draws it."""
    if pick is not None:
        table.refuse(["job"], "does not go with pick: the seed draws it")
        if ask is not None and ask not in CLUSTER_QUESTIONS_DRAWN:
            table.fault("ask", f"no seed draws {ask}; expected a job, and no pick")
        return None
    if ask is not None and ask not in CLUSTER_QUESTIONS_ABOUT_A_JOB:
        table.refuse(["job"], f"does not go with {ask}")
        return None
    job = table.integer("job", required=ask is not None)
    if job is not None and job not in jobs:
        table.fault("job", "no job of that number waits in the cluster")
        return None
    return job


def _do(table: Table, ask: str | None) -> str:
    """Read the change that a question supposes; empty for none."""
    if ask is not None and ask not in CLUSTER_QUESTIONS_AFTER_A_CHANGE:
        table.refuse(["do"], f"does not go with {ask}")
        return ""
    text = " ".join((table.text("do", required=ask == "put_off", empty=False) or "").split())
    if text and (wrong := _wrong(text)):
        table.fault("do", wrong)
        return ""
    return text


def _among(table: Table, ask: str | None) -> tuple[str, ...]:
    """Read the changes to choose from."""
    if ask != "sooner":
        table.refuse(["among"], f"goes with sooner; the question is {ask}")
        return ()
    return read_among(table, CHANGES_EXPECTED, _wrong)


def _wrong(text: str) -> str:
    """What is wrong with a change; empty if nothing is."""
    try:
        parse_change(text)
    except ValueError as error:
        return printable(str(error))
    return ""
