"""The journal: what the operator did, in order, with what has been undone. And how its numbers are read."""

from bisect import bisect_right
from collections.abc import Sequence

import attrs

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Action


@attrs.frozen
class JournalEntry:
    """One action of the operator: how the journal was before, and how it is with it.

    Done in the past of a journal it drops what stood after; undoing it brings that back.
    """

    before: tuple[Action, ...]
    after: tuple[Action, ...]

    @property
    def action(self) -> Action:
        """What was done: the last of the journal."""
        return self.after[-1]

    @property
    def event(self) -> int:
        """The event right after which it was done."""
        return self.action.after or 0


@attrs.frozen
class Journal:
    """The actions in force, those that can be undone and those that can be done again."""

    actions: tuple[Action, ...] = ()
    done: tuple[JournalEntry, ...] = ()
    undone: tuple[JournalEntry, ...] = ()

    @staticmethod
    def of(actions: Sequence[Action]) -> "Journal":
        """Return the journal of a saved session: each of its actions can be undone, the last first."""
        own = tuple(actions)
        return Journal(own, tuple(JournalEntry(own[:n], own[: n + 1]) for n in range(len(own))))

    def with_action(self, action: Action, kept: int) -> "Journal":
        """Return the journal after an action before which the first `kept` of the others happened."""
        entry = JournalEntry(self.actions, (*self.actions[:kept], action))
        return Journal(entry.after, (*self.done, entry))

    def undo(self) -> "Journal":
        """Return the journal before the last entry."""
        entry = self.done[-1]
        return Journal(entry.before, self.done[:-1], (*self.undone, entry))

    def redo(self) -> "Journal":
        """Return the journal with the entry that was undone last."""
        entry = self.undone[-1]
        return Journal(entry.after, (*self.done, entry), self.undone[:-1])


def timed(actions: Sequence[Action]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.at is not None)


def numbered(actions: Sequence[Action]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.after is not None)


def spread(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions of a file, each of those that follow one another with a number of its own.

    If two follow event 7, the first is event 8, and the second might as well follow that.
    """
    after = numbered(actions)
    own = zip(after, events_of(after), strict=True)
    return (*timed(actions), *(attrs.evolve(action, after=event - 1) for action, event in own))


def acted(simulation: Simulation, actions: Sequence[Action]) -> tuple[int, int]:
    """Return how many actions have been done or refused: of those at instants, of those after events."""
    after = bisect_right(events_of(numbered(actions)), simulation.event)
    return simulation.acted - after, after


def events_of(numbered: Sequence[Action]) -> list[int]:
    """Return the event that each of the numbered actions is: right after its own, and in their order."""
    events: list[int] = []
    for action in numbered:
        events.append(max(action.after or 0, events[-1] if events else 0) + 1)
    return events
