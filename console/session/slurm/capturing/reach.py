"""How a live cluster is reached: through Slurm's commands, or over its REST interface."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shadowtime.console.session.slurm.capturing.commands import Command
    from shadowtime.scenarios.slurm.config import Settings

LONGEST = 30.0
"""Seconds that a command or a request may take by default."""
MOST_BYTES = 1 << 29
"""No output is larger; the reader would refuse it."""


class Reach(Protocol):
    """What is asked of a cluster for a capture. A failure is a SessionError in one line, or an OSError."""

    @property
    def name(self) -> str:
        """By which way the cluster is reached; empty for the commands of this machine."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What every capture lacks."""

    def again(self) -> "Reach":
        """Return the same way for another capture: one that failed has been stopped."""

    def stop(self) -> None:
        """End what runs, and run nothing more. This may be called from any thread."""

    def run(self, words: Sequence[str], path: Path) -> None:
        """Run a command or send a request, its output into a new file."""

    def first(self, folder: Path) -> tuple["Command", ...]:
        """Return what the configuration is made of; what is asked to find that is written into the folder."""

    def settings(self, folder: Path) -> "Settings":
        """Return the configuration from the output of `first`. CaptureError, too."""

    def others(self, settings: "Settings", since: int = 0) -> tuple["Command", ...]:
        """Return what describes a cluster of these settings, beside its configuration.

        `since`: the accounting from an instant on, in seconds since 1970; 0: as far back as it is used.
        """
