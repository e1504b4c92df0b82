"""What docs/schedulers.md defines is what the program does: its worked cases, parameters and tables."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session import load
from shadowtime.console.words import spelled
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.policies.entries import ENTRIES
from shadowtime.kernels.policies.table import PolicyEntry
from shadowtime.kernels.policies.torus.classes import CLASSES
from shadowtime.kernels.policies.torus.torus import SIZES
from shadowtime.scenarios import parse_duration
from shadowtime.scenarios.models.constants import DEFAULTS, Means
from shadowtime.scenarios.models.lublin import BATCH, INTERACTIVE, UNTYPED
from shadowtime.scenarios.values import METRICS
from tests.commandline import ROOT
from tests.kernels.policies.test_published import FIGURES, MEANS
from tests.oracles.torus.nqs import LIMITS

PAGE = (ROOT / "docs/schedulers.md").read_text(encoding="utf-8")
CASES: dict[str, str] = dict(
    re.findall(
        r"^\*\*Worked case (\d+\.\d+)\.\*\* (.*?)(?=^\*\*Worked|^#|\Z)", PAGE, re.MULTILINE | re.DOTALL
    )
)
PAGE_TABLE = re.compile(r"^(\|.*\|)\n\|[-|]+\|\n((?:\|.*\|\n)+)", re.MULTILINE)
TORUS = 'torus = [8, 4, 8]\nunit = "processor"\nper_node = 2'
TEXTS = ("class", "user", "base")
YEAR = 365 * 86_400


def cells(line: str) -> list[str]:
    """The cells of a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """The tables of a text: the heads of their columns, and their rows."""
    for head, rows in PAGE_TABLE.findall(text):
        yield cells(head), [cells(row) for row in rows.splitlines()]


def rows_under(head: str) -> list[list[str]]:
    """The rows of the one table whose first column has this head."""
    (rows,) = [rows for heads, rows in tables(PAGE) if heads[0] == head]
    return rows


def scenario(case: str) -> str:
    """The scenario of a worked case, under fcfs or, on the torus, unicos."""
    heads, rows = next(tables(case))
    size = re.match(r"(\d+) nodes|The torus", case)
    assert size is not None, case
    machine, policy = (f"nodes = {size[1]}", "fcfs") if size[1] else (TORUS, "unicos")
    queues = re.match(r"The torus, with NQS `(\w+)`", case)
    text = f'title = "A worked case"\n[machine]\n{machine}\n[policy]\nname = "{policy}"\n'
    text += f'[nqs]\nlimits = "{queues[1]}"\n' if queues else ""
    for row in rows:
        text += "[[job]]\n"
        for head, cell in zip(heads, row, strict=True):
            if cell and not head.startswith("`"):
                key = "id" if head == "job" else head
                text += f'{key} = "{cell}"\n' if head in TEXTS else f"{key} = {cell}\n"
    return text


def columns(case: str) -> list[tuple[str, list[str]]]:
    """Each scheduler of a worked case with what stands below it, job by job."""
    heads, rows = next(tables(case))
    return [
        (head.strip("`"), [row[place] for row in rows])
        for place, head in enumerate(heads)
        if head.startswith("`")
    ]


RESULTS = [
    pytest.param(number, policy, shown, id=f"{number} {policy}")
    for number, case in CASES.items()
    for policy, shown in columns(case)
]


@pytest.mark.parametrize(("number", "policy", "shown"), RESULTS)
def test_a_worked_case_gives_what_is_shown(
    number: str, policy: str, shown: list[str], tmp_path: Path
) -> None:
    """The start of each job, and its finish if that is shown too."""
    path = tmp_path / "case.toml"
    path.write_text(scenario(CASES[number]), encoding="utf-8")
    simulation = load(path).spoken(policy).simulation()
    simulation.run()
    results = simulation.results()
    found = [
        f"{start} to {finish}" if "to" in cell else f"{start}"
        for start, finish, cell in zip(results["start"], results["finish"], shown, strict=True)
    ]
    assert found == shown


def test_the_metrics_of_the_worked_case(tmp_path: Path) -> None:
    """To the decimals that are shown."""
    path = tmp_path / "case.toml"
    path.write_text(scenario(CASES["0.2"]), encoding="utf-8")
    simulation = load(path).spoken("easy").simulation()
    simulation.run()
    metrics = simulation.metrics()
    shown = rows_under("metric at the end")
    assert len(shown) > 10
    for name, value in shown:
        places = -int(Decimal(value).as_tuple().exponent)
        assert f"{metrics[name.strip('`')]:.{places}f}" == value, name


