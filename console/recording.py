"""A session as an asciicast, version 2: every output to the terminal with its time, one JSON array a line."""

import json
import os
import re
import shutil
from pathlib import Path
from time import monotonic, time
from types import TracebackType
from typing import Self

from textual.driver import Driver
from textual.events import Resize
from textual.message import Message

from shadowtime.console.session.files.writers import opened_new
from shadowtime.console.session.texts import plain_json
from shadowtime.console.terminal.driver import Terminal

SETTINGS = re.compile(
    r"\x1b\[(?:\?(?:100[0-6]|1015|1016|2004|2031|2048)[hl]|\?\d+\$p|[<>=][\d;]*u|\?u|[>=]?\d*c|\d*n)"
)
"""What asks the terminal for something, or for mouse and keyboard: a player must not do that."""


class Cast:
    """Writes a cast while the session goes on: what is there when a process is killed can be played.

    FileExistsError and any other OSError when it is made; a later one is in `fault`.
    """

    def __init__(self, path: Path, title: str) -> None:
        self._stream = opened_new(path)
        self._begun = monotonic()
        self._paused: float | None = None
        self.fault: OSError | None = None
        """What ended the recording before the session."""
        self._path = path
        columns, lines = shutil.get_terminal_size()
        term = os.environ.get("TERM", "")
        head = {"version": 2, "width": columns, "height": lines, "timestamp": int(time()), "title": title}
        self._write({**head, "env": {"TERM": term}})

    def output(self, data: str) -> None:
        """What was written to the terminal: what is seen, without the settings of mouse and keyboard."""
        shown = SETTINGS.sub("", data)
        if shown:
            self._event("o", shown)

    def resized(self, columns: int, lines: int) -> None:
        self._event("r", f"{columns}x{lines}")

    def paused(self) -> None:
        """The process stops: the time until `resumed` is no part of the session."""
        self._paused = monotonic()

    def resumed(self) -> None:
        if self._paused is not None:
            self._begun += monotonic() - self._paused
            self._paused = None

    def _event(self, kind: str, data: str) -> None:
        self._write([round(monotonic() - self._begun, 6), kind, data])

    def _write(self, line: object) -> None:
        if self.fault is None and not self._stream.closed:
            try:
                self._stream.write(plain_json(json.dumps(line, ensure_ascii=False)) + "\n")
                self._stream.flush()
            except OSError as error:
                error.filename = str(self._path)
                self.fault = error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stream.close()
        except OSError as late:
            self.fault = self.fault or late


def recording(cast: Cast) -> type[Driver]:
    """Return a driver of the terminal that records what it writes."""

    class Recording(Terminal):
        """Writes to the terminal and to the cast."""

        def write(self, data: str) -> None:
            cast.output(data)
            super().write(data)

        def halt(self) -> None:
            cast.paused()
            super().halt()

        def _sigcont_application(self, *_: object) -> None:
            cast.resumed()
            super()._sigcont_application()

        def send_message(self, message: Message) -> None:
            if isinstance(message, Resize):
                cast.resized(*message.size)
            super().send_message(message)

    return Recording
