"""Who sits at the console, and when: under which name and moment progress is kept."""

import getpass
import os
from datetime import UTC, datetime

from shadowtime.scenarios.text.gate import printable


def operator_name() -> str:
    """Return $SHADOWTIME_OPERATOR if it is set, else the user's name on this machine, printable."""
    named = os.environ.get("SHADOWTIME_OPERATOR", "").strip()
    if named:
        return printable(named)
    try:
        return printable(getpass.getuser())
    except (OSError, KeyError):
        # There is no user of that number, and no variable holds a name.
        return "operator"


def moment_now() -> str:
    """Return the wall clock in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
