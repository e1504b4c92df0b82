"""Which of Slurm's commands are run, and which file each output becomes (docs/slurm-cycle.md, section 15).

Every command only reads: nothing is submitted, changed or cancelled.
"""

import attrs

from shadowtime.scenarios.slurm import Settings

MULTIFACTOR = "priority/multifactor"
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
        """The command as it is typed."""
        return " ".join(self.words)


CONFIG = Command("config.txt", ("scontrol", "show", "config"))
_QUEUE = Command("squeue.json", ("squeue", "--all", "--json"))
_QUEUE_44 = Command("squeue_v0.0.44.json", ("squeue", "--all", "--json=v0.0.44"), required=False)
_NEWER = (
    _QUEUE,
    Command("nodes.json", ("scontrol", "--all", "show", "nodes", "--json")),
    Command("partitions.json", ("scontrol", "--all", "show", "partitions", "--json")),
    Command("reservations.json", ("scontrol", "--all", "show", "reservations", "--json")),
    Command("sdiag.json", ("sdiag", "--json"), required=False),
)
_OLDER = (
    _QUEUE,
    Command("sinfo.json", ("sinfo", "--all", "--json")),
    Command("partitions.txt", ("scontrol", "--all", "show", "partitions", "--oneliner")),
    Command("reservations.txt", ("scontrol", "--all", "show", "reservations", "--oneliner")),
    Command("sdiag.txt", ("sdiag",), required=False),
)
_PRIORITIES = Command("sprio.txt", ("sprio", "-o", "%i,%r,%Y,%S,%A,%B,%F,%J,%P,%Q,%N,%T"), required=False)
_QUALITIES = Command("qos.json", ("sacctmgr", "show", "qos", "--json"), required=False)
_ASSOCIATIONS = Command("assoc_mgr.txt", ("scontrol", "show", "assoc_mgr"), required=False)


def commands_for(settings: Settings) -> tuple[Command, ...]:
    """Return the commands that describe a cluster of these settings, beside that of its settings."""
    year, month = settings.version.split(".")[:2]
    release = int(year), int(month)
    return (
        *(_NEWER if release >= JSON_OF_SCONTROL else _OLDER),
        *((_QUEUE_44,) if release >= NO_EXCLUSIVE else ()),
        *((_PRIORITIES,) if settings.priority == MULTIFACTOR else ()),
        *((_QUALITIES,) if settings.limits_enforced and release >= JSON_OF_SCONTROL else ()),
        *((_ASSOCIATIONS,) if settings.limits_enforced else ()),
    )


EVERY = (CONFIG, *_NEWER, *_OLDER, _QUEUE_44, _PRIORITIES, _QUALITIES, _ASSOCIATIONS)
"""Every command that may be run."""
