"""How many random cases the long tests take: a share of what they take when there is time."""

import os

SHARE = float(os.environ.get("SHADOWTIME_SHARE", "0.25"))
"""1 for all of them; more asks for more."""


def many(count: int) -> int:
    """Return the share of a count, at least one."""
    return max(1, round(count * SHARE))
