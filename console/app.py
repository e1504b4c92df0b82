"""The application: its theme, its first screen, and how it begins and ends."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.console import RenderableType
from textual.actions import ActionParseResult
from textual.app import App
from textual.command import CommandPalette, Provider
from textual.dom import DOMNode
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Event, InputEvent, Key, MouseDown, Paste, Resize
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen

from shadowtime.console import keys
from shadowtime.console.commands.endings import requested_end, say_error
from shadowtime.console.keymap import Settings
from shadowtime.console.orphan import leave_with_server
from shadowtime.console.pauses import PAUSE, Pauses
from shadowtime.console.recording import Cast, recording
from shadowtime.console.screens.composed.greeting import Greeting
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.pages.page import TooSmall, too_small
from shadowtime.console.screens.travel.jumps import check_place
from shadowtime.console.session import Case, SessionError, break_off, open_session
from shadowtime.console.session.files.state import FirstStart, Recent, place, place_of_first_start
from shadowtime.console.session.permissions import ALL, Permissions
from shadowtime.console.session.texts import printable_lines
from shadowtime.console.terminal.alone import alone
from shadowtime.console.terminal.crash import LastKeys, report, write_report
from shadowtime.console.terminal.driver import Terminal
from shadowtime.console.terminal.signals import Ended, Signals
from shadowtime.console.terminal.typing import TypedAhead
from shadowtime.console.themes import FEW, THEMES
from shadowtime.console.widgets.frame.gate import Printable
from shadowtime.console.widgets.frame.looks import Depth, depth_of
from shadowtime.console.widgets.frame.prompt import Prompt

if TYPE_CHECKING:
    from shadowtime.console.commands.slurm.reaching import Reached
    from shadowtime.console.screens.console.screen import ConsoleScreen
    from shadowtime.console.screens.opening import Captured
    from shadowtime.console.screens.slurm.time.captures import Keep
    from shadowtime.console.session.curriculum.lecture import Lecture
    from shadowtime.console.session.exam.sitting import Sitting
    from shadowtime.console.session.training import Course

# A first screen needs one of the consoles, lists and courses: each is imported by what opens it.

INTERNAL_ERROR = 70
"""The exit code after an error of our own; a file has the report of it."""


def _palette() -> type[Provider]:
    """What the palette offers; it knows every screen."""
    from shadowtime.console.screens.palette.provider import Everything

    return Everything


class Shadowtime(App[int]):
    """The console of shadowtime. `first` is the first screen; `settings` are the operator's."""

    CSS_PATH = "console.tcss"
    TITLE = "shadowtime"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    ENABLE_COMMAND_PALETTE = True

    themes = tuple(THEMES)

    def __init__(
        self,
        first: "Screen[None]",
        depth: Depth | None = None,
        settings: Settings | None = None,
        recent: Recent | None = None,
        permissions: Permissions = ALL,
        driver: type[Driver] | None = None,
        greeting: Greeting | None = None,
    ) -> None:
        """Show a screen first; `recent` is the list of the files that are opened; `driver` draws.

        `greeting` greets whoever has never been here.
        """
        depth = depth_of() if depth is None else depth
        settings = settings or Settings()
        # Below many colours the terminal's own colours are used: rounding would merge several of ours.
        super().__init__(driver, ansi_color=None if depth is Depth.MANY else True)
        self._first = first
        self._depth = depth
        self._pauses = Pauses()
        self._recent = recent
        self.greeting = greeting
        self.typed_ahead = TypedAhead(self, super().on_event)
        """The keys that wait for those before them."""
        self._last_keys = LastKeys()
        self._gate = Printable()
        self.crash = ""
        """What the report of a crash says; empty without a crash."""
        self.keyboard = settings.keyboard
        self.permissions = permissions
        """What the operator may do; every screen asks this value."""
        self._chosen = settings.theme or self.themes[0]
        self.clock = settings.clock
        """The kind of clock that was chosen; None if none was."""
        self.set_keymap(self.keyboard.changed())

    def on_mount(self) -> None:
        for theme in (*THEMES.values(), FEW):
            self.register_theme(theme)
        self.choose_theme(self._chosen)
        self.push_screen(self._first)
        if too_small(self.size):
            self._say_too_small()
        self._pauses.begin()
        self.set_interval(PAUSE, self._collect)
        self._hear_escape()
        if self.is_web:
            loop = asyncio.get_running_loop()
            leave_with_server(lambda: self._leave(loop), INTERNAL_ERROR)

    def _hear_escape(self) -> None:
        """Let Esc break off a policy that holds up the screen: keys are read in another thread."""
        driver = self._driver
        if driver is None:
            return
        usual = driver.send_message

        def send(message: Message) -> None:
            if not (isinstance(message, Key) and message.key == "escape" and break_off()):
                usual(message)

        driver.send_message = send  # type: ignore[method-assign]

    def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        """Leave, from another thread: nobody serves this console any more."""
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self.exit, INTERNAL_ERROR)

    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action; one for what has the focus is for nobody while nothing has it."""
        aimed = isinstance(action, str) and action.startswith("focused.")
        if aimed and self.focused is None:
            return False
        return await super().run_action(action, default_namespace, namespaces)

    def training(self, course: "Course | None") -> Screen[None]:
        from shadowtime.console.screens.training.menu import Training

        return Training(course)

    @property
    def recent(self) -> Sequence[Path]:
        return () if self._recent is None else self._recent.files()

    def opened(self, case: Case) -> None:
        path = case.scenario.path
        if self._recent is not None and path is not None:
            self._recent.add(path)

    def open_found(self, found: "Case | Captured") -> None:
        """Show a console of a case, or of a captured cluster, over the present screen."""
        if not isinstance(found, Case):
            from shadowtime.console.screens.slurm.screen import ClusterScreen
            from shadowtime.console.session.slurm import zone_of
            from shadowtime.console.widgets.slurm.dates import Dates

            self.push_screen(ClusterScreen(found.source, found.board, Dates(zone_of("UTC")), at=found.at))
            return
        from shadowtime.console.screens.console.screen import ConsoleScreen

        self.opened(found)
        self.push_screen(ConsoleScreen(open_session(found)))

    def on_unmount(self) -> None:
        self._pauses.end()

    def _collect(self) -> None:
        """What works behind the screen allocates, and would only wait for the collector."""
        if not any(worker.is_running for worker in self.workers):
            self._pauses.collect()

    async def on_event(self, event: Event) -> None:
        """Note that the operator is at work, and put keys in a row; all else is the framework's."""
        if isinstance(event, InputEvent):
            self._pauses.touched()
        if isinstance(event, Key) and event.key == "ctrl+z":
            # It is for the shell: no screen has another use for it, and nothing before it holds it up.
            self.action_suspend_process()
            return
        if isinstance(event, (Key, Paste)) and not event.is_forwarded:
            if self.greeting is not None:
                self.greeting.end()
            await self.typed_ahead.add(self._noted(event))
            return
        if isinstance(event, MouseDown) and not event.is_forwarded:
            self._last_keys.note(f"click {event.x} {event.y}")
        elif isinstance(event, Resize):
            self._last_keys.note(f"size {event.size.width}x{event.size.height}")
        await super().on_event(event)

    def _noted(self, event: Key | Paste) -> Key | Paste:
        """Note a key for the report of a crash. A terminal that is not yet raw gives Enter as a line feed."""
        if isinstance(event, Paste):
            self._last_keys.note(f"paste {event.text[:40]}")
            return event
        self._last_keys.note(event.key)
        line_feed = event.key == "ctrl+j" and not any("ctrl+j" in key.pressed for key in self.keyboard.keys)
        return Key("enter", "\r") if line_feed else event

    def press_again(self, key: Key) -> None:
        """Hand a key on before those that wait, to the screen that is there now."""
        self.typed_ahead.put_back(Key(key.key, key.character))

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """Note a typed line, for the report of a crash."""
        self._last_keys.note(f"{event.question}: {event.text}")

    def on_resize(self, event: Resize) -> None:
        """A terminal without room for the console says so; it goes on as it was when there is room again."""
        if too_small(event.size) and self._first in self.screen_stack:
            self._say_too_small()

    def _say_too_small(self) -> None:
        if not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of the terminal: ours, in the place of the usual one."""
        usual = super().get_driver_class()
        return Terminal if usual is LinuxDriver else usual

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The filters of every line: the gate is the last, so that nothing passes beside it."""
        return (*super().get_line_filters(), self._gate)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text; what is not printable in it would be typed where it is pasted."""
        super().copy_to_clipboard(printable_lines(text))

    def action_command_palette(self) -> None:
        """Open the palette, once, and where there is room for it."""
        if not any(isinstance(screen, (CommandPalette, TooSmall)) for screen in self.screen_stack):
            super().action_command_palette()

    async def action_quit(self) -> None:
        """Leave: a console as its own key does, with a question if there are unsaved actions."""
        screen = self.screen
        if isinstance(screen, PanelScreen) and screen.over == keys.MACHINE:
            screen.leave()
        else:
            self.exit(0)

    def _fatal_error(self) -> None:
        """Make the report of a crash, in the place of a traceback over the terminal."""
        if not self.crash:
            error = self._exception or sys.exception() or RuntimeError("an unknown error")
            self.crash = report(error, self._last_keys, self._about())
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """Make the report of a crash, whatever else is to be shown of it."""
        self._return_code = 1
        self._fatal_error()

    def _about(self) -> dict[str, object]:
        from shadowtime.console.screens.console.screen import ConsoleScreen

        found: dict[str, object] = {
            "size": f"{self.size.width}x{self.size.height}",
            "screens": ", ".join(type(screen).__name__ for screen in self.screen_stack[1:]),
        }
        for screen in self.screen_stack:
            if isinstance(screen, ConsoleScreen):
                case = screen.session.case
                found |= {"scenario": case.scenario.path, "policy": f"{case.policy} {dict(case.parameters)}"}
                found["event"] = screen.snapshot.number
        return found

    def end_soon(self) -> None:
        """End, asked by a signal at any moment. Ended if the application does not run."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self.exit, 0)
                return
        except RuntimeError:
            # The loop is closed: the application is ending.
            pass
        raise Ended

    def action_exit_console(self) -> None:
        self.exit(0)

    def choose_theme(self, name: str) -> None:
        """Take on a theme of `themes`; a terminal of few colours keeps its own."""
        self._chosen = name
        self.theme = (THEMES[name] if self._depth is Depth.MANY else FEW).name
        if self.is_web and self._depth is Depth.MANY and self._driver is not None:
            # The rim of a page, outside the cells, takes the ground of the terminal.
            self._driver.write(f"\x1b]11;{THEMES[name].background}\x1b\\")

    @property
    def theme_told(self) -> str:
        if self._depth is not Depth.MANY:
            return "this terminal has few colours or none: it keeps its own, whatever the theme"
        return f"the theme is {self._chosen}, of {', '.join(self.themes)}"

    def action_suspend_process(self) -> None:
        """Ctrl+Z: give the terminal back to the shell, and stop. A page has no shell."""
        driver = self._driver
        if driver is not None and driver.can_suspend:
            super().action_suspend_process()
        elif isinstance(self.screen, PanelScreen) and self.screen.over == keys.MACHINE:
            self.screen.say("a page cannot be stopped: there is no shell to go back to", "warn")

    def action_help_quit(self) -> None:
        """Control-C: say how to leave, in the line for messages rather than over the panels."""
        screen = self.screen
        if isinstance(screen, PanelScreen) and screen.over == keys.MACHINE:
            screen.say(f"{screen.key('quit')} quits")
        else:
            self.exit(0)


