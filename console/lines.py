"""Line mode: the console without a screen. One event, one line; what was decided and why stands below it.

For screen readers, for terminals that cannot draw, and for pipes: whoever does not type gets the whole story.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

import attrs

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.moving_lines import Conversation, MovingLines
from shadowtime.console.screens.command_table import LINES, Command, commands_of
from shadowtime.console.screens.console.typed import Unknown, number
from shadowtime.console.screens.pages.node_text import Named, node_text
from shadowtime.console.screens.pages.users_text import users_table
from shadowtime.console.session import (
    Case,
    Event,
    Metrics,
    Row,
    Session,
    SessionError,
    open_session,
)
from shadowtime.console.session.jobs.fields import QUEUE as JOBS
from shadowtime.console.session.jobs.users import USAGE, UsageWork
from shadowtime.console.session.nodes.course import NodeWork
from shadowtime.console.session.permissions import ALL, READ_ONLY, Permissions
from shadowtime.console.session.table.filtering import asked
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.steering_lines import LineSteering
from shadowtime.console.widgets.events.text import ChosenJob, why_text
from shadowtime.console.widgets.frame.ink import plain, printable
from shadowtime.console.widgets.metrics.text import PREEMPTION
from shadowtime.console.words import likely
from shadowtime.console.words.likely_change import lanes_verdict

if TYPE_CHECKING:
    from shadowtime.console.session.comparison.contrast import Contrast
    from shadowtime.console.session.comparison.lane_figures import LaneFigures

SMALL = 100
"""Jobs up to which the whole story is printed to somebody who does not type."""
BEGINNING = 40
"""Events that are printed of a longer one."""
QUEUE = 20
"""Lines of the queue that `queue` prints at most."""
WIDTH = 110
"""Cells of the tables of `compare`."""
EVER = 10**18


def tell(
    case: Case,
    at: str | None = None,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    interactive: bool | None = None,
    permissions: Permissions = ALL,
    calendar: bool = False,
) -> int:
    """Tell a case in lines, from a place as it is typed. Returns the exit code.

    `interactive`: ask for commands; without it the whole story is printed, or the beginning of a long one and
    how it ends. By default a terminal is asked. SessionError where `at` is no place.
    """
    source = sys.stdin if stdin is None else stdin
    out = sys.stdout if stdout is None else stdout
    teller = Teller(open_session(case), out, permissions, calendar)
    # Without a standard input nobody types.
    asked = source is not None and (source.isatty() and out.isatty() if interactive is None else interactive)
    if at is not None:
        # A place that is none is an error before anything is printed.
        teller.session.go(at, teller.written)
    teller.head()
    if at is not None:
        teller.here()
    if asked:
        teller.converse(source)
    else:
        teller.story()
    return 0


class Teller:
    """A session, printed to a stream of text."""

    def __init__(
        self, session: Session, out: TextIO, permissions: Permissions = ALL, calendar: bool = False
    ) -> None:
        self.session = session
        self._unit = words.unit_of(
            session.case.scenario.machine, Clock(session.case.scenario.epoch, calendar)
        )
        self._out = out
        self._permissions = permissions
        self._steering = LineSteering(self, permissions)
        self._moving = MovingLines(self)
        self._conversation = Conversation(self.say, out, self.commands, self.offered)
        self._told: dict[int, str] = {}
        self._noted = -EVER

    @property
    def written(self) -> Clock:
        return self._unit.clock

    def say(self, line: str = "") -> None:
        self._out.write(printable(line) + "\n")

    def head(self) -> None:
        """What is printed first: the scenario, its machine and its policy."""
        case = self.session.case
        self.say(case.scenario.title)
        if case.scenario.paper:
            self.say(case.scenario.paper)
        jobs = words.count(len(case.jobs), "job")
        self.say(
            f"{self._unit.sized(case.nodes)}, {jobs}, policy {words.policy_name(case.policy, case.name)}"
        )
        workload = case.scenario.workload
        for line in words.reading(workload.dropped, workload.dropped_lines, workload.notes):
            self.say(line)
        self.say()

    # Without somebody who types.

    def story(self) -> None:
        """Everything that happens, or the beginning of a long story and how it ends."""
        small = len(self.session.case.jobs) <= SMALL
        self._notes()
        while not self.session.over and (small or self.session.number < BEGINNING):
            self._moving.forward(1)
        if not self.session.over:
            self.say(f"... and so on; `shadowtime run` prints the figures of {self._path} alone.")
            self.session.go_end()
        self.say()
        self.metrics()

    @property
    def _path(self) -> str:
        path = self.session.case.scenario.path
        return path.name if path else "it"

    # With somebody who types.

    def converse(self, source: TextIO) -> None:
        """Do what is typed, line after line, until `q` or the end of the input."""
        self._notes()
        mode = f"{READ_ONLY}: nothing can be acted on or saved. " if self._permissions.read_only else ""
        self.say(f"{mode}Enter is the next event; help lists the commands.")
        self._conversation.run(source)

    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """The commands by name, but for `quit`; each gets the rest of its line."""
        return {
            **self._moving.commands(),
            "why": lambda rest: self.why(number(rest, "job")),
            "node": lambda rest: self.node(number(rest, "node")),
            "users": lambda rest: self.users(),
            "queue": lambda rest: self.matching(rest) if rest else self.queue(),
            "gangster": lambda rest: self.gangster(),
            "metrics": lambda rest: self.metrics(),
            **self._steering.commands(),
            "policy": self.policy,
            "compare": self.compare,
            "whatif": self.whatif,
            "note": lambda rest: self._all_notes(),
            "clock": self.clock,
            "help": lambda rest: self._conversation.help(),
        }

    @property
    def course(self) -> Session:
        return self.session

    @property
    def read(self) -> Clock:
        return self._unit.clock

    def jumped(self) -> None:
        """Reasons to wait are printed anew."""
        self._told.clear()

    def here(self) -> None:
        """The event at which the session stands, what it decided, and for whom the reason to wait changed."""
        event = self.session.snapshot().last
        if event is None:
            self.say(f"before the first event, {self._unit.instant(self.session.time)}")
            return
        self._notes()
        when = self._unit.instant(event.time)
        self.say(f"{event.number:>6,}  {when}  {words.occurred(event)}{self._about(event)}")
        for made in event.decisions:
            self.say(f"{'':>8}{words.decision(made, self._unit)}")
        if event.kind == "pass":
            self._reasons()

    def _about(self, event: Event) -> str:
        if event.kind == "pass":
            return "" if event.decisions else ": nothing starts"
        if event.kind != "submit" or event.job is None:
            return ""
        row = self.session.row(self.session.index_of(event.job))
        return f": {self._unit.sized(row.size)}, estimate {words.duration(row.estimate)}"

    def _reasons(self) -> None:
        """Why each job waits, where that is another reason than was printed before."""
        for row in self._waiting(SMALL):
            if row.reason is not None and self._told.get(row.index) != row.reason.code:
                self._told[row.index] = row.reason.code
                self.say(f"{'':>8}{words.waits(row.id, row.reason, self._unit)}")

    def _waiting(self, most: int) -> Sequence[Row]:
        """Who waits, and who holds nodes and does not run."""
        snapshot = self.session.snapshot()
        return self.session.rows(snapshot.idle, 0, most)

    def _notes(self) -> None:
        """The notes of the story that the clock has come to since they were last printed."""
        now, number = self.session.time, self.session.number
        first = max(1, number - words.LINGERS)
        for note in self.session.notes(self._noted, now):
            recent = self.session.events(first, number - first + 1)
            heading = words.heading(note, words.fresh(note, recent, now), self._unit.clock)
            self.say(f"        {heading}: {' '.join(note.text.split())}")
        self._noted = max(self._noted, now)

    def _all_notes(self) -> None:
        notes = self.session.notes(-EVER, self.session.time)
        lines = [words.dated(note, self._unit.clock) for note in notes]
        for line in lines or ("no notes so far",):
            self.say(line)

    def offered(self) -> Sequence[Command]:
        return commands_of(LINES)

    def clock(self, kind: str) -> None:
        """Write instants by another clock; show which is in force. SessionError if there is no such clock."""
        try:
            clock = self._unit.clock.turned(kind) if kind else self._unit.clock
        except ValueError as error:
            raise SessionError(str(error)) from None
        self._unit = attrs.evolve(self._unit, clock=clock)
        self.say(clock.described)

    def _forecast(self) -> None:
        self.session.predict()
        self.session.forecasts.find_likely()

    def why(self, job: int) -> None:
        """Why a job waits or started, and when it is expected. SessionError where there is none."""
        self._forecast()
        choice = ChosenJob.asked(self.session, job)
        text = why_text(choice, self.session.time, self.session.number, self._unit)
        for line in text.splitlines():
            self.say(line)

    def node(self, node: int) -> None:
        """Who is on a node, who was, who is expected there; when it is free. SessionError: no such node."""
        self.session.predict()
        columns, found = self.session.case.columns, NodeWork(self.session.run, node).run()
        if found is not None:

            def about(index: int) -> Named:
                return Named(columns.id[index], columns.user[index], columns.size[index])

            for line in node_text(found, about, WIDTH, self.written).lines:
                self.say(plain(line).rstrip())

    def users(self) -> None:
        """Users and classes, who holds most first."""
        found = UsageWork(self.session.run).run()
        assert found is not None
        for klass, shares in ((False, found.users), (True, found.classes)):
            table = users_table(found, shares, klass, self._unit, WIDTH, Order(USAGE))
            self.say(plain(table.heading()).rstrip())
            for share in shares:
                self.say(plain(table.line(share)).rstrip())

    def queue(self) -> None:
        """Who waits, with the predicted starts and the reasons, and who runs."""
        self._forecast()
        snapshot = self.session.snapshot()
        for row in self._waiting(QUEUE):
            self.say(_in_queue(row, snapshot.time, self._unit))
        waiting = len(snapshot.waiting) + len(snapshot.holding)
        if waiting > QUEUE:
            self.say(f"and {waiting - QUEUE} more wait")
        for row in self.session.rows(snapshot.running, 0, QUEUE):
            self.say(f"{words.standing(row, self._unit)}, on {self._unit.sized(row.size)}")
        if len(snapshot.running) > QUEUE:
            self.say(f"and {len(snapshot.running) - QUEUE} more run")
        self.say(f"{self._unit.sized(snapshot.free)} of {snapshot.nodes:,} free")
        for line in likely.record_words(self.session.forecasts.likely):
            self.say(line)
        if self.session.failure:
            self.say(self.session.failure)

    def matching(self, wanted: str) -> None:
        """Print the jobs that a filter of the queue matches, by their predicted starts."""
        self._forecast()
        snapshot = self.session.snapshot()
        self.session.forecasts.find(asked(wanted, JOBS))
        found = self.session.order("starts", text=wanted)
        idle = frozenset(snapshot.idle)
        for row in self.session.rows(found, 0, SMALL):
            if row.index in idle:
                self.say(_in_queue(row, snapshot.time, self._unit))
            else:
                self.say(f"{words.standing(row, self._unit)}, on {self._unit.sized(row.size)}")
        if len(found) > SMALL:
            self.say(f"and {len(found) - SMALL} more match")
        elif not found:
            self.say(f"no job matches {wanted!r}")
        if self.session.failure:
            self.say(self.session.failure)

    def gangster(self) -> None:
        """The map of a torus and a summary of its jobs: all that hold nodes, then the first that wait."""
        from shadowtime.console.widgets.metrics.gangster_text import GangsterJob, bases, gangster, listed
        from shadowtime.console.widgets.nodemap.torus_layout import Torus

        machine, snapshot = self.session.case.scenario.machine, self.session.snapshot()
        torus = Torus.of(machine)
        if torus is None:
            raise Unknown("gangster draws a torus, and this machine is flat; expected a machine with a torus")
        owners = memoryview(snapshot.owners).cast("i")
        holders = dict.fromkeys((*snapshot.running, *snapshot.holding))
        waiting = [index for index in snapshot.waiting if index not in holders]
        found, shown = bases(owners), (*holders, *waiting[:QUEUE])
        rows = self.session.rows(shown, 0, len(shown))
        jobs = listed(GangsterJob.of(row, snapshot.time, found.get(row.index)) for row in rows)
        for line in gangster(torus, owners, jobs):
            self.say(line)
        if len(waiting) > QUEUE:
            self.say(f"and {len(waiting) - QUEUE} more wait")

    def compare(self, rest: str) -> None:
        """This instant under several policies, side by side. SessionError for what is none."""
        self._contrasted(self._contrast.standings(self.session, rest))

    def whatif(self, rest: str) -> None:
        """This run beside one in which something is done now. SessionError for what cannot be done."""
        if not rest:
            raise Unknown(words.WHAT_IF)
        self._contrasted(self._contrast.whatif(self.session, rest))

    @cached_property
    def _contrast(self) -> "Contrast":
        # Imported late, here and below: most sessions compare nothing, and few machines are a torus.
        from shadowtime.console.session.comparison.contrast import Contrast

        return Contrast()

    def _contrasted(self, found: "LaneFigures") -> None:
        from shadowtime.console.widgets.compare.text import summary

        for line in summary(found, WIDTH):
            self.say(plain(line).rstrip())
        odds = self._contrast.odds(found)
        if odds is not None:
            self.say(lanes_verdict(odds, found.names, found.clock))

    def policy(self, rest: str = "") -> None:
        """What the policy goes by now, fact by fact; or another one in force."""
        if rest:
            self._steering.act(f"policy {rest}")
            return
        case, snapshot = self.session.case, self.session.snapshot()
        began = (case.policy, case.parameters)
        self.say(f"policy: {words.in_force(began, case.name, snapshot.policy, snapshot.parameters)}")
        for label, fact in words.status(snapshot.status, snapshot.time, snapshot.nodes, self._unit):
            self.say(f"{label}: {fact}")

    def metrics(self) -> None:
        snapshot = self.session.snapshot()
        found = snapshot.metrics
        over = f"{snapshot.finished:,} of {words.count(snapshot.jobs, 'job')} over"
        running, waiting = len(snapshot.running), len(snapshot.waiting)
        self.say(f"{self._unit.instant(snapshot.time)}: {over}, {running:,} running, {waiting:,} waiting")
        shown: list[tuple[str, str | None]] = [
            ("utilization", None if found.utilization is None else words.per_cent(found.utilization)),
            ("mean wait", None if found.mean_wait is None else words.duration(found.mean_wait)),
            ("mean response", None if found.mean_response is None else words.duration(found.mean_response)),
            (
                "mean bounded slowdown",
                None if found.mean_bounded_slowdown is None else f"{found.mean_bounded_slowdown:.2f}",
            ),
            *_preemption(found, self._unit),
        ]
        self.say(
            ", ".join(f"{name} {value}" for name, value in shown if value is not None)
            or "no job has ended yet"
        )


def _in_queue(row: Row, now: int, unit: words.Unit) -> str:
    """One job that waits or holds its nodes, in one line."""
    waits = f"waits {words.duration(row.wait)}{'' if row.start is None else ' in all'}"
    if row.state == "W" and "wire" not in row.terms:
        waits = f"holds its {unit.several}"
    parts = [f"job {row.id}", unit.sized(row.size), waits]
    if row.predicted is not None:
        verb = "starts" if row.start is None else "resumes"
        parts.append(f"{verb} {unit.instant(row.predicted.time)} {row.predicted.promise}")
    if row.likely is not None:
        parts.append(likely.odds(row.likely, now, unit.clock))
    deadline = row.terms.get("deadline")
    if isinstance(deadline, int):
        parts.append(f"by {unit.instant(deadline)} at the latest")
    parts += [made for made in [words.progress(row.terms)] if made]
    return f"{', '.join(parts)}: {words.brief(row.reason, now, unit)}"


def _preemption(found: Metrics, unit: words.Unit) -> list[tuple[str, str | None]]:
    if not found.preempt_ratio:
        return []
    return [(unit.fill(measure.long), measure.text(found, unit)) for measure in PREEMPTION]
