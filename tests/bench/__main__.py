"""`make bench`: every figure beside its goal. `python -m tests.bench keys` measures only some of it."""

import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.table import Table

from tests.bench.charting import chart
from tests.bench.depth import depth
from tests.bench.everykey import every_key
from tests.bench.figures import Figure
from tests.bench.growing import rows
from tests.bench.lasting import lasting
from tests.bench.odds import odds
from tests.bench.planning import planning
from tests.bench.pressing import keys
from tests.bench.processes import processes
from tests.bench.reading import reading
from tests.bench.shares import shares
from tests.bench.simulating import copies, gangs, growths, policies, schedulers
from tests.bench.watching import watching

PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    "policies": policies,
    "schedulers": schedulers,
    "gang": gangs,
    "growth": growths,
    "depth": depth,
    "copies": copies,
    "reading": reading,
    "rows": rows,
    "processes": processes,
    "lasting": lasting,
    "planning": planning,
    "odds": odds,
    "watching": watching,
    "chart": chart,
    "keys": keys,
    "every": every_key,
    "shares": shares,
}


def main(names: list[str]) -> int:
    """Measure the named parts (all without names) and print the table."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.stderr.write(f"there is no part {unknown[0]!r}; expected some of {', '.join(PARTS)}\n")
        return 2
    console = Console(width=None if sys.stdout.isatty() else 132, highlight=False)
    table = Table("what", "measured", "goal", "verdict", "remark", box=None, pad_edge=False)
    for name in names or PARTS:
        for figure in PARTS[name]():
            table.add_row(*_cells(figure))
            console.print(" ".join(_cells(figure)), style="dim")
    console.print()
    console.print(table)
    return 0


def _cells(figure: Figure) -> tuple[str, ...]:
    unit = f" {figure.unit}" if figure.unit else ""
    value = "-" if figure.value is None else f"{figure.value:,.2f}{unit}"
    goal = "" if figure.goal is None else f"<= {figure.goal:g}{unit}"
    return figure.what, value, goal, figure.verdict, figure.detail


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
