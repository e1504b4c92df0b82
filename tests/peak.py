"""The most memory that a process had at once, and the CPU time that it took."""

import resource
import subprocess
import sys

import attrs

# A child begins with the peak of whoever starts it: so a small process starts it.
_START = (
    "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]);"
    " used = resource.getrusage(resource.RUSAGE_CHILDREN);"
    " print(used.ru_maxrss / 1024, used.ru_utime + used.ru_stime, file=sys.stderr); sys.exit(code)"
)


@attrs.frozen
class Used:
    """What a program printed and took; its exit code."""

    code: int
    out: str
    err: str
    megabytes: float
    seconds: float


def used(program: str, *arguments: object, limit: int | None = None) -> Used:
    """Run a program, Python, in a process of its own; with `limit`, more bytes of addresses end it."""
    small = [sys.executable, "-c", _START, sys.executable, "-c", program, *map(str, arguments)]

    def bound() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    ended = subprocess.run(small, capture_output=True, text=True, check=False, preexec_fn=bound)
    *err, last = ended.stderr.splitlines()
    megabytes, seconds = map(float, last.split())
    return Used(ended.returncode, ended.stdout, "\n".join(err), megabytes, seconds)
