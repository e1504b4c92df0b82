"""Full collections of garbage: in the operator's pauses, and not while keys come."""

import gc
from collections.abc import Iterator

import pytest

from shadowtime.console import pauses
from shadowtime.console.pauses import DUE, PAUSE, Pauses
from tests.console.operator import Operator, operate


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """The collector of the whole process is as it was before."""
    usual = gc.get_threshold()
    yield
    left = gc.get_threshold()
    gc.set_threshold(*usual)
    assert left == usual


@pytest.mark.proof
def test_a_due_collection_waits_for_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    now, count = 100.0, DUE - 1
    monkeypatch.setattr(pauses, "monotonic", lambda: now)
    monkeypatch.setattr(gc, "get_count", lambda: (0, count, 0))
    it = Pauses()
    it.begin()
    now += 2 * PAUSE
    assert not it.collect()
    count = DUE
    it.touched()
    assert not it.collect()
    now += PAUSE / 2
    assert not it.collect()
    now += PAUSE
    assert it.collect()
    it.end()


@pytest.mark.proof
def test_the_interpreter_does_none_meanwhile() -> None:
    """As many objects as would make it do one or two by itself; the pause then collects what they leave."""
    done: list[str] = []

    def collected(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            done.append(phase)

    it = Pauses()
    it.begin()
    gc.collect()
    gc.callbacks.append(collected)
    try:
        for _ in range(DUE + 1):
            gc.collect(0)
        assert [[] for _ in range(20 * gc.get_threshold()[0])] and not done
        it._last -= 2 * PAUSE
        assert it.collect() and len(done) == 1
    finally:
        gc.callbacks.remove(collected)
        it.end()


def test_a_key_is_no_pause() -> None:
    """The console at work takes the long runs over, and knows of each key."""

    async def story(operator: Operator) -> None:
        it = operator.app._pauses
        it._last = 0.0
        await operator.press("n")
        assert it._last > 0.0
        assert gc.get_threshold()[:2] == (pauses.YOUNG, pauses.OVERDUE)

    operate(story)