def open_console(
    case: Case,
    at: str | None = None,
    settings: Settings | None = None,
    permissions: Permissions = ALL,
    record: str | None = None,
) -> int:
    """Open a case in the console, at a place as it is typed; on a terminal that cannot draw tell it in lines.

    `record` is a new file for an asciicast of the session. Returns the exit code. SessionError where `at` is
    no place or the file is there already; OSError if it cannot be written.
    """
    if not _has_screen():
        from shadowtime.console import lines

        calendar = settings is None or settings.clock != "elapsed"
        return lines.tell(case, at, permissions=permissions, calendar=calendar)
    from shadowtime.console.screens.console.screen import ConsoleScreen

    session = open_session(case)
    if at is not None:
        check_place(session, at)
    screen = ConsoleScreen(session, at)
    if record is None:
        return _run(screen, settings, permissions)
    refusal = permissions.no_writing
    if refusal:
        raise SessionError(f"--record: {refusal}")
    return _recorded(screen, settings, permissions, Path(record))


def open_cluster(
    reached: "Reached",
    keep: "Keep | None",
    settings: Settings | None = None,
    permissions: Permissions = ALL,
    at: str | None = None,
) -> int:
    """Open a cluster in the console, at a place if one is given, and keep each board. Returns the exit code.

    ScenarioError, SessionError or OSError if the first capture fails, or there is no such place.
    """
    from shadowtime.console.screens.slurm.screen import ClusterScreen
    from shadowtime.console.session.slurm.board.making import board

    try:
        first = board(reached.source.take())
        if keep is not None:
            keep(first)
        screen = ClusterScreen(reached.source, first, reached.dates, reached.every, keep, at)
        return _run(screen, settings, permissions)
    finally:
        reached.source.close()


