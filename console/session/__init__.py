"""The one door between those who see or steer a simulation and what is simulated.

They import from this package and from the submodules that `PUBLIC` lists, and from no other: facts to show,
places and work of travel, bars, order and nodes of jobs, what the operator may do, the comparison of lanes,
files in and out, training, and the lab. Every other submodule, and every name with a leading underscore, may
change without notice.
"""

from functools import cache

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.catalogue import Entry, catalogue
from shadowtime.console.session.check import check
from shadowtime.console.session.comparison.runs import cases_of, compare
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import (
    Comparison,
    Decision,
    Event,
    Matrix,
    Metrics,
    Outcome,
    Prediction,
    Reason,
    Row,
    Sample,
    Snapshot,
    StatusValue,
    Value,
)
from shadowtime.console.session.files.generate import Generation, generate
from shadowtime.console.session.plugins import broken, policies, refused
from shadowtime.console.session.session import Session, open_session
from shadowtime.kernels.policies import Parameter, PolicyEntry, PolicyError
from shadowtime.scenarios import (
    Action,
    Fault,
    LogMissing,
    Note,
    ScenarioError,
    cluster_folders,
    format_action,
    format_duration,
    format_nodes,
    format_time,
    one_of,
    parse_duration,
    parse_time,
    scenario_files,
)
from shadowtime.scenarios.nodes import NodeRanges
from shadowtime.scenarios.values import Machine

PUBLIC = (
    "clock",
    "comparison",
    "curriculum",
    "errors",
    "exam",
    "facts",
    "files.documents",
    "files.exports",
    "files.fetching",
    "files.importing",
    "files.places",
    "files.recent",
    "files.replay",
    "files.writers",
    "impact",
    "jobs.availability",
    "jobs.bars",
    "jobs.filters",
    "jobs.history",
    "jobs.looseness",
    "jobs.order",
    "jobs.predictions",
    "jobs.users",
    "lab",
    "nodes",
    "operator.journal",
    "operator.recovery",
    "operator.refusals",
    "permissions",
    "progress",
    "reloading",
    "shift",
    "slurm",
    "texts",
    "training",
    "travel.breakpoints",
    "travel.decisions",
    "travel.lookahead",
    "travel.places",
    "travel.seeking",
    "travel.worst",
    "watch",
)
"""The public submodules; a package stands for all that is in it."""

__all__ = [
    "PUBLIC",
    "Action",
    "Case",
    "Comparison",
    "Decision",
    "Entry",
    "Event",
    "Fault",
    "Generation",
    "LogMissing",
    "Machine",
    "Matrix",
    "Metrics",
    "NodeRanges",
    "Note",
    "Outcome",
    "Parameter",
    "PolicyEntry",
    "PolicyError",
    "Prediction",
    "Reason",
    "Row",
    "Sample",
    "ScenarioError",
    "Session",
    "SessionError",
    "Snapshot",
    "StatusValue",
    "Value",
    "broken",
    "cases_of",
    "catalogue",
    "check",
    "cluster_folders",
    "compare",
    "format_action",
    "format_duration",
    "format_nodes",
    "format_time",
    "generate",
    "load",
    "one_of",
    "open_session",
    "parse_duration",
    "parse_time",
    "policies_table",
    "reconstructions",
    "refused",
    "scenario_files",
]


def policies_table() -> tuple[PolicyEntry, ...]:
    """Return every policy with its parameters, its paper, and what in it is a choice or a reconstruction."""
    return tuple(policies().values())


@cache
def reconstructions() -> frozenset[str]:
    """Return the names of the policies whose definition is a reconstruction.

    A policy that chooses among others is no reconstruction because a candidate is one.
    """
    return frozenset(
        name
        for name, entry in policies().items()
        if any(note.startswith("reconstruction:") for note in entry.notes)
        and not any(parameter.kind in ("policy", "policies") for parameter in entry.parameters)
    )
