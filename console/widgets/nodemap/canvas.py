"""The canvas: the painted lines of a picture, kept from scene to scene as long as they stay true.

An event touches few jobs, so most lines of the map look as before; finding that out is cheaper than painting
them, and the screen redraws only those that came out different.
"""

import attrs

from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.pictures import NodePicture
from shadowtime.console.widgets.nodemap.scene import FREED, NodeScene


@attrs.define
class _Line:
    """A painted line, and the owners of its nodes once somebody asked for them."""

    cells: Cells
    owners: frozenset[int] | None = None


class Canvas:
    """Lines of one picture, painted on demand."""

    def __init__(self, picture: NodePicture, scene: NodeScene) -> None:
        self.picture = picture
        self.scene = scene
        self._lines: dict[int, _Line] = {}

    def line(self, number: int) -> Cells:
        if number not in self._lines:
            self._lines[number] = self._paint(number)
        return self._lines[number].cells

    def renew(self, scene: NodeScene, lines: range) -> list[int]:
        """Take a new scene, and paint these lines: the numbers of those that came out different."""
        earlier, before = self.scene, self._lines
        self.scene = scene
        kept = self._still_true(earlier, before, lines)
        self._lines = {number: before[number] for number in kept}
        stale = []
        for number in lines:
            if number not in kept:
                line = self._lines[number] = self._paint(number)
                if number not in before or line.cells != before[number].cells:
                    stale.append(number)
        return stale

    def _paint(self, number: int) -> _Line:
        if not 0 <= number < self.picture.lines:
            return _Line([])
        return _Line(self.picture.paint(number, self.scene))

    def _still_true(self, earlier: NodeScene, before: dict[int, _Line], lines: range) -> set[int]:
        """The lines whose nodes have the owners they had, all of which look as they looked."""
        scene = self.scene
        if earlier.draining != scene.draining or earlier.colouring != scene.colouring:
            return set()
        if not self.picture.steady or earlier.base != scene.base or earlier.palette != scene.palette:
            return set()
        same = [
            number
            for number in lines
            if number in before
            and not self._has_cursor(number, earlier)
            and self._same_owners(number, earlier)
        ]
        owners = {number: self._owners(number, before[number], earlier) for number in same}
        met = frozenset[int]().union(*owners.values())
        restless = {owner for owner in met if scene.ink[owner] is not earlier.ink[owner]} | {FREED}
        return {number for number in same if restless.isdisjoint(owners[number])}

    def _owners(self, number: int, line: _Line, earlier: NodeScene) -> frozenset[int]:
        if line.owners is None:
            rows = (earlier.row(nodes) for nodes in self.picture.nodes_on(number))
            line.owners = frozenset().union(*rows)
        return line.owners

    def _has_cursor(self, number: int, earlier: NodeScene) -> bool:
        cursors = (self.scene.cursor, earlier.cursor)
        return any(cursor is not None and self.picture.line_of(cursor) == number for cursor in cursors)

    def _same_owners(self, number: int, earlier: NodeScene) -> bool:
        now, then = self.scene.owners, earlier.owners
        return all(
            now[nodes.start : nodes.stop : nodes.step] == then[nodes.start : nodes.stop : nodes.step]
            for nodes in self.picture.nodes_on(number)
        )
