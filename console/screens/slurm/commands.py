"""What is typed after `:` over a cluster; marks, breakpoints and searches among its events."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from textual.screen import Screen

from shadowtime.console.screens.command_table import CLUSTER, names_of
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.command_line import obey
from shadowtime.console.screens.console.completion import Completion, filled, nothing, one_of, then_file
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.impact.menu import Choice
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.answers import ClusterAnswers
from shadowtime.console.screens.slurm.questions import NEEDS_MORE, questions
from shadowtime.console.screens.slurm.view import ClusterView
from shadowtime.console.session import SessionError
from shadowtime.console.session.course.places import EXPECTED
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm import forecast_of, write_records, write_rows, zone_of
from shadowtime.console.session.slurm.board import (
    CPUS,
    GPUS,
    LISTS,
    PLAN,
    NodeFact,
    Reading,
    RunningRow,
)
from shadowtime.console.session.slurm.impact import ClusterOutlook
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.slurm.map_text import Colouring
from shadowtime.console.widgets.slurm.priority_text import priority_lines
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.console.words.phrases import count

HINT = "10n   goto 14:30   job 31   impact drain n[1-4]   advise 31 by 14:30   help"

CHANGES = frozenset(
    (
        *("hold", "release", "cancel", "drain", "down", "up", "resume", "limit", "nodes"),
        *("suspend", "requeue", "reserve", "unreserve", "partition"),
    )
)
"""Words of an operator of a cluster."""


COLOURINGS = {each.name.lower(): each for each in Colouring}
"""What a map can be by, as it is typed."""


class ClusterCommands:
    """Asks for commands, and does them."""

    def __init__(self, view: ClusterView) -> None:
        self._view = view
        self._answers = ClusterAnswers(view, self._open, self.look)

    def ask(self, begun: str = "", hint: str = HINT) -> None:
        """Ask for a command, which may have been begun."""
        self._view.ask("command", ":", begun, hint, self._completion())

    def menu(self, running: RunningRow | None, node: NodeFact | None) -> None:
        """Show what can be asked about a running job, or the one under the cursor of the plan, and a node."""
        found = questions(self._view.board, self._view.current, running, node)
        self._answers.menu(found, self._take)

    def _take(self, choice: Choice) -> None:
        """Show the impact of what was chosen, or ask for what it needs."""
        if choice.asks:
            self.ask(f"impact {choice.command} ", NEEDS_MORE[choice.command.split()[0]])
        else:
            self._answers.impact(choice.command)

    def outlook(self) -> ClusterOutlook:
        """What is expected of the cluster from where it stands on."""
        return self._answers.outlook()

    def do(self, line: str) -> None:
        """Do what a typed line says; a change of the cluster is not done, but has an impact."""
        words = line.split()
        if words[:1] and (words[0] in CHANGES or (words[0] == "priority" and len(words) > 2)):
            does = f"{self._view.key('command')}impact {line.strip()}"
            self._view.say(f"this console never changes a cluster; {does} shows what it would change", "warn")
            return
        obey(line, self.table(), self._view.say, CLUSTER)

    def _completion(self) -> Completion:
        board = self._view.board
        jobs = tuple(dict.fromkeys(str(row.number) for row in board.rows))
        known = (*jobs, *(name for name in board.running if name not in jobs))
        about = {
            "sort": one_of(*PLAN.orders, *(f"{column} reverse" for column in PLAN.orders)),
            "filter": lambda rest: filled(rest, self.known, PLAN),
            "seek": one_of(*self._view.travel.seeks.sought),
            "job": one_of(*known),
            "why": one_of(*known),
            "priority": one_of(*jobs),
            "advise": one_of(*(f"{job} by " for job in jobs)),
            "node": one_of(*board.places),
            "map": one_of(*COLOURINGS),
            "users": one_of(CPUS, GPUS),
            "break": one_of("start ", "end ", "job ", "closes ", "reservation", "submission", "preempt"),
            "impact": one_of(
                *("hold ", "release ", "cancel ", "drain ", "resume ", "priority ", "limit ", "nodes "),
                *("reserve ", "unreserve ", "requeue ", "partition ", "set "),
            ),
        }
        if not permissions_of(self._view.app).no_writing:
            about["export"] = then_file("plan", *LISTS)
        return Completion({name: about.get(name, nothing) for name in names_of(CLUSTER)})

    def known(self, field: str) -> frozenset[str]:
        """The values of a text of the rows."""
        board = self._view.board
        return PLAN.texts(field, Reading(board, board.now), board.rows)

    def table(self) -> Mapping[str, Callable[[str], None]]:
        """The commands by name; each gets the rest of its line."""
        view = self._view
        return {
            "n": lambda rest: view.travel.steps.forward(_events(rest)),
            "p": lambda rest: view.travel.steps.back(_events(rest)),
            "goto": self._goto,
            "job": self._job,
            "why": self._why,
            "priority": self._priority,
            "expected": lambda rest: view.show_expected(),
            "node": self._node,
            "map": self._map,
            "users": self._users,
            **{name: partial(self._list, name) for name in LISTS},
            "sort": self._sort,
            "filter": lambda rest: view.typed("filter", rest),
            "speed": lambda rest: view.travel.play.set_speed(typed.speed(rest)),
            "play": lambda rest: view.travel.play.toggle(),
            "mark": view.travel.jumps.set_mark,
            "break": view.travel.breakpoints.add,
            "seek": view.travel.seeks.seek,
            "impact": self._answers.impact,
            "advise": self._answers.advise,
            "shorter": lambda rest: self._answers.shorter(),
            "export": self._export,
            "clock": self._clock,
            "help": lambda rest: view.action_help(),
            "quit": lambda rest: view.action_leave(),
        }

    def _open(self, page: Screen[None]) -> None:
        self._view.app.push_screen(page)

    def _goto(self, rest: str) -> None:
        if not rest:
            raise Unknown(f"go where? expected one of {EXPECTED}")
        self._view.travel.jumps.go(rest)

    def _job(self, rest: str) -> None:
        if not rest:
            raise Unknown("which job? expected one such as 31 or 12_3")
        self.look(rest.removeprefix("#"))

    def look(self, name: str) -> None:
        """Select a job, in the plan or among those that run. SessionError if it is in neither."""
        if not (self._view.select_job(name) or self._view.select_running(name)):
            raise SessionError(f"there is no job {name} that waits or runs here")

    def _why(self, rest: str) -> None:
        if rest:
            self._job(rest)
        self._view.action_detail()

    def _priority(self, rest: str) -> None:
        if rest and not self._view.select_job(rest.removeprefix("#")):
            raise SessionError(f"there is no job {rest} that waits here")
        row, board = self._view.current, self._view.board
        if row is None:
            raise SessionError("the priority of which job? expected a waiting job, as in priority 31")
        self._open(Page(f"PRIORITY  job {row.job}", lambda width: list(priority_lines(board, row, width))))

    def _node(self, rest: str) -> None:
        if not rest or not self._view.select_node(rest):
            raise SessionError(f"there is no node {rest!r}" if rest else "which node? expected its name")

    def _map(self, rest: str) -> None:
        if rest and rest not in COLOURINGS:
            raise Unknown(f"there is no map by {rest!r}; expected one of {', '.join(COLOURINGS)}")
        self._view.map_by(COLOURINGS.get(rest))

    def _list(self, name: str, _: str) -> None:
        self._view.show_list(name)

    def _users(self, rest: str) -> None:
        if rest not in ("", CPUS, GPUS):
            raise Unknown(f"users are not sorted by {rest!r}; expected {CPUS} or {GPUS}")
        self._view.show_standing(rest or CPUS)

    def _sort(self, rest: str) -> None:
        self._view.sort_by(Order(PLAN).read(rest))

    def _export(self, rest: str) -> None:
        view = self._view
        refusal = permissions_of(view.app).no_writing
        if refusal:
            raise Unknown(refusal)
        word, _, name = rest.partition(" ")
        kind, force = word.removesuffix("!"), word.endswith("!")
        if kind not in ("plan", *LISTS) or not name.strip():
            ways = ", ".join(("plan", *LISTS))
            raise Unknown(f"{rest!r} is no way out; expected export WHAT FILE, of {ways}")
        path, board = str(Path(name.strip()).expanduser()), view.board
        rows = board.rows if kind == "plan" else LISTS[kind].rows(board)
        try:
            if kind == "plan":
                write_rows(forecast_of(board.capture, board.now), path, caveat, force, view.dates.zone)
            else:
                fields = LISTS[kind].fields
                records = fields.records(Reading(board, board.now), rows)
                write_records(list(fields.exported), records, path, force)
        except OSError as error:
            raise SessionError(f"{path}: {(error.strerror or str(error)).lower()}") from None
        view.say(f"{path}: {count(len(rows), 'row')} of the {'plan' if kind == 'plan' else 'list'}")

    def _clock(self, rest: str) -> None:
        view = self._view
        if rest:
            view.write_in(zone_of(rest))
        at = view.board.now
        view.say(
            f"instants are those of {view.dates.zone_name(at) or 'this machine'}: {view.dates.whole(at)}"
        )


def _events(rest: str) -> int:
    return typed.number(rest, "number of events") if rest else 1
