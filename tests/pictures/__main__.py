"""Draw every page in every size and for every terminal: `python -m tests.pictures FOLDER [TOUR ...]`."""

import argparse
import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from shadowtime.console.app import Shadowtime
from shadowtime.console.keymap import Settings
from shadowtime.console.keys import NAMES
from shadowtime.console.screens.composed.copies import screenshot
from tests.console.operator import Operator
from tests.pictures.themes import LOOKS, SIZES, Look
from tests.pictures.tours import TOURS, Tour

MORE = {
    "=": "equals_sign",
    "*": "asterisk",
    ">": "greater_than_sign",
    "-": "minus",
    "#": "number_sign",
    " ": "space",
}
REST = 0.3
"""Seconds after which a page is complete, what comes by and by included."""


async def pictures(tour: Tour, look: Look, size: tuple[int, int], data: Path) -> dict[str, str]:
    """The pages of a tour as SVG, by name."""
    look.wear()
    found = {}
    app = Shadowtime(tour.first(data), settings=Settings(theme=look.theme))
    async with app.run_test(size=size) as pilot:
        operator = Operator(app, pilot)
        await operator.rest()
        for page, steps in tour.pages.items():
            for step in steps:
                await take(operator, step)
            await pilot.pause(REST)
            await operator.rest()
            found[page] = screenshot(app, page)
    return found


async def take(operator: Operator, step: str) -> None:
    """Press the keys of a step, or type its line."""
    if len(step) > 1 and step[0] in ":/g":
        await operator.press_only(NAMES.get(step[0], step[0]))
        await operator.press(*(NAMES.get(key) or MORE.get(key, key) for key in step[1:]), "enter")
        return
    for key in step.split():
        name = NAMES.get(key) or MORE.get(key) or (key if len(key) == 1 else key.lower())
        await operator.press_only(name)
        await operator.rest()


def draw(folder: Path, names: list[str]) -> Iterator[Path]:
    """Write the pages of tours as SVG files; yield each."""
    for name in names:
        for size in SIZES:
            for kind, look in LOOKS.items():
                with TemporaryDirectory() as data:
                    os.environ |= {"XDG_DATA_HOME": data, "SHADOWTIME_OPERATOR": "kim"}
                    found = asyncio.run(pictures(TOURS[name], look, size, Path(data)))
                for page, drawn in found.items():
                    path = folder / f"{name}-{page}-{size[0]}x{size[1]}-{kind}.svg"
                    path.write_text(drawn, encoding="utf-8")
                    yield path


def main() -> None:
    """Draw the pages of the tours that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("tours", nargs="*", choices=[[], *TOURS], metavar="TOUR", help=", ".join(TOURS))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    count = len(list(draw(options.folder, options.tours or list(TOURS))))
    print(f"{count} pictures in {options.folder}")


if __name__ == "__main__":
    main()
