"""Killing a process at work: what it had reported of by then must have been kept."""

import signal
import subprocess
import sys
import time


def killed(program: str, *arguments: object, after: float) -> int:
    """Run a program that prints a number for each thing that it has kept, and kill it; return the last one.

    It lives for so many seconds after its first.
    """
    writer = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    printed = [writer.stdout.readline()]
    time.sleep(after)
    writer.send_signal(signal.SIGKILL)
    printed += writer.stdout.read().splitlines()
    writer.wait()
    return int([line for line in printed if line.strip()][-1])
