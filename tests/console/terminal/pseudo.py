"""A console in a process of its own, on a pseudo-terminal: what it writes, how it leaves the terminal."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path
from time import monotonic
from typing import Any

ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE = 40.0
"""Seconds after which a test gives up waiting for what is to appear."""
MODE = re.compile(rb"\x1b\[\?(\d+)([hl])")
SHOWN_BEFORE = frozenset((7, 25))
"""Modes that a terminal has of its own: line wrap and the cursor."""


def _heed() -> None:
    """In the child: what a shell in the background, or nohup, ignores counts again."""
    for signum in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(signum, signal.SIG_DFL)


def _possess() -> None:
    """In the child: what stops and continues jobs is the terminal's."""
    _heed()
    ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A pseudo-terminal with a process on it."""

    def __init__(
        self,
        *arguments: object,
        environment: Mapping[str, str],
        size: tuple[int, int] = (120, 36),
        errors: int | None = None,
        shell: bool = False,
    ) -> None:
        """`errors` is a file for stderr in the place of the terminal; `shell` is for a shell that has it."""
        self.master, self._slave = pty.openpty()
        ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = self.attributes
        self.written = b""
        self.process = subprocess.Popen(
            ["bash", "--norc", "-i"] if shell else [sys.executable, "-m", "shadowtime", *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave if errors is None else errors,
            start_new_session=True,
            preexec_fn=_possess if shell else _heed,  # noqa: PLW1509 (the tests have no other threads)
        )

    @property
    def attributes(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._slave)

    @property
    def modes(self) -> set[int]:
        """The modes that are on and were off before, and those that are off and were on."""
        now = {int(mode): switch == b"h" for mode, switch in MODE.findall(self.written)}
        return {mode for mode, on in now.items() if on != (mode in SHOWN_BEFORE)}

    @property
    def text(self) -> str:
        """All that was written, without what moves and paints."""
        return re.sub(r"\x1b\[[0-9;?<>]*[a-zA-Z]", "", self.written.decode(errors="replace"))

    def send(self, data: bytes) -> None:
        """Send bytes as the terminal does, in one write."""
        os.write(self.master, data)

    def read(self, seconds: float = 0.05) -> None:
        """Read what is written within some time."""
        if select.select([self.master], [], [], seconds)[0]:
            self.written += os.read(self.master, 1 << 16)

    def until(self, text: str) -> None:
        """Read until a text was written."""
        end = monotonic() + PATIENCE
        while text not in self.text:
            assert monotonic() < end and self.process.poll() is None, self.text[-2000:]
            self.read()

    def stopped(self) -> None:
        """Read until the process is stopped, and all that it wrote before."""
        end = monotonic() + PATIENCE
        while Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
            assert monotonic() < end and self.process.poll() is None, self.text[-2000:]
            self.read()
        while select.select([self.master], [], [], 0.05)[0]:
            self.written += os.read(self.master, 1 << 16)

    def continued(self, text: str) -> None:
        """Continue the process, and read until a text was written anew."""
        self.written = b""
        self.process.send_signal(signal.SIGCONT)
        self.until(text)

    def ended(self) -> int:
        """Read until the process has ended; return its exit code, as a shell gives it."""
        end = monotonic() + PATIENCE
        while self.process.poll() is None:
            assert monotonic() < end, self.text[-2000:]
            self.read()
        while select.select([self.master], [], [], 0.05)[0]:
            self.written += os.read(self.master, 1 << 16)
        code = self.process.returncode
        return 128 - code if code < 0 else code

    def close(self) -> None:
        """End the process, if it goes on, and give the terminal up."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.master)
        os.close(self._slave)
