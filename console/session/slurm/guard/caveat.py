"""Something that a plan leaves out, as a code and names; its sentence is in `console/words/cluster`."""

from enum import Enum

import attrs


class Left(Enum):
    """What a plan leaves out, of all jobs or of one; behind some: what a caveat of the kind names."""

    ACCOUNTS = "accounts below those of a partition's list"  # (partition)
    ASSUMED = "parameters that REST does not give"
    BY_DEVICE = "CPUs or memory by device"
    CLOUD = "nodes of the cloud"
    COMPONENTS = "components under limits"
    """Which of them a cycle skips, and where those start that do, is not known on a busy cluster."""
    CORES = "reservations of cores"
    COUNTED = "counted features"
    CUT = "tasks that squeue cut off"
    DEVICES = "devices by job, socket or task"
    EXCLUSIVE = "whole nodes"
    FLOATS = "when a reservation was made"  # (reservation, or nothing)
    GRACE = "grace time"
    GROUPS = "members of groups"  # (partition)
    HIDDEN = "jobs that the queue does not show"  # (nodes)
    HIDDEN_USERS = "partitions of one user"
    """The JSON shows that of a job, as one of its partitions has it."""
    LICENSES = "licences of a reservation"
    LIMIT = "a limit"  # (limit, resource)
    LIMITS = "limits without a table"
    LOADED = "least loaded nodes first"
    MODE = "modes of partitions"
    MOST = "the most nodes of a job"
    NEVER = "a start that does not come"  # (why)
    OBLIVIOUS = "fair share, DEPTH_OBLIVIOUS"
    POWER = "nodes that are powered down or up"
    PREFERRED = "nodes preferred after a start"
    """The last start is not in a capture, and every later choice of nodes depends on it."""
    PRIVATE = "jobs that the cluster hides"
    RANGES = "ranges of nodes"
    RESETS = "resets of usage"  # (period)
    RESTS = "a row that is marked"  # (job)
    SCHEDULER = "another scheduler"  # (scheduler)
    SELECTION = "another selection of nodes"  # (selection)
    SEVERAL = "a reason of another partition"  # (reason)
    SHARES = "shares of GPUs"
    SHARING = "oversubscription"
    SOCKETS = "selection by sockets"
    THREADS = "threads of a core"
    TOPOLOGY = "a topology"  # (topology)
    UNREADABLE = "what cannot be read"  # (kind, name, fault)
    USAGE = "fair share without usage"


@attrs.frozen(order=False)
class Caveat:
    """Something that a plan leaves out; its sentence is in `console/words`."""

    left: Left
    names: tuple[str, ...] = ()
    """What the kind names, as it may be printed."""
