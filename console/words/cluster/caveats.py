"""What a plan leaves out, in words."""

from collections.abc import Mapping, Sequence

from shadowtime.console.session.slurm.guard.caveat import Caveat, Left

TOUCHED = "~"
"""Behind a start that something touches which the plan leaves out."""
HIDDEN = "jobs that the queue does not show"
"""What holds nodes that are allocated to no job of the queue."""
FAIR_SHARE = "fair share over time: it stays that of the capture"
SENTENCES: Mapping[Left, str] = {
    Left.ACCOUNTS: "accounts below those that partition {} lists: no assoc_mgr.txt",
    Left.ASSUMED: "the cluster's own parameters and limits, which REST does not give: defaults of slurm.conf",
    Left.BY_DEVICE: "CPUs or memory by generic resource",
    Left.CLOUD: "nodes of the cloud that sinfo does not list",
    Left.COMPONENTS: "components of a heterogeneous job under limits",
    Left.CORES: "reservations of cores",
    Left.COUNTED: "counted features",
    Left.CUT: "tasks that squeue cut off (it lists all with SLURM_BITSTR_LEN=0)",
    Left.DEVICES: "generic resources by job, socket or task",
    Left.EXCLUSIVE: "jobs of whole nodes: no squeue_v0.0.44.json",
    Left.FLOATS: "when reservation {} was made (TIME_FLOAT)",
    Left.GRACE: "preemption: GraceTime",
    Left.GROUPS: "who is in AllowGroups of partition {}",
    Left.HIDDEN: f"{HIDDEN} (they hold {{}}: taken as never free)",
    Left.HIDDEN_USERS: "which of the job's partitions give nodes to one user (ExclusiveUser)",
    Left.LICENSES: "licences of a reservation at later starts (bf_licenses)",
    Left.LIMIT: "the limit {} of {}",
    Left.LIMITS: "limits of accounts and qualities of service: no qos.json",
    Left.LOADED: "least loaded nodes first",
    Left.MODE: "preemption: the JSON of this release has no mode of partitions, and there is no"
    " partitions.txt",
    Left.MOST: "the most nodes of a job of a reservation, which may be an estimate",
    Left.NEVER: "never starts: {}",
    Left.OBLIVIOUS: f"{FAIR_SHARE} (DEPTH_OBLIVIOUS)",
    Left.POWER: "nodes that are powered down or up",
    Left.PREFERRED: "nodes that 22.05 prefers after a start under a limit on nodes",
    Left.PRIVATE: "jobs of other users, which the cluster hides (PrivateData)",
    Left.RANGES: "ranges of nodes",
    Left.RESETS: "the reset of usage over time (PriorityUsageResetPeriod={})",
    Left.RESTS: "rests on job {}",
    Left.SCHEDULER: "scheduler {}",
    Left.SELECTION: "node selection {}",
    Left.SEVERAL: "Slurm's reason {}, which may be that of another partition of the job",
    Left.SHARES: "shares of GPUs (gres/shard, gres/mps)",
    Left.SHARING: "oversubscription",
    Left.SOCKETS: "selection by sockets",
    Left.THREADS: "fewer threads of a core than it has",
    Left.TOPOLOGY: "topology {}",
    Left.UNREADABLE: "{} {} ({})",
    Left.USAGE: f"{FAIR_SHARE} (no usage of the associations (assoc_mgr.txt))",
}
UNNAMED: Mapping[Left, str] = {
    Left.FLOATS: "when a reservation with TIME_FLOAT was made",
    Left.LIMIT: "the limit {}",
    Left.UNREADABLE: "{} ({})",
}
"""The same for a caveat that lacks one of its names."""


def caveat(left_out: Caveat) -> str:
    names = [name for name in left_out.names if name]
    whole = len(names) == SENTENCES[left_out.left].count("{}")
    if whole or left_out.left not in UNNAMED:
        return SENTENCES[left_out.left].format(*left_out.names)
    return UNNAMED[left_out.left].format(*names)


def sign(marks: Sequence[Caveat]) -> str:
    return TOUCHED if marks else ""
