"""A report for a meeting, written from the console as other files are."""

import re
from pathlib import Path

import attrs

from shadowtime.console.screens.composed.copies import path_of
from shadowtime.console.session import PolicyError, Session, SessionError
from shadowtime.console.session.comparison.lanes import by_clock
from shadowtime.console.session.errors import failure
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.machine import machine_report, rival_of
from shadowtime.console.session.report.window import window_of
from shadowtime.console.widgets.report.machine import machine_page

_TYPED = re.compile(r"(?P<file>.*?)(?:\s+from\s+(?P<since>.+?))?(?:\s+until\s+(?P<until>.+))?")


class ReportFile:
    """A report of a session with what the operator did; `run` may be called in any thread."""

    remark = ""

    def __init__(self, session: Session, typed: str) -> None:
        """`typed` is `FILE [from PLACE] [until PLACE]`. Unknown; SessionError for a window without jobs."""
        found = _TYPED.fullmatch(typed.strip())
        assert found is not None
        self.path: Path = path_of(found["file"], "report")
        self._case, self._rival = session.case, rival_of(by_clock(session))
        self._window = window_of(self._case, found["since"], found["until"])
        self._clock = attrs.evolve(session.clock, calendar=True)

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
