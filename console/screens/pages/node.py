"""The page of a node: a worker finds its course; the jobs on it can be opened, its neighbours looked at."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.pages.detail import Detail, JobDetail, Step
from shadowtime.console.screens.pages.node_text import Named, NodeText, node_text, node_title
from shadowtime.console.session.nodes.course import NodeCourse, NodeWork
from shadowtime.console.session.nodes.lists import units_of
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.words.phrases import so_far


class NodePage(Detail):
    """One node: present, future, past. Up and Down choose a job, Enter opens it; Left, Right: other nodes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the body below, which would scroll.
        Binding("up", "choose(-1)", show=False, priority=True),
        Binding("down", "choose(1)", show=False, priority=True),
        Binding("left", "node(-1)", show=False),
        Binding("right", "node(1)", show=False),
        Binding("enter", "job", "open the job", id="detail", priority=True),
    ]
    KEYS = (
        ("escape", "back"),
        ("detail", "the job"),
        ("←→", "next node"),
        ("copy", "copy"),
        ("forward", "step"),
        ("back", "step back"),
    )

    def __init__(self, desk: Desk, step: Step, node: int) -> None:
        """SessionError if there is no such node."""
        self.node = node
        self._work = NodeWork(desk.session.run, node)
        self._course: NodeCourse | None = None
        self._text = NodeText()
        self._place = 0
        self._fault = ""
        super().__init__(desk, step, self._title_of(desk, node), self._lines)

    @staticmethod
    def _title_of(desk: Desk, node: int) -> str:
        size = desk.case.scenario.machine.node_size
        return node_title(node, units_of(node, size) if size > 1 else None)

    def on_mount(self) -> None:
        super().on_mount()
        self._begin(self._work)

    def moved(self) -> None:
        if not self.desk.busy:
            self._begin(NodeWork(self.desk.session.run, self.node, self._work))

    def _begin(self, work: NodeWork) -> None:
        self._work = work
        self.do(work, self._take)

    def _take(self, found: NodeCourse | None, fault: str) -> None:
        self._course, self._fault = found, fault

    def _about(self, index: int) -> Named:
        columns = self.desk.case.columns
        return Named(columns.id[index], columns.user[index], columns.size[index])

    def _lines(self, width: int) -> Sequence[Line]:
        if self._fault:
            return [[(self._fault, "warn")]]
        if self._course is None:
            return [[(f"looking back and ahead ...{so_far(self._share)}   Esc breaks it off", "dim")]]
        text = self._text = node_text(self._course, self._about, width - 2, self.desk.clock)
        jobs = list(text.jobs)
        self._place = min(self._place, max(0, len(jobs) - 1))
        chosen = jobs[self._place] if jobs else -1
        return [[("> " if at == chosen else "  ", "key"), *line] for at, line in enumerate(text.lines)]

    def action_choose(self, lines: int) -> None:
        """Put the cursor on another job; where there is no further one the lines scroll."""
        jobs = list(self._text.jobs)
        before = self._place
        self._place = min(max(0, self._place + lines), max(0, len(jobs) - 1))
        self.freshen()
        if jobs and self._place != before:
            self._body.keep_in_sight(jobs[self._place])
        else:
            self._body.action_move(lines)

    def action_job(self) -> None:
        """Open everything about the job under the cursor; without a job go back."""
        jobs = list(self._text.jobs.values())
        if not jobs:
            self.dismiss()
        else:
            self.app.push_screen(JobDetail(self.desk, self._step, jobs[self._place]))

    def action_node(self, step: int) -> None:
        count = self.desk.case.scenario.machine.nodes
        node = min(max(0, self.node + step), count - 1)
        if node == self.node or self.desk.busy:
            return
        self.node, self._course, self._place, self._share = node, None, 0, 0.0
        self.entitle(self._title_of(self.desk, node))
        self._begin(NodeWork(self.desk.session.run, node))
        self.freshen()
