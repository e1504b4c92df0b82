"""The table of columns in the glossary has every column and every word of a filter, of both sides."""

import re
from pathlib import Path
from typing import Any

import pytest

from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING
from shadowtime.console.session.slurm.board.lists import LISTS, NODES
from shadowtime.console.session.table.field import Fields

PAGE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
SUBJECTS: dict[str, Fields[Any, Any]] = {"queue": QUEUE, "plan": PLAN, "running": RUNNING, "nodes": NODES}


def rows() -> list[tuple[set[str], set[str], set[str]]]:
    """The titles, the words and the subjects of each row of the table."""
    table = PAGE.partition("## Columns")[2].partition("\n## ")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    return [
        (names(row[0]), set(re.findall(r"`(\w+)`", row[1])), names(row[2]) | names(row[3])) for row in cells
    ]


def names(cell: str) -> set[str]:
    return {name.strip() for name in cell.split(",")} - {""}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_field_is_in_the_table(subject: str) -> None:
    """With its title where it has a column, and its word where a filter can ask for it."""
    fields = SUBJECTS[subject]
    own = [row for row in rows() if subject in row[2]]
    titles, words = set[str]().union(*(row[0] for row in own)), set[str]().union(*(row[1] for row in own))
    assert {field.title for field in fields.columns} <= titles
    assert set(fields.asked) <= words


@pytest.mark.parametrize("fields", [*SUBJECTS.values(), *(each.fields for each in LISTS.values())])
def test_a_table_is_sorted_by_its_own_fields(fields: Fields[Any, Any]) -> None:
    """Or as the rows come, in the order of the queue; names are those of one field each."""
    assert len(fields.by_name) == len(fields.every)
    assert set(fields.orders) <= {*fields.by_name, "order"}
    assert set(fields.older.values()) <= set(fields.by_name) | {"runs", "starts"}
    assert sum(field.wide for field in fields.every) == 1


def test_a_title_means_one_thing() -> None:
    """A column of the same title has the same name and kind on both sides."""
    kinds: dict[str, set[object]] = {}
    for fields in (QUEUE, PLAN, RUNNING):
        for field in fields.columns:
            kinds.setdefault(field.title, set()).add((field.name, field.kind))
    assert {title for title, found in kinds.items() if len(found) > 1} == set()
