"""The instructor's seat: what the file does not have happens a second from now."""

from collections.abc import Sequence

import attrs

from shadowtime.console.session.case import Case, table_of
from shadowtime.console.session.environment import refuse_machine
from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios import Job, Note, parse_duration
from shadowtime.scenarios.nodes import format_nodes, parse_nodes
from shadowtime.scenarios.times import MAX_TIME
from shadowtime.scenarios.values import ANY, Outage
from shadowtime.scenarios.workload import TOO_LONG, work

JOB, DRAIN, DISK, NOTE = "job", "drain", "disk", "note"
"""The words before a job, before nodes that are drained, and before a message."""
FULL_DISK = "The health check: a local disk is full; drained: {nodes}."
JOB_USAGE = "expected a size and a length, such as job 16 2h"
USAGE = (
    "expected nodes and a length, such as 3-5 20m, drain 3-5 20m or disk 3-5 20m, a job, such as job 16 2h,"
    " or note and a text"
)

Injection = Outage | Job | Note
"""What an instructor adds to a shift."""


def typed_injection(text: str, case: Case, now: int) -> tuple[Injection, ...]:
    """Return what an instructor types: `3-5 20m`, `drain 3-5 20m`, `disk 3-5 20m`, `job 16 2h`, `note TEXT`.

    SessionError: it is something else.
    """
    word, _, rest = text.strip().partition(" ")
    if word == JOB:
        return (_typed_job(rest, case, now),)
    if word == NOTE and rest.strip():
        return (_note(rest, now),)
    if word not in (DRAIN, DISK):
        return (_typed_outage(text, case, now, kill=True),)
    drained = _typed_outage(rest, case, now, kill=False)
    said = FULL_DISK.format(nodes=format_nodes(drained.nodes))
    return (drained, _note(said, now)) if word == DISK else (drained,)


def _note(text: str, now: int) -> Note:
    """Return a message that is shown whatever the operator does."""
    return Note(now + 1, " ".join(text.split()), (ANY,))


def _typed_outage(text: str, case: Case, now: int, kill: bool) -> Outage:
    named, _, length = text.strip().partition(" ")
    try:
        ranges, seconds = parse_nodes(named, case.scenario.machine.nodes), parse_duration(length.strip())
    except ValueError as error:
        fault = str(error).partition("; expected")[0]
        raise SessionError(f"inject {text.strip()!r}: {fault}; {USAGE}") from error
    if seconds < 1:
        raise SessionError(f"inject {text.strip()!r}: it has no length; {USAGE}")
    return Outage(ranges, now + 1, now + 1 + seconds, kill=kill)


def _typed_job(text: str, case: Case, now: int) -> Job:
    """Return the job of a typed line, `16 2h`: it needs its whole estimate, and has the next free id."""
    size, _, length = text.strip().partition(" ")
    try:
        if not (size.isascii() and size.isdigit() and int(size) > 0):
            raise ValueError(f"{size!r} is no size")
        if int(size) > case.nodes:
            raise ValueError(f"the machine has {case.scenario.machine.sized()}")
        seconds = parse_duration(length.strip())
        if seconds < 1:
            raise ValueError("the job has no length")
        job = Job(max(case.columns.id, default=0) + 1, int(size), now + 1, seconds, seconds)
        # What the workload or the machine does not take is refused here, not when the simulation begins.
        injected(case, (job,))
    except (ValueError, SessionError) as error:
        raise SessionError(f"inject job {text.strip()!r}: {error}; {JOB_USAGE}") from error
    return job


def injected(case: Case, added: Sequence[Injection]) -> Case:
    """Return a case in which these failures happen, and these jobs and messages come, too.

    A job comes after all that are submitted at its instant. SessionError: a job that the policy cannot place.
    """
    scenario = case.scenario
    jobs = [it for it in added if isinstance(it, Job)]
    failures = [it for it in added if isinstance(it, Outage)]
    notes = [*scenario.notes, *(it for it in added if isinstance(it, Note))]
    workload = scenario.workload
    for job in jobs:
        workload = workload.with_job(job)
    if work(workload) > MAX_TIME:
        raise SessionError(TOO_LONG)
    scenario = attrs.evolve(
        scenario,
        workload=workload,
        outages=(*scenario.outages, *failures),
        notes=tuple(sorted(notes, key=lambda note: note.at)),
    )
    refuse_machine(scenario, case.policy)
    table = table_of(scenario) if jobs else case.jobs
    return attrs.evolve(case, scenario=scenario, jobs=table).steered(scenario.actions)
