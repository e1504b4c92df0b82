"""Logs that grow by the row, and the memory that a command takes on them."""

import os
import subprocess
import sys
import time
from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random

import attrs

from shadowtime.console.session import load
from shadowtime.scenarios import Labels
from tests.commandline import ROOT, command

NODES = 512
HEADER = f"; MaxProcs: {NODES}\n; MaxNodes: {NODES}\n; UnixStartTime: 1000000000\n; TimeZoneString: UTC\n"


AS_LONG = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20)}
"""For the environment: columns of a million rows are given back at once, as those of ten million are."""


@attrs.frozen
class Cost:
    """What a command took."""

    code: int
    seconds: float
    peak: int
    """Bytes of memory at most."""


def write_log(path: Path, rows: int) -> None:
    """Write a log of short jobs on 512 nodes, whose load is about 0.7: it takes 60 bytes a row."""
    random, submit = Random(1), 0
    with path.open("w") as stream:
        stream.write(HEADER)
        for number in range(1, rows + 1):
            submit += random.randrange(7)
            runtime, size = random.randrange(10, 320), (1, 2, 4, 8, 16)[random.randrange(5)]
            estimate, user = runtime + random.randrange(300), random.randrange(1, 400)
            stream.write(
                f"{number} {submit} -1 {runtime} {size} -1 -1 {size} {estimate} -1 1 {user} 1 1 2 1 -1 -1\n"
            )


def own_bytes(path: Path) -> int:
    """Return the bytes a row of the columns that the reader keeps of a log."""
    workload = load(path).columns
    columns = [getattr(workload, field.name) for field in attrs.fields(type(workload))]
    codes = [column.codes if isinstance(column, Labels) else column for column in columns]
    return sum(column.itemsize for column in codes if isinstance(column, array))


def cost(arguments: Sequence[object]) -> Cost:
    """Run a command of shadowtime in a process of its own, without a terminal, and measure it."""
    began = time.perf_counter()
    running = subprocess.Popen(
        command(*arguments),
        cwd=ROOT,
        env={**os.environ, **AS_LONG},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=sys.stderr,
    )
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    return Cost(running.returncode, time.perf_counter() - began, used.ru_maxrss * 1024)


def peak_of(pid: int) -> int:
    """Return the bytes of memory that a process which runs has taken at most."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024
