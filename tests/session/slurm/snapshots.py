"""Compare recorded snapshots with the plans of the kernel and of the naive program.

    python -m tests.session.slurm.snapshots FOLDER... [--each] [--kinds] [--open]

Each folder of the given ones that has a `plan.csv`, at any depth, is a snapshot: a captured cluster, and the
plan that slurmctld then logged. Its parent is named after the release, itself after its kind and its seed
(`24.11.5/h-features-1`). Kinds whose rule is not defined are left out, but for `--open`.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.slurm import forecast_of
from shadowtime.scenarios.slurm import read_capture
from shadowtime.scenarios.slurm.errors import CaptureError
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.recorded import OPEN, differences, read_plan
from tests.session.slurm.test_agreement import row_of


@attrs.frozen
class Snapshot:
    """A snapshot beside both plans: the rows that differ, in words, and how many of them have no mark."""

    folder: Path
    rows: int
    kernel: tuple[str, ...]
    naive: tuple[str, ...]
    unmarked: int

    @property
    def release(self) -> str:
        """The release that was recorded."""
        return self.folder.parent.name

    @property
    def kind(self) -> str:
        """The name without the seed."""
        return self.folder.name.rpartition("-")[0]


def compared(folder: Path) -> Snapshot:
    """Return a snapshot beside both plans."""
    recorded = read_plan(folder)
    try:
        capture = read_capture(folder)
    except CaptureError as error:
        return Snapshot(folder, len(recorded.rows), (str(error),), (str(error),), len(recorded.rows))
    rows = forecast_of(capture, recorded.now).rows
    kernel = differences([row_of(row) for row in rows], recorded)
    naive = differences(plan(capture, recorded.now), recorded)
    marked = {str(row.order) for row in rows if row.marks}
    unmarked = sum(line.partition(":")[0] not in marked for line in kernel)
    return Snapshot(folder, len(recorded.rows), tuple(kernel), tuple(naive), unmarked)


def snapshots(folders: Iterable[Path], every: bool) -> list[Path]:
    """Return the folders of the snapshots at or below the given ones; `every`: of open kinds, too."""
    found = {path.parent for folder in folders for path in folder.rglob("plan.csv")}
    return sorted(path for path in found if every or not path.name.startswith(OPEN))


def totals(found: Sequence[Snapshot], letters: bool) -> list[str]:
    """Return a line for each kind, or each letter of kinds: rows that differ of all rows, by release."""
    releases = sorted({each.release for each in found})
    table: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for each in found:
        for name in (each.kind[0] if letters else each.kind, "all"):
            table[name][each.release].update(
                snapshots=1, rows=each.rows, differ=len(each.kernel), unmarked=each.unmarked
            )
    lines = ["kind: rows that differ (without a mark) / rows, snapshots; " + ", ".join(releases)]
    for name in sorted(table, key=lambda name: (name == "all", name)):
        counts = (table[name][release] for release in releases)
        cells = (f"{c['differ']} ({c['unmarked']}) / {c['rows']:,}, {c['snapshots']}" for c in counts)
        lines.append(f"{name}: " + "; ".join(cells))
    return lines


def main() -> None:
    """Print each snapshot that differs, and the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--each", action="store_true", help="print each row that differs")
    parser.add_argument("--kinds", action="store_true", help="count by kind, not by letter")
    parser.add_argument("--open", action="store_true", help="kinds whose rule is not defined, too")
    options = parser.parse_args()
    found = [compared(folder) for folder in snapshots(options.folders, options.open)]
    for one in found:
        if one.kernel or one.naive:
            name = f"{one.release}/{one.folder.name}"
            print(
                f"{name}: {len(one.kernel)} of {one.rows} rows differ, {len(one.naive)} of the naive program"
            )
            for line in one.kernel if options.each else one.kernel[:1]:
                print("   ", line)
    print("\n".join(totals(found, letters=not options.kinds)))


if __name__ == "__main__":
    main()
