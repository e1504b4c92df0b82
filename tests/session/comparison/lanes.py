"""What the tests ask of lanes in lockstep: their states as bytes, and the way to a place as typed."""

from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.course.places import parse_place


def states_of(lockstep: Lockstep) -> tuple[bytes, ...]:
    """The moving state of each lane."""
    return tuple(lane.digest() for lane in lockstep.lanes)


def go(lockstep: Lockstep, text: str, lane: int = 0) -> bool:
    """Go to the instant of a place as typed; event numbers, shares and jobs are those of one lane."""
    return lockstep.go_place(parse_place(text, lockstep.lanes[lane].clock, lockstep.time), lane)
