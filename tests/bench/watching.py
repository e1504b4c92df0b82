"""The console over a large captured cluster: how long until the first screen, and how long a key takes."""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from random import Random

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.slurm.dates import Dates
from tests.bench.figures import Figure, quantile
from tests.scenarios.slurm.support import NOW, files, job, node, number

NODES, WAITING, PARSER = 10_000, 5_000, 42
FIRST, KEY = 1.5, 16
"""Goals: seconds until the first screen, milliseconds of a key at the 99th percentile."""
ROUNDS = 150
SCREEN = """
import asyncio, sys, time
from datetime import UTC
from pathlib import Path
from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.slurm.dates import Dates

async def first():
    source = Folder(Path(sys.argv[1]))
    screen = ClusterScreen(source, board(source.take()), Dates(UTC))
    async with Shadowtime(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        print(time.process_time())

asyncio.run(first())
"""


def watching() -> Iterator[Figure]:
    """From the start of the process to the first screen, and three kinds of keys."""
    with tempfile.TemporaryDirectory() as name:
        folder = large_cluster(Path(name))
        size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        remark = f"{NODES:,} nodes, {WAITING:,} waiting, {size:.0f} MB of JSON; CPU time with all imports"
        yield Figure("cluster: first screen", min(first_screen(folder) for _ in range(3)), "s", FIRST, remark)
        for key, values in asyncio.run(pressed(folder)).items():
            detail = f"p50 {quantile(values, 0.5):.1f} ms, longest {max(values):.1f} ms; {len(values)} times"
            yield Figure(f"cluster: {key}, p99", quantile(values, 0.99), "ms", KEY, detail)


def large_cluster(folder: Path) -> Path:
    """Write a full cluster whose jobs take whole nodes, with a deep queue, as Slurm's commands print it."""
    random, jobs, free = Random(1), list[dict[str, object]](), list(range(1, NODES + 1))
    while len(free) > NODES // 50:
        size = min(len(free), int(2 ** random.uniform(0, 5)))
        made = job(
            PARSER, len(jobs) + 1, nodes=tuple(f"n{place}" for place in free[:size]), cores=4, priority=1
        )
        jobs.append(made | {"end_time": number(NOW + random.randint(60, 20000)), "user_name": user(random)})
        free = free[size:]
    for _ in range(WAITING):
        size, limit = int(2 ** random.uniform(0, 7)), random.choice([10, 30, 60, 240, 600])
        made = job(PARSER, len(jobs) + 1, limit=limit, priority=random.randint(1, 10**6), user=user(random))
        asks = {"tres_req_str": f"cpu={size},node={size}", "max_nodes": number(size), "licenses": ""}
        sizes = {"cpus": number(size), "tasks": number(size), "gres_detail": []}
        came = number(NOW - random.randint(60, 90_000))
        times = {"submit_time": came, "eligible_time": came}
        memory = {
            "memory_per_node": number(0),
            "minimum_cpus_per_node": number(1),
            "cpus_per_task": number(1),
        }
        jobs.append(made | asks | sizes | memory | times)
    contents = files(PARSER)
    contents["squeue.json"]["jobs"] = jobs
    contents["nodes.json"]["nodes"] = [node(PARSER, f"n{place}") for place in range(1, NODES + 1)]
    contents["partitions.json"]["partitions"][0]["nodes"] = {"configured": f"n[1-{NODES}]"}
    contents["config.txt"] = contents["config.txt"].replace("bf_busy_nodes,", "")
    for name, value in contents.items():
        (folder / name).write_text(value if isinstance(value, str) else json.dumps(value))
    return folder


def user(random: Random) -> str:
    """One of two hundred users."""
    return f"user{random.randint(1, 200)}"


def first_screen(folder: Path) -> float:
    """Seconds of CPU time until a fresh process shows the first screen."""
    script = [sys.executable, "-c", SCREEN, str(folder)]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    return float(done.stdout)


async def pressed(folder: Path) -> dict[str, list[float]]:
    """Milliseconds of CPU time from a key's action to the end of the frame that shows it."""
    source, random = Folder(folder), Random(1)
    screen = ClusterScreen(source, board(source.take()), Dates(UTC))
    app = Shadowtime(screen)
    filters = ["user=user7", "starts<1h size>8", "", "state=planned", "id=700", "partition=batch", ""]
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        took: dict[str, list[float]] = {
            name: [] for name in ("cursor", "half a screen", "far", "filter", "sort")
        }
        took |= {"everything": [], "nodes": []}

        async def measure(key: str, act: Callable[[], object]) -> None:
            took[key].append(await frame(app, act))

        for turn in range(ROUNDS):
            await measure("cursor", lambda: screen.picture.plan.table.action_move(random.choice((-1, 1, 1))))
            await measure("half a screen", lambda: screen.picture.plan.table.action_half(1))
            await measure("far", lambda: screen.picture.plan.table.go(random.randrange(WAITING)))
            await measure("nodes", lambda: screen.picture.nodes.go(random.choice(screen.board.nodes).name))
            if turn % 3 == 0:
                text = filters[turn // 3 % len(filters)]
                await measure("filter", lambda text=text: screen.typed("filter", text))  # type: ignore[misc]
                await measure("sort", screen.picture.sort)
                await measure("everything", screen.actions["detail"])
                if isinstance(app.screen, Page):
                    app.pop_screen()
                    await frame(app, lambda: None)
        return took


async def frame(app: Shadowtime, act: Callable[[], object]) -> float:
    """Milliseconds of CPU time of an action, of what it sets going, and of the frame that shows it."""
    app._pauses.touched()
    begin = time.thread_time()
    act()
    for _ in range(20):
        await asyncio.sleep(0)
    app.screen._on_timer_update()
    for _ in range(20):
        await asyncio.sleep(0)
    took = (time.thread_time() - begin) * 1000
    await asyncio.sleep(0.001)
    return took
