"""How long a key takes in the console: from the action to the repainted screen, at 120x36.

The figure is the CPU time of the screen's own thread: on shared cores the time on the clock says more about
the neighbours. It stands in the remark.
"""

import asyncio
import gc
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.console import background
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import Case, load, open_session
from tests.bench.figures import Figure, quantile
from tests.bench.workloads import crowd_rows, log_file

GOAL = 16
"""Milliseconds at the 99th percentile: one frame."""
BEFORE, REPEAT = 4, 0.033
"""Seconds for the first samples, and between two keys that are held down."""


def keys() -> Iterator[Figure]:
    """Forward, back and jump by one, on SDSC-BLUE and with 10,000 jobs queued."""
    path = log_file("SDSC-BLUE")
    if path is None:
        yield Figure("keys on SDSC-BLUE", None, "ms", GOAL, "log not found")
    else:
        yield from _pressed("SDSC-BLUE", load(path, nodes=1152))
    path = log_file("SDSC-SP2")
    if path is not None:
        yield from _figures("SDSC-SP2, samples under way", asyncio.run(_held(load(path, policy="easy"))))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "crowd.swf"
        log.write_text("\n".join(crowd_rows(10_000, 3_000)) + "\n")
        yield from _pressed("10,000 queued", load(log))
        for policy in ("conservative", "sjf"):
            yield from _pressed(f"10,000 queued, {policy}", load(log, policy=policy))


def _pressed(name: str, case: Case) -> Iterator[Figure]:
    yield Figure(f"first screen, {name}", asyncio.run(_first_screen(case)) * 1000, "ms", 700)
    yield from _figures(name, asyncio.run(_measure(case)))


def _figures(name: str, took: dict[str, list[tuple[float, float]]]) -> Iterator[Figure]:
    for key, frames in took.items():
        values, clock = ([frame[at] for frame in frames] for at in (0, 1))
        detail = f"p50 {quantile(values, 0.5):.1f} ms; on the clock {quantile(clock, 0.5):.1f}, p99 "
        detail += f"{quantile(clock, 0.99):.1f} ms; {len(values)} times"
        yield Figure(f"{key}, {name}, p99", quantile(values, 0.99), "ms", GOAL, detail)


async def _first_screen(case: Case) -> float:
    gc.collect()  # what the consoles before it have left
    begin = time.perf_counter()
    async with Shadowtime(ConsoleScreen(open_session(case))).run_test(size=(120, 36)):
        return time.perf_counter() - begin


@contextmanager
def _still(seconds: float) -> Iterator[None]:
    """How long the clock has to stand before likely starts are sampled."""
    usual, background.STILL = background.STILL, seconds
    try:
        yield
    finally:
        background.STILL = usual


async def _measure(case: Case) -> dict[str, list[tuple[float, float]]]:
    """Each key alone: the screen comes to rest before the next, without samples, which take seconds each."""
    rng = random.Random(1)
    app = Shadowtime(ConsoleScreen(open_session(case)))
    with _still(3600):
        async with app.run_test(size=(120, 36)) as pilot:
            screen = app.screen
            assert isinstance(screen, ConsoleScreen)
            await app.workers.wait_for_complete()
            await pilot.pause()
            session = screen.session
            total = session.total or 1
            spots = [rng.randrange(1, total) for _ in range(12)]
            took: dict[str, list[tuple[float, float]]] = {
                name: [] for name in ("forward", "back", "next decision", "jump by one")
            }
            for spot in spots:
                session.go_event(spot)
                screen.arrive()
                await _settle(app, screen)
                for key, move in (
                    ("forward", lambda: screen.step_clock(1)),
                    ("back", lambda: screen.step_clock(-1)),
                    ("next decision", screen.actions["next_decision"]),
                    ("jump by one", lambda: screen.jumps.go(f"#{session.number + rng.choice((-1, 1))}")),
                ):
                    for _ in range(25):
                        took[key].append(await _frame(app, screen, move))
            return took


async def _held(case: Case) -> dict[str, list[tuple[float, float]]]:
    """A key that is held down in the middle of a log, samples being drawn under every frame."""
    session = open_session(case)
    session.go("50%")
    app = Shadowtime(ConsoleScreen(session))
    with _still(0.01):
        async with app.run_test(size=(120, 36)):
            screen = app.screen
            assert isinstance(screen, ConsoleScreen)
            await asyncio.sleep(BEFORE)
            took = []
            for _ in range(300):
                took.append(await _key(screen, lambda: screen.step_clock(1)))
                await asyncio.sleep(REPEAT)
            return {"forward": took}


async def _frame(app: Shadowtime, screen: ConsoleScreen, move: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of a key after which everything comes to rest."""
    took = await _key(screen, move)
    await _settle(app, screen)
    return took


async def _key(screen: ConsoleScreen, move: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds from a key's action to the end of the frame that shows it: of CPU, and on the clock."""
    before = screen.session.number
    begin, clock = time.thread_time(), time.perf_counter()
    move()
    for _ in range(200):
        await asyncio.sleep(0)
        if screen._dirty_widgets and screen.session.number != before:
            break
    screen._on_timer_update()
    return (time.thread_time() - begin) * 1000, (time.perf_counter() - clock) * 1000


async def _settle(app: Shadowtime, screen: ConsoleScreen) -> None:
    """Let what a key set going behind the screen come to rest: it belongs to no key.

    A work that the key has broken off is followed by another.
    """
    while True:
        await app.workers.wait_for_complete()
        for _ in range(20):
            await asyncio.sleep(0)
        if all(worker.is_finished for worker in app.workers):
            break
    screen._on_timer_update()
