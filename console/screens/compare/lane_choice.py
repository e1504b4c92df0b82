"""The choice of what is compared: the variants of the scenario, and every policy that the machine takes."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.screen import ModalScreen

from shadowtime.console import words
from shadowtime.console.session import Case, policies_table
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST, names_of
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, clip, printable, width_of, wrap
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.status import StatusLine

OF_CLUSTERS = {
    "slurm": "the cluster's own scheduler, by Slurm's rules",
    "captured": "what the later captures of the cluster show",
}
"""Lanes of a cluster that are no policy of a machine -> what they are."""


def _about(case: Case, name: str) -> str:
    """The parameters that are not at their defaults, as `quantum=10m;`, and what the policy does."""
    if name.partition(":")[0] in OF_CLUSTERS:
        return OF_CLUSTERS[name.partition(":")[0]]
    entry = next((entry for entry in policies_table() if entry.name == case.policy), None)
    usual = {} if entry is None else {parameter.name: parameter.default for parameter in entry.parameters}
    changed = {name: value for name, value in case.parameters.items() if value != usual.get(name)}
    settings = ", ".join(f"{name}={text}" for name, text in words.settings(case.policy, changed).items())
    return printable("; ".join(filter(None, (settings, "" if entry is None else entry.summary))))


class Choices(LineView):
    """The cases; those chosen have numbers. What they do stands in further lines where all have room."""

    def __init__(self, cases: Sequence[Case], chosen: Sequence[int]) -> None:
        super().__init__()
        self.cases = cases
        self._names = names_of(cases)
        self._shown = [
            printable(name if name.partition(":")[0] in OF_CLUSTERS else words.policy_name(case.policy, name))
            for case, name in zip(cases, self._names, strict=True)
        ]
        self._wide = max(width_of([(name, "")]) for name in self._shown)
        self.chosen = list(chosen)
        """Places of the chosen cases, in the order in which they were chosen."""
        self.cursor = 0
        self._places: Sequence[int] = ()
        """The place of the case of each line."""

    def build(self, width: int, height: int) -> Sequence[Line]:
        cases = [self._lines(place, width, True) for place in range(len(self.cases))]
        below: Sequence[Line] = ()
        if sum(map(len, cases)) > height:
            cases = [self._lines(place, width, False) for place in range(len(self.cases))]
            about = _about(self.cases[self.cursor], self._names[self.cursor])
            below = [[], *wrap(about, width, "text", [("  ", "text")], 2)]
        self._places = [place for place, lines in enumerate(cases) for _ in lines]
        return [*(line for lines in cases for line in lines), *below]

    def _lines(self, place: int, width: int, whole: bool) -> Sequence[Line]:
        case = self.cases[place]
        cross = str(self.chosen.index(place) + 1) if place in self.chosen else " "
        mark = ">" if place == self.cursor else " "
        role = "strong" if place in self.chosen else "text"
        name = cell(self._shown[place], self._wide)
        first: list[Piece] = [(f"{mark} [{cross}] ", "key"), (name, role), ("  ", "dim")]
        about = _about(case, self._names[place])
        if whole:
            return wrap(about, width, "dim", first, width_of(first))
        return [clip([*first, (about, "dim")], width)]

    def action_move(self, lines: int) -> None:
        self.cursor = min(max(0, self.cursor + lines), len(self.cases) - 1)
        self.rebuild()
        self.scroll_to(y=max(0, self.cursor - self.size.height + 2), animate=False)

    def toggle(self) -> str:
        """Choose the case under the cursor, or let it be; return why that cannot be."""
        if self.cursor in self.chosen:
            self.chosen.remove(self.cursor)
        elif len(self.chosen) == MOST:
            return f"{MOST} lanes at most; take one away first"
        else:
            self.chosen.append(self.cursor)
        self.rebuild()
        return ""

    def on_click(self, event: Click) -> None:
        line = self.scroll_offset.y + event.y
        if line < len(self._places):
            self.cursor = self._places[line]
            self.toggle()


class Picker(ModalScreen[tuple[Case, ...] | None]):
    """Space chooses, Enter compares what is chosen, Esc goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="escape"),
        Binding("space", "choose", "choose", id="play"),
        Binding("enter", "compare", "compare", id="detail"),
    ]

    def __init__(self, offered: Sequence[Case], chosen: int) -> None:
        """Offer cases, of which the first ones are chosen."""
        super().__init__()
        self._choices = Choices(offered, range(chosen))
        self._keys = StatusLine(id="page-keys")

    def compose(self) -> ComposeResult:
        yield Frame("COMPARE: in the order in which they are chosen", self._choices)
        yield self._keys

    def on_mount(self) -> None:
        self._choices.focus()
        self.show_keys()

    def show_keys(self, text: str = "") -> None:
        """Show the keys of this page, after a word of warning."""
        keys: Line = [
            (" ", "text"),
            (f"{text}   " if text else "", "warn"),
            ("Space", "key"),
            (" choose   ", "dim"),
            ("Enter", "key"),
            (" compare   ", "dim"),
            ("Esc", "key"),
            (" back", "dim"),
        ]
        self._keys.put(keys)

    def action_choose(self) -> None:
        """Choose the policy under the cursor, or let it be."""
        self.show_keys(self._choices.toggle())

    def action_compare(self) -> None:
        chosen = tuple(self._choices.cases[place] for place in self._choices.chosen)
        if len(chosen) < FEWEST:
            self.show_keys(f"choose {FEWEST} lanes at least")
        else:
            self.dismiss(chosen)

    def action_leave(self) -> None:
        """Back, and compare what was compared."""
        self.dismiss(None)
