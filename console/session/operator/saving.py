"""A session as a scenario file: the scenario as it was written, or all that was said instead, and actions.

Whoever opens the file is led through the same events, to the byte.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.operator.journal import numbered
from shadowtime.console.session.plugins import choose, defaults_of
from shadowtime.scenarios import Action, LogMissing, PolicyChoice, find_log
from shadowtime.scenarios.slurm.scenario import is_capture
from shadowtime.scenarios.text.document import fraction
from shadowtime.scenarios.text.editing import with_actions, with_log
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.text.writing import (
    MARK,
    action_table,
    action_text,
    is_saved,
    policy_table,
    standing_at,
    written,
)
from shadowtime.scenarios.traces.archive import is_log
from shadowtime.scenarios.values import CHECKPOINT

SAID_ELSEWHERE = ("policy", "variant", "expect", "action")
"""What a generated file does not take over: its policy is another one, and with it what is expected."""


def refuse_name(target: Path, force: bool) -> None:
    """Refuse the name of a file that is no saved session. SessionError."""
    if is_log(target):
        raise SessionError(f"{target} is the name of a log; expected a scenario file, such as session.toml")
    if target.is_dir():
        raise SessionError(f"{target} is a folder; expected the name of a file")
    if not force and target.is_file() and not _is_saved(target):
        raise SessionError(f"{target} is there already, and is no saved session; save! writes over it")


def refuse_target(case: Case, target: Path, force: bool) -> None:
    """Refuse a name under which something else would be lost. SessionError."""
    refuse_name(target, force)
    if force or not target.is_file():
        return
    itself = case.scenario.path.exists() and target.samefile(case.scenario.path)
    if itself and not plain(case):
        raise SessionError(f"{target} is the session of another policy or machine; save! writes over it")


def _is_saved(path: Path) -> bool:
    try:
        return is_saved(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return False


def plain(case: Case) -> bool:
    """Whether a case is what its file says, and nothing was named beside it."""
    scenario = case.scenario
    if not scenario.text or case.policy != scenario.policy.name:
        return False
    if case.parameters != choose(scenario.policy.name, scenario.policy.parameters, {}):
        return False
    if not case.resized:
        return True
    machine = tomllib.loads(scenario.text).get("machine")
    return isinstance(machine, dict) and machine.get("nodes") == scenario.machine.nodes


def session_text(case: Case, times: Sequence[str], target: Path, event: int) -> str:
    """Return the file of a session after an event; `times` holds when each of the operator's actions is."""
    journal = numbered(case.scenario.actions)
    text = _edited(case, journal, times, target) if plain(case) else None
    if text is None:
        text = _generated(case, journal, times, target)
    return standing_at(text if is_saved(text) else f"{text}\n{MARK}\n", event)


def _edited(case: Case, journal: Sequence[Action], times: Sequence[str], target: Path) -> str | None:
    """Return the scenario's own text with the actions; None if they cannot be added to it."""
    text: str | None = case.scenario.text
    path = _log_path(case, target)
    if path is not None:
        text = with_log(case.scenario.text, path)
    if text is None:
        return None
    kept = [action.line for action in journal if action.line]
    added = [
        action_text(action, time) for action, time in zip(journal, times, strict=True) if not action.line
    ]
    return with_actions(text, kept, added)


def _log_path(case: Case, target: Path) -> str | None:
    """Return another path for the log of a scenario, if its own would not be found from the new file."""
    log = case.scenario.log
    if log is None:
        return None
    name = str(tomllib.loads(case.scenario.text)["workload"]["log"]) if case.scenario.text else log.name
    try:
        if find_log(name, Path(os.path.realpath(target)).parent).samefile(log):
            return None if case.scenario.text else name
    except LogMissing:
        pass
    return os.path.realpath(log)


def _generated(case: Case, journal: Sequence[Action], times: Sequence[str], target: Path) -> str:
    """Return a file that says all that the case is made of, without the comments of the scenario."""
    scenario = case.scenario
    values: dict[str, Any] = tomllib.loads(scenario.text, parse_float=fraction)
    given = {key: value for key, value in values.items() if key not in SAID_ELSEWHERE}
    given.setdefault("title", scenario.title)
    machine = given.pop("machine", None) or _machine(case)
    workload = given.pop("workload", None)
    path = _log_path(case, target)
    if path is not None:
        workload = {**(workload or {}), "log": path}
    if "torus" not in machine:
        machine = {**machine, "nodes": scenario.machine.nodes}
    if not scenario.text and scenario.nqs:
        given["nqs"] = {"limits": scenario.nqs}
    if not scenario.text and scenario.about:
        given["about"] = scenario.about
    if workload is None and "job" not in given:
        given["job"] = _jobs(case)
    table = {
        **given,
        "machine": machine,
        "policy": policy_table(_choice(case)),
        **({} if workload is None else {"workload": workload}),
        "action": [
            action_table(action)
            for action in scenario.actions
            if action.at is not None and not action.recorded
        ],
    }
    if not table["action"]:
        del table["action"]
    head = f"# A session of {printable(scenario.path.name)} under {case.policy}.\n"
    parts = [head + written(table), MARK + "\n"]
    parts += [action_text(action, time) for action, time in zip(journal, times, strict=True)]
    return "\n".join(parts)


def _choice(case: Case) -> PolicyChoice:
    """Return the policy with the parameters that are not its defaults."""
    defaults = defaults_of(case.policy)
    return PolicyChoice(
        case.policy, {key: value for key, value in case.parameters.items() if value != defaults[key]}
    )


def _jobs(case: Case) -> list[Mapping[str, object]]:
    """Return the jobs of a case that was made without a file."""
    columns = case.columns
    rows = zip(
        columns.id, columns.size, columns.submit, columns.runtime, columns.estimate,
        columns.user, columns.klass, columns.queue, columns.name, strict=True,
    )  # fmt: skip
    keys = ("id", "size", "submit", "runtime", "estimate", "user", "class", "queue", "name")
    return [{key: value for key, value in zip(keys, row, strict=True) if value != ""} for row in rows]


def _machine(case: Case) -> dict[str, object]:
    """Return the machine of a case that was made without a file, without its nodes."""
    machine = case.scenario.machine
    table: dict[str, object] = {}
    if machine.torus is not None:
        table["torus"] = list(machine.torus)
    if machine.unit == "processor":
        table |= {"unit": machine.unit, "per_node": machine.per_node}
    if machine.epoch is not None:
        table["epoch"] = machine.epoch.isoformat(" ", "seconds")
    if machine.on_failure != "kill":
        table["on_failure"] = machine.on_failure
    if machine.on_failure == CHECKPOINT:
        table["checkpoint_interval"] = machine.checkpoint_interval
    return table


def save_place(folder: Path, event: int, target: Path, force: bool) -> None:
    """Write where a captured cluster stands; `force` writes over any file.

    SessionError in one line: the cluster is not read from a folder, or something would be lost. OSError.
    """
    if not is_capture(folder):
        raise SessionError("a live cluster is not saved; shadowtime capture slurm -o FOLDER keeps one")
    refuse_name(target, force)
    values = {"title": folder.name, "cluster": str(folder.resolve())}
    with written_whole(target) as stream:
        stream.write(standing_at(f"{written(values)}\n{MARK}\n", event))
