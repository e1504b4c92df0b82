"""The driver of the terminal: nothing that a terminal sends or refuses ends the console."""

import codecs
import os
import signal
import sys
import types
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import IO, Any

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.keys import Keys
from textual.message import Message

MOST = Size(2000, 1000)
"""Columns and lines of the largest screen: a size that a terminal reports may be any number."""

STOPPED = "shadowtime is stopped; 'kill -CONT {}' continues it\r\n"


class Gone(Exception):
    """The terminal does not exist any more."""


class Decoder:
    """Decodes what a terminal sends; bytes that are no text are left out."""

    def __init__(self, encoding: str) -> None:
        self._decode = codecs.getincrementaldecoder(encoding)("ignore").decode

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes. Gone if the terminal has sent its last."""
        if not data and not final:
            raise Gone
        return self._decode(data, final)


class Parser(XTermParser):
    """Reads keys; the number of a key that is no character gives no key."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
        except (ValueError, OverflowError):
            keys = []
        else:
            if all(key.character is None or _is_text(key.character) for key in keys):
                return keys
        return [events.Key(Keys.Ignore, sequence)]


def _is_text(character: str) -> bool:
    """Whether a terminal and a file can take a character: half of a pair of surrogates is no text."""
    return not any("\ud800" <= each <= "\udfff" for each in character)


class Screenful:
    """What is written to the terminal; a terminal that is gone takes everything and shows nothing."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def fileno(self) -> int:
        return self._file.fileno()

    def write(self, text: str) -> None:
        self._try(partial(self._file.write, text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, write: Callable[[], object]) -> None:
        # The thread that writes must go on: the console waits for it at its end.
        with suppress(OSError, ValueError):
            write()


class Terminal(LinuxDriver):
    """The usual driver with a decoder, a parser and an output that forgive; it draws on stdout.

    The usual one draws on stderr, which may be a file for errors.
    `run_input_thread` takes the decoder and the parser from the names of its module: it is run with others.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        assert sys.__stdout__ is not None
        self._out = Screenful(sys.__stdout__)
        self._file = self._out  # type: ignore[assignment]

    def run_input_thread(self) -> None:
        """Read keys until the console ends or the terminal is gone."""
        usual = LinuxDriver.run_input_thread
        names = {
            **usual.__globals__,
            "getincrementaldecoder": lambda encoding: partial(Decoder, encoding),
            "XTermParser": Parser,
        }
        try:
            types.FunctionType(usual.__code__, names, closure=usual.__closure__)(self)
        except (Gone, OSError):
            os.kill(os.getpid(), signal.SIGHUP)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def _sigtstp_application(self, *_: object) -> None:
        """Give the terminal back and stop: whoever continues the process gets the console back."""
        if self._key_thread is not None:
            self.suspend_application_mode()
            self._must_signal_resume = True
            if os.getsid(0) == os.getpid():
                # No shell is there to say it, and to bring the process back.
                self._out.write(STOPPED.format(os.getpid()))
                self._out.flush()
        self.halt()

    def halt(self) -> None:
        """Stop the process until it is continued, and those of its job with it, as the terminal would.

        The shell waits for all of them: for `make`, if that has started the console.
        """
        handler = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        """Take the terminal again, anew if another signal had stopped the process."""
        if self._key_thread is None:
            return
        if not self._must_signal_resume:
            self.suspend_application_mode()
        self.resume_application_mode()

    def process_message(self, message: Message) -> None:
        """Pass a message on; no screen is larger than `MOST`."""
        if isinstance(message, events.Resize):
            size = Size(min(message.size.width, MOST.width), min(message.size.height, MOST.height))
            if size != message.size:
                message = events.Resize(size, size)
        super().process_message(message)
