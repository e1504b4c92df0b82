"""Questions that the screen answers: their words, their choices, and where the screen shows the answer."""

from collections.abc import Mapping

from shadowtime.console.clock import duration
from shadowtime.console.session.training import Read, Value
from shadowtime.console.words.questions.wording import Wording, event, instant, length
from shadowtime.console.words.units import Unit

METRICS: Mapping[str, str] = {
    "utilization_now": "share of the nodes that are busy now (util now)",
    "utilization": "share of the node time used so far (util so far)",
    "queue_length": "number of jobs that wait (queue)",
    "running": "number of jobs that run (running)",
    "mean_wait": "mean wait so far (mean wait)",
    "mean_response": "mean response so far (response)",
}
"""The metrics that can be asked for, with their short names in the panel of metrics."""
SHOWN: Mapping[str, str] = {
    "free": "{busy:,} {units} are busy, {down:,} out of service, {free:,} free: the last line of panel 1"
    " counts them",
    "owner": "{unit} {node:,} is among the {units} on the page of job {job}",
    "owner_free": "no running job has {unit} {node:,} on its page: it is free",
    "end_time": "job {job} has started at {start}, and its estimate is {length}: panel 2 has both",
    "waited": "job {job} was submitted at {submit}, and it is {now}",
    "metric": "the panel of metrics has the {metric}: {value}",
}
INSTANTS = ("start", "submit", "now")


def _free(value: Value, unit: Unit) -> str:
    return unit.sized(value) if isinstance(value, int) else "none"


def _owner(value: Value, unit: Unit) -> str:
    return "nobody: it is free" if value is None else f"job {value}"


def _metric(value: Value, unit: Unit) -> str:
    measure, _, number = str(value).partition(":")
    if measure == "share":
        return f"{int(number) / 10:.1f} %"
    return f"{int(number):,}" if measure == "count" else duration(int(number))


WORDINGS: Mapping[str, Wording] = {
    "free": Wording(
        "How many nodes are free now?",
        "The last line of panel 1 counts the {units}.",
        _free,
    ),
    "owner": Wording(
        "Which job holds node {node}?",
        "Enter on a job in panel 2 opens its page, which lists its {units}.",
        _owner,
    ),
    "end_time": Wording(
        "When does job {job} end, if it runs to its estimate?",
        "Add the estimate to the start; panel 2 has both.",
        instant,
    ),
    "waited": Wording(
        "How long has job {job} waited by now?",
        "A wait begins with the submission. The status line has the time.",
        length,
    ),
    "metric": Wording(
        "What is the {metric}?",
        "The panel of metrics has it, under its short name.",
        _metric,
    ),
    "last_event": Wording(
        "What has happened last, apart from scheduling passes?",
        "The log of events shows the last one at its end.",
        event,
    ),
}


def because(part: Read, unit: Unit) -> str:
    """Return where the screen shows the answer."""
    numbers: dict[str, object] = dict(part.numbers)
    for name, value in part.numbers.items():
        if isinstance(value, int) and name in INSTANTS:
            numbers[name] = unit.instant(value)
        elif isinstance(value, int) and name == "length":
            numbers[name] = duration(value)
        elif name == "value":
            numbers[name] = _metric(value, unit)
        elif name == "metric":
            numbers[name] = METRICS.get(str(value), str(value))
    return SHOWN[part.code].format(job=part.job, unit=unit.one, units=unit.several, **numbers)
