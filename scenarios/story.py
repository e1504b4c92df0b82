"""The notes, questions and expectations of a scenario file: [[note]], [[question]] and [[expect]]."""

from collections.abc import Callable, Collection, Container
from decimal import Decimal

import attrs

from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.text.table import Table, is_number
from shadowtime.scenarios.times import MAX_TIME, format_time
from shadowtime.scenarios.values import (
    ALL,
    ANY,
    DIFFICULTIES,
    JOB_FIELDS,
    METRICS,
    MOST_PICKED,
    ODDS,
    QUESTION_FIELDS,
    QUESTIONS,
    QUESTIONS_ABOUT_A_JOB,
    QUESTIONS_AFTER_AN_ACTION,
    QUESTIONS_WRITTEN,
    READ_METRICS,
    READINGS,
    RECORDS,
    STATES,
    Expect,
    Note,
    Question,
)

AMONG = {
    "remedy": "two to four actions, as they are typed",
    "request": "two to four requests, as in limit=1h or size=8",
}
TOLERANT = ("start_time", "likely_start")
"""The questions whose answer may be wrong by some seconds."""
RANGES = {"likely_start": ODDS, "record": RECORDS}
"""What a question about the odds may ask for."""

# A comparison at more decimals than a float holds could never succeed.
_MOST_DECIMALS = 15


def read_notes(root: Table, named: Collection[str], jobs: "Container[int] | None") -> tuple[Note, ...]:
    """Read the notes for the operator, in order of their instants; `named` are the policies of the file."""
    notes = []
    for table in root.tables("note"):
        at = table.seconds("at", required=True, instant=True)
        text = table.text("text", required=True, empty=False)
        variants, when = _read_courses(table, named), _read_when(table, jobs)
        table.close()
        if at is not None and text is not None:
            notes.append(Note(at, text, variants, when))
    return tuple(sorted(notes, key=lambda note: note.at))


def _read_courses(table: Table, named: Collection[str]) -> tuple[str, ...]:
    """Read of which courses a note is true: one name, or a list of them."""
    known = tuple(dict.fromkeys((*named, ALL, ANY)))
    value = table.take("variant", "a name, or a list of names")
    names = value if isinstance(value, list) else [] if value is None else [value]
    for name in names:
        if not isinstance(name, str) or name not in known:
            table.fault("variant", one_of(known, name if isinstance(name, str) else ""))
            return ()
    if isinstance(value, list) and not value:
        table.fault("variant", one_of(known))
    return tuple(names)


def _read_when(table: Table, jobs: "Container[int] | None") -> tuple[int, str] | None:
    """Read the job, and its state, without which a note is not true."""
    when = table.table("when", "when")
    if when is None:
        return None
    job, state = read_job_id(when, jobs), when.choice("state", STATES, required=True)
    when.close()
    return None if job is None or state is None else (job, state)


