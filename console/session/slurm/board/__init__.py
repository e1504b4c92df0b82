"""What a console over a cluster shows: the plan of the cycle beside the jobs and nodes, and what changed."""

from console.session.slurm.board.changes import Changes, changes
from console.session.slurm.board.facts import Blocker, Board, NodeFact, PlanRow
from console.session.slurm.board.filtering import CLUSTER, cluster_fields, shown_rows
from console.session.slurm.board.holding import blockers
from console.session.slurm.board.making import board, board_of, shown_id

__all__ = [
    "CLUSTER",
    "Blocker",
    "Board",
    "Changes",
    "NodeFact",
    "PlanRow",
    "blockers",
    "board",
    "board_of",
    "changes",
    "cluster_fields",
    "shown_id",
    "shown_rows",
]
