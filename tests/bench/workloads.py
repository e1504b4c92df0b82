"""What is measured on: real logs where SHADOWTIME_TRACES has them, and generated workloads."""

import math
import os
import random
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from shadowtime.console.session.case import Case, load
from shadowtime.kernels.core.jobs import Jobs

LOGS = {
    "KTH-SP2": "KTH-SP2-1996-2.1-cln.swf",
    "SDSC-SP2": "SDSC-SP2-1998-4.2-cln.swf",
    "CTC": "CTC-SP2-1996-3.1-cln.derived.swf",
    "SDSC-BLUE": "SDSC-BLUE-2000-4-cln.derived.swf",
    "Curie": "CEA-Curie-2011-2.1-cln.swf",
    "RICC": "RICC-2010-2.swf",
}


def log_file(name: str) -> Path | None:
    """The file of a log, None where it is not to be had."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    for ending in (".xz", ".gz", "") if folder else ():
        path = Path(folder or "") / (LOGS[name] + ending)
        if path.exists():
            return path
    return None


@cache
def log_case(name: str) -> Case | None:
    """A log under EASY on the machine of its header (338 batch nodes for CTC, whose text has no header)."""
    path = log_file(name)
    return None if path is None else load(path, nodes={"CTC": 338, "RICC": 8192}.get(name))


def crowd(waiting: int, more: int, nodes: int = 1024, seed: int = 1) -> Jobs:
    """`waiting` jobs at once, then one every 40 s: a queue that stays about as long as it was."""
    rng = random.Random(seed)
    rows = [(0 if i < waiting else (i - waiting) * 40, *_job(rng, nodes)) for i in range(waiting + more)]
    submit, runtime, estimate, size = (array("q", column) for column in zip(*rows, strict=True))
    return Jobs(submit=submit, runtime=runtime, estimate=estimate, size=size)


def _job(rng: random.Random, nodes: int) -> tuple[int, int, int]:
    size = min(nodes, 2 ** rng.randint(0, 8)) if rng.random() < 0.7 else rng.randint(1, nodes // 2)
    runtime = int(math.exp(rng.uniform(4, 10)))
    return runtime, int(runtime * rng.uniform(1, 5)), size


def crowd_rows(waiting: int, more: int, nodes: int = 1024) -> Iterator[str]:
    """The same workload as a log."""
    jobs = crowd(waiting, more, nodes)
    yield f"; MaxProcs: {nodes}"
    for index in range(len(jobs)):
        submit, runtime, estimate, size = jobs.row(index)
        yield f"{index + 1} {submit} -1 {runtime} {size} -1 -1 {size} {estimate} -1 -1 1 -1 -1 -1 -1 -1 -1"
