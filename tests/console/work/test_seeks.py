"""The operator seeks the worst moments."""

import pytest

from tests.console.operator import Operator, case, operate, under


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("longest-wait", "the longest wait: job 2 has waited 4h10m (15,000 s), and starts; event"),
        ("largest-queue", "the largest queue: 2 jobs; event 5, 0d 00:20:00"),
        ("first-preemption", "no job is preempted in the whole course"),
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


@pytest.mark.proof
def test_seek_next_and_previous_take_what_a_breakpoint_takes() -> None:
    async def story(operator: Operator) -> None:
        for typed, says in (
            ("seek next-preemption", "preempt: event"),
            ("seek next queue > 100", "queue > 100: no such event after this one"),
            ("seek previous-preemption", "preempt: no such event before this one"),
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
