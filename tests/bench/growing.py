"""Growth by the row: time and memory of whole commands on two logs, the longer of `SHADOWTIME_ROWS` rows."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.bench.figures import Figure
from tests.console.terminal.pseudo import Terminal
from tests.growing import AS_LONG, Cost, cost, own_bytes, peak_of, write_log

ROWS = int(os.environ.get("SHADOWTIME_ROWS", "1000000"))
SHORTER = 3
"""How many times as long the longer log is."""
SETTLED = 20.0
"""Seconds after the first screen in which the whole course becomes known; a long log takes longer."""
MOST = 150
"""Bytes a row above the columns of the log: the goal."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run", "--json"),
    "run --schedule": ("run", "--schedule", os.devnull),
    "run --json --jobs": ("run", "--json", "--jobs"),
    "run --swf": ("run", "--swf", os.devnull),
    "run --batsim": ("run", "--batsim", os.devnull),
    "run --events": ("run", "--events", os.devnull),
    "compare, two policies": ("compare", "--policy", "fcfs,easy"),
}


def rows() -> Iterator[Figure]:
    """What one row more costs, by the difference between two logs."""
    with tempfile.TemporaryDirectory() as folder:
        lengths = (ROWS // SHORTER, ROWS)
        logs = [Path(folder) / f"{length}.swf" for length in lengths]
        for log, length in zip(logs, lengths, strict=True):
            write_log(log, length)
        own = own_bytes(logs[0])
        yield Figure("the columns of the log", own, "B/row")
        works: dict[str, Callable[[Path], Cost]] = {
            name: partial(_ran, arguments) for name, arguments in COMMANDS.items()
        }
        for name, work in {**works, "open": _opened}.items():
            costs = [work(log) for log in logs]
            more = (costs[1].peak - costs[0].peak) / (lengths[1] - lengths[0]) - own
            detail = f"{costs[1].peak / 1e6:,.0f} MB for {ROWS:,} rows"
            yield Figure(f"{name}: above the columns", more, "B/row", MOST, detail)
            yield Figure(f"{name}: time", costs[1].seconds, "s", detail="of the clock")


def _ran(arguments: tuple[str, ...], log: Path) -> Cost:
    name, *options = arguments
    return cost((name, log, *options))


def _opened(log: Path) -> Cost:
    """The console, until its first screen; its memory, once the whole course is known."""
    with tempfile.TemporaryDirectory() as data:
        began = time.perf_counter()
        terminal = Terminal("open", log, environment={"XDG_DATA_HOME": data, **AS_LONG})
        try:
            terminal.until("QUEUE")
            seconds = time.perf_counter() - began
            while time.perf_counter() - began < seconds + SETTLED * max(1, ROWS / 1e6):
                terminal.read()
            return Cost(0, seconds, peak_of(terminal.process.pid))
        finally:
            terminal.close()
