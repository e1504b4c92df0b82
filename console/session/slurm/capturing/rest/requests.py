"""What is asked of a slurmrestd, and which file of a capture each answer becomes."""

from shadowtime.console.session.slurm.capturing.commands import Command
from shadowtime.console.session.slurm.capturing.rest.asking import METHOD
from shadowtime.scenarios.slurm.generation import NEWEST

OLDEST = 39
"""v0.0.38, the only one of 22.05, does not say which partitions give whole nodes."""
VERSIONS = tuple(range(NEWEST, OLDEST - 1, -1))
"""The versions of the interface that are tried, the newest first."""
SHARED = 44
"""The last version that says which jobs take whole nodes."""


def ping(version: int) -> Command:
    """Return the request that shows whether a server has a version, and its release of Slurm."""
    return _slurm("ping.json", version, "ping")


def licenses(version: int) -> Command:
    """Return the request for the licences, which stand in the configuration otherwise."""
    return _slurm("licenses.json", version, "licenses", required=False)


def requests_for(version: int) -> tuple[Command, ...]:
    return (
        _slurm("squeue.json", version, "jobs"),
        _slurm("nodes.json", version, "nodes"),
        _slurm("partitions.json", version, "partitions"),
        _slurm("reservations.json", version, "reservations"),
        _slurm("sdiag.json", version, "diag", required=False),
        Command("qos.json", (METHOD, f"/slurmdb/v0.0.{version}/qos/"), required=False),
        *((_slurm("squeue_v0.0.44.json", SHARED, "jobs", required=False),) if version > SHARED else ()),
    )


def _slurm(file: str, version: int, what: str, required: bool = True) -> Command:
    return Command(file, (METHOD, f"/slurm/v0.0.{version}/{what}/"), required)


EVERY = tuple(
    each for version in VERSIONS for each in (ping(version), licenses(version), *requests_for(version))
)
