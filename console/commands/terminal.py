"""Whether a terminal is there that can show the console."""

import os
import sys


def on_terminal() -> bool:
    """Whether keys can be read and a screen can be drawn.

    All three streams must be a terminal (the screen is drawn on stderr), and not a dumb one. A served page
    is drawn through a driver that the environment names.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return os.environ.get("TERM", "dumb") != "dumb" and all(s is not None and s.isatty() for s in streams)
