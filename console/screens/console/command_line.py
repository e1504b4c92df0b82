"""The line over a machine: what the operator types after `:`, `/` and `g`; the parts that it is about."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

import attrs

from shadowtime.console.clock import KINDS as CLOCKS
from shadowtime.console.screens.composed.copies import COPIES, Copies
from shadowtime.console.screens.composed.line import TypedLine
from shadowtime.console.screens.composed.panels import PanelArrangement
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.completion import (
    Completion,
    FilterCompletion,
    files,
    filled,
    nothing,
    one_of,
    then_file,
)
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.exports import KINDS, Exports
from shadowtime.console.screens.console.other_views import SideBySide
from shadowtime.console.screens.console.picture import COLOURINGS, MachinePicture
from shadowtime.console.screens.console.selection import Selection
from shadowtime.console.screens.console.steering import Steering
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.editing import Editing
from shadowtime.console.screens.habits.lists import Letters
from shadowtime.console.screens.impact.answers import Answers
from shadowtime.console.screens.time.clocks import Clocks
from shadowtime.console.screens.travel.breakpoints import Breakpoints, Seeks
from shadowtime.console.screens.travel.jumps import Jumps, reading
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.steps import Steps
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import SessionError, policies_table
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.widgets.frame.prompt import Prompt

GOING = frozenset(("g", "go", "goto"))
"""The words of a command that goes to a place."""


@attrs.frozen
class Parts:
    """The parts of one console."""

    view: TravelView
    desk: Desk
    picture: MachinePicture
    panels: PanelArrangement
    play: Play
    steps: Steps
    jumps: Jumps
    breakpoints: Breakpoints
    selection: Selection
    steering: Steering
    answers: Answers
    exports: Exports
    copies: Copies
    side_by_side: SideBySide
    themes: Themes
    letters: Letters
    counts: Counts
    editing: Editing
    clocks: Clocks
    seeks: Seeks
    views: Mapping[str, Callable[[], None]]
    """What `:view` shows, by name."""


class CommandLine(TypedLine):
    """The line of a console over a machine."""

    hint = " 10n   goto 50%   sort wait   help"
    filters = "user=kim   state:N   size>32   wait>2h   starts<1h   31"

    def __init__(self, prompt: Prompt, parts: Parts, command: Callable[[str], None]) -> None:
        super().__init__(prompt, parts.panels, parts.play.pause, command)
        self._parts = parts
        self._desk = parts.desk

    @property
    def filter(self) -> str:
        return self._desk.filter

    def filter_by(self, text: str) -> None:
        self._parts.selection.filter_by(text)

    def go(self, text: str) -> None:
        self._parts.jumps.go(text)

    def suggester(self) -> FilterCompletion:
        return FilterCompletion(self._desk.texts)

    def completion(self) -> Completion:
        policies = [entry.name for entry in policies_table()]
        variants = [variant.name for variant in self._desk.case.scenario.variants]
        about = {
            "sort": one_of(*QUEUE.orders, *(f"{column} reverse" for column in QUEUE.orders)),
            "filter": lambda rest: filled(rest, self._desk.texts),
            "under": one_of(*variants, *policies),
            "compare": one_of(*variants, *policies),
            "theme": one_of(*self._parts.themes.names),
            "clock": one_of(*CLOCKS),
            "seek": one_of(*self._parts.seeks.sought),
            "view": one_of(*self._parts.views),
            "map": one_of(*COLOURINGS),
            "policy": one_of(*policies),
            "sweep": one_of(*policies),
            **self._files(),
        }
        return Completion({name: about.get(name, nothing) for name in typed.NAMES})

    def _files(self) -> Mapping[str, Callable[[str], Iterable[str]]]:
        """What completes the commands that write files; without files no folder is read."""
        if permissions_of(self._parts.view.app).no_writing:
            return {"copy": one_of(*COPIES)}
        return {
            "save": files,
            "report": files,
            "report!": files,
            "export": then_file(*KINDS),
            "copy": then_file(*COPIES),
        }

    def remark(self, question: str, text: str) -> None:
        """Say how a place is read, and what a filter asks for that there is not; a filter works already."""
        if question == "filter" and not self._desk.busy:
            fault = fault_of(text, QUEUE, self._desk.clock)
            if not fault:
                with suppress(SessionError):
                    self._desk.session.order(text=text)
                    self._parts.selection.filter_by(text)
            self._prompt.remark(fault, "warn" if fault.startswith("filter") else "dim")
            return
        word, _, rest = text.partition(" ")
        place = text if question == "goto" else rest if question == "command" and word in GOING else ""
        shown = place and not self._desk.busy
        self._prompt.remark(reading(self._desk.session, place, self._desk.clock) if shown else "")