def read_questions(
    root: Table, jobs: "Container[int] | None", nodes: int | None = None
) -> tuple[Question, ...]:
    """The drills, in order of their instants.

    `jobs` are the ids there are, `nodes` the nodes of the machine; None where they are not known.
    """
    questions = []
    for table in root.tables("question"):
        pick, start, until, difficulty = _read_pick(table)
        drawn = "pick" in table.values
        if drawn:
            table.refuse(["at", "job"], "does not go with pick: the seed draws it")
        at = start if drawn else table.seconds("at", required=True, instant=True)
        ask = table.choice("ask", (*QUESTIONS, *READINGS), required=True)
        job = None
        if drawn:
            pass
        elif ask is not None and QUESTION_FIELDS[ask].job:
            job = read_job_id(table, jobs)
        elif ask is not None:
            table.refuse(["job"], f"goes with {_listed(QUESTIONS_ABOUT_A_JOB)}; the question is {ask}")
        else:
            table.known.append("job")
        within = table.seconds("within")
        if within is not None and ask is not None and ask not in TOLERANT:
            why = f"within goes with {_listed(TOLERANT)}; the question is {ask}"
            table.document.fault((*table.path, "within"), why, "key")
        node, metric, covered = _read_reading(table, ask, drawn, nodes)
        do, (by, among) = _read_do(table, ask, drawn), _read_among(table, ask)
        odds = ""
        if ask in RANGES:
            odds = table.choice("odds", RANGES[ask], required=True) or ""
        else:
            table.refuse(["odds"], f"goes with {_listed(RANGES)}; the question is {ask}")
        text, hint, debrief = (table.text(key, empty=False) or "" for key in ("text", "hint", "debrief"))
        table.close()
        if at is not None and ask is not None:
            line = table.document.line((*table.path, "ask"))
            question = Question(at, ask, job, within or 0, text.strip(), hint.strip(), line)
            question = attrs.evolve(question, node=node, metric=metric, odds=odds, covered=covered)
            question = attrs.evolve(question, do=do, by=by, among=among, debrief=debrief.strip())
            if pick:
                question = attrs.evolve(question, pick=pick, start=start, until=until, difficulty=difficulty)
            questions.append(question)
    return tuple(sorted(questions, key=lambda question: question.at))


def _read_reading(
    table: Table, ask: str | None, drawn: bool, nodes: int | None
) -> tuple[int | None, str, bool]:
    """Read the node or the metric of a question that the screen answers, and whether anything is covered."""
    node, metric = None, ""
    if drawn and ask in READINGS:
        table.fault("ask", f"no seed draws {ask}; expected at, and no pick")
    if ask == "owner":
        node = table.integer("node", 0, MAX_TIME if nodes is None else nodes - 1, required=True)
    elif ask is not None:
        table.refuse(["node"], f"goes with owner; the question is {ask}")
    if ask == "metric":
        metric = table.choice("metric", tuple(READ_METRICS), required=True) or ""
    elif ask is not None:
        table.refuse(["metric"], f'goes with ask = "metric"; the question is {ask}')
    if ask in READINGS:
        table.refuse(["covered"], f"does not go with {ask}: the screen answers it")
        return node, metric, False
    covered = table.boolean("covered")
    return node, metric, covered is not False


def _read_pick(table: Table) -> tuple[int, int, int | None, str]:
    """Read how many questions the seed draws, from when until when, and how difficult; 0 if it draws none."""
    if "pick" not in table.values:
        table.refuse(["from", "until", "difficulty"], "goes with pick")
        return 0, 0, None, ""
    pick = table.integer("pick", 1, MOST_PICKED) or 0
    start = table.seconds("from", instant=True) or 0
    until = table.seconds("until", instant=True)
    if until is not None and until < start:
        table.fault("until", f"it is before from, {format_time(start)}; expected a later instant")
    return pick, start, until, table.choice("difficulty", DIFFICULTIES) or ""


def _read_do(table: Table, ask: str | None, drawn: bool) -> str:
    """Read the action that a question supposes; empty for none."""
    if drawn:
        table.refuse(["do"], "does not go with pick")
        if ask in QUESTIONS_WRITTEN:
            table.fault("ask", f"no seed draws {ask}; expected at, and no pick")
        return ""
    if ask is not None and ask not in QUESTIONS_AFTER_AN_ACTION:
        table.refuse(["do"], f"goes with {_listed(QUESTIONS_AFTER_AN_ACTION)}; the question is {ask}")
        return ""
    return " ".join((table.text("do", required=ask == "delayed", empty=False) or "").split())


def _read_among(table: Table, ask: str | None) -> tuple[int | None, tuple[str, ...]]:
    """Read by when a remedy is to help, and the actions or requests to choose from."""
    by = None
    if ask == "remedy":
        by = table.seconds("by", required=True, instant=True)
    else:
        table.refuse(["by"], f"goes with remedy; the question is {ask}")
    if ask not in AMONG:
        table.refuse(["among"], f"goes with {_listed(AMONG)}; the question is {ask}")
        return None, ()
    return by, read_among(table, AMONG[ask])


