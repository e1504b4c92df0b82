"""The one door between those who see or steer and what is simulated: they import from here, and only here."""

from console.session.case import Case, load
from console.session.catalogue import Entry, catalogue
from console.session.check import check
from console.session.compare import cases_of, compare
from console.session.errors import SessionError
from console.session.facts import (
    Comparison,
    Decision,
    Event,
    Metrics,
    Outcome,
    Prediction,
    Reason,
    Row,
    Sample,
    Snapshot,
)
from console.session.generate import Generation, generate
from console.session.session import Session, open_session
from kernels.policies import POLICIES, PolicyEntry
from scenarios import (
    Fault,
    LogMissing,
    ScenarioError,
    format_duration,
    format_time,
    parse_duration,
    parse_time,
    scenario_files,
)

__all__ = [
    "Case",
    "Comparison",
    "Decision",
    "Entry",
    "Event",
    "Fault",
    "Generation",
    "LogMissing",
    "Metrics",
    "Outcome",
    "PolicyEntry",
    "Prediction",
    "Reason",
    "Row",
    "Sample",
    "ScenarioError",
    "Session",
    "SessionError",
    "Snapshot",
    "cases_of",
    "catalogue",
    "check",
    "compare",
    "format_duration",
    "format_time",
    "generate",
    "load",
    "open_session",
    "parse_duration",
    "parse_time",
    "policies_table",
    "scenario_files",
]


def policies_table() -> tuple[PolicyEntry, ...]:
    """Return every policy with its parameters, its paper, and what in it is a choice or a reconstruction."""
    return tuple(POLICIES.values())
