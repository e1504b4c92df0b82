"""UNICOS MAX on the T3D (FJ97 4): the same blocks and the same loading, no classes and no preemption.

A job that NQS holds is submitted when it is released; those submitted in one instant stand in trace order.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles.torus.jobs import T3DJob
from tests.oracles.torus.machine import Block, blocks, loading_time, overlap
from tests.oracles.torus.nqs import LIMITS, Front, is_batch


class UnicosOutcome(NamedTuple):
    """The schedule, by job; None for jobs that no queue of NQS takes."""

    starts: list[int | None]
    """First instant in which it runs, after its loading."""
    finishes: list[int | None]
    blocks: list[Block | None]


def place(size: int, held: list[Block]) -> Block | None:
    """The lowest free block of a size."""
    free = (block for block in blocks(size) if not any(overlap(block, other) for other in held))
    return next(free, None)


def t3d_unicos(
    jobs: Sequence[T3DJob], limit: int = 3600, nqs: str | None = None, epoch: int = 0
) -> UnicosOutcome:
    """What becomes of a workload; a job that was submitted `limit` ago and finds no block ends the scan."""
    front = Front(jobs, LIMITS[nqs or "before"], epoch)
    coming, waiting = list(range(len(jobs))), dict[int, int]()  # job -> its submission to the machine
    held, starts, ends, now = dict[int, Block](), dict[int, int](), dict[int, int](), -1
    placed: dict[int, Block] = {}
    while coming or waiting or held or front.held:
        times = [jobs[job].submit for job in coming[:1]] + [ends[job] for job in held]
        now = min(times + ([front.next_boundary(now)] if front.held else []))
        for job in [job for job in held if ends[job] == now]:
            del held[job]
            front.leave(job)
        while coming and jobs[coming[0]].submit == now:
            job = coming.pop(0)
            if nqs is not None and is_batch(jobs[job]):
                front.arrive(job)
            else:
                waiting[job] = now
        waiting.update(dict.fromkeys(front.release(now), now))
        for job in sorted(waiting, key=lambda job: (waiting[job], job)):
            block = place(jobs[job].size, list(held.values()))
            if block is not None:
                held[job] = placed[job] = block
                starts[job] = now + loading_time(jobs[job].size)
                ends[job] = starts[job] + jobs[job].runtime
            elif now - waiting[job] >= limit:
                break
        waiting = {job: since for job, since in waiting.items() if job not in held}
    everybody = range(len(jobs))
    return UnicosOutcome(
        [starts.get(job) for job in everybody],
        [ends.get(job) for job in everybody],
        [placed.get(job) for job in everybody],
    )
