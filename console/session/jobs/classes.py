"""The classes that jobs are put together by: how many nodes they have, and how long something lasts."""

SIZES = ((1, "1"), (4, "2-4"), (16, "5-16"), (64, "17-64"), (256, "65-256"))
LARGEST = "> 256"
LENGTHS = ((3600, "up to 1 h"), (21600, "1 to 6 h"), (86400, "6 to 24 h"))
LONGEST = "above 24 h"


def size_class(size: int) -> str:
    """Return the class of a number of nodes."""
    return next((name for bound, name in SIZES if size <= bound), LARGEST)


def length_class(seconds: float) -> str:
    """Return the class of a number of seconds."""
    return next((name for bound, name in LENGTHS if seconds <= bound), LONGEST)
