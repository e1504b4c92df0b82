"""What is said where there is no way on in time."""

import attrs


@attrs.frozen
class Ends:
    """The sentences of a view."""

    forward: str
    back: str
    next_decision: str
    previous_decision: str


ENDS = Ends(
    "this is the end: nothing is left to happen",
    "this is the beginning",
    "no job starts after this",
    "no job started before this",
)
"""What the console says."""
OF_LANES = Ends(
    "this is the end of every lane",
    "this is the beginning",
    "no job starts after this in any lane",
    "no job started before this in any lane",
)
"""What the compare view says."""
OF_CLUSTERS = Ends(
    "this is the end: no job waits that can start",
    "this is the capture",
    "no job starts any more",
    "no job starts before",
)
"""What the console over a cluster says."""
