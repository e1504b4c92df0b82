"""Make the moving picture of the README: `python -m tests.demo docs/demo.svg` (`make demo`)."""

import asyncio
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from rich.segment import Segment
from rich.style import Style

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.composed.copies import rows_of
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import load, open_session, scenario_files
from shadowtime.console.widgets.frame.looks import Depth
from tests.console.operator import Operator
from tests.film import FilmFrame, film

SCRIPT = Path(__file__).with_name("demo.toml")
CAPTION = Style.parse("bold #f0e442")
GROUND = Style.parse("on #0d1117")


async def demo(script: dict[str, Any]) -> str:
    """The moving picture of a script: keys, a caption and some seconds for each step."""
    path = next(path for path in scenario_files() if path.name == script["scenario"])
    columns, lines = script["size"]
    app = Shadowtime(ConsoleScreen(open_session(load(path))), Depth.MANY)
    frames = []
    async with app.run_test(size=(columns, lines)) as pilot:
        operator = Operator(app, pilot)
        await operator.rest()
        for step in script["step"]:
            await operator.press(*(NAMES.get(key, key) for key in step["keys"].split()))
            await pilot.pause(0.4)
            await operator.rest()
            blank = [Segment(" " * columns, GROUND)]
            caption = [Segment(f" {step['caption']}".ljust(columns), GROUND + CAPTION)]
            frames.append(FilmFrame(step["seconds"], [*rows_of(app), blank, caption]))
    return film(frames, columns, "A session of shadowtime: step forward and back, and ask why")


NAMES = {"=": "equals_sign"}

if __name__ == "__main__":
    os.environ["COLORTERM"] = "truecolor"
    os.environ.pop("NO_COLOR", None)
    drawn = asyncio.run(demo(tomllib.loads(SCRIPT.read_text(encoding="utf-8"))))
    Path(sys.argv[1]).write_text(drawn, encoding="utf-8")
