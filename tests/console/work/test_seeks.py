"""The operator seeks the worst moments."""

from operator import attrgetter

import pytest

from shadowtime.console.screens.pages.detail import JobDetail
from shadowtime.console.screens.travel.put_off import PutOffPage
from shadowtime.console.session.course.worst import Worst
from shadowtime.console.session.jobs.put_off import ORDERS
from shadowtime.console.words import NODES
from shadowtime.console.words.moving import found, missed, nothing, put_off_here, were_put_off
from tests.console.operator import Operator, case, operate, under


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("longest-wait", f"{found('longest-wait', Worst(0, 15_000), '2', NODES)}; event"),
        ("largest-queue", f"{found('largest-queue', Worst(0, 2), '', NODES)}; event 5, 0d 00:20:00"),
        ("first-preemption", missed("first-preemption")),
    ],
)
def test_seek_goes_to_the_worst_moment_and_says_how_bad_it_is(what: str, says: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type(f"seek {what}")
        assert operator.message.startswith(says)
        selected = operator.console.desk.selected
        assert selected == (1 if what == "longest-wait" else None)

    operate(story)


def test_the_list_of_who_is_put_off_leads_to_where_it_was_worst() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("4", "colon")
        await operator.type("seek put-off")
        page = operator.app.screen
        assert isinstance(page, PutOffPage) and page.found
        for figure in ORDERS:
            chosen = max(page.found, key=attrgetter(figure))
            assert f"> {operator.console.session.id_of(chosen.job)} " in operator.text
            await operator.press("s")
        first = max(page.found, key=attrgetter(ORDERS[0]))
        await operator.press("enter")
        assert operator.console.snapshot.number == first.event
        assert operator.console.desk.selected == first.job
        assert operator.message == put_off_here(operator.console.session.id_of(first.job), first.most)
        await operator.press("enter")
        assert isinstance(operator.app.screen, JobDetail)
        await operator.press("escape", "colon")
        await operator.type("seek put-off 0")
        assert were_put_off(0, 0, ORDERS[0]) in operator.text
        await operator.press("escape", "colon")
        await operator.type("seek put-off soon")
        assert operator.message.startswith("'soon' is no number of events")

    operate(story, of=case("busy.swf"))


@pytest.mark.proof
def test_seek_next_and_previous_take_what_a_breakpoint_takes() -> None:
    async def story(operator: Operator) -> None:
        for typed, says in (
            ("seek next-preemption", "preempt: event"),
            ("seek next queue > 100", nothing("queue > 100", True)),
            ("seek previous-preemption", nothing("preempt", False)),
        ):
            await operator.press("colon")
            await operator.type(typed)
            assert operator.message.startswith(says)

    operate(story, of=under("gang"))


@pytest.mark.proof
def test_what_is_nothing_to_seek_gets_one_line() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("seek trouble")
        assert operator.message.startswith("'trouble' is nothing to seek; expected longest-wait")
        assert operator.console.snapshot.number == 0

    operate(story, of=case("busy.swf"))
