"""A captured cluster stepped forward and back: moments, the cluster after each, and what comes next."""

from shadowtime.console.session.slurm.stepping.boards import Boards
from shadowtime.console.session.slurm.stepping.cluster import SteppedCluster
from shadowtime.console.session.slurm.stepping.coming import Coming, coming
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.session.slurm.stepping.passing import Passing, passing
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment, PassKind, Started

__all__ = [
    "Boards",
    "Coming",
    "Happening",
    "History",
    "Moment",
    "PassKind",
    "Passing",
    "Started",
    "SteppedCluster",
    "coming",
    "passing",
]
