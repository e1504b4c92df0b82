"""What is typed over a cluster: the line, and what each command does."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from shadowtime.console.clock import KINDS as CLOCKS
from shadowtime.console.screens.command_table import ABSENT_ARGUMENTS, CLUSTER, CLUSTER_VIEWS, names_of
from shadowtime.console.screens.composed.copies import COPIES, Copies
from shadowtime.console.screens.composed.line import TypedLine, obey
from shadowtime.console.screens.composed.panels import CHART
from shadowtime.console.screens.composed.screen import PanelScreen
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
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.impact.menu import MenuLine
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.answers import ClusterAnswers
from shadowtime.console.screens.slurm.charting.comparing import Comparing
from shadowtime.console.screens.slurm.clock import ClusterClock
from shadowtime.console.screens.slurm.exports import WAYS, ClusterExports
from shadowtime.console.screens.slurm.pages import ClusterPages
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.screens.slurm.why import Reasons
from shadowtime.console.session import SessionError
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm import VERBS
from shadowtime.console.session.slurm.board.facts import Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN
from shadowtime.console.session.slurm.board.lists import LISTS
from shadowtime.console.session.slurm.board.running import RunningRow
from shadowtime.console.session.slurm.board.standing import CPUS, GPUS
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.slurm.map_text import Colouring
from shadowtime.console.widgets.slurm.why_text import priority_lines

COLOURINGS = {each.name.lower(): each for each in Colouring}
"""What a map can be by, as it is typed."""

FIND = "/ and user=NAME list the jobs of a user"
"""What leads to a job of which the number is not known."""
SAYS: Mapping[str, str] = {
    "hold": "out of the queue until released",
    "release": "back into the queue",
    "priority": "before all others that wait",
    "limit": "another limit ...",
    "nodes": "another number of nodes ...",
    "partition": "another partition ...",
    "cancel": "gone, and its nodes free",
    "requeue": "off its nodes, to wait again",
    "drain": "no new jobs; running ones run on",
    "resume": "in service again",
    "reserve": "reserved from an instant on ...",
    "unreserve": "its reservation is gone",
    "set": "another value of a parameter ...",
}
"""What each change does."""
NEEDS_MORE: Mapping[str, str] = {
    "limit": "2h   +30m",
    "nodes": "a whole number",
    "partition": "its name; several with commas between them",
    "drain": "n[01-04]   n[01-04] at 18:00; resume n[01-04] at 22:00",
    "reserve": "tomorrow 18:00 4h",
    "set": "bf_max_job_user=3",
}
"""What is typed behind a change, if it needs more than what it is about."""


class ClusterConsole(PanelScreen):
    """The console over a cluster, with the parts that commands are about."""

    captures: Captures
    picture: ClusterPicture
    reasons: Reasons
    pages: ClusterPages
    answers: ClusterAnswers
    travel: ClusterTravel
    comparing: Comparing
    copies: Copies
    exports: ClusterExports
    clocks: ClusterClock
    themes: Themes


class ClusterCommands:
    """Does what is typed after `:`."""

    def __init__(self, screen: ClusterConsole) -> None:
        self._screen = screen

    def do(self, line: str) -> None:
        """Do what a typed line says; a change of the cluster is not done, but has an impact."""
        if line.split()[:1] and line.split()[0] in VERBS:
            does = f"{self._screen.key('command')}impact {line.strip()}"
            self._screen.say(
                f"this console never changes a cluster; {does} shows what it would change", "warn"
            )
            return
        obey(line, self.table(), self._screen.say, CLUSTER)

    def menu(self) -> None:
        """Show what can be asked about what is under the cursor: what a change of it would do."""
        board, picture = self._screen.captures.board, self._screen.picture
        self._screen.answers.menu(questions(board, picture.plan.current, *picture.asked), self._take)

    def _take(self, choice: MenuLine) -> None:
        """Show the impact of what was chosen, or ask for what it needs."""
        if choice.asks:
            self._screen.ask_command(f"impact {choice.command} ", NEEDS_MORE[choice.command.split()[0]])
        else:
            self._screen.answers.impact(choice.command)

    def table(self) -> Mapping[str, Callable[[str], None]]:
        """The commands by name; each gets the rest of its line."""
        screen, travel = self._screen, self._screen.travel
        return {
            "n": lambda rest: travel.steps.forward(typed.repeats(rest, "number of events")),
            "p": lambda rest: travel.steps.back(typed.repeats(rest, "number of events")),
            "goto": screen.travel.jumps.go,
            "job": self._job,
            "why": self._why,
            "factors": self._factors,
            "expected": lambda rest: screen.reasons.show_expected(),
            "node": self._node,
            "map": self._map,
            "view": self._view_of,
            "users": self._users,
            **{name: partial(self._list, name) for name in LISTS},
            "sort": self._sort,
            "filter": screen.picture.filter_by,
            "speed": lambda rest: travel.play.set_speed(typed.speed(rest)),
            "play": lambda rest: screen.captures.play(),
            "mark": travel.jumps.set_mark,
            "break": travel.breakpoints.add,
            "seek": travel.seeks.seek,
            "compare": screen.comparing.compare,
            "whatif": screen.comparing.whatif,
            "impact": screen.answers.impact,
            "advise": screen.answers.advise,
            "shorter": lambda rest: screen.answers.shorter(),
            "export": screen.exports.export,
            "save": screen.exports.save,
            "save!": lambda rest: screen.exports.save(rest, over=True),
            "report": screen.exports.report,
            "report!": lambda rest: screen.exports.report(rest, over=True),
            "copy": screen.copies.copy,
            "clock": screen.clocks.choose,
            "theme": screen.themes.choose,
            "train": lambda rest: open_training(screen, rest),
            "help": lambda rest: screen.open_help(),
            "quit": lambda rest: screen.leave(),
        }

    def _job(self, rest: str) -> None:
        if not rest:
            raise Unknown("which job? expected one such as 31 or 12_3")
        self.look(rest.removeprefix("#"))

    def look(self, name: str) -> None:
        """Select a job, in the plan or among those that run. SessionError if it is in neither."""
        picture = self._screen.picture
        if not (picture.select_job(name) or picture.select_running(name)):
            raise SessionError(f"there is no job {name} that waits or runs here; {FIND}")

    def _why(self, rest: str) -> None:
        if rest:
            self._job(rest)
        self._screen.pages.detail()

    def _factors(self, rest: str) -> None:
        picture, board = self._screen.picture, self._screen.captures.board
        if rest and not picture.select_job(rest.removeprefix("#")):
            raise SessionError(f"there is no job {rest} that waits here; {FIND}")
        row = picture.plan.current
        if row is None:
            raise SessionError("the factors of which job? expected a waiting job, as in factors 31")
        self._screen.open_page(
            Page(f"PRIORITY  job {row.job}", lambda width: list(priority_lines(board, row, width)))
        )

    def _node(self, rest: str) -> None:
        """Select a node, and show all about it."""
        if not rest or not self._screen.picture.select_node(rest):
            wrong = f"there is no node {rest!r}" if rest else "which node?"
            raise SessionError(f"{wrong}; expected a name of the list of nodes")
        self._screen.pages.detail()

    def _map(self, rest: str) -> None:
        if rest and rest not in COLOURINGS:
            raise Unknown(f"there is no map by {rest!r}; expected one of {', '.join(COLOURINGS)}")
        self._screen.picture.map_by(COLOURINGS.get(rest))

    def _list(self, name: str, _: str) -> None:
        self._screen.pages.list(name)

    def _users(self, rest: str) -> None:
        if rest not in ("", CPUS, GPUS):
            raise Unknown(f"users are not sorted by {rest!r}; expected {CPUS} or {GPUS}")
        self._screen.pages.standing(rest or CPUS)

    def _view_of(self, rest: str) -> None:
        if rest not in CLUSTER_VIEWS:
            begun = f"{rest!r} is no view of a cluster;" if rest else "which view?"
            expected = f"expected one of {', '.join(CLUSTER_VIEWS)}"
            raise Unknown(f"{begun} {ABSENT_ARGUMENTS.get(rest, expected)}")
        if rest == "users":
            self._users("")
        else:
            self._screen.picture.choose(CHART)

    def _sort(self, rest: str) -> None:
        self._screen.picture.plan.sort_by(Order(PLAN).read(rest))


def questions(
    board: Board, row: PlanRow | None, running: RunningRow | None, node: NodeFact | None
) -> list[MenuLine]:
    """Return what can be asked about a waiting job, a running one, a node, and the cluster."""
    found = [] if node is None else list(_on_node(board, node))
    if running is not None:
        found += (_about(do, str(running.number)) for do in ("cancel", "requeue", "limit"))
    elif row is not None:
        found += _on_waiting(board, row)
    return [*found, *(_about(do, "") for do in (*(() if node else ("drain",)), "set"))]


def _on_waiting(board: Board, row: PlanRow) -> Iterator[MenuLine]:
    number = str(row.number)
    waiting = [job for job in board.capture.jobs if job.waiting]
    if row.priority:
        yield _about("hold", number)
        highest = max((job.priority for job in waiting), default=0)
        yield MenuLine(f"priority {number} {highest + 1}", SAYS["priority"])
    else:
        yield _about("release", number)
    yield _about("cancel", number)
    yield _about("limit", number)
    if row.least > 1:
        yield _about("nodes", number)
    if len(board.capture.partitions) > 1:
        yield _about("partition", number)


def _on_node(board: Board, node: NodeFact) -> Iterator[MenuLine]:
    up = next(each.up for each in board.capture.nodes if each.name == node.name)
    yield _about("drain" if up else "resume", node.name)
    yield _about("reserve", node.name, asks=True)
    for each in board.capture.reservations:
        if node.name in each.nodes and each.end > board.now:
            yield _about("unreserve", each.name)


def _about(do: str, subject: str, asks: bool = False) -> MenuLine:
    asks = asks or not subject or do in ("limit", "nodes", "partition")
    return MenuLine(f"{do} {subject}".strip(), SAYS[do], asks=asks)


class ClusterLine(TypedLine):
    """The line of a console over a cluster."""

    hint = "10n   goto 14:30   job 31   impact drain n[1-4] at 18:00   advise 31 by 14:30   help"
    filters = "user=ada partition=batch starts<1h size>8 gpus>0 id=17"

    def __init__(self, prompt: Prompt, screen: ClusterConsole, command: Callable[[str], None]) -> None:
        super().__init__(prompt, screen.panels, screen.pause, command)
        self._screen = screen

    @property
    def filter(self) -> str:
        return self._screen.picture.plan.filter

    def filter_by(self, text: str) -> None:
        try:
            self._screen.picture.filter_by(text)
        except SessionError as error:
            self._screen.say(str(error), "warn")

    def go(self, text: str) -> None:
        self._screen.travel.jumps.go(text)

    def suggester(self) -> FilterCompletion:
        return FilterCompletion(self._known, PLAN)

    def remark(self, question: str, text: str) -> None:
        if question == "filter":
            self._prompt.remark(fault_of(text, PLAN, self._screen.picture.reading.clock), "warn")

    def completion(self) -> Completion:
        board = self._screen.captures.board
        jobs = tuple(dict.fromkeys(str(row.number) for row in board.rows))
        known = (*jobs, *(name for name in board.running if name not in jobs))
        about = {
            "sort": one_of(*PLAN.orders, *(f"{column} reverse" for column in PLAN.orders)),
            "filter": lambda rest: filled(rest, self._known, PLAN),
            "seek": one_of(*self._screen.travel.seeks.sought),
            "job": one_of(*known),
            "why": one_of(*known),
            "factors": one_of(*jobs),
            "advise": one_of(*(f"{job} by " for job in jobs)),
            "node": one_of(*board.places),
            "map": one_of(*COLOURINGS),
            "users": one_of(CPUS, GPUS),
            "view": one_of(*CLUSTER_VIEWS),
            "clock": one_of(*CLOCKS),
            "theme": one_of(*self._screen.themes.names),
            "copy": one_of(*COPIES),
            "break": one_of("start ", "end ", "job ", "closes ", "reservation", "submission", "preempt"),
            "impact": one_of(*(f"{verb} " for verb in VERBS)),
        }
        if not permissions_of(self._screen.app).no_writing:
            about |= {"export": then_file(*WAYS), "copy": then_file(*COPIES)}
            about |= {"report": files, "report!": files}
        return Completion({name: about.get(name, nothing) for name in names_of(CLUSTER)})

    def _known(self, field: str) -> frozenset[str]:
        reading = self._screen.picture.reading
        return PLAN.texts(field, reading, reading.board.rows)
