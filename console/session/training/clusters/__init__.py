"""The plan of a captured cluster as drills need it: the scene, the causes, what is covered."""

from shadowtime.console.session.training.clusters.covering import covered
from shadowtime.console.session.training.clusters.scene import ClusterScene, written_instant

__all__ = ["ClusterScene", "covered", "written_instant"]
