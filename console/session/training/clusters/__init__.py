"""Drills on the plan of a captured cluster: the scene, the answers, the wrong choices, what is typed."""

from shadowtime.console.session.training.clusters.answers import cluster_answer
from shadowtime.console.session.training.clusters.covering import covered
from shadowtime.console.session.training.clusters.scene import ClusterScene
from shadowtime.console.session.training.clusters.typed import read_cluster_answer, written_instant

__all__ = ["ClusterScene", "cluster_answer", "covered", "read_cluster_answer", "written_instant"]
