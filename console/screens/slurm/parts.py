"""The parts of the console over a cluster: each knows one subject, and the screen puts them together."""

import attrs

from shadowtime.console.screens.composed.copies import Copies
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.lists import Letters
from shadowtime.console.screens.slurm.answers import ClusterAnswers
from shadowtime.console.screens.slurm.charting.comparing import Comparing
from shadowtime.console.screens.slurm.clock import ClusterClock
from shadowtime.console.screens.slurm.exports import ClusterExports
from shadowtime.console.screens.slurm.pages import ClusterPages
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.screens.slurm.view import ClusterView
from shadowtime.console.screens.slurm.why import Reasons


@attrs.frozen
class ClusterParts:
    """The parts of one console over a cluster."""

    view: ClusterView
    captures: Captures
    picture: ClusterPicture
    reasons: Reasons
    pages: ClusterPages
    answers: ClusterAnswers
    travel: ClusterTravel
    comparing: Comparing
    copies: Copies
    exports: ClusterExports
    clock: ClusterClock
    themes: Themes
    letters: Letters
    counts: Counts
