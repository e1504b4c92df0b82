"""Whose time a key takes that opens or resizes a view: shares of a profile, by who wrote the code."""

import asyncio
import cProfile
import pstats
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import load, open_session
from tests.bench.figures import Figure
from tests.bench.workloads import log_file

PRESSED = ("plus", "underscore", "3", "tab", "ctrl+p")
"""Keys that are profiled together; each view is left by Esc."""
TIMES = 10
OURS = str(Path(__file__).parents[2])


def shares() -> Iterator[Figure]:
    """How much of it is Textual's, Rich's, ours, and others', in per cent; waiting is left out."""
    path = log_file("SDSC-BLUE")
    if path is None:
        yield Figure("shares of a key", None, "%", None, "log not found")
        return
    profile = cProfile.Profile()
    asyncio.run(_press(Shadowtime(ConsoleScreen(open_session(load(path, nodes=1152)))), profile))
    found = Counter[str]()
    for (file, _, name), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if not name.startswith("<method 'poll'"):
            found[_whose(file)] += own
    for who in ("Textual", "Rich", "ours", "others"):
        share = 100 * found[who] / sum(found.values())
        yield Figure(f"views opened and resized: {who}", share, "%", None, ", ".join(PRESSED))


def _whose(file: str) -> str:
    if "/textual/" in file:
        return "Textual"
    if "/rich/" in file:
        return "Rich"
    return "ours" if file.startswith(OURS) and "site-packages" not in file else "others"


async def _press(app: Shadowtime, profile: cProfile.Profile) -> None:
    async with app.run_test(size=(120, 36)) as pilot:
        await app.workers.wait_for_complete()
        for _ in range(TIMES):
            for key in PRESSED:
                profile.enable()
                await pilot.press(key)
                profile.disable()
                await app.workers.wait_for_complete()
                await pilot.pause()
                if key in ("plus", "ctrl+p"):
                    await pilot.press("escape")
