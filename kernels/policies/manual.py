"""Manual scheduling: the operator is the scheduler. No paper; the pass does nothing at all."""

from shadowtime.kernels.policies.plain import JobView, MachineView


class Manual:
    """Nothing starts unless the operator starts it."""

    def schedule(self, machine: MachineView) -> None:
        """Start nobody."""

    def explain(self, machine: MachineView, job: JobView) -> str:
        """Why a job waits: for the operator, where it fits; else for nodes."""
        free = machine.free
        are = "is" if free == 1 else "are"
        nodes = "1 node" if job.size == 1 else f"{job.size:,} nodes"
        who = "waits for you: it needs" if job.size <= free else "waits for nodes: it needs"
        return f"{who} {nodes}, {free:,} {are} free"
