"""`shadowtime shorter FILE`: which waiting jobs of a cluster would start now with a shorter limit."""

from shadowtime.console.commands.options import json_option
from shadowtime.console.commands.output import progress_bar, say, say_columns, say_json
from shadowtime.console.commands.slurm.cluster import of_cluster
from shadowtime.console.commands.slurm.outlook import outlook_of
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.slurm.impact.shorter import ShorterLimits


def _show(reached: Reached, as_json: bool) -> None:
    outlook = outlook_of(reached, None)
    with progress_bar("Trying shorter limits") as on_progress:
        found = ShorterLimits(outlook.capture, outlook.time).run(on_progress)
    assert found is not None
    if as_json:
        say_json([row.as_dict() for row in found])
        return
    if not found:
        say("no waiting job would start now with a shorter limit")
        return
    # Imported late: the texts of the panels need what draws them.
    from shadowtime.console.widgets.slurm.shorter_text import MEANING, shorter_columns

    say_columns(shorter_columns(reached.dates, outlook.time), found, fold=True)
    say(MEANING)


@of_cluster("shorter", _show)
@json_option
def command() -> None:
    """Print which waiting jobs the next cycle would start if their limits were shorter.

    FILE is a captured Slurm cluster, or the word slurm for the live one. For each job the longest such limit,
    in whole minutes: the cycle starts the job with it, and with no longer one. The job that would lose least
    stands first. Each job is looked at alone: the limits of the others stay.
    """
