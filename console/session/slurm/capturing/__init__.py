"""A live cluster: Slurm's commands are run, their output becomes a folder that the reader reads."""

from shadowtime.console.session.slurm.capturing.commands import Command, commands_for
from shadowtime.console.session.slurm.capturing.running import LONGEST, Runner
from shadowtime.console.session.slurm.capturing.source import Altered, Folder, Live, Source
from shadowtime.console.session.slurm.capturing.taking import Taken, capture, write_capture

__all__ = [
    "LONGEST",
    "Altered",
    "Command",
    "Folder",
    "Live",
    "Runner",
    "Source",
    "Taken",
    "capture",
    "commands_for",
    "write_capture",
]
