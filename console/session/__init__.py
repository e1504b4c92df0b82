"""The one door between those who see or steer a simulation and what is simulated.

They import from this package and from the submodules that `PUBLIC` lists, and from no other: facts to show,
places and work of travel, bars, order and nodes of jobs, what the operator may do, the comparison of lanes,
files in and out, training, and the lab. Every other submodule, and every name with a leading underscore, may
change without notice.
"""

from shadowtime.lazily import names

PUBLIC = (
    "clock",
    "comparison",
    "course",
    "curriculum",
    "errors",
    "exam",
    "facts",
    "files.documents",
    "files.exports",
    "files.fetching",
    "files.importing",
    "files.places",
    "files.replay",
    "files.state",
    "files.writers",
    "impact",
    "jobs.availability",
    "jobs.bars",
    "jobs.chain",
    "jobs.classes",
    "jobs.fields",
    "jobs.history",
    "jobs.looseness",
    "jobs.predictions",
    "jobs.put_off",
    "jobs.users",
    "lab",
    "likely",
    "new_course",
    "nodes",
    "operator.journal",
    "operator.recovery",
    "operator.refusals",
    "permissions",
    "progress",
    "report",
    "shift",
    "slurm",
    "table",
    "texts",
    "training",
    "travel.decisions",
    "travel.lookahead",
    "work",
)
"""The public submodules; a package stands for all that is in it."""

__getattr__, __all__ = names(__name__, __file__)
