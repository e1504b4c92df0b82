"""Reading a scenario: a TOML file or a bare log, checked as a whole.

Every fault is reported, or nothing is read.
"""

from collections.abc import Container
from functools import cached_property, partial
from pathlib import Path

import attrs

from shadowtime.scenarios.errors import Fault, LogMissing, ScenarioError, single
from shadowtime.scenarios.files import Progress, is_folder
from shadowtime.scenarios.jobs import read_jobs
from shadowtime.scenarios.lessons.questions import Subject, read_questions
from shadowtime.scenarios.lessons.tour import read_tour
from shadowtime.scenarios.lookalikes import looks_like
from shadowtime.scenarios.machine import Draft, read_base_policy, read_machine, read_nqs, read_variants
from shadowtime.scenarios.policy import Check, Policies, PolicyChoice
from shadowtime.scenarios.shift_reader import read_shift
from shadowtime.scenarios.steering import cancellations, read_actions, read_outages
from shadowtime.scenarios.story import read_expects, read_notes
from shadowtime.scenarios.text.document import Document
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.text.writing import is_saved
from shadowtime.scenarios.times import MAX_TIME
from shadowtime.scenarios.traces.archive import is_log, read_bytes
from shadowtime.scenarios.traces.finding import find_log
from shadowtime.scenarios.traces.months import month_starts
from shadowtime.scenarios.traces.rows import group_by
from shadowtime.scenarios.traces.swf import Rules, log_nodes, open_log, read_jobs_of
from shadowtime.scenarios.values import Machine, Scenario
from shadowtime.scenarios.workload import MAX_NODES, TOO_LONG, Workload, work

LONGEST = 2**28
"""Bytes of a scenario: a saved session with a million jobs has as many."""


def read_scenario(
    path: Path | str,
    *,
    policies: Policies,
    traces: Path | None = None,
    nodes: int | None = None,
    check: Check | None = None,
    progress: Progress | None = None,
) -> Scenario:
    """The scenario in a file: TOML, or a log (.swf, .swf.gz, .swf.xz), whose policy is EASY.

    A log that is not there, plain, is looked for as those are that a file names, packed too.

    A folder with what Slurm's commands print is a scenario, too (`shadowtime.scenarios.slurm.scenario`).

    `policies` is the table of all policies, and `check` refuses parameters that are out of range. `nodes`
    stands for the machine's own number of nodes. Logs that the file names are looked for beside it, in
    `traces`, and where `find_log` says. `progress` is called while a log is read, with how far that is.
    ScenarioError carries every fault of the file and of its log.
    """
    path = Path(path)
    if nodes is not None and not 1 <= nodes <= MAX_NODES:
        raise single("", f"--nodes is {nodes}; expected 1 to {MAX_NODES}")
    if is_log(path):
        return _read_bare_log(_found_log(path, traces), nodes, progress)
    return _read_toml(path, policies, traces, nodes, check, progress)


def _found_log(path: Path, traces: Path | None) -> Path:
    """The file of a log; the path itself where there is none, whose reader reports that."""
    try:
        return path if path.exists() else find_log(str(path), Path(), traces)
    except (LogMissing, OSError, ValueError):
        return path


def _read_bare_log(path: Path, nodes: int | None, progress: Progress | None) -> Scenario:
    log = open_log(path, progress)
    machine = Machine(log_nodes(log, nodes))
    workload = read_jobs_of(log, machine.capacity, Rules())
    easy = PolicyChoice("easy")
    return Scenario(path.name, machine, easy, workload, path, about=log.header.about, log=path)


def open_document(path: Path) -> Document:
    """Read the TOML document of a file. Raises ScenarioError if it is not one."""
    if is_folder(path):
        # Most scenarios are files: what only a folder needs is loaded for folders alone.
        from shadowtime.scenarios.slurm.scenario import capture_text, is_capture

        if is_capture(path):
            return Document(str(path), capture_text(path))
    content = read_bytes(path, LONGEST)
    if not content or content.isspace():
        raise single(path, "is empty; expected a scenario")
    if b"\0" in content:
        raise single(path, "is a binary file; expected a scenario in TOML, or a log (.swf, .swf.gz, .swf.xz)")
    try:
        return Document(str(path), content.decode("utf-8-sig"))
    except ScenarioError:
        other = looks_like(path, content)
        if other:
            raise single(path, other, 1, 1) from None
        raise
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(errors="replace").split("\n")
        place = Fault(
            str(path),
            len(before),
            len(before[-1]) + 1,
            f"byte {content[error.start]} is not UTF-8; expected TOML",
        )
        raise ScenarioError([place]) from None


