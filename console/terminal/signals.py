"""Signals from outside: each ends the console with the terminal restored, and with 128 + its number."""

import os
import signal
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from select import select
from threading import Timer
from types import FrameType
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
TAKEN = (signal.SIGTSTP, signal.SIGCONT)
"""The signals that the driver handles while the console runs."""
GRACE = 3.0
"""Seconds that the console has to end by itself."""
RESTORED = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l"
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""What gives a terminal back: no paste marks, line wrap, no mouse, the usual keys, screen and cursor."""

Handler = Callable[[int, FrameType | None], Any] | int | None


class Ended(BaseException):
    """A signal came before the console was there, or when it was gone."""


def _stay() -> None:
    """The console has ended: nobody is to be asked."""


def code_of(signum: int) -> int:
    """Return the exit code of a process that a signal ended."""
    return 128 + signum


class Signals:
    """Waits for a signal while the console runs; `leave` asks the console to end, in the main thread.

    A console that does not end in time (its terminal takes no more text, a policy never returns) is ended
    here: the terminal is restored as far as it lets itself be, and the process exits.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        self._before: dict[int, Handler] = {}
        self._usual: dict[int, Handler] = {}
        self._attributes: list[Any] | None = None
        self._timer: Timer | None = None
        self.received: int | None = None
        """The first signal that came."""

    @property
    def code(self) -> int | None:
        """The exit code that the signal asks for; None if no signal came."""
        return None if self.received is None else code_of(self.received)

    def begin(self) -> None:
        """Wait from now on; remember how the terminal is."""
        with suppress(termios.error, ValueError, OSError, AttributeError):
            self._attributes = termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]
        for signum in ENDING:
            self._before[signum] = signal.signal(signum, self._came)
        self._usual = {signum: signal.getsignal(signum) for signum in TAKEN}

    def end(self) -> None:
        """Wait no more; the console has ended, and so does the process if a signal came.

        The timer goes on after a signal: what follows may wait for a terminal that takes no more text, or for
        a thread that never ends.
        """
        self._leave = _stay
        for signum, handler in self._usual.items():
            signal.signal(signum, handler)
        for signum, handler in self._before.items():
            # A second signal of a closing terminal must not spoil the exit code.
            signal.signal(signum, handler if self.received is None else signal.SIG_IGN)

    def _came(self, signum: int, _: FrameType | None) -> None:
        if self.received is not None:
            return
        self.received = signum
        self._timer = Timer(GRACE, self._force)
        self._timer.daemon = True
        self._timer.start()
        self._leave()

    def _force(self) -> None:
        """End the process, whatever the console is doing."""
        assert self.received is not None
        # Another thread may fill the terminal between the look and the write: the write would wait for ever.
        last = Timer(GRACE, os._exit, (code_of(self.received),))
        last.daemon = True
        last.start()
        with suppress(Exception):
            self._restore()
        os._exit(code_of(self.received))

    def _restore(self) -> None:
        out = sys.__stderr__.fileno()  # type: ignore[union-attr]
        with suppress(termios.error):
            # What waits to be written is a picture that nobody needs.
            termios.tcflush(out, termios.TCOFLUSH)
        if self._attributes is not None:
            with suppress(termios.error):
                termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, self._attributes)  # type: ignore[union-attr]
        if select((), (out,), (), 0.5)[1]:
            os.write(out, RESTORED.encode())
