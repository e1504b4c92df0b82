"""Ways out of the console: files for other programs, a report for a meeting, and a picture."""

import re
from pathlib import Path

import attrs

from shadowtime.console.screens.composed.background_file import BackgroundFile
from shadowtime.console.screens.composed.copies import fault_of, path_of, refuse_writing, save_picture
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import PolicyError, Session, SessionError
from shadowtime.console.session.comparison.lanes import by_clock
from shadowtime.console.session.errors import failure
from shadowtime.console.session.files.exports import WAYS, Export
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.likely.writing import write_starts
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.machine import machine_report, rival_of, window_of
from shadowtime.console.widgets.report.machine import machine_page

PICTURE, QUEUE = "svg", "queue"
KINDS = (PICTURE, QUEUE, *WAYS)
"""What `:export` writes."""
_TYPED = re.compile(r"(?P<file>.*?)(?:\s+from\s+(?P<since>.+?))?(?:\s+until\s+(?P<until>.+))?")


class Exports:
    """Writes files and pictures."""

    def __init__(self, view: TravelView, session: Session) -> None:
        self._view = view
        self._session = session
        self.writing = BackgroundFile(view)

    def export(self, rest: str) -> None:
        """Write a file, in a worker: over one that is there if the kind ends in `!`.

        Unknown: what is no kind, a missing name, a file that is there.
        """
        refuse_writing(self._view)
        word, _, name = rest.partition(" ")
        kind, over = word.removesuffix("!"), word.endswith("!")
        if kind not in KINDS:
            begun = f"{kind!r} is no way out;" if kind else "export what?"
            raise Unknown(f"{begun} expected one of {', '.join(KINDS)}")
        path = path_of(name, f"export {kind}")
        self._refuse(path, "" if over else f"export {kind}!")
        if kind == PICTURE:
            save_picture(self._view, path, self._session.case.scenario.title)
            return
        if kind == QUEUE:
            self._queue(path)
            return
        self.writing.begin(Export(self._session, kind, path))

    def report(self, rest: str, over: bool = False) -> None:
        """Write a report for a meeting, in a worker. Unknown, SessionError: a wrong window, a file there."""
        refuse_writing(self._view)
        file = ReportFile(self._session, rest)
        self._refuse(file.path, "" if over else "report!")
        self.writing.begin(file)

    def _refuse(self, path: Path, over: str) -> None:
        """Refuse a path that must not be written to; `over` is the command that writes over a file."""
        if self._simulated(path):
            raise Unknown(f"{path} is what is simulated; expected another file to write to")
        if over and path.is_file():
            raise Unknown(f"{path} is there already; {over} writes over it")
        self.writing.refuse_second()

    def _simulated(self, path: Path) -> bool:
        """Whether a path leads to the scenario's own file, to its log or to where the session is saved."""
        scenario = self._session.case.scenario
        own = (scenario.path, scenario.log, self._session.operator.saved_to)
        return path.exists() and any(
            each is not None and each.exists() and path.samefile(each) for each in own
        )

    def _queue(self, path: Path) -> None:
        """Write who waits, with the starts as far as they are known by now."""
        waiting = self._session.snapshot().waiting
        try:
            write_starts(self._session.rows(waiting, 0, len(waiting)), str(path), force=True)
        except OSError as error:
            self._view.say(fault_of(error), "warn")
        else:
            self._view.say(f"wrote {path}", "good")


class ReportFile:
    """A report of a session with what the operator did; `run` may be called in any thread."""

    remark = ""

    def __init__(self, session: Session, typed: str) -> None:
        """`typed` is `FILE [from PLACE] [until PLACE]`. Unknown; SessionError for a window without jobs."""
        found = _TYPED.fullmatch(typed.strip())
        assert found is not None
        self.path: Path = path_of(found["file"], "report")
        self._case, self._rival = session.case, rival_of(by_clock(session))
        self._clock = attrs.evolve(session.clock, calendar=True)
        self._window = window_of(self._case, found["since"], found["until"], self._clock)

    def run(self, progress: Progress) -> None:
        """Write the file. OSError and SessionError leave what was there before.

        SessionError: a policy fails, the one of the run or the other one.
        """

        try:
            report = machine_report(self._case, self._window, self._rival, progress)
        except PolicyError as error:
            raise SessionError(failure(error)) from None
        with written_whole(self.path) as stream:
            stream.write(machine_page(report, self._clock))
