"""Sweeps: many policies and values of parameters as one line names them, run on one workload, and written."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from threading import Event as Flag

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import Comparison, compare
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.tidy import save_rows
from shadowtime.scenarios.policy import split_settings

MOST = 64
"""Runs of one sweep."""
EXPECTED = "expected policies, such as easy gang:quantum=60,600"


class Stopped(Exception):
    """The operator broke the sweep off."""


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


class Sweep:
    """The runs of a sweep; `run` belongs to a worker, `stop` may be called in any thread.

    SessionError and PolicyError, in one line, for a policy or a parameter that does not exist.
    """

    def __init__(self, case: Case, text: str) -> None:
        self.policies = spoken(text)
        self.cases: Sequence[Case] = [case.spoken(policy) for policy in self.policies]
        self.done = 0.0
        """The share of the work that is done."""
        self._stopped = Flag()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> Comparison:
        """Run every case to its end. Raises Stopped."""
        return compare(self.cases, self._come)

    def _come(self, done: int, total: int) -> None:
        self.done = done / total if total else 1.0
        if self._stopped.is_set():
            raise Stopped


def save_csv(comparison: Comparison, path: Path) -> None:
    """Write the metrics, one a row, with a column for each policy. OSError."""
    rows = ([metric, *values] for metric, values in comparison.rows())
    save_rows(path, ["metric", *comparison.names], rows, force=True)
