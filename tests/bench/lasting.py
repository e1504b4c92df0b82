"""Runs of very many events: two jobs that need the whole machine for a year each make millions of them.

A process of its own does the work; the figure is the most memory that it had.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.peak import used

GOAL = 150
"""Megabytes."""
SETTINGS = ("gang", "gang:quantum=1", "wbas:frame=1", "pbas:frame=1", "prime:shift=1")
SCENARIO = """title = "two years in turns"
machine = { nodes = 10 }
policy = { name = "gang" }
job = [
  { id = 1, size = 10, submit = 0, runtime = "365d" },
  { id = 2, size = 10, submit = 0, runtime = "365d" },
]
"""
RUN = "from shadowtime.console.main import run; sys.exit(run(sys.argv[1:]))"
SCREEN = """
import asyncio
from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import load, open_session

async def work():
    app = Shadowtime(ConsoleScreen(open_session(load(sys.argv[1], policy=sys.argv[2]))))
    async with app.run_test(size=(120, 36)) as pilot:
        await app.workers.wait_for_complete()
        for key in ("end", "left", "home", "g", "5", "0", "%", "enter", "left", "space", "space", "n", "p"):
            await pilot.press(key)
            await pilot.pause()
        await app.workers.wait_for_complete()

asyncio.run(work())
"""


def lasting() -> Iterator[Figure]:
    """The memory and the CPU time of `run`, and of the console there and back, under each setting."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.toml"
        path.write_text(SCENARIO)
        for setting in SETTINGS:
            yield _measured(f"run, {setting}", RUN, "run", path, "--policy", setting, "--json", "--jobs")
        lanes = ",".join(SETTINGS[:3])
        yield _measured(f"compare, {lanes}", RUN, "compare", path, "--policy", lanes, "--json")
        for setting in SETTINGS:
            yield _measured(f"console, {setting}", SCREEN, path, setting)


def _measured(what: str, program: str, *arguments: object) -> Figure:
    found = used(f"import sys\n{program}", *arguments)
    if found.code:
        return Figure(what, None, "MB", GOAL, "it failed")
    return Figure(what, found.megabytes, "MB", GOAL, f"{found.seconds:.1f} s of CPU")
