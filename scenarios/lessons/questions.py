"""The questions of a scenario file, or of a lesson on a captured cluster: [[question]]."""

from collections.abc import Callable, Container

import attrs

from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.times import MAX_TIME, format_time
from shadowtime.scenarios.values import (
    CLUSTER,
    DIFFICULTIES,
    MOST_PICKED,
    ODDS,
    QUESTION_FIELDS,
    READ_METRICS,
    RECORDS,
    SCREEN,
    Question,
)

KEYS = ("job", "do", "within", "by", "among", "odds", "node", "metric")
"""What a kind of question may have beside its instant and its texts."""
SETTLED = ("do", "by", "among")
"""What a seed settles beside the instant and the job."""
AMONG = {
    "remedy": "two to four actions, as they are typed",
    "request": "two to four requests, as in limit=1h or size=8",
    "sooner": "two to four changes",
}
RANGES = {"likely_start": ODDS, "record": RECORDS}
"""What a question about the odds may ask for."""

OF_WORKLOAD = "the workload has no such job"
OF_CLUSTER = "no job of that number waits in the cluster"

Wrong = Callable[[str], str]
"""What is wrong with an action or a change, in one line; empty if nothing is."""


@attrs.frozen
class Subject:
    """What the questions of a file are about: a machine, or a captured cluster, which has one instant.

    `jobs` are the ids there are, `nodes` the nodes of the machine; None where they are not known.
    """

    jobs: Container[int] | None
    nodes: int | None = None
    cluster: bool = False
    wrong: Wrong = lambda _: ""


def read_questions(root: Table, subject: Subject) -> tuple[Question, ...]:
    """Read the questions, in order of their instants."""
    found = (_read(table, subject) for table in root.tables("question"))
    return tuple(sorted((it for it in found if it is not None), key=lambda question: question.at))


def _read(table: Table, subject: Subject) -> Question | None:
    kinds = [name for name, it in QUESTION_FIELDS.items() if (it.about == CLUSTER) == subject.cluster]
    pick, start, until, difficulty = _read_pick(table, subject)
    at: int | None = 0
    if not subject.cluster:
        at = start if pick is not None else table.seconds("at", required=True, instant=True)
    ask, covered, values = table.choice("ask", kinds, required=True), True, dict[str, object]()
    if ask is None:
        table.known += [*KEYS, "covered"]
    else:
        covered = not subject.cluster and _read_covered(table, ask)
        values = _read_values(table, ask, subject, pick is not None)
    texts = {key: (table.text(key, empty=False) or "").strip() for key in ("text", "hint", "debrief")}
    table.close()
    if at is None or ask is None:
        return None
    given = {key: value for key, value in values.items() if value is not None}
    line = table.document.line((*table.path, "ask"))
    question = Question(at, ask, line=line, covered=covered or subject.cluster, **given, **texts)  # type: ignore[arg-type]
    if not pick:
        return question
    return attrs.evolve(question, pick=pick, start=start, until=until, difficulty=difficulty)


def _read_pick(table: Table, subject: Subject) -> tuple[int | None, int, int | None, str]:
    """Read how many questions the seed draws, from when until when, how difficult; None if it draws none."""
    drawn, span = "pick" in table.values, () if subject.cluster else ("from", "until", "difficulty")
    pick = table.integer("pick", 1, MOST_PICKED) or 0
    if not drawn:
        table.refuse(span, "goes with pick")
        return None, 0, None, ""
    table.refuse(("at", "job") if span else ("job",), "does not go with pick: the seed draws it")
    if not span:
        return pick, 0, None, ""
    start = table.seconds("from", instant=True) or 0
    until = table.seconds("until", instant=True)
    if until is not None and until < start:
        table.fault("until", f"it is before from, {format_time(start)}; expected a later instant")
    return pick, start, until, table.choice("difficulty", DIFFICULTIES) or ""


def _read_covered(table: Table, ask: str) -> bool:
    """Read whether the screen is covered: of a question that the screen answers it is not."""
    if QUESTION_FIELDS[ask].about == SCREEN:
        table.refuse(["covered"], f"does not go with {ask}: the screen answers it")
        return False
    return table.boolean("covered") is not False


def _read_values(table: Table, ask: str, subject: Subject, drawn: bool) -> dict[str, object]:
    """Read what a kind of question has beside its instant and its texts."""
    fields, values = QUESTION_FIELDS[ask], dict[str, object]()
    if drawn and not fields.drawn:
        table.fault("ask", f"no seed draws {ask}; expected it without pick")
    for key in KEYS:
        if drawn and key in ("job", *SETTLED):
            table.refuse([key] if key in SETTLED else [], "does not go with pick")
        elif key in fields.needs or key in fields.takes:
            values[key] = _read_value(table, ask, key, subject, key in fields.needs)
        else:
            table.refuse([key], f"does not go with {ask}")
    return values


def _read_value(table: Table, ask: str, key: str, subject: Subject, required: bool) -> object:
    match key:
        case "job":
            return read_job_id(table, subject.jobs, OF_CLUSTER if subject.cluster else OF_WORKLOAD)
        case "do":
            text = " ".join((table.text("do", required=required, empty=False) or "").split())
            if text and (wrong := subject.wrong(text)):
                table.fault("do", wrong)
            return text
        case "within" | "by":
            return table.seconds(key, required=required, instant=key == "by")
        case "among":
            return _read_among(table, AMONG[ask], subject.wrong)
        case "odds":
            return table.choice("odds", RANGES[ask], required=True)
        case "node":
            return table.integer("node", 0, (subject.nodes or MAX_TIME + 1) - 1, required=True)
        case _:
            return table.choice("metric", tuple(READ_METRICS), required=True)


def _read_among(table: Table, expected: str, wrong: Wrong) -> tuple[str, ...]:
    """Read two to four texts to choose from."""
    among = table.take("among", expected, required=True)
    if among is None:
        return ()
    if not isinstance(among, list) or not all(isinstance(one, str) and one.strip() for one in among):
        table.fault("among", f"expected {expected}")
        return ()
    texts = tuple(" ".join(one.split()) for one in among)
    why = next(filter(None, map(wrong, texts)), "")
    if why or not 2 <= len(set(texts)) == len(texts) <= 4:
        table.fault("among", why or f"expected {expected}, each once")
    return texts


def read_job_id(table: Table, jobs: "Container[int] | None", missing: str = OF_WORKLOAD) -> int | None:
    """Read the required `job` of a table: the id of a job that there is."""
    job = table.integer("job", required=True)
    if job is not None and jobs is not None and job not in jobs:
        table.fault("job", missing)
        return None
    return job
