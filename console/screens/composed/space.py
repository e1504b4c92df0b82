"""How the panels of a screen share its lines and columns: by what the content of each needs.

A panel comes in when those before it keep their least, so a larger screen shows all that a smaller one does.
What is left goes to whoever lacks most of what is wanted, then to whoever has more to show.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

import attrs
from textual.geometry import Region, Size

from shadowtime.console.widgets.frame.space import Need, Space


@attrs.frozen
class Group:
    """Panels and groups, one above the other or side by side, those first that are wanted most."""

    members: "tuple[int | Group, ...]"
    beside: bool = False
    """Whether they stand side by side."""
    flipped: bool = False
    """Whether the first stands last."""

    @property
    def panels(self) -> Iterator[int]:
        for member in self.members:
            yield from (member,) if isinstance(member, int) else member.panels


@lru_cache(64)
def share(room: int, needs: tuple[Need, ...]) -> tuple[int, ...]:
    """Return how many of `room` lines or columns each gets; with more room none gets fewer.

    What nobody has content for goes to whoever has the most.
    """
    sizes = [0] * len(needs)
    before = [0] * len(needs)
    for goals in zip(*map(attrs.astuple, needs), strict=True):
        lacks = sum(goals) - sum(sizes)
        for _ in range(min(room, lacks)):
            at = min(
                (at for at, goal in enumerate(goals) if sizes[at] < goal),
                key=lambda at: (sizes[at] - before[at]) / (goals[at] - before[at]),
            )
            sizes[at] += 1
        room -= min(room, lacks)
        before = list(goals)
    sizes[max(range(len(needs)), key=lambda at: needs[at].most)] += room
    return tuple(sizes)


class Sharing:
    """Shares a screen among the panels of a group.

    `spaces` are the needs of the panels that may be seen, by number; `recent` are those that were used, the
    last one first. Of a group with room for some only, the one that was used last comes first.
    With `only` these are seen, however little room there is.
    """

    def __init__(
        self,
        group: Group,
        spaces: Mapping[int, Space],
        recent: Sequence[int],
        only: Collection[int] | None = None,
    ) -> None:
        self._group, self._spaces, self._recent, self._only = group, spaces, recent, only
        self._seen: Collection[int] = ()

    def regions(self, size: Size) -> Mapping[int, Region]:
        """Return where each panel stands that is seen, by number."""
        group = self._arranged(size)
        entering = self._entering(group, size) if self._only is None else self._only
        self._seen = self._spaces.keys() & set(entering)
        return dict(self._placed(group, Region(0, 0, *size)))

    def _arranged(self, size: Size) -> Group:
        """The group; where members have no room side by side the panels stand one above the other.

        None of the panels that may be seen then misses the room that it has one above the other.
        """
        group = self._group
        wide = [max(self._spaces[each].columns.least for each in row) for row in self._rows(group)]
        if not group.beside or sum(wide) <= size.width:
            return group
        return Group(tuple(group.panels))

    def _entering(self, group: Group, size: Size) -> Iterator[int]:
        """Yield the panels that have room.

        Those before one keep their least, also those that lack room across: they may come in yet. So a panel
        comes in at an extent along the group, and at one across it, that no other extent moves.
        """
        along, across = _directed(group.beside, size)
        taken = 0
        for row in self._rows(group):
            extent = beside = 0
            fits = True
            for number in row:
                least, most = _directed(group.beside, self._least(number))
                extent, beside = max(extent, least), beside + most
                first = not taken and beside == most
                fits = first or (fits and taken + extent <= along and beside <= across)
                if fits:
                    yield number
            taken += extent

    def _least(self, number: int) -> Size:
        space = self._spaces[number]
        return Size(space.columns.least, space.lines.least)

    def _rows(self, group: Group) -> Iterator[Sequence[int]]:
        """Yield the panels of each member that may be seen, those first that were used last."""
        for member in self._ranked(group, self._spaces):
            yield [number for number in self._of(member) if number in self._spaces]

    def _of(self, member: int | Group) -> Iterator[int]:
        if isinstance(member, int):
            yield member
        else:
            for each in self._ranked(member, self._spaces):
                yield from self._of(each)

    def _placed(self, member: int | Group, region: Region) -> Iterator[tuple[int, Region]]:
        if isinstance(member, int):
            yield member, region
            return
        along, across = _directed(member.beside, region.size)
        shown = self._shown(member)
        sizes = share(along, tuple(self._need(each, member.beside, across) for each in shown))
        places = list(zip(shown, sizes, strict=True))
        at = 0
        for each, extent in reversed(places) if member.flipped else places:
            part = (at, 0, extent, across) if member.beside else (0, at, across, extent)
            yield from self._placed(each, Region(*part).translate(region.offset))
            at += extent

    def _shown(self, group: Group) -> Sequence[int | Group]:
        return [member for member in group.members if not set(_panels(member)).isdisjoint(self._seen)]

    def _ranked(self, group: Group, among: Collection[int]) -> Sequence[int | Group]:
        """The members of a group with some of these panels, the one that was used last first."""
        held = {member: set(_panels(member)) & set(among) for member in group.members}
        last = next((each for number in self._recent for each in held if number in held[each]), None)
        return sorted(filter(held.__getitem__, held), key=lambda each: each != last)

    def _need(self, member: int | Group, beside: bool, across: int) -> Need:
        """What a member needs side by side with others, or one above the other, if it has `across` else."""
        if isinstance(member, int):
            space = self._spaces[member]
            return space.columns if beside else space.lines_at(across)
        needs = [self._need(each, beside, UNBOUNDED) for each in self._shown(member)]
        return Need(*(max(each) for each in zip(*map(attrs.astuple, needs), strict=True)))


UNBOUNDED = 10**6
"""As much as there may be, where it is not known how much there is."""


def _panels(member: int | Group) -> Iterator[int]:
    return iter((member,)) if isinstance(member, int) else member.panels


def _directed(beside: bool, size: Size) -> tuple[int, int]:
    """The extent of a size along a group, and across it."""
    return (size.width, size.height) if beside else (size.height, size.width)
