"""A console of panels, over a machine or over a cluster: its keys, its prompt, and the ways back and out."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs
from textual.events import Key
from textual.screen import Screen
from textual.widget import Widget

from shadowtime.console import keys
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.command_table import ACTIONS, WRITING
from shadowtime.console.screens.composed.line import TypedLine
from shadowtime.console.screens.composed.panels import CHART, PanelArrangement
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.lists import Letters as Lettering
from shadowtime.console.screens.habits.lists import Lists
from shadowtime.console.screens.pages.page import SteadyScreen
from shadowtime.console.screens.travel.jumps import Jumps
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.widgets.frame.letters import Letters
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.frame.status import KeyLine
from shadowtime.console.widgets.frame.timebar import TimeBar
from shadowtime.console.widgets.gantt.panel import GanttPanel

WHILE_BUSY = frozenset(
    ("escape", "quit", "help", "panel", "next_panel", "previous_panel", "resize", "absent")
)
"""What may be done while a way is gone in a thread."""


class PanelScreen(SteadyScreen[None]):
    """The screen of a console. What it is over fills in the parts."""

    over: ClassVar[str]
    """What it is over: `MACHINE` or `CLUSTER`."""
    unoffered: ClassVar[frozenset[str]] = frozenset()
    """Commands, and keys by id, that are not for who sits here: neither the footer nor the menu has them."""
    while_busy: ClassVar[frozenset[str]] = WHILE_BUSY
    panels: PanelArrangement
    lists: Lists
    lettering: Lettering
    line: TypedLine
    jumps: Jumps
    actions: Mapping[str, Action]
    awaiting: Sequence[Jumps | Lettering | Counts]
    """What waits for the next key after one of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = Letters()
        self._prompt = Prompt(id="prompt")
        self._keys = KeyLine((), id="keys")

    # What a console over something, or one of training, does otherwise.

    def below_panels(self) -> Sequence[Widget]:
        """What stands between the panels and the lines below."""
        return ()

    def let_go(self) -> bool:
        """Give up a filter, or what is selected; whether there was anything."""
        raise NotImplementedError

    def open_help(self) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        """Leave for the list of scenarios if that is behind it, else the console."""
        self.depart()

    def go_from_here(self) -> None:
        """Back with nothing left to give up: leave for the list of scenarios, or say how to quit."""
        if self.in_browser:
            self.leave()
        else:
            self.say(f"{self.key('quit')} quits")

    def panel_used(self) -> None:
        """A click put another panel in use."""

    @property
    def busy(self) -> bool:
        """Whether a way is gone in a thread."""
        return self.jumps.travel.busy

    def pause(self) -> None:
        self.jumps.play.pause()

    def stop_way(self) -> bool:
        """Break off what takes long; whether there was anything."""
        return self.jumps.travel.stop()

    def on_time_bar_pointed(self, event: TimeBar.Pointed) -> None:
        self.jumps.go(f"#{event.number}")

    # Keys.

    def key(self, id: str) -> str:
        return keys.keyboard_of(self.app).first(id)

    def actions_of_key(self, key: str) -> frozenset[str]:
        """The actions of a key, without what is in brackets."""
        return keys.actions_of(keys.keyboard_of(self.app).keys, key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only Esc and Tab work on a line that is typed; nothing that moves works while a way is gone."""
        if self._prompt.asking:
            return action in ("escape", "palette", "next_panel")
        return not self.busy or action in self.while_busy

    def action_absent(self, id: str) -> None:
        self.say(keys.absence(id, self.over), "warn")

    def on_key(self, event: Key) -> None:
        """A letter that a mark waits for, and what else is no binding."""
        if self.pressed(event):
            event.stop()
            event.prevent_default()

    def pressed(self, event: Key) -> bool:
        """Whether a key that is no binding was for the screen."""
        if self._prompt.asking or event.key == "escape":
            return False
        character = event.character if event.is_printable and event.character else ""
        waiting = next((each for each in self.awaiting if each.awaited), None)
        return waiting is not None and waiting.answer(event.key, character)

    def next_panel(self) -> None:
        """To the next panel; on a line that is typed, take what is suggested."""
        if self._prompt.asking:
            self._prompt.complete()
        else:
            self.panels.next()

    def on_descendant_focus(self) -> None:
        for number, panel in self.panels.panels.items():
            if panel.body.has_focus and number != self.panels.used:
                self.panels.use(number)
                self.panel_used()
        self.show_keys()

    def show_keys(self) -> None:
        if self._prompt.asking:
            self._keys.put_keys(keys.TYPING)
            return
        if self.lettering.awaited:
            self._keys.put_keys(keys.PICKING)
            return
        hidden, labels = self.hidden, self.labels
        found = [key for key in self.footer() if key.id not in hidden]
        self._keys.put_keys([attrs.evolve(key, label=labels.get(key.id, key.label)) for key in found])

    @property
    def labels(self) -> Mapping[str, str]:
        """What the footer says of keys that do something else here, by their ids."""
        return {}

    def footer(self) -> list[keys.Key]:
        """The keys of the footer, the most wanted first."""
        chart = self.panels.panels.get(CHART)
        charted = chart is not None and isinstance(chart.body, GanttPanel)
        return keys.keyboard_of(self.app).footer_of(self.panels.used, charted, self.over)

    @property
    def hidden(self) -> frozenset[str]:
        """What neither the footer nor the palette shows: all that is refused whatever is selected."""
        allowed = permissions_of(self.app)
        unoffered = allowed.unoffered if self.over == keys.MACHINE else ()
        acting = ACTIONS if allowed.no_acting else ()
        writing = WRITING if allowed.no_writing else ()
        return self.unoffered.union(unoffered, acting, writing)

    # What is said and typed.

    @property
    def message(self) -> str:
        return self._prompt.message

    def say(self, text: str, role: str = "dim") -> None:
        self._prompt.say(text, role)

    def ask(self, question: str, label: str, text: str = "", hint: str = "") -> None:
        """Let the operator type the rest of a command that is named by the question."""
        self.line.ask(question, label, text, hint)

    def ask_command(self, begun: str, hint: str = "") -> None:
        self.line.ask_command(begun, hint)

    def typed(self, question: str, text: str) -> None:
        """The operator typed a line in answer to a question."""
        self.line.answered(question, text)

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """The line that is typed has changed; after `g` a second one leads to the first row of the list."""
        if event.question == "goto" and event.text == self.key("goto") and self.line.leave():
            self.lists.far(-1)
        else:
            self.line.remark(event.question, event.text)

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        self.typed(event.question, event.text)

    # Away from here.

    def open_page(self, page: Screen[None]) -> None:
        self.pause()
        self.app.push_screen(page)

    def open_palette(self) -> None:
        self.app.action_command_palette()

    @property
    def in_browser(self) -> bool:
        """Whether the list of scenarios is behind it."""
        # Below the screens that were pushed lies an empty one of Textual's own.
        return self in self.app.screen_stack[2:]

    def depart(self) -> None:
        """Leave for what is behind it, else the console."""
        if not self.in_browser:
            self.app.exit(0)
            return
        while self.app.screen is not self:
            self.app.pop_screen()
        self.dismiss()

    def go_back(self) -> None:
        """Back: from a question, a way, a large panel, a filter, what is selected, from here."""
        if self.line.leave():
            return
        waiting = next((each for each in self.awaiting if each.awaited), None)
        if waiting is not None:
            waiting.end()
        elif self.stop_way() or self.panels.usual_size() or self.let_go():
            return
        else:
            self.go_from_here()
