"""How the panels of a screen share its lines and columns: by what the content of each needs.

A panel comes in when those before it keep their least, so a larger screen shows all that a smaller one does.
What is left goes to whoever lacks most of what is wanted, then to whoever has more to show.
"""

from collections.abc import Iterator, Mapping, Sequence
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
    With `every` all of them are seen, however little room there is.
    """

    def __init__(
        self, group: Group, spaces: Mapping[int, Space], recent: Sequence[int], every: bool = False
    ) -> None:
        self._group, self._spaces, self._recent, self._every = group, spaces, recent, every

    def regions(self, size: Size) -> Mapping[int, Region]:
        return dict(self._placed(self._arranged(size), Region(0, 0, *size)))

    def _arranged(self, size: Size) -> Group:
        """The group; of members with no room side by side the panels stand one above the other."""
        group = self._group
        if not group.beside or len(self._fitting(group, *size)) > 1:
            return group
        found: list[int | Group] = []
        lines = 0
        for number in self._ranked(Group(tuple(group.panels))):
            need = self._need(number, False, size.width).least
            fits = lines + need <= size.height and self._need(number, True, size.height).least <= size.width
            if not fits and found and not self._every:
                break
            found.append(number)
            lines += need
        return Group(tuple(number for number in group.panels if number in found))

    def _placed(self, member: int | Group, region: Region) -> Iterator[tuple[int, Region]]:
        if isinstance(member, int):
            yield member, region
            return
        along, across = _directed(member.beside, region.size)
        shown = self._shown(member, along, across)
        sizes = share(along, tuple(self._need(each, member.beside, across) for each in shown))
        places = list(zip(shown, sizes, strict=True))
        at = 0
        for each, extent in reversed(places) if member.flipped else places:
            part = (at, 0, extent, across) if member.beside else (0, at, across, extent)
            yield from self._placed(each, Region(*part).translate(region.offset))
            at += extent

    def _shown(self, group: Group, along: int, across: int) -> Sequence[int | Group]:
        if self._every:
            held = self._ranked(group)
            return [member for member in group.members if member in held]
        return self._fitting(group, along, across)

    def _fitting(self, group: Group, along: int, across: int) -> Sequence[int | Group]:
        """The first member of a group, and those that find room after it."""
        found: list[int | Group] = []
        taken = 0
        for member in self._ranked(group):
            need = self._need(member, group.beside, across)
            fits = taken + need.least <= along and self._need(member, not group.beside, along).least <= across
            # One that is wanted less takes no lines from those before it.
            if not fits and found:
                break
            found.append(member)
            taken += need.least
        return [member for member in group.members if member in found]

    def _ranked(self, group: Group) -> Sequence[int | Group]:
        """The members of a group with panels that may be seen, the one that was used last first."""
        held = {member: set(_panels(member)) & self._spaces.keys() for member in group.members}
        last = next((each for number in self._recent for each in held if number in held[each]), None)
        return sorted(filter(held.__getitem__, held), key=lambda each: each != last)

    def _need(self, member: int | Group, beside: bool, across: int) -> Need:
        """What a member needs side by side with others, or one above the other, if it has `across` else."""
        if isinstance(member, int):
            space = self._spaces[member]
            return space.columns if beside else space.lines_at(across)
        if member.beside == beside:
            needs = [self._need(each, beside, across) for each in self._ranked(member)]
            return Need(needs[0].least, sum(each.wanted for each in needs), sum(each.most for each in needs))
        most = UNBOUNDED
        needs = [self._need(each, beside, most) for each in self._shown(member, across, most)]
        return Need(*(max(each) for each in zip(*map(attrs.astuple, needs), strict=True)))


UNBOUNDED = 10**6
"""As much as there may be, where it is not known how much there is."""


def _panels(member: int | Group) -> Iterator[int]:
    return iter((member,)) if isinstance(member, int) else member.panels


def _directed(beside: bool, size: Size) -> tuple[int, int]:
    """The extent of a size along a group, and across it."""
    return (size.width, size.height) if beside else (size.height, size.width)
