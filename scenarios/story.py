"""The notes and expectations of a scenario file: [[note]] and [[expect]]."""

from collections.abc import Collection, Container
from decimal import Decimal

from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.lessons.questions import read_job_id
from shadowtime.scenarios.text.table import Table, is_number
from shadowtime.scenarios.values import ALL, ANY, JOB_FIELDS, METRICS, STATES, Expect, Note

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
