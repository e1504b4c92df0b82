"""What the content of a panel needs: lines and columns, each as the least, as wanted, and as all there is."""

from collections.abc import Callable

import attrs

UNLIMITED = 10**4
"""More lines, or columns, than a screen has."""
FRAME = 2
"""Lines, and columns, of a frame."""


@attrs.frozen
class Need:
    """Lines, or columns. The `least` are worth being shown: a panel has fewer only where it is alone.

    With `wanted` it shows what one looks for in it, and with `most` everything that it has.
    """

    least: int
    wanted: int
    most: int

    @staticmethod
    def of(least: int, wanted: int, most: int) -> "Need":
        """Return a need for content that ends at `most`."""
        return Need(min(least, most), min(wanted, most), most)

    def framed(self) -> "Need":
        return Need(self.least + FRAME, self.wanted + FRAME, self.most + FRAME)


@attrs.frozen
class Space:
    """What a panel needs in both directions."""

    columns: Need = Need(36, 60, UNLIMITED)
    lines: Need = Need(6, 12, UNLIMITED)
    fitted: Callable[[int], Need] | None = None
    """The lines for so many columns, where those are fewer the more columns there are; the least stay."""
    empty: bool = False
    """Whether nothing stands in it yet: it is seen only where it is in use."""

    def lines_at(self, columns: int) -> Need:
        return self.lines if self.fitted is None else self.fitted(columns)

    def framed(self) -> "Space":
        return Space(
            self.columns.framed(),
            self.lines.framed(),
            None if self.fitted is None else lambda columns: self.lines_at(columns - FRAME).framed(),
            self.empty,
        )
