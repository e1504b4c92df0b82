"""Whether a terminal is there that can show the console."""

import os
import sys


def on_terminal() -> bool:
    """Whether keys can be read and a screen can be drawn.

    Both streams must be a terminal, and not a dumb one; stderr may go anywhere. A served page is drawn
    through a driver that the environment names.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    streams = (sys.stdin, sys.stdout)
    return os.environ.get("TERM", "dumb") != "dumb" and all(s is not None and s.isatty() for s in streams)
