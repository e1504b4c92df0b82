"""When a job could run, and where, if the running jobs leave at their limits (section 5)."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles.slurm.choose import choose
from tests.oracles.slurm.holding import Machine, Running, memory_of
from tests.oracles.slurm.room import Wish, room


class Start(NamedTuple):
    """A start, the nodes with their CPUs, and whether jobs past their limit were thought away for it."""

    at: int
    nodes: dict[int, int]
    overdue: bool = False
    starts: bool = True
    """Whether the job could start there now."""


class Question(NamedTuple):
    """What does not change while one start is sought."""

    here: Machine
    wish: Wish
    available: frozenset[int]
    now: int
    linear: int
    busy: frozenset[int] | None
    """With `bf_busy_nodes`, the nodes in use now; None without it."""


def place(
    question: Question, present: Sequence[Running], in_full: bool = False, in_step: bool = False
) -> dict[int, int] | None:
    """Choose among the available nodes, beside the jobs that are present."""
    holders: dict[int, list[Running]] = {node: [] for node in question.available}
    for job in present:
        for node in job.nodes:
            if node in holders:
                holders[node].append(job)
    rooms = {node: room(question.here, question.wish, node, holders[node], in_full) for node in holders}
    usable = {node: cpus for node, cpus in rooms.items() if cpus > 0}
    if len(usable) < question.wish.least:
        return None
    return choose(question.here, question.wish, usable, question.busy if in_step else None)


def place_shared(
    question: Question, running: Sequence[Running], partition: str, shares: int
) -> dict[int, int] | None:
    """Choose for now in one of the rows of a partition whose jobs share nodes: the first with room."""
    rows: list[list[Running]] = [[] for _ in range(shares)]
    mine = [job for job in running if job.partition == partition and not job.exclusive and job.nodes]
    others = [job for job in running if job not in mine]
    for job in sorted(mine, key=lambda job: (min(job.nodes), -len(job.nodes), job.id)):
        fitting = [row for row in rows if fits(question.here, row, job)]
        (fitting or rows)[0].append(job)
    for row in rows:
        waiting = [memory_of(job) for job in mine if job not in row]
        nodes = place(question, [*others, *row, *waiting])
        if nodes is not None:
            return nodes
    return None


def fits(here: Machine, row: Sequence[Running], job: Running) -> bool:
    """Whether a row has the CPUs of a job."""
    return all(
        use.cpus + sum(each.nodes[node].cpus for each in row if node in each.nodes) <= here.cpus[node]
        for node, use in job.nodes.items()
    )


def will_run(
    question: Question, running: list[Running], from_: int, later: int | None, away: Sequence[Running] = ()
) -> Start | None:
    """The earliest start that the steps below find, or None."""
    old = question.wish.version == "22.05"
    if from_ <= question.now or old:
        nodes = place(question, running, in_full=True)
        if nodes is not None:
            return Start(question.now, nodes)
    rest = sorted(running, key=lambda job: (job.leaves, job.place))
    if not old:
        closed = question.wish.version == "26.05"
        gone = [job for job in running if (job.ends_with or job.end) < from_ + closed]
        rest = [job for job in rest if job not in gone]
        left = [job for job in rest if job not in away] if from_ > question.now else rest
        nodes = place(question, left, in_full=True)
        if nodes is not None:
            return Start(from_, nodes, any(job.end <= question.now for job in gone))
    return in_steps(question, rest, None if old else later, away)


def in_steps(
    question: Question, rest: list[Running], later: int | None, away: Sequence[Running]
) -> Start | None:
    """Take jobs away, step by step, until the job fits."""
    width, base, next_ = 30, None, 0
    gone: list[Running] = []
    while True:
        step: list[Running] = []
        last = False
        while True:
            while next_ < len(rest) and (rest[next_] in away or not counts(question, rest[next_])):
                next_ += 1
            if next_ == len(rest) or (later is not None and rest[next_].leaves > later):
                last = True
                break
            job = rest[next_]
            next_ += 1
            step.append(job)
            gone.append(job)
            if base is None:
                base = (job.end // 30 + 1) * 30
            if next_ < len(rest) and rest[next_].leaves > base + width:
                break
        if step:
            left = [job for job in rest if job not in gone and job not in away]
            nodes = place(question, left, in_step=True)
            if nodes is not None:
                return Start(found_at(question, gone, nodes), nodes)
        if last or base is None:
            return None
        while base + width < rest[next_].leaves:
            width = width + question.linear if question.linear else 2 * width


def counts(question: Question, job: Running) -> bool:
    """Whether a job has one of the candidates, or (not on 22.05) of the licences that the start waits for."""
    if not question.available.isdisjoint(job.nodes):
        return True
    return question.wish.version != "22.05" and not question.wish.licenses.isdisjoint(job.licenses)


def found_at(question: Question, gone: list[Running], nodes: dict[int, int]) -> int:
    """The end of the last job taken away; in 26.05 of the last one with a node of the choice."""
    if question.wish.version == "26.05":
        gone = [job for job in gone if not job.nodes.keys().isdisjoint(nodes)] or gone
    return gone[-1].leaves
