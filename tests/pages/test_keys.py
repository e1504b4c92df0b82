"""The tables of docs/keys.md are those of the declarations; a word that is absent says why."""

import re
from pathlib import Path
from typing import Any

import pytest

from shadowtime.console.key_page import page
from shadowtime.console.screens.command_table import BOTH, COMMANDS, LINES, absence, names_of
from shadowtime.console.screens.console.typed import Unknown, parse
from shadowtime.console.session import SessionError
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING
from shadowtime.console.session.table.field import Fields
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.session.table.ordering import Order

PAGE = (Path(__file__).parents[2] / "docs/keys.md").read_text(encoding="utf-8")
TABLES: tuple[Fields[Any, Any], ...] = QUEUE, PLAN, RUNNING
WORDS = sorted({command.name for command in COMMANDS if command.views & BOTH})


def test_the_page_has_the_tables_of_the_declarations() -> None:
    """As `shadowtime keys --page` prints them."""
    shown = PAGE.partition("<!-- tables -->\n")[2].partition("<!-- end of the tables -->")[0]
    assert shown.strip("\n") == "\n".join(page())


@pytest.mark.parametrize("view", sorted(BOTH))
def test_a_word_is_known_or_says_why_it_is_not(view: str) -> None:
    """In one line, which is that of the table."""
    for name in WORDS:
        if name in names_of(view):
            assert parse(name, view).name == name and not absence(name, view)
        else:
            with pytest.raises(Unknown) as caught:
                parse(name, view)
            assert str(caught.value) == absence(name, view) != "", name


@pytest.mark.parametrize("fields", TABLES)
def test_a_field_is_there_or_says_why_it_is_not(fields: Fields[Any, Any]) -> None:
    """To a filter and to an order."""
    for name in sorted({name for each in TABLES for name in (*each.by_name, *each.orders)}):
        there = name in fields.by_name or name in fields.orders
        assert there == (name not in fields.absent), name
        if not there:
            with pytest.raises(SessionError, match=re.escape(fields.absent[name])):
                Order(fields).read(name)
            assert fault_of(f"{name}=1", fields).endswith(fields.absent[name])


def test_a_word_is_absent_on_one_side_at_most() -> None:
    assert not [name for name in WORDS if not any(name in names_of(view) for view in BOTH)]
    assert not absence("hold", LINES)
