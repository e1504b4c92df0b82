"""What docs/slurm.md shows is what happens, and its table of snapshots counts the recorded ones."""

import re
from collections import Counter
from datetime import UTC
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from shadowtime.console.session.slurm.board.changes import NOTHING
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.why_text import why_lines
from shadowtime.scenarios.slurm import read_capture
from tests.oracles.slurm.recorded import read_plan, snapshots
from tests.pages.shown import as_pattern, run

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs/slurm.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text below a heading, up to the next one."""
    found = re.search(rf"^#+ {heading}$\n(.*?)(?=^#)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1]


def test_the_page_has_what_readers_look_for_by_its_headings() -> None:
    """Questions and answers, how exact it is by version, what is not modelled."""
    headings = re.findall(r"^##+ (.*)$", PAGE, re.MULTILINE)
    assert headings[0] == "Questions, and where the answer is"
    assert {"How exact it is", "One cycle, by version", "What is not modelled"} <= set(headings)


@pytest.mark.parametrize("block", re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL))
def test_the_commands_print_what_is_shown(block: str, tmp_path: Path) -> None:
    """Those that need no live cluster."""
    command, *lines = block.removeprefix("$ ").rstrip("\n").split("\n")
    printed = run(command, tmp_path)
    assert fnmatchcase(printed.strip("\n"), as_pattern(lines)), printed


def test_why_job_31_waits() -> None:
    """The reason on the page is that of the console."""
    text = re.search(r"```text\n(.*?)```", (TOP / "docs/guide/slurm.md").read_text("utf-8"), re.DOTALL)
    assert text is not None
    shown = [line.removeprefix("   ") for line in text[1].rstrip().splitlines()]
    found = board(read_capture(TOP / "scenarios/clusters/two-tiers"))
    row = next(row for row in found.rows if row.job == "31")
    lines = why_lines(found, NOTHING, row, Dates(UTC), 118)
    assert shown == ["".join(text for text, _ in line) for line in lines][: len(shown)]


def test_the_table_of_snapshots_counts_the_recorded_rows() -> None:
    """By the letter of their kind, and by release. Of kinds after k it has further snapshots, too."""
    found = snapshots()
    if not found:
        pytest.skip("SHADOWTIME_ORACLES is not set")
    rows: Counter[tuple[str, str]] = Counter()
    for folder in found:
        rows[folder.name[0], folder.parent.name] += len(read_plan(folder).rows)
    lines = section("One cycle, by version").splitlines()
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    releases = table[0][1:]
    numbers = {name: [counted(cell) for cell in cells] for name, *cells in table[2:]}
    compared, number = numbers.pop("rows compared"), numbers.pop("snapshots")
    for name, counts in numbers.items():
        recorded = [rows[name[0], each] for each in releases]
        more = [have - least for have, least in zip(counts, recorded, strict=True)]
        assert min(more) >= 0 and (name[0] > "k" or not any(more)), name
    assert compared == [sum(column) for column in zip(*numbers.values(), strict=True)]
    least = [sum(path.parent.name == each for path in found) for each in releases]
    assert all(have >= few for have, few in zip(number, least, strict=True))


def counted(cell: str) -> int:
    """The rows of a cell, before those that differ; 0 for an empty one."""
    return int(cell.partition("/")[0].replace(",", "") or 0)
