"""What is expected of a cluster, what would get a job started, and who could start with a shorter limit."""

from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.impact.shorter import Shorter, ShorterLimits

__all__ = ["ClusterOutlook", "Shorter", "ShorterLimits"]
