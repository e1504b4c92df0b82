"""A runner of the session's own run, at the session's event: what every computed answer begins from."""

from console.session.session import Session
from kernels.core.simulation import Simulation


def fork_of(session: Session) -> Simulation:
    """Return another runner of the session's run, in the same state; it moves on its own."""
    return session._trajectory.simulation.fork()
