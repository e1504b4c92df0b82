"""The end of a console whose server is gone: a server that is killed cannot end its consoles."""

import os
from collections.abc import Callable
from threading import Thread
from time import sleep

SERVER = "SHADOWTIME_SERVER"
"""The variable that gives a console the number of the process that serves it."""
LOOK = 1.0
"""Seconds between two looks at whether the server is there."""
PATIENCE = 5.0
"""Seconds that the console has to leave by itself."""


def leave_with_server(leave: Callable[[], None], code: int) -> None:
    """Call `leave` from another thread when the server has ended; some seconds later end the process."""
    given = os.environ.get(SERVER, "")
    server = int(given) if given.isdecimal() else os.getppid()

    def look() -> None:
        while os.getppid() == server:
            sleep(LOOK)
        leave()
        # The console may be busy, and never come to leave.
        sleep(PATIENCE)
        os._exit(code)

    Thread(target=look, name="orphan", daemon=True).start()
