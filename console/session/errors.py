"""What the session says when it is asked for something that cannot be."""

from shadowtime.kernels.policies import PolicyError


class SessionError(Exception):
    """One clear line: what is wrong with the value, then what was expected."""


def failure(error: PolicyError) -> str:
    """Return what a policy of another package did, in one line whatever it raised."""
    return " ".join(str(error).split())
