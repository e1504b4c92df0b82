"""How good likely starts are: forecasts at many moments of a run, beside the starts that came."""

import random
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import accumulate

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.jobs.classes import LENGTHS, LONGEST, length_class
from shadowtime.console.session.jobs.predictions import forecast_now
from shadowtime.console.session.likely.calibration import PastMoment, calibration, snapshot
from shadowtime.console.session.likely.quantiles import NEVER, pinball, quantile
from shadowtime.console.session.progress import Progress
from shadowtime.kernels.likely.odds import Odds

QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
SCORED = (0.1, 0.5, 0.9)
"""Levels whose losses are scored, and which are compared without calibration."""
CHECKED = (0.1, 0.25, 0.5, 0.75, 0.9)
"""Levels whose reliability is shown: of all starts such a share should have come by the quantile."""
WAITED = 60
"""Snapshots are taken at submissions of jobs that wait longer than so many seconds."""
ALL = "all"


@attrs.frozen
class Forecasted:
    """What was forecast for one waiting job in one snapshot, in seconds."""

    snapshot: int
    instant: int
    row: int
    expected: int | None
    quantiles: tuple[float, ...]
    """Calibrated, at `QUANTILES`."""
    raw: tuple[float, ...]
    """Of the samples, at `SCORED`."""
    started: int | None
    weight: float


def forecasts(
    case: Case,
    *,
    snapshots: int,
    seed: int,
    samples: int = 100,
    within: Container[int] | None = None,
    progress: Progress | None = None,
) -> Iterator[Forecasted]:
    """Yield the forecasts of a run of the case, in time order.

    Moments are drawn among the submissions of jobs that waited longer than a minute, `within` some instants
    if there are any, each after the pass of its instant. Calibration uses outcomes known at the moment alone.
    """
    whole = case.simulation()
    whole.run()
    starts = whole.results("start")["start"]
    came = [None if start < 0 else start for start in starts]
    submits = case.columns.submit
    waited = [
        row
        for row, submit in enumerate(submits)
        if starts[row] - submit > WAITED and (within is None or submit in within)
    ]
    drawn = random.Random(seed).sample(waited, min(snapshots, len(waited)))
    simulation = case.simulation()
    odds = Odds(simulation)
    past: list[PastMoment] = []
    for number, instant in enumerate(sorted(submits[row] for row in drawn)):
        if progress is not None:
            progress(number, len(drawn))
        simulation.run(until=instant)
        waiting = simulation.waiting()
        made = snapshot(
            number,
            instant,
            waiting,
            odds.starts(simulation, waiting, seed=seed + number, samples=samples),
        )
        known = calibration(past, number, instant, came.__getitem__)
        levels = QUANTILES if known is None else known.levels(QUANTILES)
        expected = forecast_now(simulation)
        for row, ordered in zip(waiting, made.samples, strict=True):
            yield Forecasted(
                number,
                instant,
                row,
                expected.get(row),
                tuple(quantile(ordered, level) for level in levels),
                tuple(quantile(ordered, level) for level in SCORED),
                came[row],
                1 / len(waiting),
            )
        past.append(made)


COLUMNS = (
    "snapshot",
    "instant",
    "job_id",
    "expected",
    *(f"q{100 * level:02.0f}" for level in QUANTILES),
    *(f"raw{100 * level:.0f}" for level in SCORED),
    "started",
)
"""Of the table of forecasts; instants are seconds, empty where a job never starts."""


def write_forecasts(case: Case, rows: Iterable[Forecasted], output: str, force: bool) -> None:
    """Write each forecast with what came of it. SessionError if the file is there; OSError."""
    ids, written = case.columns.id, []
    for row in rows:
        shown = (None if at == NEVER else round(at) for at in (*row.quantiles, *row.raw))
        written.append((row.snapshot, row.instant, ids[row.row], row.expected, *shown, row.started))
    save_rows(output, COLUMNS, written, force)


def by_horizon(rows: Sequence[Forecasted]) -> dict[str, "Score"]:
    """Return the figures of all forecasts and of those by how far ahead the likely start is.

    Groups without a settled forecast are left out.
    """
    middle = QUANTILES.index(0.5)
    groups: dict[str, list[Forecasted]] = {ALL: list(rows)}
    groups |= {name: [] for name in (*(name for _, name in LENGTHS), LONGEST)}
    for row in rows:
        groups[length_class(row.quantiles[middle] - row.instant)].append(row)
    return {name: score_of(found) for name, found in groups.items() if any(map(_settled, found))}


def _settled(row: Forecasted) -> bool:
    return row.started is not None and row.expected is not None


@attrs.frozen
class Score:
    """Figures of forecasts, each snapshot weighing 1. Seconds; shares from 0 to 1."""

    forecasts: int
    expected_error: float
    """Median absolute error of the expected start."""
    likely_error: float
    expected_loss: float
    """Mean of twice the pinball losses at `SCORED`."""
    likely_loss: float
    raw_coverage: float
    """Share of starts between the quantiles at 10 and 90 %, as sampled."""
    coverage: float
    came: tuple[float, ...]
    """Shares of starts that came by the calibrated quantile, at `CHECKED`."""


def score_of(rows: Sequence[Forecasted]) -> Score:
    """Return the figures of forecasts whose jobs have started. ValueError if there are none."""
    settled = list(filter(_settled, rows))
    if not settled:
        raise ValueError("no forecast is settled")
    weights = [row.weight for row in settled]
    came = [float(row.started or 0) for row in settled]
    expected = [(float(row.expected or 0),) * len(SCORED) for row in settled]
    likely = [tuple(row.quantiles[QUANTILES.index(level)] for level in SCORED) for row in settled]

    def error(shown: Sequence[Sequence[float]]) -> float:
        return _median(sorted(zip(map(_off, shown, came), weights, strict=True)))

    def mean(of: Callable[[Sequence[float], float], float], shown: Sequence[Sequence[float]]) -> float:
        values = (of(row, start) for row, start in zip(shown, came, strict=True))
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    return Score(
        forecasts=len(settled),
        expected_error=error(expected),
        likely_error=error(likely),
        expected_loss=mean(_loss, expected),
        likely_loss=mean(_loss, likely),
        raw_coverage=mean(_holds, [row.raw for row in settled]),
        coverage=mean(_holds, likely),
        came=tuple(
            mean(_came, [row.quantiles[QUANTILES.index(level) :] for row in settled]) for level in CHECKED
        ),
    )


def _off(shown: Sequence[float], came: float) -> float:
    return abs(shown[1] - came)


def _loss(shown: Sequence[float], came: float) -> float:
    return sum(2 * pinball(at, came, level) for at, level in zip(shown, SCORED, strict=True)) / len(SCORED)


def _holds(shown: Sequence[float], came: float) -> float:
    return float(shown[0] <= came <= shown[-1])


def _came(shown: Sequence[float], came: float) -> float:
    return float(came <= shown[0])


def _median(weighted: Sequence[tuple[float, float]]) -> float:
    """The first value, of ascending ones, at which half of the weight is reached."""
    half = sum(weight for _, weight in weighted) / 2
    passed = accumulate(weight for _, weight in weighted)
    return next(value for (value, _), sums in zip(weighted, passed, strict=True) if sums >= half)
