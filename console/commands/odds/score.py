"""`shadowtime score LOG`: how good likely starts are, beside the starts that came."""

import attrs
import click

from shadowtime.console.clock import duration
from shadowtime.console.commands.options import json_option, takes_case
from shadowtime.console.commands.output import BEHIND_FIRST, progress_bar, say, say_json, say_table
from shadowtime.console.session import Case, SessionError
from shadowtime.console.session.files.writers import refuse_overwriting
from shadowtime.console.session.likely.score import (
    CHECKED,
    WAITED,
    Score,
    by_horizon,
    forecasts,
    write_forecasts,
)
from shadowtime.console.words.phrases import per_cent

HEADINGS = (
    "ahead",
    "forecasts",
    "expected off by",
    "likely off by",
    "loss expected",
    "loss likely",
    "80 % hold raw",
    "80 % hold",
)


@click.command("score")
@takes_case
@click.option(
    "--snapshots", type=click.IntRange(1), default=200, show_default=True, help="Forecast at N moments."
)
@click.option(
    "--samples", type=click.IntRange(1), default=100, show_default=True, help="Draw N samples a moment."
)
@click.option(
    "--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Draw by this seed."
)
@click.option("--csv", "output", metavar="OUT.csv", help="Write each forecast with the start that came.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
def command(
    case: Case,
    snapshots: int,
    samples: int,
    seed: int,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Forecast the starts of all waiting jobs at moments of a log, and compare them with those that came.

    Moments are drawn among the submissions of jobs that wait longer than a minute. Nothing that comes later
    is used: neither runtimes of jobs that have not ended, nor submissions, nor outcomes of forecasts.

    off by: the median error. loss: the mean of twice the pinball losses at 10, 50 and 90 %. hold: the share
    of starts between the forecasts at 10 and 90 %, before and after calibration. The second table has the
    share of starts that came by the forecast at each level. Each moment weighs the same.
    """
    refuse_overwriting([output], force)
    with progress_bar("Forecasting") as on_progress:
        rows = list(forecasts(case, snapshots=snapshots, seed=seed, samples=samples, progress=on_progress))
    found = by_horizon(rows)
    if not found:
        raise SessionError(f"no job waits longer than {WAITED} s and starts: there is nothing to score")
    if output is not None:
        write_forecasts(case, rows, output, force)
    moments = len({row.snapshot for row in rows})
    if as_json:
        say_json(
            {
                "policy": case.name,
                "snapshots": moments,
                "samples": samples,
                "seed": seed,
                "ahead": {name: attrs.asdict(score) for name, score in found.items()},
            }
        )
        return
    say_table(HEADINGS, ((name, *_cells(score)) for name, score in found.items()), right=BEHIND_FIRST)
    say()
    levels = (per_cent(level, 0) for level in CHECKED)
    rows_by_level = ((name, *(per_cent(share, 0) for share in score.came)) for name, score in found.items())
    say_table(("came by", *levels), rows_by_level, right=BEHIND_FIRST)
    say(f"{moments} moments under {case.name}, {samples} samples each, seed {seed}")


def _cells(score: Score) -> tuple[str, ...]:
    return (
        f"{score.forecasts:,}",
        duration(score.expected_error),
        duration(score.likely_error),
        duration(score.expected_loss),
        duration(score.likely_loss),
        per_cent(score.raw_coverage, 0),
        per_cent(score.coverage, 0),
    )
