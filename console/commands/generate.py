"""`shadowtime generate MODEL`: the jobs of a workload model as a log."""

from typing import Any

import click

from shadowtime.console.commands.options import debug_option
from shadowtime.console.commands.output import progress_bar, say, say_lines
from shadowtime.console.session import Generation, format_duration, generate


@click.command("generate")
@click.argument("model")
@click.option("--jobs", type=int, metavar="N", default=1000, show_default=True, help="Number of jobs.")
@click.option(
    "--nodes", type=int, metavar="N", default=128, show_default=True, help="Size of the machine in nodes."
)
@click.option("--load", metavar="X", help="Stretch the gaps between arrivals until the load is X.")
@click.option(
    "--seed", type=int, metavar="N", default=1, show_default=True, help="The same seed gives the same jobs."
)
@click.option("--kind", metavar="KIND", help="Kind of lublin99: typed, untyped, batch or interactive.")
@click.option(
    "--estimates",
    metavar="KIND[:KEY=VALUE,...]",
    help="Estimates: exact, uniform:factor=F, or tsafrir (with max, popular, share); each with seed.",
)
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Set one constant of the other models."
)
@click.option("-o", "--output", metavar="OUT.swf", help="Write to this file [default: standard output].")
@debug_option
def command(model: str, output: str | None, **options: Any) -> None:
    """Write the jobs of a workload model in the Standard Workload Format.

    MODEL is lublin99, feitelson96, feitelson97, means or livermore. All but the first are
    reconstructions: the published parts, with constants of this program.
    """
    with progress_bar("Generating") as on_progress:
        generation = generate(model, progress=on_progress, **options)
    if output is None:
        for piece in generation.pieces():
            say_lines(piece)
        return
    with progress_bar("Writing") as on_progress:
        generation.save(output, on_progress)
    _say_what(generation, output)


def _say_what(generation: Generation, output: str) -> None:
    log = generation.log
    span = log.workload.submit[-1] - log.workload.submit[0]
    load = "" if log.load is None else f", load {log.load:.3f}"
    say(f"{output}: {len(log.workload):,} jobs on {log.nodes:,} nodes in {format_duration(span)}{load}")
    for note in log.workload.notes:
        say(note)