def _read_toml(
    path: Path,
    policies: Policies,
    traces: Path | None,
    nodes: int | None,
    check: Check | None,
    progress: Progress | None = None,
) -> Scenario:
    document = open_document(path)
    if "cluster" in document.values:
        # What only lessons and shifts on clusters need is loaded for them alone.
        from shadowtime.scenarios.slurm.lesson import put_cluster, read_lesson

        if "shift" not in document.values:
            return read_lesson(document, path, lambda folder: _read_toml(folder, policies, None, None, check))
        put_cluster(document, path)
    root = Table(document, (), "the file", document.values)
    title, paper, about, debrief = (root.text(key) or "" for key in ("title", "paper", "about", "debrief"))
    draft = read_machine(root, nodes)
    nqs = read_nqs(root)
    policy = read_base_policy(root, policies, check)
    variants = read_variants(root, policies, policy, check)
    workload, machine, log = _read_workload(root, draft, path.parent, traces, progress)
    jobs = None if workload is None and "job" not in root.values else _Ids(root, workload)
    expects = read_expects(root, [variant.name for variant in variants], jobs)
    named = [*([] if policy is None else [policy.name]), *(variant.name for variant in variants)]
    notes = read_notes(root, named, jobs)
    questions = read_questions(root, Subject(jobs, None if machine is None else machine.nodes))
    acting = partial(read_actions, draft=draft, policies=policies, base=policy, jobs=jobs, check=check)
    actions = acting(root, saved=is_saved(document.text))
    outages = read_outages(root, draft)
    capacity = None if machine is None else machine.capacity
    shift = read_shift(root, acting, capacity)
    tour = read_tour(root)
    root.close()
    if document.faults:
        raise document.error()
    assert workload is not None and machine is not None and policy is not None
    actions = (*actions, *cancellations(workload))
    return Scenario(
        title or path.stem, machine, policy, workload, path, paper, about.strip(), variants, expects, notes,
        questions, actions, outages, nqs, document.text, log, shift, debrief.strip(), tour=tour,
    )  # fmt: skip


class _Ids(Container[int]):
    """The ids of a scenario's jobs; the set is made when it is first asked for, with most logs never.

    A [[job]] that is wrong in itself is a job all the same: what names it is not wrong too.
    """

    def __init__(self, root: Table, workload: Workload | None) -> None:
        self._tables = root.values.get("job")
        self._ids = () if workload is None else workload.id

    def __contains__(self, job: object) -> bool:
        return job in self._known

    @cached_property
    def _known(self) -> frozenset[int]:
        tables = self._tables if isinstance(self._tables, list) else []
        given = [table.get("id") for table in tables if isinstance(table, dict)]
        return frozenset([*self._ids, *(job for job in given if type(job) is int)])


def _read_workload(
    root: Table, draft: Draft | None, beside: Path, traces: Path | None, progress: Progress | None
) -> tuple[Workload | None, Machine | None, Path | None]:
    """The jobs, the machine they run on, and their log; None, with a fault, where there are none."""
    if len(root.given("job", "workload")) == 2:
        root.known.extend(("job", "workload"))
        root.document.fault(
            ("workload",), "the file has jobs of its own; expected [[job]] or [workload], not both", "key"
        )
        return None, None, None
    if not root.given("job", "workload") or root.values.get("job") == []:
        root.known.extend(("job", "workload"))
        root.missing("jobs; expected [[job]] or [workload]")
        return None, None, None
    if root.given("workload"):
        # Imported late: jobs that the file itself has need neither logs nor models.
        from shadowtime.scenarios.source import read_source

        source = read_source(root, draft, beside, traces, progress)
        if source is not None and draft is not None:
            return _with_months(source.workload, draft), draft.machine(source.nodes), source.log
    root.known.append("workload")
    if "job" not in root.values:
        return None, None, None
    jobs = read_jobs(root, draft)
    if draft is not None and draft.nodes is None:
        root.missing("number of nodes; expected [machine] with its nodes, or --nodes")
    if not jobs or draft is None or draft.nodes is None:
        return None, None, None
    workload = Workload.of(jobs)
    if work(workload) > MAX_TIME:
        root.document.fault(("job",), TOO_LONG, "key")
    return _with_months(workload, draft), draft.machine(draft.nodes), None


def _with_months(workload: Workload, draft: Draft) -> Workload:
    """The workload with its months by the machine's epoch, where it has none of its own."""
    if workload.group is not None or workload.epoch is not None or draft.epoch is None or not len(workload):
        return workload
    starts = month_starts(draft.epoch, workload.submit[0], workload.submit[-1])
    return workload if starts is None else attrs.evolve(workload, group=group_by(workload.submit, starts))
