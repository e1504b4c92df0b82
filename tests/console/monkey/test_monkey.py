"""A monkey at the console: keys, commands, pastes, clicks and sizes by chance. Nothing ends the console."""

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from random import Random

import pytest
from textual.app import ScreenStackError
from textual.events import (
    Key,
    MouseDown,
    MouseEvent,
    MouseMove,
    MouseScrollDown,
    MouseScrollUp,
    MouseUp,
    Paste,
)
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen

from shadowtime.console.app import Shadowtime
from shadowtime.console.keys import GANTT, KEYS
from shadowtime.console.screens.command_table import COMMANDS
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.session import cluster_folders, load, open_session
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.widgets.slurm.dates import Dates
from tests.console.operator import STORIES

STEPS = int(os.environ.get("SHADOWTIME_MONKEY", "1500"))
"""Steps of all monkeys together."""
SEED = int(os.environ.get("SHADOWTIME_MONKEY_SEED", "1"))
PAUSE = 2.0
"""Seconds of work after which the console is as good as frozen."""
PATIENCE = 60.0
"""Seconds that the console has to come to rest."""
ROOT = Path(__file__).parent.parent.parent.parent / "scenarios"

PRESSED = tuple(pressed for key in (*KEYS, *GANTT) for pressed in key.pressed)
MOVING = (
    "up",
    "down",
    "left",
    "right",
    "pageup",
    "pagedown",
    "home",
    "end",
    "enter",
    "escape",
    "escape",
    "tab",
)
OTHERS = (
    "i",
    "h",
    "k",
    "o",
    "x",
    "l",
    "y",
    "f5",
    "ctrl+c",
    "ctrl+a",
    "delete",
    "backspace",
    "alt+x",
    "é",
    "9",
)
# What ends the console as it should would only make the monkey begin anew more often than it needs to.
LEAVES = ("q", "ctrl+q")
ARGUMENTS = (
    "12:30", "+2h", "job 64", "partition=short", "starts<1h",
    "", "1", "3", "31", "-1", "99999", "x", "0-15", "0", "5-2", "#3", "#99999", "50%", "1h", "31 start",
    "3 end", "2 debug", "2 5", "easy", "fcfs", "gang", "gang:quantum=60", "easy conservative", "manual",
    "chaos", "quantum=60", "scan=shortest", "hold 3", "drain 0-3", "start 2", "policy fcfs", "wait reverse",
    "user:ada", "size>32 state:N", "size>", "queue > 1", "job 3", "preempt", "utilization < 50%", "panel",
    "row", "event", "switch_slot", "none", "a", "light", "dark", "8", "0.25", "1e9", "starts", "\u00e9\u4e2d",
    "[b]", "'",
    "availability", "users", "3 by 1h", "calendar", "longest-wait", "17",
)  # fmt: skip
PASTES = (
    ":n\n", ":whatif hold 3\n", ":goto 50%\n:p\n", "\x89PNG\r\n\x1a\n", "some text", ":", "\n\n", "/size>3\n",
    "q" * 5000,
)  # fmt: skip
SIZES = ((120, 36), (80, 24), (60, 18), (40, 10), (1, 1), (200, 60), (100, 30), (59, 80), (300, 19))
FILES = frozenset(("save", "save!", "export", "quit", "train"))
"""Commands that write files, leave, or read a folder: they have tests of their own."""

First = Callable[[], "Screen[None]"]


def console_of(path: Path, policy: str | None = None) -> First:
    """What opens a scenario."""
    return lambda: ConsoleScreen(open_session(load(path, policy=policy)))


def cluster() -> ClusterScreen:
    """The console over the captured cluster that is shipped."""
    (folder, *_) = cluster_folders()
    source = Folder(folder)
    return ClusterScreen(source, board(source.take()), Dates(UTC))


PLACES: dict[str, First] = {
    "cluster": cluster,
    "flat": console_of(STORIES / "busy.swf"),
    "dilemma": console_of(ROOT / "fj97/dilemma.toml", "easy"),
    "gang": console_of(ROOT / "fj97/slots.toml"),
    "t3d": console_of(ROOT / "fj97/t3d-day.toml"),
    "compare": console_of(ROOT / "fj97/dilemma.toml", "easy"),
    "training": Training,
    "browser": Browser,
}


