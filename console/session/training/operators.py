"""Who sits at the console: under whose name progress is kept."""

import getpass
import os


def operator_name() -> str:
    """Return $SHADOWTIME_OPERATOR if it is set, else the user's name on this machine."""
    named = os.environ.get("SHADOWTIME_OPERATOR", "").strip()
    if named:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # There is no user of that number, and no variable holds a name.
        return "operator"
