"""What a console over a cluster shows: the plan of the cycle beside the jobs and nodes, and what changed."""

from shadowtime.console.session.slurm.board.chain import chain, likely_chain
from shadowtime.console.session.slurm.board.changes import Changes, changes
from shadowtime.console.session.slurm.board.factors import FactorPoints, Standpoint, standpoint
from shadowtime.console.session.slurm.board.facts import Blocker, Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING, BoardReading, ahead
from shadowtime.console.session.slurm.board.fitting import Bar, Fitting, fitting
from shadowtime.console.session.slurm.board.holding import blockers, short_licenses
from shadowtime.console.session.slurm.board.idle import IdleNodes, idle_nodes
from shadowtime.console.session.slurm.board.lists import LISTS, NODES, OUT, RESERVATIONS, Listing
from shadowtime.console.session.slurm.board.lists import PARTITIONS as PARTITION_LIST
from shadowtime.console.session.slurm.board.making import board, board_of
from shadowtime.console.session.slurm.board.out import OutRow, out_rows
from shadowtime.console.session.slurm.board.reserving import ReservationRow, reservation_rows
from shadowtime.console.session.slurm.board.running import RunningRow, next_on, running_rows
from shadowtime.console.session.slurm.board.standing import (
    ACCOUNTS,
    CPUS,
    GPUS,
    PARTITIONS,
    USERS,
    DeviceStanding,
    GroupStanding,
    PartitionRow,
    device_standings,
    partition_rows,
    standings,
)
from shadowtime.scenarios.slurm.priorities import Factor

__all__ = [
    "ACCOUNTS",
    "CPUS",
    "GPUS",
    "LISTS",
    "NODES",
    "OUT",
    "PARTITIONS",
    "PARTITION_LIST",
    "PLAN",
    "RESERVATIONS",
    "RUNNING",
    "USERS",
    "Bar",
    "Blocker",
    "Board",
    "BoardReading",
    "Changes",
    "DeviceStanding",
    "Factor",
    "FactorPoints",
    "Fitting",
    "GroupStanding",
    "IdleNodes",
    "Listing",
    "NodeFact",
    "OutRow",
    "PartitionRow",
    "PlanRow",
    "ReservationRow",
    "RunningRow",
    "Standpoint",
    "ahead",
    "blockers",
    "board",
    "board_of",
    "chain",
    "changes",
    "device_standings",
    "fitting",
    "idle_nodes",
    "likely_chain",
    "next_on",
    "out_rows",
    "partition_rows",
    "reservation_rows",
    "running_rows",
    "short_licenses",
    "standings",
    "standpoint",
]
