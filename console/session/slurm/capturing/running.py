"""Run a command without a shell: its output into a file, with a time limit and a size limit.

It has no terminal and no input, so that nothing of it can ask a question over the screen.
"""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event
from time import monotonic
from typing import IO

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.capturing.commands import (
    CONFIG,
    MOST_BYTES,
    Command,
    commands_for,
    of_cluster,
)
from shadowtime.scenarios.files import size
from shadowtime.scenarios.slurm.config import Settings, read_settings
from shadowtime.scenarios.text.gate import printable

_PAUSE = 0.01
_SHOWN = 160
"""Characters of what a command says that are shown."""
_MEANT = ("SQUEUE_", "SINFO_", "SPRIO_", "SCONTROL_", "SACCTMGR_", "SACCT_")
"""Variables with these beginnings change what the commands show."""
_PLAIN = {"TZ": "UTC", "SLURM_TIME_FORMAT": "standard", "SLURM_BITSTR_LEN": "0"}


@attrs.define
class Runner:
    """How commands are run: here, or through another command such as `ssh login`."""

    longest: float
    """Seconds that one command may take."""
    via: tuple[str, ...] = ()
    most: int = MOST_BYTES
    """Bytes of one output."""
    cluster: str = ""
    """The cluster that the commands are about; empty for that of the machine where they run."""
    _stopped: Event = attrs.field(factory=Event, init=False)

    @property
    def name(self) -> str:
        """By which command the commands are run, and for which cluster."""
        of = ("-M", self.cluster) if self.cluster else ()
        return " ".join((*of, *(("via", *self.via) if self.via else ())))

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing is always left out."""
        return ()

    def again(self) -> "Runner":
        return Runner(self.longest, self.via, self.most, self.cluster)

    def first(self, folder: Path) -> tuple[Command, ...]:
        """Return the command of the configuration, which says which others there are."""
        return (of_cluster(CONFIG, self.cluster),)

    def settings(self, folder: Path) -> Settings:
        """Read the configuration. CaptureError."""
        return read_settings(folder / CONFIG.file)

    def others(self, settings: Settings, since: int = 0) -> tuple[Command, ...]:
        """Return the commands for a cluster of these settings; `since`: the accounting from an instant on."""
        return tuple(of_cluster(command, self.cluster) for command in commands_for(settings, since))

    def stop(self) -> None:
        self._stopped.set()

    def run(self, words: Sequence[str], path: Path) -> None:
        """Run a command, its output into a new file. SessionError in one line for any failure; OSError."""
        with path.open("wb") as output, TemporaryFile() as complaint:
            process = self._begin(words, output, complaint)
            try:
                self._wait(process, words, path)
            finally:
                _end(process)
            if process.returncode:
                raise SessionError(f"{' '.join(words)}: {_reason(process.returncode, complaint)}")

    def _begin(
        self, words: Sequence[str], output: IO[bytes], complaint: IO[bytes]
    ) -> "subprocess.Popen[bytes]":
        there = [*self.via, "env", *(f"{key}={value}" for key, value in _PLAIN.items())] if self.via else []
        try:
            return subprocess.Popen(
                [*there, *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=complaint,
                env=_environment(),
                start_new_session=True,
            )
        except FileNotFoundError:
            name = self.via[0] if self.via else words[0]
            expected = "a command" if self.via else "Slurm's commands on this machine, or --via 'ssh LOGIN'"
            raise SessionError(f"{name} is not found; expected {expected}") from None
        except OSError as error:
            name = self.via[0] if self.via else words[0]
            raise SessionError(f"{name} cannot be run: {error.strerror}") from None

    def _wait(self, process: "subprocess.Popen[bytes]", words: Sequence[str], path: Path) -> None:
        until = monotonic() + self.longest
        pause = _PAUSE
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(pause)
            if path.stat().st_size > self.most:
                raise SessionError(f"{' '.join(words)}: its output is larger than {size(self.most)}")
            if process.returncode is not None:
                return
            if self._stopped.is_set():
                raise SessionError(f"{' '.join(words)}: broken off")
            if monotonic() > until:
                raise SessionError(f"{' '.join(words)}: no answer within {self.longest:g} s")
            pause = min(0.1, pause * 1.5)


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(_MEANT)}
    return {**kept, **_PLAIN}


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _reason(code: int, complaint: IO[bytes]) -> str:
    """What a failed command says: its last line, or how it ended."""
    complaint.seek(max(0, complaint.seek(0, os.SEEK_END) - (1 << 16)))
    lines = complaint.read().decode(errors="replace").splitlines()
    line = next((line.strip() for line in reversed(lines) if line.strip()), "")
    ended = f"ended by signal {-code}" if code < 0 else f"ended with code {code}"
    return printable(line)[:_SHOWN] if line else ended
