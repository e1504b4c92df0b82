"""Which of Slurm's commands are run, and which file each output becomes (docs/slurm-cycle.md, section 15).

Every command only reads: nothing is submitted, changed or cancelled. A `Reach` runs them, or asks over REST.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import attrs

from shadowtime.scenarios.slurm import Settings
from shadowtime.scenarios.slurm.config import MULTIFACTOR

MOST_BYTES = 1 << 29
"""No output is larger; the reader would refuse it."""
JSON_OF_SCONTROL = (23, 2)
"""From this release on `scontrol show` writes JSON."""
NO_EXCLUSIVE = (26, 5)
"""From this release on the JSON of `squeue` leaves out which jobs take whole nodes."""


@attrs.frozen
class Command:
    """A command, as a list of words, and the file of its output."""

    file: str
    words: tuple[str, ...]
    required: bool = True
    """Whether a capture needs it; the failure of another one is a note."""

    @property
    def shown(self) -> str:
        return " ".join(self.words)


CONFIG = Command("config.txt", ("scontrol", "show", "config"))
_QUEUE = Command("squeue.json", ("squeue", "--all", "--json"))
_QUEUE_44 = Command("squeue_v0.0.44.json", ("squeue", "--all", "--json=v0.0.44"), required=False)
_PARTITION_LINES = Command("partitions.txt", ("scontrol", "--all", "show", "partitions", "--oneliner"))
_NEWER = (
    _QUEUE,
    Command("nodes.json", ("scontrol", "--all", "show", "nodes", "--json")),
    Command("partitions.json", ("scontrol", "--all", "show", "partitions", "--json")),
    attrs.evolve(_PARTITION_LINES, required=False),
    Command("reservations.json", ("scontrol", "--all", "show", "reservations", "--json")),
    Command("sdiag.json", ("sdiag", "--json"), required=False),
)
_OLDER = (
    _QUEUE,
    Command("sinfo.json", ("sinfo", "--all", "--json")),
    _PARTITION_LINES,
    Command("reservations.txt", ("scontrol", "--all", "show", "reservations", "--oneliner")),
    Command("sdiag.txt", ("sdiag",), required=False),
)
_PRIORITIES = Command("sprio.txt", ("sprio", "-o", "%i,%r,%Y,%S,%A,%B,%F,%J,%P,%Q,%N,%T"), required=False)
_QUALITIES = Command("qos.json", ("sacctmgr", "show", "qos", "--json"), required=False)
_ASSOCIATIONS = Command("assoc_mgr.txt", ("scontrol", "show", "assoc_mgr"), required=False)

ACCOUNTING = Command(
    "sacct.txt",
    (
        *("sacct", "--allusers", "--allocations", "--duplicates", "--parsable2", "--noconvert"),
        "--format=JobID,JobIDRaw,User,Account,Partition,QOS,TimelimitRaw,ReqTRES,AllocTRES,NNodes,"
        "Submit,Eligible,Start,End,Suspended,State",
        "--starttime=now-8weeks",
    ),
    required=False,
)


def accounting(since: int) -> Command:
    """Return the command that lists jobs of the accounting from an instant on; 0: of the last 8 weeks."""
    if not since:
        return ACCOUNTING
    begin = f"--starttime={datetime.fromtimestamp(since, UTC):%Y-%m-%dT%H:%M:%S}"
    return attrs.evolve(ACCOUNTING, words=(*ACCOUNTING.words[:-1], begin))


def commands_for(settings: Settings, since: int = 0) -> tuple[Command, ...]:
    """Return the commands that describe a cluster of these settings, beside that of its settings.

    `since` as for `accounting`.
    """
    year, month = settings.version.split(".")[:2]
    release = int(year), int(month)
    share = settings.fair_share
    accounts = settings.limits_enforced or (share is not None and share.weight > 0)
    return (
        *(_NEWER if release >= JSON_OF_SCONTROL else _OLDER),
        *((_QUEUE_44,) if release >= NO_EXCLUSIVE else ()),
        *((_PRIORITIES,) if settings.priority == MULTIFACTOR else ()),
        *((_QUALITIES,) if accounts and release >= JSON_OF_SCONTROL else ()),
        *((_ASSOCIATIONS,) if accounts or settings.accounts else ()),
        *((accounting(since),) if settings.accounts else ()),
    )


def of_cluster(command: Command, cluster: str) -> Command:
    """Return a command about a named cluster, which slurmdbd knows; the same without a name.

    Above their output squeue and sinfo write the name of the cluster, also above JSON: unless they write no
    header. What sacctmgr shows of qualities of service is that of all clusters.
    """
    program, *others = command.words
    if not cluster or program == "sacctmgr":
        return command
    plain = ("--noheader",) if program in ("squeue", "sinfo") else ()
    return attrs.evolve(command, words=(program, "-M", cluster, *plain, *others))


EVERY = (CONFIG, *_NEWER, *_OLDER, _QUEUE_44, _PRIORITIES, _QUALITIES, _ASSOCIATIONS, ACCOUNTING)


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

    def first(self, folder: Path) -> tuple[Command, ...]:
        """Return what the configuration is made of; what is asked to find that is written into the folder."""

    def settings(self, folder: Path) -> Settings:
        """Return the configuration from the output of `first`. CaptureError, too."""

    def others(self, settings: Settings, since: int = 0) -> tuple[Command, ...]:
        """Return what describes a cluster of these settings, beside its configuration.

        `since`: the accounting from an instant on, in seconds since 1970; 0: as far back as it is used.
        """
