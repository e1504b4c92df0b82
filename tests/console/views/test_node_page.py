"""The page of a node and the table of users: what stands there, and what their keys do."""

from pathlib import Path

import pytest

from shadowtime.console import words
from shadowtime.console.screens.pages.users_text import users_table
from shadowtime.console.session import load
from shadowtime.console.session.jobs.users import USAGE, Share, Usage
from shadowtime.console.session.nodes.whereabouts import Whereabouts
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import plain
from shadowtime.console.words.units import PE, unit_of
from tests.console.operator import Operator, case, operate

AT_SIX = "#6"
SCENARIOS = Path(__file__).parents[3] / "scenarios" / "fj97"


@pytest.mark.proof
def test_enter_on_a_node_opens_its_page_and_enter_there_its_job() -> None:
    """The job of the node is selected, too."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "right", "enter")
        assert "NODE 0" in operator.lines[0]
        assert "held by job 1 of ada" in operator.text
        assert "empty at 0d 08:00:00 (in 7h40m)" in operator.text
        _, heading, first, *_ = operator.text.partition("EXPECTED")[2].splitlines()
        assert " IN " in heading and " 7h40m " in first
        await operator.press("down", "enter")
        assert "JOB 2" in operator.lines[0]
        await operator.press("escape", "up", "enter")
        assert "JOB 1" in operator.lines[0]
        await operator.press("escape", "escape")
        assert "WHY  job 1 starts" in operator.panel(4)

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_a_node_that_nobody_holds_has_a_page() -> None:
    """It says when it is free, who was there and who comes."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("node 127")
        assert "NODE 127" in operator.lines[0]
        text = operator.text
        assert "now             idle" in text and "if drained now  empty now" in text
        assert (
            "7h40m at the longest between jobs, now to 0d 08:00:00" in text and "no job has been here" in text
        )
        await operator.press("right")
        assert "NODE 127" in operator.lines[0]
        await operator.press("left")
        assert "NODE 126" in operator.lines[0]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_the_page_of_a_node_goes_with_the_clock() -> None:
    """A step forward and back: who was there joins the past, and leaves it again."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("node 5")
        before = operator.text
        assert "PAST" in before and "no job has been here" in before
        await operator.press("n", "n")
        assert "1 job before" in operator.text
        await operator.press("p", "p")
        assert "no job has been here" in operator.text

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_what_is_no_node_is_told() -> None:
    """In one line; nothing opens."""

    async def story(operator: Operator) -> None:
        for line, message in (
            ("node 128", "there is no node 128; the machine has the nodes 0 to 127"),
            ("node x", "'x' is no node; expected a whole number"),
            ("node", "which node? expected a number"),
        ):
            await operator.press("colon")
            await operator.type(line)
            assert operator.message == message

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_a_machine_of_processors_has_pages_of_nodes() -> None:
    """The title names the processors of the node; Enter in the map opens the node of the processor."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("node 17")
        assert "NODE 17, PE 34-35" in operator.lines[0]

    operate(story, of=load(SCENARIOS / "t3d-day.toml"), at="#100")


@pytest.mark.proof
def test_a_job_shows_its_nodes() -> None:
    """Those it holds, those it is expected on, those it held; copies have them too."""

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        expected = words.whereabouts(Whereabouts(((0, 128),), 28_800))
        assert f"nodes            {expected}" in operator.text
        await operator.press("escape", "down", "y")
        assert operator.app.clipboard.endswith("  nodes 0-63")
        await operator.press("enter")
        assert "nodes            0-63" in operator.text
        await operator.press("escape", "colon")
        await operator.type("copy reason")
        assert operator.app.clipboard.splitlines()[-1] == "job 1 holds nodes 0-63"
        await operator.press("end", "colon")
        await operator.type("job 1")
        await operator.press("2", "enter")
        assert f"nodes            {words.whereabouts(Whereabouts(((0, 64),), None))}" in operator.text

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_draining_says_when_the_nodes_are_empty() -> None:
    """In the menu before, in the message after."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "right", "a")
        empty = words.emptied(28_800, 1200)
        assert empty in operator.text
        await operator.press("escape", "colon")
        await operator.type("drain 0-15")
        assert empty in operator.message
        await operator.press("colon")
        await operator.type("drain 127")
        assert words.emptied(0, 1200) in operator.message

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_users_are_sorted_and_filter_the_queue() -> None:
    """Enter shows the jobs of one; Tab shows the classes."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("view users")
        lines = operator.lines
        assert "USERS" in lines[0] and "NODE-RUN↓" in lines[1]
        assert lines[2].startswith("│ > ada ")
        orders = ("NODE-HOURS", "WAITED", "SLOWDOWN", "USER")
        for order in orders:
            await operator.press("s")
            assert f"{order}{'↑' if order == 'USER' else '↓'}" in operator.lines[1]
        await operator.press("S")
        assert "USER↓" in operator.lines[1] and "linus" in operator.lines[2]
        await operator.press("down", "enter")
        assert operator.console.desk.filter == "user=grace" and operator.jobs == [2]
        assert operator.message == "only user=grace; Esc shows all jobs again"
        await operator.press("colon")
        await operator.type("view users")
        await operator.press("tab")
        assert "CLASSES" in operator.lines[0]

    operate(story, at=AT_SIX)


def test_users_at_other_instants() -> None:
    """Before the first event there is nobody; a step brings somebody."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("view users")
        assert "no job has been submitted yet" in operator.text
        await operator.press("enter", "n")
        assert "> ada" in operator.text

    operate(story, of=case())


@pytest.mark.proof
def test_what_is_no_view_is_told() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("view nobody")
        assert operator.message == "'nobody' is no view; expected one of availability, gantt, users"

    operate(story, at=AT_SIX)


def test_a_narrow_page_of_users_spares_columns_and_cuts_none() -> None:
    """The nodes that are waited for go first, the sorted one stays."""
    share = Share(
        "interactive", 10_000, 10_000, 10_000, 10_000, 1, 10_000, 10**9, waited=10**7, slowed=10.0**7
    )
    usage = Usage(10**6, [share], [share], 10**10)
    for room, sort, spared in ((90, "used", set()), (75, "used", {"PE-WAIT"}), (75, "wants", {"PE-HOURS"})):
        table = users_table(usage, [share], True, PE, room, Order(USAGE, sort))
        titles = plain(table.heading())
        every = ("PE-WAIT", "PE-RUN", "ENDED", "PE-HOURS")
        assert {title for title in every if title not in titles} == spared
        assert len(plain(table.line(share))) <= room and "interactive" in plain(table.line(share))


def test_the_users_of_a_torus_are_counted_in_its_unit() -> None:
    unit = unit_of(load(SCENARIOS / "t3d-day.toml").scenario.machine)
    usage = Usage(0, [], [], 0)
    assert " PE-HOURS" in plain(users_table(usage, [], False, unit, 120, Order(USAGE, "used")).heading())
