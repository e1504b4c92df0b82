"""The notes of a scenario: each belongs to a moment, and is shown dim after that moment."""

from collections.abc import Sequence

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session import Note
from shadowtime.console.session.facts import Event

LINGERS = 10
"""Events for which a note stays visible, dim, after its moment."""


def fresh(note: Note, recent: Sequence[Event], now: int) -> bool:
    """Whether the clock stands at the moment of a note: the first instant not before it with an event.

    `recent` are the last `LINGERS` events and the one before them, if there are so many.
    """
    return not any(note.at <= event.time < now for event in recent) and not gone(note, recent)


def gone(note: Note, recent: Sequence[Event]) -> bool:
    """Whether more than `LINGERS` events have happened since a note was shown, its own included."""
    return len(recent) > LINGERS and recent[0].time >= note.at


def heading(note: Note, now: bool, clock: Clock = ELAPSED) -> str:
    """`NOTE` at its moment, `NOTE of 0d 00:20:00` later on."""
    return "NOTE" if now else f"NOTE of {clock.format(note.at)}"


def dated(note: Note, clock: Clock = ELAPSED) -> str:
    return f"{clock.format(note.at)}: {' '.join(note.text.split())}"
