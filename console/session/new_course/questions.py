"""Questions that a new course asks: those that a seed draws, and candidates about actions.

A candidate is a table of a file. Which of them have an answer is found by asking the drill.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from shadowtime.console.session.case import Case
from shadowtime.console.session.session import Session
from shadowtime.console.session.slurm.board import PlanRow
from shadowtime.console.session.training.clusters import ClusterScene
from shadowtime.scenarios.slurm import Capture

Table = dict[str, Any]
"""A [[question]]."""
INSTANTS, JOBS = 40, 12
"""Submissions at which questions about actions are tried; jobs of a cluster about which they are."""
WITHIN = 60
"""Seconds by which the start of a plan may be off: reservations begin at whole minutes."""

ON_MACHINE: Sequence[Table] = (
    {"ask": "next_start", "pick": 2},
    {"ask": "why", "pick": 3},
    {"ask": "start_time", "pick": 3},
)
ON_CLUSTER: Sequence[Table] = (
    {"ask": "not_running", "pick": 4},
    {"ask": "planned_start", "pick": 3, "within": WITHIN},
    {"ask": "planned_nodes", "pick": 2},
)
"""What a seed draws."""


def acting_on_machine(case: Case, random: Random) -> Iterator[Table]:
    """Yield candidates: whom an action delays most, and which action starts a job in time."""
    session, submits = Session(case), sorted(set(case.columns.submit))[2:]
    for at in sorted(random.sample(submits, min(INSTANTS, len(submits)))):
        session.go_time(at)
        simulation = session.run.simulation
        waiting = [session.id_of(row) for row in simulation.waiting()]
        running = [session.id_of(row) for row in simulation.running()]
        if len(waiting) < 3 or not running:
            continue
        job, last = waiting[random.randrange(1, len(waiting))], waiting[-1]
        held = random.choice(running)
        doing = random.choice((f"priority {last} 1", f"drain 0-{case.nodes // 4}", f"suspend {held}"))
        yield {"at": at, "ask": "delayed", "do": doing}
        others = [other for other in waiting if other != job]
        among = [f"priority {job} 1", f"hold {others[0]}", f"hold {others[-1]}", f"suspend {held}"]
        for hours in (1, 2, 4, 8):
            by = at + 3600 * hours
            yield {"at": at, "ask": "remedy", "job": job, "by": by, "among": list(dict.fromkeys(among))}


def acting_on_cluster(capture: Capture, random: Random) -> Iterator[Table]:
    """Yield candidates: which change starts a job sooner, and whom a change puts off most."""
    scene = ClusterScene(capture)
    rows = [scene.row(number) for number in scene.numbers]
    most = max((job.priority for job in capture.jobs if job.waiting), default=0)
    running = [job for job in capture.jobs if job.holding]
    out = [node.name for node in capture.nodes if not node.up]
    for row in random.sample(rows, min(JOBS, len(rows))):
        pool = [f"hold {other.number}" for other in rows if other.number != row.number]
        pool += [f"cancel {job.id}" for job in running if job.array is None]
        pool += [f"resume {name}" for name in out] + [f"unreserve {it.name}" for it in capture.reservations]
        own = [f"job {row.number} priority={most + 1}", *_shorter(row)]
        for count in (1, 2):
            among = [*random.sample(own, min(count, len(own))), *random.sample(pool, min(3, len(pool)))][:4]
            yield {"ask": "sooner", "job": row.number, "among": among}
        longer = f"job {row.number} limit={4 * (row.limit or 3600) // 60}m"
        yield {"ask": "put_off", "do": random.choice((own[0], longer))}


def _shorter(row: PlanRow) -> list[str]:
    """A change to a quarter of the limit of a job, in whole minutes."""
    minutes = (row.limit or 0) // 240
    return [f"job {row.number} limit={minutes}m"] if minutes else []
