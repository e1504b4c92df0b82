"""A shift out of a real moment: the queue as it stood, and the response that a search finds."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.case import load
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.shift.responses import references
from shadowtime.console.session.shift.soundness import Report, examine_shift
from shadowtime.scenarios.text.writing import action_table, written

SHIFT_FILE = "shift.toml"
BUDGET = 4
_ORDER = ("hold", "release", "priority")
WAYS: Sequence[Mapping[str, object]] = (
    {"allow": list(_ORDER)},
    {"allow": [*_ORDER, "suspend", "resume"]},
    {"allow": [*_ORDER, "suspend", "resume"], "fairness": 0},
)
"""What may be done, and what counts: the next one if those before it bring nothing."""
GOAL = "Let the jobs wait less than they would without you. No job may wait for ever."
DEBRIEF = """
A priority or a hold pays where one job stands in the way of several others. Whatever goes before another
job lets that job wait: the figures count the mean, and with a fairness the worst wait and the wide jobs.
"""


def write_shift(folder: Path, values: Mapping[str, object], until: int) -> Report:
    """Write the shift of a scenario into a folder; return its report. A shift with a flaw is not kept.

    `until` is the instant at which it ends. ScenarioError, SessionError: what is wrong with the scenario.
    """
    path, report = folder / SHIFT_FILE, Report(())
    for way in WAYS:
        shift: dict[str, object] = {
            "kind": "incident",
            "goal": GOAL,
            "until": until,
            "budget": BUDGET,
            **way,
            "debrief": DEBRIEF,
        }
        _write(path, {**values, "shift": shift})
        found = references(load(path)).best
        if found.actions:
            # At their instants: an operator counts no events.
            acted = zip(found.actions, found.times, strict=True)
            tables = [action_table(attrs.evolve(action, after=None, at=at)) for action, at in acted]
            shift["response"] = [{"name": found.name, "action": tables}]
            _write(path, {**values, "shift": shift})
        report = examine_shift(load(path))
        if not report.flaws:
            return report
    path.unlink()
    return report


def _write(path: Path, values: Mapping[str, object]) -> None:
    with written_whole(path) as stream:
        stream.write(written(values))
