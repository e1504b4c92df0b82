"""How long each key of the console takes, pressed as a person presses it, at 120x36.

From the key to the repainted screen, as CPU time of the screen's own thread: what a key sets going behind
the screen is not counted. Spots lie all over the run; views that a key opens are left by Esc before the next.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from textual.pilot import Pilot

from shadowtime.console.app import Shadowtime
from shadowtime.console.keys import KEYS
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import Case, load, open_session
from tests.bench.figures import Figure, quantile
from tests.bench.pressing import GOAL
from tests.bench.workloads import crowd_rows, log_file

TIMES = 12
"""How often each key is pressed: once at each spot."""
LEFT_OUT = frozenset(("quit", "play"))
"""Keys that end the console, or go on by themselves."""
RUNNING_ALL = frozenset(("compare", "next_divergence"))
"""Keys after which whole schedules are run behind the screen: with 10,000 jobs queued, minutes each time."""


def every_key() -> Iterator[Figure]:
    """Every key of the table, on SDSC-BLUE and with 10,000 jobs queued."""
    path = log_file("SDSC-BLUE")
    if path is None:
        yield Figure("every key on SDSC-BLUE", None, "ms", GOAL, "log not found")
    else:
        yield from _pressed("SDSC-BLUE", load(path, nodes=1152), LEFT_OUT)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "crowd.swf"
        log.write_text("\n".join(crowd_rows(10_000, 3_000)) + "\n")
        yield from _pressed("10,000 queued", load(log), LEFT_OUT | RUNNING_ALL)


def _pressed(name: str, case: Case, left_out: frozenset[str]) -> Iterator[Figure]:
    for key, values in asyncio.run(_measure(case, left_out)).items():
        detail = f"p50 {quantile(values, 0.5):.1f} ms, {len(values)} times"
        yield Figure(f"{key}, {name}, worst", max(values), "ms", GOAL, detail)


async def _measure(case: Case, left_out: frozenset[str]) -> dict[str, list[float]]:
    rng = random.Random(2)
    app = Shadowtime(ConsoleScreen(open_session(case)))
    took: dict[str, list[float]] = {}
    async with app.run_test(size=(120, 36)) as pilot:
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        await _rest(app, pilot)
        total = screen.session.total or 1
        for _ in range(TIMES):
            screen.session.go_event(rng.randrange(1, total))
            screen.arrive()
            await _rest(app, pilot)
            for key in KEYS:
                if key.id not in left_out:
                    took.setdefault(key.shown, []).append(await _press(app, pilot, screen, key.pressed[0]))
    return took


async def _press(app: Shadowtime, pilot: "Pilot[int]", screen: ConsoleScreen, key: str) -> float:
    """Milliseconds of the screen's thread from a key to the end of the frame that shows what it did."""
    begin = time.thread_time()
    await pilot.press(key)
    app.screen._on_timer_update()
    took = (time.thread_time() - begin) * 1000
    for _ in range(6):
        await _rest(app, pilot)
        if app.screen is screen and screen.focused is not None and not screen.query("Input:focus"):
            break
        await pilot.press("escape")
    return took


async def _rest(app: Shadowtime, pilot: "Pilot[int]") -> None:
    """Let what a key set going behind the screen come to rest: it belongs to no key."""
    await app.workers.wait_for_complete()
    await pilot.pause()
