"""The T3D's blocks, its clock and its transfers, as the naive gang scheduler sees them."""

import pytest

from tests.oracles.torus.classes import DAY, HOUR, Rules
from tests.oracles.torus.machine import (
    PROCESSORS,
    SHAPES,
    Block,
    adjacent,
    blocks,
    enclosing,
    loading_time,
    overlap,
    processors,
    saving_time,
)
from tests.oracles.torus.transfers import Transfers


@pytest.mark.parametrize("size", SHAPES)
def test_the_blocks_of_a_size_tile_the_machine(size: int) -> None:
    """There are 256/size of them, each of that size, and they share nothing."""
    places = blocks(size)
    assert len(places) == PROCESSORS // size
    assert {len(processors(block)) for block in places} == {size}
    assert len(frozenset[tuple[int, int, int]]().union(*map(processors, places))) == PROCESSORS
    assert places == sorted(places)


@pytest.mark.parametrize("size", [size for size in SHAPES if size > 2])
def test_every_block_is_two_blocks_of_half_its_size(size: int) -> None:
    """So a block lies in one block of each larger size; two overlap only if one lies in the other."""
    for block in blocks(size):
        halves = [half for half in blocks(size // 2) if overlap(half, block)]
        assert len(halves) == 2
        assert processors(halves[0]) | processors(halves[1]) == processors(block)
        assert [enclosing(half, size) for half in halves] == [block, block]


FIGURE_8 = {
    "a": Block((4, 0, 0), 128),
    "b": Block((0, 0, 0), 8),
    "c": Block((2, 2, 0), 32),
    "d": Block((1, 0, 0), 8),
    "e": Block((0, 0, 4), 8),
    "f": Block((1, 0, 4), 8),
    "g": Block((2, 0, 0), 32),
    "h": Block((0, 2, 0), 32),
}


def test_the_jobs_of_figure_8_fill_the_machine() -> None:
    """The bases that the figure prints are bases of ours, and the jobs lie where its map shows them."""
    assert all(block in blocks(block.size) for block in FIGURE_8.values())
    owner = {place: letter for letter, block in FIGURE_8.items() for place in processors(block)}
    assert len(owner) == sum(block.size for block in FIGURE_8.values()) == PROCESSORS

    def plane(y: int) -> list[str]:
        return ["".join(owner[z, y, x] for z in range(8)) for x in range(0, 8, 2)]

    assert plane(0) == plane(1) == ["bdggaaaa", "bdggaaaa", "efggaaaa", "efggaaaa"]
    assert plane(2) == plane(3) == ["hhccaaaa"] * 4


def test_a_transfer_takes_longer_the_larger_the_job() -> None:
    """Loading takes half a second a processor, saving 15/16 s, rounded up."""
    assert [loading_time(size) for size in SHAPES] == [1, 2, 4, 8, 16, 32, 64, 128]
    assert [saving_time(size) for size in SHAPES] == [2, 4, 8, 15, 30, 60, 120, 240]


def test_transfers_one_at_a_time_stand_in_line() -> None:
    """Three are asked for at once; when the second is cancelled the third moves up, but never before now."""
    line = Transfers(serial=True)
    for job in range(3):
        line.ask(job, 10, 0)
    assert line.ends == {0: 10, 1: 20, 2: 30}
    line.drop(1, 4)
    assert line.ends == {0: 10, 2: 20}
    line.drop(0, 6)
    assert line.ends == {2: 16}
    line.ask(3, 5, 7)
    assert line.finish(16) == [2]
    assert line.ends == {3: 21}


def test_transfers_side_by_side_do_not_know_of_each_other() -> None:
    """Each takes its time from when it is asked for."""
    side = Transfers(serial=False)
    side.ask(0, 10, 0)
    side.ask(1, 10, 3)
    side.drop(0, 4)
    assert side.ends == {1: 13}


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (0, False),
        (7 * HOUR - 1, False),
        (7 * HOUR, True),
        (18 * HOUR - 1, True),
        (18 * HOUR, False),
        (4 * DAY + 12 * HOUR, True),
        (5 * DAY + 12 * HOUR, False),
        (6 * DAY + 12 * HOUR, False),
        (7 * DAY + 12 * HOUR, True),
    ],
)
def test_day_is_from_seven_to_six_on_working_days(at: int, day: bool) -> None:
    """Second 0 is Monday 00:00 unless the epoch says otherwise; a fixed table is in force all the time."""
    assert Rules().is_day(at) is day
    assert Rules(epoch=at).is_day(0) is day
    assert Rules(table="day").is_day(at)
    assert not Rules(table="night").is_day(at)


def test_the_table_changes_ten_times_a_week() -> None:
    """Twice on each working day; from Friday evening it is night until Monday morning."""
    rules, switches, now = Rules(epoch=3 * HOUR), [], 0
    for _ in range(11):
        switch = rules.next_switch(now)
        assert switch is not None
        switches.append(switch)
        now = switch
    week = [day * DAY + hour * HOUR - 3 * HOUR for day in range(5) for hour in (7, 18)]
    assert switches == [*week, 7 * DAY + 4 * HOUR]
    assert Rules(table="night").next_switch(0) is None


def test_interactive_jobs_are_worth_less_at_night_and_large_ones_may_have_all() -> None:
    """Nothing else changes: priority 4 by day and 3 at night; large limit 192 and 256."""
    rules = Rules()
    noon, midnight = 12 * HOUR, 0
    assert [rules.priority("interactive", at) for at in (noon, midnight)] == [4, 3]
    assert [rules.large_limit_at(at) for at in (noon, midnight)] == [192, 256]
    for klass, priority in (("debug", 4), ("production", 3), ("benchmark", 2), ("standby", 1)):
        assert [rules.priority(klass, at) for at in (noon, midnight)] == [priority, priority]


def test_blocks_that_touch_on_the_closed_torus() -> None:
    """Side by side, above each other, around the torus; not along an edge, and never if they overlap."""
    here = Block((0, 0, 0), 8)
    beside = [Block(base, 8) for base in ((0, 0, 4), (0, 2, 0), (1, 0, 0), (7, 0, 0))]
    assert [block for block in blocks(8) if adjacent(here, block)] == sorted(beside)
    assert not adjacent(here, here) and not adjacent(here, Block((0, 0, 0), 64))
    assert adjacent(Block((0, 0, 0), 128), Block((4, 0, 0), 128))