class Monkey:
    """Does one thing by chance after another, and notes what it did."""

    def __init__(self, app: Shadowtime, pilot: Pilot[int], random: Random) -> None:
        self.did: list[str] = []
        self._app = app
        self._pilot = pilot
        self._random = random

    async def step(self) -> None:
        """Do something; sometimes wait until the console comes to rest, and sometimes not."""
        random = self._random
        weights = (60, 14, 5, 3, 10, 1)
        (act,) = random.choices(
            (self.key, self.command, self.resize, self.paste, self.mouse, self.compare), weights
        )
        act()
        begun = time.thread_time()
        if random.random() < 0.6:
            await self._pilot.pause()
        else:
            await asyncio.sleep(random.choice((0, 0, 0.001, 0.02)))
        worked = time.thread_time() - begun
        assert worked < PAUSE, f"{worked:.1f} s for {self.did[-5:]}"

    def press(self, *keys: str) -> None:
        """Press keys at once, as Textual names them."""
        for key in keys:
            character = key if len(key) == 1 else None
            name = key if len(key) > 1 or key.isalnum() else _character_to_key(key)
            event = Key(name, character)
            event.set_sender(self._app)
            self._app.post_message(event)

    def key(self) -> None:
        """Press a key, some of them often."""
        random = self._random
        keys = random.choice((PRESSED, MOVING, OTHERS))
        key = random.choice(LEAVES) if random.random() < 0.01 else random.choice(keys)
        if key in LEAVES and random.random() < 0.9:
            key = "n"
        times = random.choice((1, 1, 1, 1, 2, 5))
        self.did.append(f"{key} x{times}")
        self.press(*[key] * times)

    def command(self) -> None:
        """Type a command, with what may follow it."""
        random = self._random
        name = random.choice([command.name for command in COMMANDS if command.name not in FILES])
        rest = random.choice((*ARGUMENTS, *QUEUE.orders))
        line = random.choice((f":{name} {rest}", f":{name} {rest}", f":{rest}", f"/{rest}", f"g{rest}"))
        self.did.append(line)
        keys = [*line, random.choice(("enter", "enter", "enter", "escape", "tab"))]
        self.press(*keys)

    def resize(self) -> None:
        """Make the terminal larger or smaller."""
        size = self._random.choice(SIZES)
        self.did.append(f"size {size[0]}x{size[1]}")
        driver = self._app._driver
        if driver is not None:
            from textual.events import Resize
            from textual.geometry import Size

            driver._size = size
            self._app.post_message(Resize(Size(*size), Size(*size)))

    def paste(self) -> None:
        """Paste something."""
        text = self._random.choice(PASTES)
        self.did.append(f"paste {text[:20]!r}")
        self._app.post_message(Paste(text))

    def mouse(self) -> None:
        """Click, move, drag or turn the wheel somewhere, outside too."""
        random = self._random
        x, y = random.randrange(130), random.randrange(40)
        self.did.append(f"mouse {x} {y}")
        kinds: tuple[type[MouseEvent], ...] = random.choice(
            ((MouseDown, MouseUp), (MouseMove,), (MouseScrollDown,), (MouseScrollUp,), (MouseDown, MouseMove))
        )
        for kind in kinds:
            event = kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)
            event.set_sender(self._app)
            self._app.post_message(event)

    def compare(self) -> None:
        """Open the compare view."""
        self.did.append("=")
        self.press("=")


async def play(place: str, random: Random, steps: int) -> tuple[int, list[str]]:
    """Let a monkey play until it has left or done its steps; return how many it did, and what."""
    app = Shadowtime(PLACES[place](), Depth.MANY)
    monkey: Monkey | None = None
    done = 0
    try:
        async with app.run_test(size=random.choice(SIZES[:3])) as pilot:
            monkey = Monkey(app, pilot, random)
            if place == "compare":
                monkey.compare()
            while done < steps:
                done += 1
                with suppress(ScreenStackError):
                    await monkey.step()
                if app._exit or app._exception is not None:
                    break
            async with asyncio.timeout(PATIENCE):
                app.exit(0)
    except BaseException as error:
        error.add_note(f"the monkey did: {monkey.did[-60:] if monkey else []}")
        raise
    assert not app.crash, f"{app.crash}\n{monkey.did[-60:]}"
    return done, monkey.did


@pytest.mark.proof
@pytest.mark.parametrize("place", PLACES)
def test_nothing_that_a_monkey_does_ends_the_console(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A monkey that has left begins anew, until all steps are done."""
    monkeypatch.chdir(tmp_path)
    left, begun = max(1, STEPS // len(PLACES)), 0
    while left > 0:
        begun += 1
        seed = f"{place} {SEED} {begun}"
        done, _ = asyncio.run(play(place, Random(seed), left))
        left -= max(1, done)
