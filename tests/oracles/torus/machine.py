"""The Cray T3D of Livermore: blocks of processors, how they lie in one another, how long transfers take.

A base is written (Z, Y, X) in processors, as FJ97's Figure 8 prints it, so that bases compare as tuples.
"""

from functools import cache
from typing import NamedTuple

SHAPES = {
    2: (1, 1, 2),
    4: (1, 1, 4),
    8: (1, 2, 4),
    16: (2, 2, 4),
    32: (2, 2, 8),
    64: (2, 4, 8),
    128: (4, 4, 8),
    256: (8, 4, 8),
}
"""Processors of a block -> how far it reaches along Z, Y and X."""

PROCESSORS = 256
WIRES = 4


class Block(NamedTuple):
    """A part of the machine that a job may have for itself."""

    base: tuple[int, int, int]
    size: int


@cache
def blocks(size: int) -> list[Block]:
    """All blocks of a size, by base: every base is a multiple of the shape in every direction."""
    depth, height, width = SHAPES[size]
    return [
        Block((z, y, x), size)
        for z in range(0, 8, depth)
        for y in range(0, 4, height)
        for x in range(0, 8, width)
    ]


@cache
def processors(block: Block) -> frozenset[tuple[int, int, int]]:
    """The processors of a block."""
    (z, y, x), (depth, height, width) = block.base, SHAPES[block.size]
    return frozenset(
        (z + dz, y + dy, x + dx) for dz in range(depth) for dy in range(height) for dx in range(width)
    )


@cache
def overlap(one: Block, other: Block) -> bool:
    """Whether two blocks have a processor in common."""
    return not processors(one).isdisjoint(processors(other))


@cache
def adjacent(one: Block, other: Block) -> bool:
    """Whether two blocks that do not overlap touch each other on the closed torus."""
    steps = ((0, 0, 1), (0, 0, -1), (0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0))
    beside = {
        ((z + dz) % 8, (y + dy) % 4, (x + dx) % 8) for z, y, x in processors(one) for dz, dy, dx in steps
    }
    return not overlap(one, other) and not beside.isdisjoint(processors(other))


@cache
def enclosing(block: Block, size: int) -> Block:
    """The block of a size, at least as large, in which a block lies."""
    return next(larger for larger in blocks(size) if processors(block) <= processors(larger))


def larger_sizes(size: int) -> list[int]:
    """The sizes of blocks above a size, smallest first."""
    return [larger for larger in SHAPES if larger > size]


def loading_time(size: int) -> int:
    """Seconds in which a new job is loaded."""
    return size // 2


def saving_time(size: int) -> int:
    """Seconds in which a job's state is saved, and restored: 15/16 s a processor, rounded up."""
    return -(-15 * size // 16)
