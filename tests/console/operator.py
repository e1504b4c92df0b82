"""An operator for tests: opens the console, presses keys, and reads what stands on the screen."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import Case, load, open_session
from shadowtime.console.session.permissions import ALL, Permissions
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.widgets.frame.prompt import Prompt

PATIENCE = 20.0
"""Seconds after which a test gives up waiting for something that was to appear."""


STORIES = Path(__file__).parent / "stories"


def case(name: str = "dilemma.toml", policy: str | None = "easy") -> Case:
    """A story of the tests under a policy; None leaves its own. `busy.swf` has 420 jobs on 512 nodes."""
    return load(STORIES / name, policy=policy)


def under(policy: str, name: str = "dilemma.toml") -> Case:
    """A story of the tests under a policy as `--policy` spells it: `dynp:threshold=1`."""
    return case(name, None).spoken(policy)


class Operator:
    """Presses keys as a person does, and then waits until everything that they set going comes to rest."""

    def __init__(self, app: Shadowtime, pilot: Pilot[int]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, as Textual names them."""
        await self._pilot.press(*keys)
        await self.rest()

    async def press_only(self, *keys: str) -> None:
        """Press keys and do not wait for what they set going."""
        await self._pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type a text, all at once, and Enter."""
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    async def point(self, action: str) -> None:
        """Move the cursor of the menu of actions down to an action."""
        for _ in range(30):
            if any(line.startswith(f"│ > {action}") for line in self.lines):
                return
            await self._pilot.press("down")
        raise AssertionError(f"no {action!r} in the menu")

    async def rest(self) -> None:
        """Wait until nothing runs behind the screen."""
        await self._pilot.pause()
        while any(worker.is_running for worker in self.app.workers):
            await self.app.workers.wait_for_complete()
            await self._pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; fail when it never does."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self._pilot.pause(0.02)

    async def resize(self, width: int, height: int) -> None:
        """Make the terminal larger or smaller."""
        await self._pilot.resize_terminal(width, height)
        await self.rest()

    @property
    def console(self) -> ConsoleScreen:
        """The screen with the panels, also while a page lies over it."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, ConsoleScreen))

    @property
    def lines(self) -> list[str]:
        """What stands on the screen, line by line."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.lines)

    @property
    def title(self) -> str:
        """The first line."""
        return self.lines[0]

    @property
    def message(self) -> str:
        """The message, from as many lines as it takes."""
        prompts = self.app.screen.query(Prompt)
        if not prompts:
            return self.lines[-2].strip()
        region = prompts.first().region
        return " ".join(line.strip() for line in self.lines[region.y : region.bottom])

    def panel(self, number: int) -> str:
        """The lines that a panel takes, with its frame; nothing where it is not shown."""
        panel = self.console.query_one(f"#panel{number}")
        if not panel.region or not panel.display:
            return ""
        region = panel.region
        return "\n".join(
            line.ljust(region.right)[region.x : region.right] for line in self.lines[region.y : region.bottom]
        )

    @property
    def jobs(self) -> list[int]:
        """The ids of the jobs in the queue panel, from above."""
        found = [re.match(r".[> ]\S +(\d+)", line) for line in self.panel(2).splitlines()[2:]]
        return [int(row[1]) for row in found if row]


Story = Callable[[Operator], Awaitable[None]]


def operate(
    story: Story,
    of: Case | None = None,
    size: tuple[int, int] = (120, 36),
    at: str | None = None,
    permissions: Permissions = ALL,
) -> None:
    """Open a case in the console and let the operator follow a story."""
    with_first(story, ConsoleScreen(open_session(of or case()), at), size, permissions=permissions)


def with_first(
    story: Story,
    first: "Screen[None]",
    size: tuple[int, int] = (120, 36),
    depth: Depth = Depth.MANY,
    permissions: Permissions = ALL,
) -> None:
    """The same with any first screen."""

    async def play() -> None:
        app = Shadowtime(first, depth, permissions=permissions)
        async with app.run_test(size=size) as pilot:
            operator = Operator(app, pilot)
            await operator.rest()
            await story(operator)

    asyncio.run(play())
