"""Questions that the screen answers: their words, their choices, and where the screen shows the answer."""

from collections.abc import Callable, Mapping

from shadowtime.console.clock import duration
from shadowtime.console.session.training import Question, Read, Value
from shadowtime.console.words.happening import happened
from shadowtime.console.words.units import Unit

ASKS: Mapping[str, str] = {
    "free": "How many nodes are free now?",
    "owner": "Which job holds node {node}?",
    "end_time": "When does job {job} end, if it runs to its estimate?",
    "waited": "How long has job {job} waited by now?",
    "metric": "What is the {metric}?",
    "last_event": "What has happened last, apart from scheduling passes?",
}
METRICS: Mapping[str, str] = {
    "utilization_now": "share of the nodes that are busy now (util now)",
    "utilization": "share of the node time used so far (util so far)",
    "queue_length": "number of jobs that wait (queue)",
    "running": "number of jobs that run (running)",
    "mean_wait": "mean wait so far (mean wait)",
    "mean_response": "mean response so far (response)",
}
"""The metrics that can be asked for, with their short names in the panel of metrics."""
HINTED: Mapping[str, str] = {
    "free": "The last line of panel 1 counts the {units}.",
    "owner": "Enter on a job in panel 2 opens its page, which lists its {units}.",
    "end_time": "Add the estimate to the start; panel 2 has both.",
    "waited": "A wait begins with the submission. The status line has the time.",
    "metric": "The panel of metrics has it, under its short name.",
    "last_event": "The log of events shows the last one at its end.",
}
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


def asked(question: Question) -> str:
    """Return the question in words."""
    metric = METRICS.get(question.metric, question.metric)
    return ASKS[question.ask].format(job=question.job, node=question.node, metric=metric)


def _free(value: Value, unit: Unit) -> str:
    return unit.sized(value) if isinstance(value, int) else "none"


def _owner(value: Value, unit: Unit) -> str:
    return "nobody: it is free" if value is None else f"job {value}"


def _instant(value: Value, unit: Unit) -> str:
    return unit.instant(value) if isinstance(value, int) else "never"


def _length(value: Value, unit: Unit) -> str:
    return duration(value) if isinstance(value, int) else "not at all"


def _metric(value: Value, unit: Unit) -> str:
    measure, _, number = str(value).partition(":")
    if measure == "share":
        return f"{int(number) / 10:.1f} %"
    return f"{int(number):,}" if measure == "count" else duration(int(number))


def _event(value: Value, unit: Unit) -> str:
    return happened(*value) if isinstance(value, tuple) else "nothing"


CHOICES: Mapping[str, Callable[[Value, Unit], str]] = {
    "free": _free,
    "owner": _owner,
    "end_time": _instant,
    "waited": _length,
    "metric": _metric,
    "last_event": _event,
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