def read_among(table: Table, expected: str, wrong: Callable[[str], str] = lambda _: "") -> tuple[str, ...]:
    """Read two to four texts to choose from; `wrong` says what is wrong with one, or nothing."""
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


def _listed(names: Collection[str]) -> str:
    """Return names as a list in words: `state, why or row`."""
    *first, last = names
    return f"{', '.join(first)} or {last}"


def read_job_id(table: Table, jobs: "Container[int] | None") -> int | None:
    """The required `job` of a table: the id of a job that there is."""
    job = table.integer("job", required=True)
    if job is not None and jobs is not None and job not in jobs:
        table.fault("job", "the workload has no such job")
        return None
    return job


def read_expects(root: Table, variants: Collection[str], jobs: "Container[int] | None") -> tuple[Expect, ...]:
    """The expectations in the order of the file; one that names several fields of a job is as many."""
    expects: list[Expect] = []
    for table in root.tables("expect"):
        variant = table.text("variant")
        if variant is not None and variant not in variants:
            known = one_of(variants, variant) if variants else "the scenario has no variants"
            table.fault("variant", known)
        at = table.seconds("at", instant=True)
        if "job" in table.values:
            found = _read_job_expects(table, variant, at, jobs)
        else:
            found = _read_metric_expect(table, variant, at)
        table.close()
        if not table.flawed:
            expects.extend(found)
    return tuple(expects)


def _read_job_expects(
    table: Table, variant: str | None, at: int | None, jobs: "Container[int] | None"
) -> list[Expect]:
    job = read_job_id(table, jobs)
    table.refuse(["metric", "equals", "within"], f"does not go with job; {one_of(JOB_FIELDS)}")
    expects = []
    for field in JOB_FIELDS:
        value = table.integer(field) if field == "preemptions" else table.seconds(field, instant=True)
        if value is not None:
            line = table.document.line((*table.path, field))
            text = str(table.values[field])
            expects.append(Expect(line, variant, at, None, job, field, value, text=text))
    if not table.given(*JOB_FIELDS):
        table.missing(one_of(JOB_FIELDS).replace("expected ", "value; expected "))
    return expects


def _read_metric_expect(table: Table, variant: str | None, at: int | None) -> list[Expect]:
    metric = table.choice("metric", METRICS, required=True)
    table.refuse(JOB_FIELDS, "goes with a job; expected equals or within beside a metric")
    equals = table.number("equals")
    within = _read_within(table)
    given = table.given("equals", "within")
    if len(given) == 2:
        table.fault("within", "expected only one of equals and within")
    elif not given:
        table.missing("value; expected equals or within")
    if table.flawed or metric is None:
        return []
    line = table.document.line((*table.path, given[0]))
    if within is not None:
        text = f"{within[0]} to {within[1]}"
        return [Expect(line, variant, at, metric, within=(float(within[0]), float(within[1])), text=text)]
    assert equals is not None
    return [_equals(table, line, variant, at, metric, equals)]


def _equals(
    table: Table, line: int, variant: str | None, at: int | None, metric: str, equals: int | Decimal
) -> Expect:
    exponent = equals.as_tuple().exponent if isinstance(equals, Decimal) else 0
    decimals = max(0, -exponent) if isinstance(exponent, int) else 0
    if decimals > _MOST_DECIMALS:
        table.fault("equals", f"it has {decimals} decimals; expected at most {_MOST_DECIMALS}")
    value = equals if isinstance(equals, int) else float(equals)
    return Expect(line, variant, at, metric, equals=value, decimals=decimals, text=str(equals))


def _read_within(table: Table) -> tuple[int | Decimal, int | Decimal] | None:
    expected = "expected [low, high], two numbers"
    value = table.take("within", expected)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(map(is_number, value)):
        table.fault("within", expected)
        return None
    low, high = value
    if low > high:
        table.fault("within", "the first is larger than the second; expected [low, high]")
    return low, high
