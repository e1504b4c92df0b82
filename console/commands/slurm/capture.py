"""`shadowtime capture slurm -o FOLDER`: what a live cluster's own commands print, as a folder."""

from pathlib import Path

import click

from shadowtime.console.commands.options import debug_option
from shadowtime.console.commands.output import say
from shadowtime.console.commands.slurm.reaching import Way, reach_options
from shadowtime.console.session.slurm import read_capture
from shadowtime.console.session.slurm.capturing import write_capture
from shadowtime.console.words.cluster.capture import summary


@click.command("capture")
@click.argument("cluster", type=click.Choice(["slurm"]))
@click.option("-o", "--output", metavar="FOLDER", required=True, help="Write the capture to this folder.")
@reach_options
@click.option("--anonymous", is_flag=True, help="Number users, accounts, job names and reservations.")
@click.option("--force", is_flag=True, help="Replace the capture in a folder that has files.")
@debug_option
def command(cluster: str, output: str, way: Way, anonymous: bool, force: bool) -> None:
    """Capture a live Slurm cluster into FOLDER, for open, run and forecast.

    The commands squeue, scontrol show, sinfo, sdiag, sprio and, for limits and fair share, sacctmgr show are
    run at once; with --rest requests are sent in their place, all of them GET. All only read. Nothing else is
    contacted.
    """
    folder = Path(output)
    taken = write_capture(folder, way.reach(), anonymous, force)
    for note in taken.notes:
        say(f"left out: {note}")
    say(f"{summary(read_capture(folder))}; read in {taken.seconds:.2f} s: {folder}")
