"""What a console over a cluster shows: the plan of the cycle beside the jobs and nodes, and what changed."""

from shadowtime.console.session.slurm.board.changes import Changes, changes
from shadowtime.console.session.slurm.board.factors import FactorPoints, Standpoint, standpoint
from shadowtime.console.session.slurm.board.facts import Blocker, Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.board.filtering import (
    CLUSTER,
    cluster_fields,
    shown_rows,
    shown_running,
)
from shadowtime.console.session.slurm.board.fitting import Bar, Fitting, fitting
from shadowtime.console.session.slurm.board.holding import blockers, short_licenses
from shadowtime.console.session.slurm.board.idle import IdleNodes, idle_nodes
from shadowtime.console.session.slurm.board.making import board, board_of
from shadowtime.console.session.slurm.board.running import RunningRow, next_on, running_rows
from shadowtime.console.session.slurm.board.standing import (
    ACCOUNTS,
    CPUS,
    GPUS,
    PARTITIONS,
    USERS,
    DeviceStanding,
    Standing,
    device_standings,
    standings,
)
from shadowtime.scenarios.slurm.priorities import Factor

__all__ = [
    "ACCOUNTS",
    "CLUSTER",
    "CPUS",
    "GPUS",
    "PARTITIONS",
    "USERS",
    "Bar",
    "Blocker",
    "Board",
    "Changes",
    "DeviceStanding",
    "Factor",
    "FactorPoints",
    "Fitting",
    "IdleNodes",
    "NodeFact",
    "PlanRow",
    "RunningRow",
    "Standing",
    "Standpoint",
    "blockers",
    "board",
    "board_of",
    "changes",
    "cluster_fields",
    "device_standings",
    "fitting",
    "idle_nodes",
    "next_on",
    "running_rows",
    "short_licenses",
    "shown_rows",
    "shown_running",
    "standings",
    "standpoint",
]
