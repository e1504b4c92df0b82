"""The line over a cluster: what the operator types after `:`, `/` and `g`."""

from collections.abc import Callable

from shadowtime.console.clock import KINDS as CLOCKS
from shadowtime.console.screens.command_table import CLUSTER, CLUSTER_VIEWS, names_of
from shadowtime.console.screens.composed.copies import COPIES
from shadowtime.console.screens.composed.line import TypedLine
from shadowtime.console.screens.console.completion import (
    Completion,
    FilterCompletion,
    files,
    filled,
    nothing,
    one_of,
    then_file,
)
from shadowtime.console.screens.slurm.commands import COLOURINGS
from shadowtime.console.screens.slurm.exports import WAYS
from shadowtime.console.screens.slurm.parts import ClusterParts
from shadowtime.console.session import SessionError
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm import VERBS
from shadowtime.console.session.slurm.board.fields import PLAN
from shadowtime.console.session.slurm.board.standing import CPUS, GPUS
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.widgets.frame.prompt import Prompt


class ClusterLine(TypedLine):
    """The line of a console over a cluster."""

    hint = "10n   goto 14:30   job 31   impact drain n[1-4]   advise 31 by 14:30   help"
    filters = "user=ada partition=batch starts<1h size>8 gpus>0 id=17"

    def __init__(self, prompt: Prompt, parts: ClusterParts, command: Callable[[str], None]) -> None:
        super().__init__(prompt, parts.picture.panels, parts.view.pause, command)
        self._parts = parts

    @property
    def filter(self) -> str:
        return self._parts.picture.plan.filter

    def filter_by(self, text: str) -> None:
        try:
            self._parts.picture.filter_by(text)
        except SessionError as error:
            self._parts.view.say(str(error), "warn")

    def go(self, text: str) -> None:
        self._parts.travel.jumps.go(text)

    def suggester(self) -> FilterCompletion:
        return FilterCompletion(self._known, PLAN)

    def remark(self, question: str, text: str) -> None:
        if question == "filter":
            self._prompt.remark(fault_of(text, PLAN, self._parts.picture.reading.clock), "warn")

    def completion(self) -> Completion:
        board = self._parts.captures.board
        jobs = tuple(dict.fromkeys(str(row.number) for row in board.rows))
        known = (*jobs, *(name for name in board.running if name not in jobs))
        about = {
            "sort": one_of(*PLAN.orders, *(f"{column} reverse" for column in PLAN.orders)),
            "filter": lambda rest: filled(rest, self._known, PLAN),
            "seek": one_of(*self._parts.travel.seeks.sought),
            "job": one_of(*known),
            "why": one_of(*known),
            "factors": one_of(*jobs),
            "advise": one_of(*(f"{job} by " for job in jobs)),
            "node": one_of(*board.places),
            "map": one_of(*COLOURINGS),
            "users": one_of(CPUS, GPUS),
            "view": one_of(*CLUSTER_VIEWS),
            "clock": one_of(*CLOCKS),
            "theme": one_of(*self._parts.themes.names),
            "copy": one_of(*COPIES),
            "break": one_of("start ", "end ", "job ", "closes ", "reservation", "submission", "preempt"),
            "impact": one_of(*(f"{verb} " for verb in VERBS)),
        }
        if not permissions_of(self._parts.view.app).no_writing:
            about |= {"export": then_file(*WAYS), "copy": then_file(*COPIES)}
            about |= {"report": files, "report!": files}
        return Completion({name: about.get(name, nothing) for name in names_of(CLUSTER)})

    def _known(self, field: str) -> frozenset[str]:
        reading = self._parts.picture.reading
        return PLAN.texts(field, reading, reading.board.rows)
