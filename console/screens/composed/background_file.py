"""A file that is written in a thread beside the keys."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from textual.timer import Timer

from shadowtime.console.screens.composed.copies import fault_of
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.pages.page import Option, Question
from shadowtime.console.screens.travel.journey import REPORT_EVERY
from shadowtime.console.screens.travel.view import View
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.work import Broken
from shadowtime.console.words.phrases import per_cent


class File(Protocol):
    """What is written."""

    path: Path

    @property
    def remark(self) -> str:
        """After `run`, what has to be known of what was written; empty for the usual."""

    def run(self, progress: Progress) -> None:
        """Write it, in any thread. What `progress` raises leaves what was there before, as do OSError,
        SessionError and ScenarioError.
        """


class BackgroundFile:
    """Writes one file at a time."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._file: File | None = None
        self._reporter: Timer | None = None
        self._share = 0.0
        self._stopped = self._failed = False
        self._then: Callable[[], None] | None = None
        """How to leave once it is written."""

    @property
    def busy(self) -> bool:
        return self._file is not None

    def begin(self, file: File) -> None:
        """Write a file. Unknown: another one is being written."""
        self.refuse_second()
        self._file, self._share, self._stopped = file, 0.0, False
        self._reporter = self._view.set_interval(REPORT_EVERY, self._report)
        self._view.run_worker(lambda: self._write(file), thread=True, group="export")

    def refuse_second(self) -> None:
        """Unknown: a file is being written."""
        if self._file is not None:
            raise Unknown(f"{self._file.path} is being written; Esc stops that")

    def stop(self) -> bool:
        """Stop writing; whether there was anything to stop."""
        self._stopped = self._file is not None
        return self._stopped

    def leave(self, then: Callable[[], None]) -> None:
        """Leave by `then`, after a question while a file is written."""
        if self._file is None:
            then()
            return

        def wait() -> None:
            if self._file is not None:
                self._then = then
            elif not self._failed:
                then()

        answers = (
            Option("w", "leave as soon as it is written", wait),
            Option("l", "leave without it", then),
            Option("n", "stay", lambda: None),
        )
        asked = (
            f"{self._file.path} is being written: {per_cent(self._share, 0)}. It appears whole or not at all."
        )
        self._view.app.push_screen(Question("A FILE IS BEING WRITTEN", [asked], answers))

    def _write(self, file: File) -> None:
        fault = ""
        try:
            file.run(self._come)
        except Broken:
            fault = f"stopped: {file.path} is as it was"
        except OSError as error:
            fault = fault_of(error)
        except (SessionError, ScenarioError) as error:
            fault = str(error)
        if self._view.is_attached:
            self._view.app.call_from_thread(self._written, file, fault)

    def _come(self, done: int, total: int) -> None:
        if self._stopped:
            raise Broken
        self._share = done / total if total else 0.0

    def _report(self) -> None:
        if self._file is not None:
            self._view.say(f"writing {self._file.path}: {per_cent(self._share, 0)} ...  Esc stops it", "key")

    def _written(self, file: File, fault: str) -> None:
        if self._reporter is not None:
            self._reporter.stop()
        self._file = self._reporter = None
        then, self._then = self._then, None
        self._failed = bool(fault)
        if fault:
            self._view.say(fault, "warn")
        elif then is not None:
            then()
        else:
            self._view.say(f"wrote {file.path}{file.remark and f': {file.remark}'}", "good")
