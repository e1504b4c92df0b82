"""Make the picture of the README: `python -m tests.picture docs/console.svg`."""

import asyncio
import os
import sys
from pathlib import Path

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.composed.copies import screenshot
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import load, open_session, scenario_files
from shadowtime.console.widgets.frame.looks import Depth


async def picture(name: str, place: str, keys: str, size: tuple[int, int]) -> str:
    """The console on a shipped scenario, at a place after some keys, as SVG."""
    path = next(path for path in scenario_files() if path.name == name)
    app = Shadowtime(ConsoleScreen(open_session(load(path)), place), Depth.MANY)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.press(*keys)
        await app.workers.wait_for_complete()
        await pilot.pause(0.5)
        return screenshot(app, "The console of shadowtime")


if __name__ == "__main__":
    os.environ["COLORTERM"] = "truecolor"
    os.environ.pop("NO_COLOR", None)
    drawn = asyncio.run(picture("twelve-policies.toml", "#618", "", (142, 46)))
    Path(sys.argv[1]).write_text(drawn, encoding="utf-8")