def test_the_values_on_a_real_log_are_those_that_are_proved() -> None:
    """Each row is one of the published means or figures, to the digits shown; those tests need the log."""
    proved = [f"{wait:.1f} {slowdown:.1f}" for wait, slowdown in MEANS.values()]
    proved += [f"{wait} {slowdown}" for _, _, wait, slowdown in FIGURES]
    assert [f"{wait} {slowdown}" for _, wait, slowdown in rows_under("scheduler")] == proved


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_scheduler_has_its_section(entry: PolicyEntry) -> None:
    """The section of the table of policies names the scheduler, and shows its parameters and defaults."""
    section = re.split(rf"^## {entry.section}\. ", PAGE, flags=re.MULTILINE)[1].partition("\n## ")[0]
    assert f"`{entry.name}`" in section
    shown = {
        row[0].strip("`"): row[1].strip("`")
        for heads, rows in tables(section)
        if heads[0] in ("parameter", f"parameter of `{entry.name}`")
        for row in rows
    }
    for parameter in entry.parameters:
        assert shown[parameter.name] == spelled(parameter.default, parameter.kind), parameter.name


def test_the_parameters_of_the_page_are_all_known() -> None:
    """No table has one that no scheduler takes."""
    known = {parameter.name for entry in ENTRIES for parameter in entry.parameters}
    shown = {
        row[0].strip("`") for heads, rows in tables(PAGE) if heads[0].startswith("parameter") for row in rows
    }
    assert shown == known


def test_the_order_of_an_instant_is_the_kernels() -> None:
    """The kinds of events, in their order; the first two share a place."""
    assert re.findall(r"`(\w+)`", " ".join(row[1] for row in rows_under("place"))) == list(EVENT_NAMES)


def test_the_page_has_every_metric() -> None:
    """In the order of the glossary."""
    assert [row[0].strip("`") for row in rows_under("metric")] == list(METRICS)


def seconds(text: str) -> int:
    """A time as the table of classes writes it."""
    return YEAR if text == "1 year" else parse_duration(text.replace(" min", "m").replace(" ", ""))


def test_the_table_of_classes_is_the_kernels() -> None:
    """Priority, longest wait, do-not-disturb time of a processor, processors."""
    shown = {row[0]: row[1:] for row in rows_under("class")}
    assert list(shown) == list(SERVICES)
    for name, (priority, wait, undisturbed, limit) in shown.items():
        assert (int(priority), seconds(wait), seconds(undisturbed), int(limit)) == CLASSES[name]


def test_the_sizes_of_blocks_are_the_kernels() -> None:
    """In ascending order."""
    assert ", ".join(map(str, SIZES[:-1])) + f" or {SIZES[-1]}." in PAGE


def test_the_limits_of_nqs_are_those_of_the_naive_program() -> None:
    """Of all queues together, and of each queue before and after, by day and by night where they vary."""
    for place, name in enumerate(LIMITS, 1):
        limits = LIMITS[name]
        shown = [int(row[place]) for row in rows_under("limit over all queues")]
        assert shown == [limits.user, limits.run, *limits.processors]
        queues = [
            [row[0], *map(varying, row[1:3]), *row[3:5], varying(row[5])]
            for row in rows_under(f"queue, {name}")
        ]
        assert queues == [
            [
                queue.name,
                tuple(queue.user),
                tuple(queue.run),
                hours(queue.time),
                str(queue.processors),
                tuple(queue.aggregate),
            ]
            for queue in limits.queues
        ]


def varying(cell: str) -> tuple[int, int]:
    """A limit by day and by night."""
    day, _, night = cell.partition(" / ")
    return int(day), int(night or day)


def hours(time: int) -> str:
    """A time limit as the page writes it."""
    return f"{time // 3600} h" if time >= 3600 else f"{time // 60} min"


def test_the_constants_of_the_models_are_those_of_the_program() -> None:
    """Column by column; a model without a constant has an empty cell."""
    shown = rows_under_all("constant", "batch", "interactive", "untyped")
    for place, constants in enumerate((BATCH, INTERACTIVE, UNTYPED), 1):
        assert [float(row[place]) for row in shown] == list(attrs.astuple(constants))
    shown = rows_under_all("constant", "`feitelson96`", "`feitelson97`", "meaning")
    for place, name in enumerate(DEFAULTS, 1):
        cells_of = {row[0].strip("`"): float(row[place].removesuffix(" s")) for row in shown if row[place]}
        assert cells_of == attrs.asdict(DEFAULTS[name])
    shown = rows_under_all("constant", "`means`", "meaning")
    assert {row[0].strip("`"): float(row[1].removesuffix(" s")) for row in shown} == attrs.asdict(Means())


def rows_under_all(*heads: str) -> list[list[str]]:
    """The rows of the one table with these heads."""
    (rows,) = [rows for found, rows in tables(PAGE) if found == list(heads)]
    return rows
