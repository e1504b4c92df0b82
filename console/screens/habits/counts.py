"""Counts: a number before a key, begun with a key of its own, since the digits alone choose panels."""

from collections.abc import Callable, Mapping
from typing import Any

from textual.screen import Screen

from shadowtime.console.screens.habits.lists import Lists

DIGITS = 6
"""Digits of a count."""
REPEATS = 100
"""How often a key is done at most that has no way of its own to do it many times at once."""
REPEATED = frozenset(
    ("next_decision", "previous_decision", "continue", "next_panel", "previous_panel", "sort", "colouring")
) | frozenset(("zoom", "zoom_time", "zoom_nodes", "pan", "faster", "slower", "undo", "redo", "page"))
"""Actions that are simply done so many times."""


class Counts:
    """Takes the digits of a count, then the key that it is for. `step` moves the clock by events."""

    def __init__(
        self,
        screen: Screen[Any],
        lists: Lists,
        *,
        step: Callable[[int], None],
        say: Callable[[str, str], None],
        busy: Callable[[], bool],
    ) -> None:
        self.awaited = False
        """Whether the next key is a digit, or the key that the digits are for."""
        self._screen = screen
        self._lists = lists
        self._say = say
        self._busy = busy
        self._digits = ""
        self._many: Mapping[str, Callable[[int], None]] = {
            "forward": step,
            "back": lambda count: step(-count),
            "row": lists.row,
            "move": lists.row,
        }

    def begin(self) -> None:
        self.awaited, self._digits = True, ""
        self._say("how many times? type a number, then the key", "key")

    def end(self) -> None:
        self.awaited = False
        self._say("", "dim")

    def answer(self, key: str, character: str) -> bool:
        """A digit, or the key that the count is for."""
        if character.isascii() and character.isdigit() and len(self._digits) < DIGITS:
            self._digits += character
            self._say(f"{self._digits} times: which key?", "key")
        else:
            self._do(key, character)
        return True

    def _do(self, key: str, character: str) -> None:
        self.end()
        if not self._digits:
            self._say("a count is a number and a key, such as 10 n", "warn")
            return
        active = self._screen.active_bindings.get(key)
        if active is None:
            self._say(f"{character or key} does nothing here", "warn")
            return
        name, _, arguments = active.binding.action.partition("(")
        count = int(self._digits)
        first = arguments.rstrip(")").split(",")[-1].strip()
        share = int(first) if first.lstrip("-").isdecimal() else 1
        if name in self._many:
            self._many[name](count * share)
        elif name == "far_row" and share > 0:
            self._lists.to(count)
        elif name in REPEATED:
            self._repeat(active.binding.action, active.node, count)
        else:
            self._say(f"{character or key} takes no count", "warn")

    def _repeat(self, action: str, node: Any, count: int) -> None:
        async def run() -> None:
            for _ in range(min(count, REPEATS)):
                if self._busy():
                    break
                await self._screen.app.run_action(action, node)
            if count > REPEATS:
                self._say(f"done {REPEATS} times: more is not done at once", "warn")

        self._screen.call_later(run)
