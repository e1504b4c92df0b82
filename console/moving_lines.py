"""Moving in time in lines, over a scenario or a cluster: the same words, and the loop that reads them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TextIO

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.screens.command_table import Command, unknown
from shadowtime.console.screens.console.typed import Unknown, number, repeats
from shadowtime.console.session import PolicyError, ScenarioError, SessionError
from shadowtime.console.session.course.course import Course, go_on
from shadowtime.console.session.course.places import parse_place
from shadowtime.console.words.moving import ENDS, Ends, nothing

Commands = Mapping[str, Callable[[str], None]]
USAGE_WIDTH = 20
"""Cells for a command in the list of commands."""


class MovedOutput(Protocol):
    """Who prints a course in lines."""

    @property
    def course(self) -> Course:
        """The run that is moved."""

    @property
    def read(self) -> Clock:
        """The clock by which places are read."""

    def say(self, line: str = "") -> None:
        """One line."""

    def here(self) -> None:
        """The event at which the course stands."""

    def jumped(self) -> None:
        """What was printed before may not be what came before."""


class MovingLines:
    """What the typed commands of time do; all of it is printed."""

    def __init__(self, teller: MovedOutput, ends: Ends = ENDS) -> None:
        self._teller, self._ends = teller, ends

    def commands(self) -> Commands:
        course = self._teller.course
        return {
            "": lambda rest: self.forward(1),
            "n": lambda rest: self.forward(repeats(rest, "count")),
            "p": lambda rest: self._back(repeats(rest, "count")),
            "N": lambda rest: self._decision(course.next_decision(), self._ends.next_decision),
            "P": lambda rest: self._decision(course.previous_decision(), self._ends.previous_decision),
            "g": self.go,
            "break": lambda rest: self._teller.say(f"breakpoint: {course.stops.set(rest).text}"),
            "breaks": lambda rest: self._breakpoints(),
            "unbreak": self._unset,
            "c": lambda rest: self._go_on(True),
            "C": lambda rest: self._go_on(False),
        }

    def forward(self, count: int) -> None:
        for _ in range(count):
            if not self._teller.course.step():
                self._teller.say(self._ends.forward)
                return
            self._teller.here()

    def _back(self, count: int) -> None:
        """So many events back; the place is printed."""
        if self._teller.course.back(count):
            self._teller.jumped()
            self._teller.here()
        else:
            self._teller.say(self._ends.back)

    def _decision(self, moved: bool, otherwise: str) -> None:
        if moved:
            self._teller.here()
        else:
            self._teller.say(otherwise)

    def go(self, text: str) -> None:
        """To a place as it is typed. SessionError if it is none."""
        course = self._teller.course
        if not course.go_place(parse_place(text, self._teller.read, course.time)):
            self._teller.say(f"{text}: that is here, or never comes")
        self._teller.jumped()
        self._teller.here()

    def _breakpoints(self) -> None:
        points = self._teller.course.stops.points.all
        for place, each in enumerate(points, 1):
            self._teller.say(f"{place}  {each.text}")
        if not points:
            self._teller.say("no breakpoint is set")

    def _unset(self, rest: str) -> None:
        stops = self._teller.course.stops
        place, count = number(rest, "breakpoint"), len(stops.points.all)
        if not 1 <= place <= count:
            raise Unknown(f"there is no breakpoint {place}; {words.count(count, 'breakpoint')} set")
        stops.points = stops.points.remove(place - 1)
        self._breakpoints()

    def _go_on(self, forward: bool) -> None:
        """Go on to the next event of a breakpoint, or back to the one before."""
        if not self._teller.course.stops.points.enabled:
            raise SessionError("no breakpoint is set; break sets one, as in break queue > 100")
        met = go_on(self._teller.course, forward)
        if met:
            self._teller.say(f"breakpoint: {', '.join(met)}")
            self._teller.here()
        else:
            self._teller.say(nothing("", forward))


class Conversation:
    """Does what is typed, line after line."""

    def __init__(
        self,
        say: Callable[[str], None],
        out: TextIO,
        commands: Callable[[], Commands],
        offered: Callable[[], Sequence[Command]],
    ) -> None:
        """`commands` gives what each word does with the rest of its line, `offered` what help lists."""
        self._say, self._out, self._commands, self._offered = say, out, commands, offered

    def run(self, source: TextIO) -> None:
        """Do what is typed until `q` or the end of the input."""
        for line in self._typed(source):
            try:
                if not self.obey(line):
                    return
            except (SessionError, ScenarioError, Unknown, PolicyError) as error:
                self._say(" ".join(str(error).split()))

    def _typed(self, source: TextIO) -> Iterator[str]:
        while True:
            self._out.write("> ")
            self._out.flush()
            line = source.readline()
            if not line:
                self._say("")
                return
            yield line.strip()

    def obey(self, line: str) -> bool:
        """Do what one line says; whether to go on. Unknown or SessionError where it says nothing known."""
        word, _, rest = line.partition(" ")
        if word in ("q", "quit"):
            return False
        found = self._commands()
        # The name in the console, which refusals give.
        command = found.get("g" if word == "goto" else word)
        if command is None:
            raise Unknown(unknown(word, tuple(dict.fromkeys(it.name for it in self._offered()))))
        command(rest.strip())
        return True

    def help(self) -> None:
        self._say(f"{'Enter':<{USAGE_WIDTH}} one event forward")
        for command in self._offered():
            self._say(f"{command.usage:<{USAGE_WIDTH}} {command.help}")
