"""The form of a sweep: policies to choose, and under each chosen one its parameters with values to type."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import attrs
from textual.binding import Binding, BindingType
from textual.events import Key, Paste

from shadowtime.console import words
from shadowtime.console.screens.pages.page import CursorPage
from shadowtime.console.session import Parameter, PolicyEntry, SessionError
from shadowtime.console.session.comparison.sweep import spoken
from shadowtime.console.widgets.frame.ink import Line, clip, wrap

LONGEST = 200
"""Characters of the values of a parameter."""
DEFAULTS = 24
"""Cells for the default of a parameter, at least."""


@attrs.frozen
class Field:
    """One line of the form: a policy, or one of its parameters."""

    policy: str
    parameter: Parameter | None = None


class Chosen:
    """What is chosen in the form. Pure values: the page draws them and hands on the keys."""

    def __init__(self, entries: Sequence[PolicyEntry], first: str) -> None:
        """Offer policies; `first` is chosen."""
        self.entries: Mapping[str, PolicyEntry] = {entry.name: entry for entry in entries}
        self.policies = [first] if first in self.entries else []
        """The policies that are chosen, in the order of the table."""
        self.values: dict[tuple[str, str], str] = {}
        """What is typed, by policy and parameter; nothing stands for the default."""

    @property
    def fields(self) -> tuple[Field, ...]:
        found: list[Field] = []
        for name, entry in self.entries.items():
            found.append(Field(name))
            if name in self.policies:
                found += [Field(name, parameter) for parameter in entry.parameters]
        return tuple(found)

    @property
    def text(self) -> str:
        """What is chosen, as `:sweep` takes it."""
        return " ".join(self._policy_text(name) for name in self.policies)

    def turn(self, policy: str) -> None:
        """Choose a policy, or not after all; what was typed for it stays."""
        wanted = {*self.policies} ^ {policy}
        self.policies = [name for name in self.entries if name in wanted]

    def value(self, field: Field) -> str:
        return "" if field.parameter is None else self.values.get((field.policy, field.parameter.name), "")

    def put(self, field: Field, text: str) -> None:
        """Put a text in the field of a parameter; blanks would end the policy."""
        if field.parameter is not None:
            self.values[field.policy, field.parameter.name] = "".join(text.split())[:LONGEST]

    def _policy_text(self, name: str) -> str:
        given = (
            f"{parameter.name}={value}"
            for parameter in self.entries[name].parameters
            if (value := self.values.get((name, parameter.name), "").strip(","))
        )
        settings = ",".join(given)
        return f"{name}:{settings}" if settings else name


class SweepForm(CursorPage):
    """Space chooses a policy, letters and digits type values, Enter runs."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "turn", "choose", priority=True)]
    KEYS = (("Space", "choose a policy"), ("detail", "run"), ("escape", "back"))

    def __init__(self, entries: Sequence[PolicyEntry], first: str, run: Callable[[str], str]) -> None:
        """`run` gets the text of the sweep and begins it; what it returns says why not, and is shown."""
        self.chosen = Chosen(entries, first)
        self._run = run
        self._fault = ""
        self._whole: set[int] = set()
        """The places of the lines about which there is room for all: that of the cursor, and policies."""
        super().__init__("SWEEP", self._drawn, lambda: len(self.chosen.fields), self._start)

    def on_mount(self) -> None:
        super().on_mount()
        names = [field.policy for field in self.chosen.fields]
        self.place = names.index(self.chosen.policies[0]) if self.chosen.policies else 0
        self.changed()

    @property
    def field(self) -> Field:
        return self.chosen.fields[min(self.place, self.count - 1)]

    def changed(self) -> None:
        self._fault = ""
        runs = 0
        if self.chosen.policies:
            try:
                runs = len(spoken(self.chosen.text))
            except SessionError as error:
                self._fault = str(error)
        self.entitle(f"SWEEP  {words.count(runs, 'run')}")
        self.freshen()
        self.keep_in_sight()
        self.show_keys()

    def _drawn(self, width: int) -> Sequence[Line]:
        fields = self.chosen.fields
        further = [len(self._about(field, width)) - (field.parameter is None) for field in fields]
        room = self._body.size.height - len(fields) - 1 - len(self.below(self.place, width))
        self._whole, room = {self.place}, room - further[self.place]
        for place, field in enumerate(fields):
            if place != self.place and field.parameter is None and further[place] <= room:
                self._whole.add(place)
                room -= further[place]
        return [self._line(place, field, width) for place, field in enumerate(fields)]

    def _line(self, place: int, field: Field, width: int) -> Line:
        name = max(len(name) for name in self.chosen.entries)
        if field.parameter is None:
            entry = self.chosen.entries[field.policy]
            on = field.policy in self.chosen.policies
            mark = ("[x] ", "good") if on else ("[ ] ", "dim")
            role = "strong" if on else "text"
            # What has no room follows below the line.
            about = self._about(field, width)[0] if place in self._whole else [(entry.summary, "dim")]
            return clip([mark, (f"{field.policy:<{name}}  ", role), *about], width)
        parameter = field.parameter
        typed = self.chosen.value(field)
        shown = f"{typed}_" if place == self.place else typed
        usual = f"default {words.spelled(parameter.default, parameter.kind)}"
        longest = max(len(each.parameter.name) for each in self.chosen.fields if each.parameter is not None)
        label = f"    {parameter.name:<{max(name, longest)}}  "
        line = [(label, "text"), (f"{usual:<{DEFAULTS}}  ", "dim"), (shown, "key" if typed else "faint")]
        return clip(line, width)

    def _about(self, field: Field, width: int) -> Sequence[Line]:
        """What a line is for, in the columns behind the names."""
        about = self.chosen.entries[field.policy].summary
        if field.parameter is not None:
            choices = field.parameter.choices
            one_of = f" One of {', '.join(choices)}." if choices else ""
            about = f"{field.parameter.doc}.{one_of} Several values: commas between."
        return wrap(about, width - self._indent, "dim")

    @property
    def _indent(self) -> int:
        return len("[x] ") + max(len(name) for name in self.chosen.entries) + 2

    def under(self, place: int, width: int) -> Sequence[Line]:
        if place not in self._whole:
            return ()
        field = self.chosen.fields[place]
        # The first line about a policy stands behind its name.
        lines = self._about(field, width - 2)[field.parameter is None :]
        return [[(" " * self._indent, "text"), *line] for line in lines]

    def below(self, place: int, width: int) -> Sequence[Line]:
        lines: list[Line] = []
        if self._fault:
            lines += [*wrap(self._fault, width, "warn"), []]
        if not self.chosen.policies:
            return [*lines, [("no policy is chosen yet", "dim")]]
        return [*lines, *wrap(f":sweep {self.chosen.text}", width, "strong")]

    def action_turn(self) -> None:
        """Choose the policy of this line, or not after all."""
        field = self.field
        self.chosen.turn(field.policy)
        self.place = next(
            place for place, other in enumerate(self.chosen.fields) if other == Field(field.policy)
        )
        self.changed()

    def on_key(self, event: Key) -> None:
        """A character of a value; in the line of a policy the keys are those of a list."""
        if self.field.parameter is None:
            return
        value = self.chosen.value(self.field)
        if event.key == "backspace":
            self.chosen.put(self.field, value[:-1])
        elif event.is_printable and event.character and event.character != " ":
            self.chosen.put(self.field, value + event.character)
        else:
            return
        event.stop()
        event.prevent_default()
        self.changed()

    def on_paste(self, event: Paste) -> None:
        self.chosen.put(self.field, self.chosen.value(self.field) + event.text)
        self.changed()

    def _start(self, _: int) -> None:
        if not self.chosen.policies:
            self._fault = "choose a policy first: Space"
        else:
            self._fault = self._run(self.chosen.text)
        self.freshen()
        # On a small screen the lines below are out of sight.
        self.show_keys(*([(f"{self._fault}   ", "warn")] if self._fault else []))
