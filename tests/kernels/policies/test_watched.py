"""Code from elsewhere that does not return, exits, or raises what cannot be shown."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock, Thread

import pytest

from shadowtime.kernels.policies.watched import Failure, NeverReturns, interrupt, said, watch, watched


class Mute(Exception):
    """An exception without words."""

    def __str__(self) -> str:
        """Raise."""
        raise RuntimeError("no")


def loops() -> None:
    """Never return."""
    while True:
        pass


def catches() -> None:
    """Never return, and catch everything."""
    while True:
        try:
            loops()
        except BaseException:
            continue


def sleeps() -> None:
    """Never return, and use no time."""
    time.sleep(10_000)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A watch that waits a moment alone.

    Hypothesis has the collector call it: what is raised in there is reported as ignored, and raised again.
    """
    monkeypatch.setenv("SHADOWTIME_PATIENCE", "0.1")
    watch.cache_clear()  # type: ignore[attr-defined]
    gc.disable()
    yield
    gc.enable()
    watch.cache_clear()  # type: ignore[attr-defined]


def waits() -> None:
    """Never return, and be the one that another thread waits for."""
    lock = Lock()
    with lock:
        lock.acquire()


@pytest.mark.parametrize("call", [loops, sleeps, waits])
def test_a_call_that_does_not_return_is_broken_off(hasty: None, call: Callable[[], None]) -> None:
    """In the thread that needs its answer; the next call returns as ever."""
    with pytest.raises(NeverReturns) as caught:
        watched(call)
    text = str(caught.value)
    assert text.startswith("it has not returned for ") and text.count("test_watched.py:") == 1
    assert watched(sum, [1, 2]) == 3
    with pytest.raises(Failure, match="ValueError: invalid literal"):
        watched(int, "x")


def test_nothing_is_raised_in_a_call_that_returns_in_time(hasty: None) -> None:
    """Nor afterwards, and a call inside another one has a time of its own."""

    def outer() -> list[int]:
        found = []
        for number in range(4):
            found.append(watched(lambda number=number: number))  # type: ignore[misc]
        return found

    for _ in range(1000):
        assert watched(outer) == [0, 1, 2, 3]


def test_an_operator_breaks_it_off_from_another_thread() -> None:
    """In any thread; without a call there is nothing to break off."""
    said_by: list[str] = []

    def call() -> None:
        try:
            watched(loops)
        except NeverReturns as error:
            said_by.append(str(error))

    assert not watch().break_off()
    calling = Thread(target=call)
    calling.start()
    while calling.is_alive() and not watch().break_off():
        time.sleep(0.01)
    calling.join()
    assert said_by[0].startswith("it was broken off (")


def test_what_cannot_be_shown_is_said_to_be_so(hasty: None) -> None:
    """One line, of a length that can be read."""

    class Endless(Exception):
        """Words that never end."""

        def __str__(self) -> str:
            """Never return."""
            loops()
            return ""

    assert said(Mute()) == "Mute: an exception that cannot be shown"
    assert said(Endless()) == "Endless: an exception that cannot be shown"
    assert said(SystemExit(3)) == "it asked the program to exit"
    assert said(ValueError("a\nb " + "x" * 10_000)) == f"ValueError: a b {'x' * 396}..."


class Ends(BaseException):
    """What the handler of a signal raises."""


@pytest.mark.parametrize("swallow", [BaseException, Ends])
def test_what_a_signal_raises_cannot_be_kept(swallow: type[BaseException]) -> None:
    """Whether the call goes on for ever, returns, or raises something else in its place."""

    def keeps() -> None:
        try:
            raised()
        except swallow:
            loops()

    def turns() -> None:
        try:
            raised()
        except swallow:
            raise ValueError("mine") from None

    def returns() -> None:
        with suppress(swallow):
            raised()

    def raised() -> None:
        interrupt(Ends(), 1)

    for call in (keeps, turns, returns):
        with pytest.raises(Ends):
            watched(watched, call)
    assert watched(sum, [1, 2]) == 3
    with pytest.raises(Failure, match="Ends"):
        watched(raise_, Ends())
    with pytest.raises(Ends):
        raised()


def raise_(error: BaseException) -> None:
    """Raise it."""
    raise error
