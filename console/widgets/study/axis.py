"""An axis of a chart: where a value lies, and which round values are named."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

import attrs

STEPS = 5
"""Parts of an axis between two named values, at least."""


@attrs.frozen
class Axis:
    """Values from `low` to `high` along pixels from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False

    @classmethod
    def over(
        cls,
        values: Sequence[float],
        begin: float,
        end: float,
        logarithmic: bool = False,
        ground: bool = False,
    ) -> "Axis":
        """Return an axis for these values, from 0 with `ground`; a logarithmic one has those above 0."""
        if logarithmic:
            above = [value for value in values if value > 0] or [1.0]
            spare = 1.15 if max(above) > 4 * min(above) else 2.0
            return cls(min(above) / spare, max(above) * spare, begin, end, True)
        low, high = min(values, default=0.0), max(values, default=1.0)
        if ground or 0 <= low < high / 2:
            low = min(low, 0.0)
        spare = 0.04 * ((high - low) or abs(high) or 1.0)
        return cls(low - spare * (low != 0), high + spare, begin, end)

    def at(self, value: float) -> float:
        """Return where a value lies; what is beyond the axis lies at its end."""
        low, high = self.low, self.high
        value = min(max(value, low), high)
        part = (log10(value / low) / log10(high / low)) if self.logarithmic else (value - low) / (high - low)
        return self.begin + (self.end - self.begin) * part

    def ticks(self) -> Iterator[float]:
        """Yield round values in ascending order: powers of ten, or 1, 2 and 5 times those."""
        if self.logarithmic:
            few = self.high < 100 * self.low
            for exponent in range(floor(log10(self.low)), ceil(log10(self.high)) + 1):
                for times in (1, 2, 5) if few else (1,):
                    if self.low <= times * 10.0**exponent <= self.high:
                        yield times * 10.0**exponent
            return
        rough = (self.high - self.low) / STEPS
        power = 10.0 ** floor(log10(rough))
        step = next(times * power for times in (1.0, 2.0, 5.0, 10.0) if times * power >= rough)
        for place in range(ceil(self.low / step), floor(self.high / step) + 1):
            yield place * step


def named(value: float) -> str:
    """Return a value as it stands at an axis: `0.05`, `20,000`."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}"
