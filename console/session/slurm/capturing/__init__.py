"""A live cluster: what its commands or its REST interface give becomes a folder that the reader reads."""

from shadowtime.console.session.slurm.capturing.commands import Command, commands_for
from shadowtime.console.session.slurm.capturing.reach import LONGEST, Reach
from shadowtime.console.session.slurm.capturing.rest import Rest, parse_address, read_token
from shadowtime.console.session.slurm.capturing.running import Runner
from shadowtime.console.session.slurm.capturing.source import Altered, Folder, Live, Source
from shadowtime.console.session.slurm.capturing.taking import Taken, capture, write_capture

__all__ = [
    "LONGEST",
    "Altered",
    "Command",
    "Folder",
    "Live",
    "Reach",
    "Rest",
    "Runner",
    "Source",
    "Taken",
    "capture",
    "commands_for",
    "parse_address",
    "read_token",
    "write_capture",
]
