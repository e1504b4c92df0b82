"""The machine by itself: who has which nodes, against plain sets."""

from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.handles import MachineHandle

Moves = st.lists(st.tuples(st.booleans(), st.integers(1, 200)), max_size=60)


@given(nodes=st.integers(1, 300), moves=Moves)
def test_lowest_idle_nodes_are_given_and_come_back(nodes: int, moves: list[tuple[bool, int]]) -> None:
    """A job gets the lowest idle nodes, nobody else's; what it gives back is idle again."""
    machine = MachineHandle(nodes)
    idle, holders = set(range(nodes)), []
    for take, number in moves:
        if take and number <= len(idle):
            first = machine.take(0, number)
            lowest = sorted(idle)[:number]
            assert machine.held(first) == lowest
            idle -= set(lowest)
            holders.append(first)
        elif holders:
            first = holders.pop(number % len(holders))
            idle |= set(machine.held(first))
            machine.give(0, first)
        assert machine.idle(0) == sorted(idle)
        assert machine.twin().idle(0) == sorted(idle)


def test_rows_of_time_are_independent() -> None:
    """Each time slot has every node; blocks with a fixed place are taken range by range."""
    machine = MachineHandle(70)
    machine.set_rows(2)
    block = machine.take_range(1, 60, 8, machine.take_range(1, 0, 4))
    assert machine.held(block) == [*range(60, 68), *range(4)]
    assert not machine.is_idle(1, 66, 3)
    assert machine.is_idle(1, 68, 2)
    assert machine.idle(0) == list(range(70))
    machine.give(1, block)
    assert machine.idle(1) == list(range(70))
