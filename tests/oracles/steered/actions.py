"""What an operator may do to jobs and nodes: why it is refused, and what it does."""

from tests.oracles.steered.case import Action
from tests.oracles.steered.world import OVER, World

TAKES = {
    "hold": ("N", "O"),
    "release": ("H",),
    "suspend": ("R", "W"),
    "resume": ("S",),
    "start": ("N", "O"),
}
"""The states in which a job must be; for every other action, the job must be submitted and not over."""


def job_refusal(world: World, action: Action) -> str | None:
    """Return why an action on a job is refused, by its state, or None."""
    assert action.job is not None
    state = world.records[action.job].state
    if state == "":
        return "not_submitted"
    if state in OVER:
        return "over"
    if action.do in TAKES and state not in TAKES[action.do]:
        return "wrong_state"
    return None


def node_refusal(world: World, action: Action) -> str | None:
    """Return why an action on nodes is refused, or None."""
    nodes = set(action.nodes)
    if action.do == "up":
        return None if nodes & world.out else "none_out"
    if action.do == "drain":
        return "all_out" if nodes <= world.out & world.kept else None
    return "all_down" if nodes <= set(world.down()) & world.kept else None


def act_on_job(world: World, action: Action) -> None:
    """What becomes of a job whose action is not refused; a start is no matter of the job alone."""
    job = action.job
    assert job is not None
    if action.do == "hold":
        world.records[job].state = "H"
    elif action.do == "release":
        world.records[job].state = "O" if world.records[job].ran else "N"
    elif action.do == "cancel":
        world.leave(job, "C")
    elif action.do == "suspend":
        world.leave(job, "S")
    elif action.do == "resume":
        world.enqueue(job)
    else:
        assert action.do == "priority"
        world.records[job].priority = action.to


def act_on_nodes(world: World, action: Action) -> None:
    """What becomes of nodes whose action is not refused."""
    if action.do == "up":
        world.out -= set(action.nodes)
        world.kept -= set(action.nodes)
    else:
        world.kept |= set(action.nodes)
        world.put_out(action.nodes, struck=action.do == "down")
