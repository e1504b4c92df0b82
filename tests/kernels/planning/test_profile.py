"""The availability profile, against a list with one number a second."""

from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.handles import LAST_INSTANT, ProfileHandle

NODES, HORIZON = 9, 40
FOREVER = 2**62
Changes = st.lists(
    st.tuples(st.integers(0, HORIZON - 1), st.integers(1, HORIZON), st.integers(1, 5), st.booleans()),
    max_size=25,
)

Changed = list[tuple[int, int, int, bool]]


def played(
    changes: list[tuple[int, int, int, bool]],
) -> tuple[ProfileHandle, list[int], list[tuple[int, ...]]]:
    """A profile after reservations and their releases, and the same as free nodes second by second."""
    profile, free = ProfileHandle(0, NODES), [NODES] * (2 * HORIZON)
    held: list[tuple[int, ...]] = []
    for start, length, size, release in changes:
        if release and held:
            begin, end, by = held.pop(length % len(held))
        else:
            begin, end, by = start, start + length, -size
            if min(free[begin:end]) < size:
                continue
            held.append((begin, end, size))
        profile.change(begin, end, by)
        free[begin:end] = [number + by for number in free[begin:end]]
    return profile, free, held


def first_anchor(free: list[int], start: int, size: int, length: int, limit: int) -> int:
    """The earliest second from which `size` stay free for `length`, or up to the limit."""
    for at in range(start, min(limit, len(free))):
        if all(free[u] >= size for u in range(at, min(at + length, limit, len(free)))):
            return at
    return limit


@given(changes=Changes)
def test_steps_are_the_free_nodes(changes: Changed) -> None:
    """The steps say what is free at every second, and neighbours differ."""
    profile, free, _ = played(changes)
    steps = profile.steps()
    for (time, number), (until, following) in zip(steps, [*steps[1:], (2 * HORIZON, -1)], strict=True):
        assert free[time:until] == [number] * (until - time)
        assert number != following
    assert steps[0][0] == 0


@given(changes=Changes, start=st.integers(0, 30), size=st.integers(1, NODES), length=st.integers(1, 30))
def test_anchor_is_the_earliest(
    changes: list[tuple[int, int, int, bool]], start: int, size: int, length: int
) -> None:
    """The anchor point is the first time at which the size stays free for the whole length, or to a limit."""
    profile, free, _ = played(changes)
    assert profile.anchor(start, size, length) == first_anchor(free, start, size, length, LAST_INSTANT)
    for limit in (start + 1, start + 7, HORIZON):
        if limit > start:
            assert profile.anchor(start, size, length, limit) == first_anchor(
                free, start, size, length, limit
            )


@given(changes=Changes, end=st.integers(1, HORIZON), size=st.integers(1, NODES))
def test_run_before_reaches_back(changes: Changed, end: int, size: int) -> None:
    """The room right before an instant begins where the last shortage ends."""
    profile, free, _ = played(changes)
    short = [at for at in range(end) if free[at] < size]
    assert profile.run_before(end, size) == (short[-1] + 1 if short else 0)


@given(changes=Changes, span=st.tuples(st.integers(0, 30), st.integers(1, 30)), size=st.integers(1, NODES))
def test_shortage_is_the_first(
    changes: list[tuple[int, int, int, bool]], span: tuple[int, int], size: int
) -> None:
    """The first instant with too few free nodes, and how few."""
    profile, free, _ = played(changes)
    start, end = span[0], sum(span)
    short = [at for at in range(start, end) if free[at] < size]
    assert profile.shortage(start, end, size) == ((short[0], free[short[0]]) if short else (end, size))


@given(
    changes=Changes,
    span=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    size=st.integers(1, NODES),
    length=st.integers(1, 30),
)
def test_whole_window_is_the_earliest(
    changes: Changed, span: tuple[int, int], size: int, length: int
) -> None:
    """A whole window begins inside the span, and may end behind it."""
    profile, free, _ = played(changes)
    start, stop = span[0], sum(span)
    found = first_anchor(free, start, size, length, LAST_INSTANT)
    assert profile.whole(start, stop, size, length) == (found if found < stop else FOREVER)


@given(changes=Changes, now=st.integers(0, HORIZON))
def test_the_past_is_forgotten(changes: Changed, now: int) -> None:
    """Forgetting changes nothing from now on."""
    profile, free, _ = played(changes)
    profile.forget(now)
    steps = profile.steps()
    assert steps[0][0] == now
    for time, number in steps:
        assert free[time] == number
