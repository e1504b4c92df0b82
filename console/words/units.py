"""Units: what a machine is counted in, and the clock of its instants."""

from typing import TYPE_CHECKING

import attrs

from shadowtime.console.clock import ELAPSED, Clock

if TYPE_CHECKING:
    from shadowtime.console.session import Machine


@attrs.frozen
class Unit:
    """What a machine is counted in: the word for one, for several, and the mark behind a number.

    With it goes the clock by which instants are written: whoever writes numbers of a machine has both.
    """

    one: str
    several: str
    mark: str
    clock: Clock = ELAPSED

    def sized(self, number: int) -> str:
        """Return a number with its unit: `1 node`, `14 nodes`, `256 PE`."""
        return f"{number:,} {self.one if number == 1 else self.several}"

    def instant(self, seconds: int) -> str:
        """Return an instant by the clock: `0d 06:12:44`, `2000-06-01 14:00:00`."""
        return self.clock.format(seconds)

    def fill(self, text: str) -> str:
        """Return a text with the words of the unit in the places of `{unit}` and `{units}`."""
        return text.format(unit=self.one, units=self.several)


NODES = Unit("node", "nodes", "n")
PE = Unit("PE", "PE", "PE")
CPUS = Unit("CPU", "CPUs", "CPU")


def unit_of(machine: "Machine", clock: Clock = ELAPSED) -> Unit:
    """Return what a machine is counted in: PE if jobs ask for the processors of a torus, CPUs, or nodes."""
    unit = NODES if machine.unit != "processor" else CPUS if machine.torus is None else PE
    return attrs.evolve(unit, clock=clock)
