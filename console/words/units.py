"""Units: what a machine is counted in."""

import attrs

from console.session import Machine


@attrs.frozen
class Unit:
    """What a machine is counted in: the word for one, for several, and the mark behind a number."""

    one: str
    several: str
    mark: str

    def sized(self, number: int) -> str:
        """Return a number with its unit: `1 node`, `14 nodes`, `256 PE`."""
        return f"{number:,} {self.one if number == 1 else self.several}"

    def fill(self, text: str) -> str:
        """Return a text with the words of the unit in the places of `{unit}` and `{units}`."""
        return text.format(unit=self.one, units=self.several)


NODES = Unit("node", "nodes", "n")
PE = Unit("PE", "PE", "PE")


def unit_of(machine: Machine) -> Unit:
    """Return what a machine is counted in: PE if jobs ask for the processors of a torus, else nodes."""
    return PE if machine.torus is not None and machine.unit == "processor" else NODES
