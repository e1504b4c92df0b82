"""Looking: which job is selected, how the queue is sorted and filtered, why, details, and the clipboard."""

from console.screens.console.session_screen import SessionScreen
from console.screens.console.typed import SORTS
from console.screens.pages.detail import Detail, EventDetail, JobDetail, MetricsDetail
from console.widgets.events.text import sentence_of, why_text


class Looking(SessionScreen):
    """What the keys of looking do."""

    def select(self, index: int | None) -> None:
        """Choose a job; None follows the head of the queue again."""
        self.selected = index
        self.look()

    def select_job(self, job: int) -> None:
        """Choose a job by its id. SessionError where there is none."""
        self.select(self.session.index_of(job))

    def action_why(self) -> None:
        """Say why the selected job waits, or why it started."""
        text = self._why()
        if text:
            self.show_panel(4)
            self.say(text.splitlines()[0], "text")
        else:
            self.say("nobody waits and nobody runs: there is no job to explain", "warn")

    @property
    def reason(self) -> str:
        """Why the job looked at waits or started; empty where there is none."""
        return self._why()

    def _why(self) -> str:
        choice = self.choice(self.chosen)
        return why_text(choice, self.snapshot.time, self.snapshot.number) if choice is not None else ""

    def action_sort(self) -> None:
        """Sort the queue by the next column."""
        self.sort_by(SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)], False)

    def action_sort_reverse(self) -> None:
        """Turn the order of the queue."""
        self.sort_by(self.sort, not self.reverse)

    def sort_by(self, column: str, reverse: bool) -> None:
        """Sort the queue by a column."""
        self.sort, self.reverse = column, reverse
        self.bring(2)
        self.arrive()
        self.say(f"the queue is sorted by {column}{', reversed' if reverse else ''}")

    def filter_by(self, text: str) -> None:
        """Show only the jobs that match; all of them for an empty text."""
        self.filter = text
        self.arrive()

    def action_copy(self) -> None:
        """Copy what the panel in use says: the row of the queue, else the reasons."""
        text = self._copied()
        self.app.copy_to_clipboard(text)
        self.say(f"copied: {text.splitlines()[0] if text else 'nothing'}", "good")

    def _copied(self) -> str:
        if self.panel == 2:
            return self.queue_line
        event = self.picked_event
        if self.panel == 4 and event is not None and event.number != self.snapshot.number:
            return sentence_of(event)
        return self._why() or sentence_of(event)

    def action_detail(self) -> None:
        """Open everything about what the panel in use shows."""
        detail = self._detail()
        if detail is None:
            self.say("nobody waits and nobody runs: there is no job to open", "warn")
        else:
            self.open_page(detail)

    def _detail(self) -> Detail | None:
        if self.panel == 5:
            return MetricsDetail(self)
        if self.panel == 4 and self.picked_event is not None:
            return EventDetail(self, self.picked_event)
        return None if self.chosen is None else JobDetail(self, self.chosen)
