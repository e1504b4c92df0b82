"""What a [workload] does to the jobs that it takes: other estimates, submissions, a sample of its users."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs

from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.models.constants import YEAR
from shadowtime.scenarios.models.estimates import Estimates, estimated, shrunk
from shadowtime.scenarios.models.resampling import resampled, shaken
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.times import MAX_TIME
from shadowtime.scenarios.workload import TOO_LONG, Workload, work

MODEL_KINDS = ("exact", "uniform", "tsafrir")
"""The kinds of estimates that need no requests of users, which models do not have."""

_MOST_STRETCH = 1000


@attrs.frozen
class ModelChange:
    """Other estimates, by what submissions are multiplied, and other samples of them."""

    estimates: Estimates
    shrink: Fraction | None
    resample: int | None = None
    """The seed by which users are drawn anew."""
    shake: tuple[int, int] | None = None
    """By how many seconds submissions are moved at most, and the seed."""

    def made(self, table: Table, workload: Workload) -> Workload:
        """Return the workload after the change; unchanged, with a fault, if the change is impossible."""
        longest = self.estimates.max
        if longest is not None and max(workload.runtime, default=0) > longest:
            least = max(workload.runtime)
            fault = f"max is {longest}; expected at least the longest runtime, {least} seconds"
            table.document.fault((*table.path, "estimates", "max"), fault)
            return workload
        try:
            workload = estimated(workload, self.estimates)
            if self.resample is not None:
                workload = resampled(workload, self.resample)
            if self.shrink is not None:
                workload = shrunk(workload, self.shrink)
            if self.shake is not None:
                workload = shaken(workload, *self.shake)
            if work(workload) + sum(workload.think or ()) > MAX_TIME:
                raise ValueError(TOO_LONG)
            return workload
        except ValueError as error:
            table.document.fault(table.path, str(error), "key")
            return workload


def read_change(table: Table, kinds: tuple[str, ...]) -> ModelChange:
    """What a [workload] changes, its estimates being one of these kinds."""
    shrink = table.ratio("shrink", Decimal("0.001"), _MOST_STRETCH)
    resample, shake = table.table("resample", "resample"), table.table("shake", "shake")
    drawn = moved = None
    if resample is not None:
        drawn = resample.integer("seed", required=True)
        resample.close()
    if shake is not None:
        within, seed = shake.seconds("within", 1, required=True), shake.integer("seed", required=True)
        shake.close()
        if within is not None and within > YEAR:
            shake.fault("within", f"expected at most {YEAR} seconds")
        moved = None if within is None or seed is None else (within, seed)
    return ModelChange(_read_estimates(table, kinds), shrink, drawn, moved)


def _read_estimates(root: Table, kinds: tuple[str, ...]) -> Estimates:
    """A table, or the name alone of a kind that has no parameters."""
    if isinstance(root.values.get("estimates"), str):
        kind = root.choice("estimates", [kind for kind in kinds if kind not in _PARAMETERS])
        return Estimates() if kind is None else Estimates(kind)
    table = root.table("estimates", "estimates")
    if table is None:
        return Estimates()
    kind = table.choice("kind", kinds, required=True)
    if kind is None:
        # What goes with a kind that is not known is not known either.
        return Estimates()
    uses = _PARAMETERS.get(kind, {})
    given: dict[str, Any] = {key: read(table, key) for key, read in uses.items()}
    others = {key for reads in _PARAMETERS.values() for key in reads if key not in uses}
    table.refuse(sorted(others), f"does not go with {kind}" + (f"; {one_of(uses)}" if uses else ""))
    table.close()
    if table.flawed:
        return Estimates()
    try:
        return Estimates(kind, **{key: value for key, value in given.items() if value is not None})
    except ValueError as error:
        table.document.fault(table.path, str(error), "key")
        return Estimates()


_PARAMETERS: Mapping[str, Mapping[str, Callable[[Table, str], object]]] = {
    "uniform": {
        "factor": lambda table, key: table.ratio(key, 1, 1_000_000, required=True),
        "seed": lambda table, key: table.integer(key),
    },
    "alpha": {"alpha": lambda table, key: table.ratio(key, 0, 1, required=True)},
    "tsafrir": {
        "seed": lambda table, key: table.integer(key),
        "max": lambda table, key: table.seconds(key, 1),
        "popular": lambda table, key: table.integer(key, 1, 60),
        "share": lambda table, key: table.ratio(key, 0, 1),
    },
}
"""The kinds of estimates that have parameters, and how each is read."""