def browse(settings: Settings | None = None, permissions: Permissions = ALL) -> int:
    """Open the scenario browser. Returns the exit code."""
    from shadowtime.console.screens.pages.browser import Browser

    return _run(Browser(), settings, permissions)


def train(
    course: "Course | None" = None,
    settings: Settings | None = None,
    seed: int | None = None,
    review: bool = False,
) -> int:
    """Open training, with one course alone if one is given, or with what is due. Returns the exit code."""
    from shadowtime.console.screens.training.menu import Training

    return _run(Training(course, seed, review), settings)


def examine(sitting: "Sitting", settings: Settings | None = None) -> int:
    """Take an exam on the full screen, or go on with one. Returns the exit code.

    No file can be opened meanwhile.
    """
    from shadowtime.console.screens.training.kinds import exam_screen

    return _run(exam_screen(sitting), settings, Permissions(no_files=True))


def take_shift(path: Path, settings: Settings | None = None) -> int:
    """Open a shift, where it was left. Returns the exit code. ScenarioError, SessionError."""
    from shadowtime.console.screens.training.shift import ShiftScreen
    from shadowtime.console.session.curriculum.trainee import Trainee
    from shadowtime.console.session.shift import name_of, open_shift, references_of

    trainee = Trainee()
    session, attempts, resumed = open_shift(path, trainee.name)
    ended = partial(trainee.keep_shift, name_of(path))
    return _run(ShiftScreen(session, references_of(session), attempts, resumed, ended), settings)


