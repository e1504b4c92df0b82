"""Keys typed ahead: each is handed on when what the one before it did is done, so that none is lost.

A key may open a line to type or a page, and the focus moves there only after some messages. Without a queue
the keys that follow at once (a macro, a paste, a fast typist) would go to where the focus was.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import Protocol, runtime_checkable
from weakref import ref

from textual.app import App, ScreenStackError
from textual.events import Event, Key, Paste
from textual.keys import _character_to_key
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input

SOON = 0.01
"""Seconds between two looks whether the screen is ready."""
PATIENCE = 2.0
"""Seconds after which a key is handed on to a screen that has no focus by then."""
ROUNDS = 3
"""Times that all from the focus up to the application must have done what they were sent: a line that is
entered goes from the field to the prompt and on to the screen, each time as a message of its own."""
BREAKS_OFF = frozenset(("escape", "ctrl+c", "ctrl+q"))
"""Keys that no other key holds up: what was typed and waits is dropped."""


@runtime_checkable
class MakesWait(Protocol):
    """A screen that may be at work."""

    def waits_for(self, key: str) -> bool:
        """Whether a key has to wait for the end of that work."""


class TypedAhead:
    """The keys and pastes that wait; `hand_on` passes one of them to the screen."""

    def __init__(self, app: App[int], hand_on: Callable[[Event], Awaitable[None]]) -> None:
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Key | Paste] = deque()
        self._under_way = 0
        """Number of the key that is under way; 0 if the last one is done."""
        self._count = 0
        self._begun = 0.0
        self._since: float | None = None
        """Since when the first key waits for its screen."""
        self._ready: ref[Screen[object]] | None = None
        self._look: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether no key waits, and none is under way."""
        return not (self._waiting or self._under_way)

    async def add(self, event: Key | Paste) -> None:
        if isinstance(event, Key) and event.key in BREAKS_OFF and self._held():
            self._waiting.clear()
            self._under_way = 0
            await self._begin(event)
            return
        self._waiting.append(event)
        await self._next()

    def put_back(self, key: Key) -> None:
        """Hand a key on before those that wait."""
        self._waiting.appendleft(key)
        self._app.call_later(self._next)

    def _held(self) -> bool:
        """Whether the first key waits for the end of some work."""
        first = self._waiting[0] if self._waiting else None
        return isinstance(first, Key) and self._works(first)

    def _works(self, key: Key) -> bool:
        try:
            screen = self._app.screen
        except ScreenStackError:
            return False
        return isinstance(screen, MakesWait) and screen.waits_for(key.key)

    async def _next(self) -> None:
        """Hand the first key on, if the screen is ready for it."""
        if self._under_way or not self._waiting:
            return
        # A page without the browser's focus has taken it from its screen. A key gives it back, as the
        # framework would while the key is handed on: after the way of the key is read from the focus.
        self._app.app_focus = True
        if not self._is_ready(self._waiting[0]):
            self._later(SOON)
            return
        event = self._waiting.popleft()
        self._since = None
        if isinstance(event, Paste):
            keys = self._typed(event)
            if keys:
                self._waiting.extendleft(reversed(keys))
                await self._next()
                return
        await self._begin(event)

    def _is_ready(self, event: Key | Paste) -> bool:
        """Whether a screen is there and has its focus; not, while it is at work."""
        if isinstance(event, Key) and self._works(event):
            return False
        try:
            screen = self._app.screen
        except ScreenStackError:
            return False
        if self._ready is not None and self._ready() is screen:
            return True
        now = monotonic()
        self._since = self._since or now
        mounted = screen.is_mounted and len(self._app.screen_stack) > 1
        focused = mounted and (screen.focused is not None or not screen.focus_chain)
        if focused or now - self._since > PATIENCE:
            self._ready = ref(screen)
            return True
        return False

    def _typed(self, event: Paste) -> list[Key]:
        """The keys of a paste of typed commands, if no line is open to take it; otherwise nothing."""
        if isinstance(self._app.focused, Input):
            return []
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.removesuffix("\n").split("\n")
        if not all(line[:1] in (":", "/") and line.isprintable() for line in lines):
            return []
        keys: list[Key] = []
        for number, line in enumerate(lines):
            keys += [Key(each if each.isalnum() else _character_to_key(each), each) for each in line]
            if number < len(lines) - 1 or text.endswith("\n"):
                keys.append(Key("enter", "\r"))
        return keys

    async def _begin(self, event: Key | Paste) -> None:
        """Hand a key on, and send messengers after it, up from where it goes to the application."""
        self._count += 1
        self._under_way = self._count
        self._begun = monotonic()
        try:
            screen = self._app.screen
            path: list[MessagePump] = [*(screen.focused or screen).ancestors_with_self]
        except ScreenStackError:
            path = [self._app]
        entered = isinstance(event, Paste) or event.key == "enter" or isinstance(path[0], Input)
        await self._hand_on(event)
        # An action is done by the application, which then moves the focus by a message to itself.
        self._follow(self._count, path * ROUNDS if entered else [*path, self._app, self._app])

    def _follow(self, number: int, path: list[MessagePump]) -> None:
        """Come back when the first of a path that still runs has done all that it was sent so far."""
        if number != self._under_way:
            return
        while path:
            here, *path = path
            if here.is_running and here.call_later(self._follow, number, path):
                self._later(5 * SOON, partial(self._missed, number, here, path))
                return
        self._under_way = 0
        if self._waiting:
            self._app.call_later(self._next)

    def _missed(self, number: int, here: MessagePump, path: list[MessagePump]) -> None:
        """Go on without what has ended meanwhile, or takes too long."""
        if number != self._under_way:
            return
        if not here.is_running or monotonic() - self._begun > PATIENCE:
            self._follow(number, path)
        else:
            self._later(5 * SOON, partial(self._missed, number, here, path))

    def _later(self, delay: float, look: Callable[[], object] | None = None) -> None:
        if self._look is not None:
            self._look.cancel()
        ahead = look or (lambda: self._app.call_later(self._next))
        self._look = asyncio.get_running_loop().call_later(delay, ahead)
