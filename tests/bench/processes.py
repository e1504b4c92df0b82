"""How long whole commands take, as a person starts them."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.bench.workloads import log_file

SHADOWTIME = (sys.executable, "-P", "-m", "shadowtime")


def processes() -> Iterator[Figure]:
    """The CPU time of a run on SDSC-BLUE, and the time to help."""
    path = log_file("SDSC-BLUE")
    if path is None:
        yield Figure("shadowtime run on SDSC-BLUE", None, "s of CPU", 1, "log not found")
    else:
        command = (*SHADOWTIME, "run", str(path), "--nodes", "1152", "--json")
        detail = "0.4 s is the second goal; unpacking the .xz included"
        yield Figure("shadowtime run on SDSC-BLUE", _cpu(command), "s of CPU", 1, detail)
    yield Figure("shadowtime --help", _wall((*SHADOWTIME, "--help")) * 1000, "ms", 150)


def _cpu(command: tuple[str, ...], times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def _wall(command: tuple[str, ...], times: int = 5) -> float:
    best = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
        best = min(best, time.perf_counter() - begin)
    return best
