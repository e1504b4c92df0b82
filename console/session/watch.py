"""Breaking off a policy of another package that has not returned."""

from shadowtime.kernels.policies.watched import watch


def break_off() -> bool:
    """Break off each call of such a policy that takes long, in whatever thread; return whether there was one.

    The call ends with a PolicyError. This may be called from any thread.
    """
    return watch().break_off()