def lecture(held: "Lecture", settings: Settings | None = None) -> int:
    """Hold a lecture. Returns the exit code. Nothing can be changed, and no file can be opened."""
    from shadowtime.console.lecture.screen import LectureScreen

    return _run(LectureScreen(held), settings, Permissions(read_only=True, no_files=True))


def _recorded(first: "ConsoleScreen", settings: Settings | None, permissions: Permissions, path: Path) -> int:
    try:
        cast = Cast(path, f"shadowtime {first.session.case.scenario.title}")
    except FileExistsError:
        raise SessionError(f"{path} is there already; expected a new file to record to") from None
    with cast:
        code = _run(first, settings, permissions, recording(cast))
    if cast.fault is not None:
        raise cast.fault
    return code


def _run(
    first: "Screen[None]",
    settings: Settings | None,
    permissions: Permissions = ALL,
    driver: type[Driver] | None = None,
) -> int:
    with alone():
        app, signals, left = _shown(first, settings or Settings(), permissions, driver)
    if signals.code is not None:
        return signals.code
    if not app.return_code:
        return left or 0
    _tell_crash(app)
    return INTERNAL_ERROR


def _shown(
    first: "Screen[None]", settings: Settings, permissions: Permissions, driver: type[Driver] | None
) -> tuple[Shadowtime, Signals, int | None]:
    """Show the console until it ends; return it, the signals that came, and what it returned."""
    # What is served to others leaves no trace in the folder of whoever serves it.
    served = "TEXTUAL_DRIVER" in os.environ
    recent = None if served else Recent(place())
    greeting = None if served else Greeting(FirstStart(place_of_first_start()))
    app = Shadowtime(
        first, settings=settings, recent=recent, permissions=permissions, driver=driver, greeting=greeting
    )
    if isinstance(first, PanelScreen) and first.over == keys.MACHINE:
        from shadowtime.console.screens.console.screen import ConsoleScreen

        if isinstance(first, ConsoleScreen) and first.keeps:
            app.opened(first.session.case)
    signals = Signals(app.end_soon)
    left = None
    try:
        signals.begin()
        left = requested_end()
        if left is None:
            left = app.run(mouse=settings.mouse)
    except Ended:
        pass
    except RuntimeError as error:
        # Until 3.12 Python puts one around what is raised while a class is made, as in an import.
        if not isinstance(error.__cause__, Ended):
            raise
    finally:
        signals.end()
    return app, signals, left


def _tell_crash(app: Shadowtime) -> None:
    """Write the report of a crash, and name the file in one line; without a file, print the report."""
    # A page without files writes none: what it prints is in the output of the server.
    path = None if app.permissions.no_files else write_report(app.crash)
    error = app.crash.rstrip().splitlines()[-1] if app.crash else "no report"
    where = f"the report is in {path}" if path else "the report follows"
    say_error(f"internal error: {error}; {where}")
    if path is None:
        for line in app.crash.splitlines():
            say_error(line)


def _has_screen() -> bool:
    return os.environ.get("TERM", "dumb") not in ("dumb", "")
