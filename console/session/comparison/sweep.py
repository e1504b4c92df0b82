"""Sweeps: many policies and values of parameters as one line names them, run on one workload, and written."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import Comparison, compare
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.work import Work, check
from shadowtime.scenarios.policy import split_settings

MOST = 64
"""Runs of one sweep."""
EXPECTED = "expected policies, such as easy gang:quantum=60,600"


def spoken(text: str) -> tuple[str, ...]:
    """Return every policy of a sweep as `--policy` spells it: `gang:quantum=60,600` stands for two.

    A part between commas without `=` is one more value of the parameter before it; parameters with several
    values are combined. SessionError for a text without policies, and for more than `MOST` runs.
    """
    found: list[str] = []
    for word in text.split():
        name, colon, settings = word.partition(":")
        axes: list[list[str]] = []
        for part in split_settings(settings):
            if "=" in part:
                axes.append([part])
            elif part and axes:
                axes[-1].append(f"{axes[-1][0].partition('=')[0]}={part}")
            elif part or colon:
                raise SessionError(f"{word}: {part or name!r} is no parameter; {EXPECTED}")
        found += [f"{name}:{','.join(chosen)}" if chosen else name for chosen in product(*axes)]
        if len(found) > MOST:
            raise SessionError(f"{len(found):,} runs are more than a sweep does; expected {MOST} at most")
    if not found:
        raise SessionError(f"sweep over what? {EXPECTED}")
    return tuple(dict.fromkeys(found))


class Sweep(Work[Comparison]):
    """Runs every case of a sweep to its end."""

    def __init__(self, case: Case, text: str) -> None:
        """SessionError and PolicyError, in one line, for a policy or a parameter that does not exist."""
        self.policies = spoken(text)
        self.cases: Sequence[Case] = [case.spoken(policy) for policy in self.policies]

    def _found(self, progress: Progress) -> Comparison:
        def come(done: int, total: int) -> None:
            check(self._halt)
            progress(done, total)

        return compare(self.cases, come)


def save_csv(comparison: Comparison, path: Path) -> None:
    """Write the metrics, one a row, with a column for each policy. OSError."""
    rows = ([metric, *values] for metric, values in comparison.rows())
    save_rows(path, ["metric", *comparison.names], rows, force=True)
