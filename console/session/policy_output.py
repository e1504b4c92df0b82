"""The output of policies of other packages: it goes to standard error, and disturbs no terminal."""

import sys
import threading
from types import TracebackType
from typing import Any, TextIO, cast

from shadowtime.console.session.texts import printable, printable_lines
from shadowtime.kernels.policies.watched import said, watch


class Parted:
    """A stream of this program, which leads elsewhere for code from elsewhere that writes to it.

    Such code runs in the main thread while it is called, or in another thread. Of this program only the main
    thread writes.
    """

    def __init__(self, ours: TextIO | None, theirs: TextIO | None) -> None:
        self._ours, self._theirs = ours, theirs

    def write(self, text: str) -> int:
        """Write a text; one from elsewhere without control characters."""
        if not watch().within():
            return 0 if self._ours is None else self._ours.write(text)
        if self._theirs is not None:
            self._theirs.write(printable_lines(text.expandtabs()))
        return len(text)

    def writelines(self, texts: list[str]) -> None:
        for text in texts:
            self.write(text)

    def close(self) -> None:
        """Close it; code from elsewhere cannot, but whoever called it learns of that."""
        if watch().within():
            watch().closed = True
        elif self._ours is not None:
            self._ours.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._theirs if watch().within() else self._ours, name)


def part_output() -> None:
    """From now on, keep the output of code from elsewhere apart; what its threads raise is one line each."""
    watch().diverts = True
    if isinstance(sys.stdout, Parted):
        return
    sys.stdout = cast(TextIO, Parted(sys.stdout, sys.stderr))
    sys.stderr = cast(TextIO, Parted(sys.stderr, sys.stderr))
    threading.excepthook = _failed_thread
    sys.unraisablehook = _unraisable


def _failed_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        name = "" if failed.thread is None else f" {failed.thread.name}"
        _say(f"thread{name} failed: {_words(failed.exc_value, failed.exc_traceback)}")


def _unraisable(failed: "sys.UnraisableHookArgs") -> None:
    if failed.exc_value is not None:
        _say(f"ignored: {_words(failed.exc_value, failed.exc_traceback)}")


def _words(error: BaseException, trace: TracebackType | None) -> str:
    return said(error.with_traceback(trace))


def _say(line: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(printable(line) + "\n")
