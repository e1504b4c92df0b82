"""The blocks of the torus: shapes and bases are those of the text, and a block is where its nodes are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.environment import Site
from tests.kernels.handles import FloorHandle
from tests.oracles.torus.machine import SHAPES, Block, blocks, enclosing, overlap, processors

SIZES = list(SHAPES)
ALL = [(size, number) for size in SIZES for number, _ in FloorHandle.blocks(size)]


def number_of(processor: tuple[int, int, int]) -> int:
    """The number of a processor Z, Y, X: X fastest, then Y, then Z."""
    z, y, x = processor
    return x + 8 * y + 32 * z


def naive(number: int) -> Block:
    """The naive block of this number."""
    size, _ = FloorHandle.size(number)
    rank = [block for block, _ in FloorHandle.blocks(size)].index(number)
    return blocks(size)[rank]


@pytest.mark.parametrize("size", SIZES)
def test_blocks_stand_in_the_order_of_their_bases(size: int) -> None:
    """There are 256 / size of them, by Z, then Y, then X: the order of the numbers of their lowest nodes."""
    found = FloorHandle.blocks(size)
    assert [base for _, base in found] == [number_of(block.base) for block in blocks(size)]
    assert len({number for number, _ in found}) == 256 // size
    assert all(FloorHandle.size(number) == (size, FloorHandle.level(size)) for number, _ in found)


@pytest.mark.parametrize("size", [0, 1, 3, 48, 192, 512])
def test_no_other_size_has_blocks(size: int) -> None:
    """A level of -1 says so."""
    assert FloorHandle.level(size) == -1


def test_a_job_gets_the_nodes_of_its_block() -> None:
    """As ranges, lowest first; from 64 processors on it is one range."""
    for size, number in ALL:
        ranges = FloorHandle.nodes(number)
        nodes = [node for first, count in ranges for node in range(first, first + count)]
        assert nodes == sorted(number_of(processor) for processor in processors(naive(number)))
        assert size < 64 or len(ranges) == 1
    assert FloorHandle.nodes(FloorHandle.blocks(8)[1][0]) == [(4, 4), (12, 4)]


def test_every_block_is_two_of_half_its_size() -> None:
    """The halves of block b are 2 b and 2 b + 1, the lower one first."""
    for size, number in ALL:
        if size > 2:
            halves = [naive(2 * number), naive(2 * number + 1)]
            assert {half.size for half in halves} == {size // 2}
            assert processors(halves[0]) | processors(halves[1]) == processors(naive(number))
            assert halves[0] < halves[1]


class Crowd:
    """Jobs on a floor, and the same jobs as naive blocks."""

    def __init__(self, rng: random.Random) -> None:
        self.floor = FloorHandle()
        self.held: dict[int, tuple[Block, bool]] = {}
        self.barred: list[Block] = []
        for slot in range(rng.randint(0, 12)):
            self.add(rng, slot)

    def add(self, rng: random.Random, slot: int) -> None:
        """Put a job on a random block if it is idle; or bar the block, whoever stands there."""
        _, number = rng.choice(ALL[rng.choice((0, 3, 15)) :])
        block = naive(number)
        if rng.random() < 0.25:
            self.floor.bar(number)
            self.barred.append(block)
        elif not any(overlap(block, other) for other, _ in self.held.values()):
            guarded = rng.random() < 0.4
            self.floor.take(number, slot, guarded)
            self.held[slot] = block, guarded

    def is_open(self, block: Block, barred_too: bool) -> bool:
        """Whether nobody holds any of it nor, unless that does not matter, has a claim on it."""
        others = [held for held, _ in self.held.values()] + ([] if barred_too else self.barred)
        return not any(overlap(block, other) for other in others)

    def guarded_in(self, block: Block) -> int:
        """Processors of a block that guarded jobs hold."""
        guarded = [held for held, is_guarded in self.held.values() if is_guarded]
        return sum(len(processors(block) & processors(held)) for held in guarded)

    def fit(self, block: Block, barred_too: bool, beside: bool) -> tuple[object, ...]:
        """What is compared between open blocks; the least is best."""
        above = [enclosing(block, size) for size in SIZES if size > block.size]
        room = max([around.size for around in above if self.is_open(around, barred_too)], default=block.size)
        near = [-self.guarded_in(around) for around in reversed(above) if around.size < 256] if beside else []
        return near, room, block.base


@pytest.mark.proof
@given(seed=st.integers(0, 10**9))
def test_the_best_fit_is_the_naive_one(seed: int) -> None:
    """By guarded neighbours where they count, then the smallest room around it, then the base."""
    crowd = Crowd(random.Random(seed))
    for size in SIZES:
        for barred_too in (False, True):
            choice = [block for block in blocks(size) if crowd.is_open(block, barred_too)]
            for beside in (False, True):
                found = crowd.floor.best_fit(size, barred_too, beside)
                best = min(choice, key=lambda block: crowd.fit(block, barred_too, beside), default=None)
                assert (naive(found) if found else None) == best
        lowest = crowd.floor.lowest(size)
        free = [block for block in blocks(size) if crowd.is_open(block, False)]
        assert (naive(lowest) if lowest else None) == next(iter(free), None)


@given(seed=st.integers(0, 10**9))
def test_who_holds_a_block_is_known(seed: int) -> None:
    """Every job with a processor of it, once; and barring can be taken back."""
    crowd = Crowd(random.Random(seed))
    for _, number in ALL[:: 1 + seed % 7]:
        block = naive(number)
        there = [slot for slot, (held, _) in crowd.held.items() if overlap(block, held)]
        assert sorted(crowd.floor.occupants(number)) == there
        before = crowd.floor.is_open(number)
        crowd.floor.bar(number)
        assert not crowd.floor.is_open(number)
        crowd.floor.unbar(number)
        assert crowd.floor.is_open(number) == before


def test_a_site_refuses_what_it_is_not() -> None:
    """The front end has limits of before or after; the epoch is a second of a week."""
    with pytest.raises(ValueError, match="the limits of NQS are 'now'; expected one of before, after"):
        Site(nqs="now")
    with pytest.raises(ValueError, match="epoch is 604800; expected a second of the week, 0 to 604799"):
        Site(epoch=604800)
    assert Site(torus=(8, 4, 8), epoch=7).y == 4
