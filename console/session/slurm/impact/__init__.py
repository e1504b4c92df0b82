"""What a change of a cluster would do to its jobs, and what would get one started."""

from shadowtime.console.session.slurm.impact.advice import ClusterAdvice
from shadowtime.console.session.slurm.impact.course import Course
from shadowtime.console.session.slurm.impact.impact import ClusterImpact
from shadowtime.console.session.slurm.impact.shorter import Shorter, ShorterLimits

__all__ = ["ClusterAdvice", "ClusterImpact", "Course", "Shorter", "ShorterLimits"]
