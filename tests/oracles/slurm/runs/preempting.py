"""How exact preemption and gang scheduling are on recorded runs: step by step, and over a whole run."""

import attrs

from shadowtime.scenarios.slurm import parse_hosts
from tests.oracles.slurm.gang import Gang
from tests.oracles.slurm.main_pass import main_pass
from tests.oracles.slurm.over_time import Event, OverTime
from tests.oracles.slurm.runs.shared_nodes import CPUS, NAMES, Record


def wrong_steps(record: Record) -> tuple[int, list[str]]:
    """How many steps the rows went through, and those after which other jobs are suspended or resumed."""
    rows = Gang({each.name: each.tier for each in record.partitions}, dict.fromkeys(NAMES, CPUS))
    wrong, count = [], 0
    for what, job, recorded in record.steps():
        if what == "start":
            cpus = dict.fromkeys(parse_hosts(record.jobs[job]["nodes"]), CPUS)
            rows.start(job, record.partition(job), cpus)
        elif what == "fini":
            rows.finish(job)
        else:
            rows.turn()
        count += 1
        if rows.changes != recorded:
            wrong.append(f"{what} {job}: recorded {recorded}, ours {rows.changes}")
        rows.changes = []
    return count, wrong


def wrong_victims(record: Record) -> tuple[int, list[str]]:
    """How many passes requeued jobs, and those in which we requeue others, or start on other nodes."""
    wrong, count = [], 0
    for index, victims, start in record.preemptions():
        capture, now = record.before(index), int(record.rows[index].at)
        gone = {job.id for job in main_pass(capture, now).preempted}
        left = attrs.evolve(capture, jobs=tuple(job for job in capture.jobs if job.id not in gone))
        begun = {each.entry.job.id: each.running.nodes for each in main_pass(left, now).begun}
        nodes = {NAMES[node] for node in begun.get(start.job, ())}
        count += 1
        if gone != set(victims) or nodes != set(parse_hosts(start.nodes)):
            wrong.append(f"{now}: recorded {victims}, {start.nodes}; ours {sorted(gone)}, {sorted(nodes)}")
    return count, wrong


def wrong_nodes(record: Record) -> tuple[int, list[str]]:
    """How many jobs main passes started, and those that start on other nodes, or not at all."""
    wrong, count = [], 0
    for index, row in enumerate(record.rows):
        if row.what != "start, main pass":
            continue
        capture = record.before(index)
        alone = [job for job in capture.jobs if job.holding or job.id == row.job]
        begun = main_pass(attrs.evolve(capture, jobs=tuple(alone)), int(row.at)).begun
        nodes = {NAMES[node] for each in begun for node in each.running.nodes}
        count += 1
        if nodes != set(parse_hosts(row.nodes)):
            wrong.append(f"{row.job} at {row.at}: recorded {row.nodes}, ours {sorted(nodes)}")
    return count, wrong


def whole_run(record: Record) -> list[Event]:
    """The run over time, given the recorded cycles, and how long each job lasted in the end."""
    jobs = [record.waiting(job, job, submit) for job, submit in record.submits.items()]
    lasts = {job: int(row["end"]) - int(row["start"]) for job, row in record.jobs.items()}
    over_time = OverTime(
        record.capture(jobs), min(record.submits.values()) - 10, lambda job, start: start + lasts[job]
    )
    over_time.cycles = frozenset(int(row.at) for row in record.rows if row.what == "backfill cycle")
    return over_time.run(max(int(row["end"]) for row in record.jobs.values()) + 300)


def near(recorded: list[tuple[float, int]], ours: list[tuple[int, int]], bound: int) -> int:
    """How many recorded events of a job have one of ours within some seconds."""
    return sum(
        any(job == other and abs(at - int(when)) <= bound for at, other in ours) for when, job in recorded
    )


def first_starts(record: Record) -> list[tuple[float, int]]:
    """The first start of each job."""
    found: dict[int, float] = {}
    for row in record.rows:
        if row.starts:
            found.setdefault(row.job, row.at)
    return [(at, job) for job, at in found.items()]
