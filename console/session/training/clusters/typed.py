"""What a trainee typed as an answer about a cluster: an instant of the clock, nodes, a job."""

import re
from datetime import UTC, datetime, timedelta

from shadowtime.console.session.training.facts import Answer, Value
from shadowtime.scenarios.slurm import Capture, format_hosts, parse_hosts
from shadowtime.scenarios.slurm.changes import number_of

EXPECTED = {
    "not_running": "one of the choices",
    "planned_start": "an instant such as 21:30:00 or 11-24 01:30:00, now, or never",
    "planned_nodes": "nodes such as n[01-04,7]",
    "sooner": "one of the changes",
    "put_off": "a job's number, or nobody",
}
"""What can be typed for each question beside the letter of a choice."""
NONE = frozenset(("nobody", "none", "never", "no job"))
_INSTANT = re.compile(r"(?:(?:\d{4}-)?(\d\d?)-(\d\d?) )?(\d\d?):(\d\d)(?::(\d\d))?", re.ASCII)


def written_instant(seconds: int) -> str:
    """Return an instant as the questions write it: `11-24 01:30:00`, in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%m-%d %H:%M:%S}"


def read_cluster_answer(capture: Capture, answer: Answer, word: str) -> Value:
    """Return the answer that a word names. ValueError if it names none."""
    ask = answer.question.ask
    if ask == "planned_start":
        return _instant(capture.taken, word)
    if ask == "planned_nodes":
        return _nodes(capture, answer, word)
    if ask == "put_off":
        return _number(capture, word)
    known = {value for value in (*answer.offered, *answer.right) if isinstance(value, str)}
    if word not in known:
        raise ValueError
    return word


def _instant(now: int, word: str) -> int | None:
    """The next instant from now on that a clock shows so."""
    if word.lower() in NONE:
        return None
    if word.lower() == "now":
        return now
    found = _INSTANT.fullmatch(word)
    if found is None:
        raise ValueError
    month, day, hour, minute, second = (int(part) if part else None for part in found.groups())
    taken = datetime.fromtimestamp(now, UTC)
    at = taken.replace(hour=hour or 0, minute=minute or 0, second=second or 0)
    if month is not None and day is not None:
        at = at.replace(month=month, day=day)
        return int((at if at >= taken else at.replace(year=at.year + 1)).timestamp())
    return int((at if at >= taken else at + timedelta(days=1)).timestamp())


def _nodes(capture: Capture, answer: Answer, word: str) -> str:
    """The nodes as the choices write them, whatever their order."""
    names = set(parse_hosts(word.lower().removeprefix("nodes ")))
    if not names or not names <= {node.name for node in capture.nodes}:
        raise ValueError
    for value in (*answer.right, *answer.offered):
        if isinstance(value, str) and set(parse_hosts(value)) == names:
            return value
    return format_hosts(node.name for node in capture.nodes if node.name in names)


def _number(capture: Capture, word: str) -> int | None:
    if word.lower() in NONE:
        return None
    digits = word.lower().removeprefix("job ").strip()
    numbers = {str(number_of(job)) for job in capture.jobs if job.waiting}
    if digits not in numbers:
        raise ValueError
    return int(digits)
