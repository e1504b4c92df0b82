"""The waiting tasks of an array, as `squeue` writes them: `1-4,9-20:2%3`."""

import re
from collections.abc import Iterator

_PART = re.compile(r"(\d{1,9})(?:-(\d{1,9})(?::(\d{1,9}))?)?", re.ASCII)


def task_ranges(text: str) -> Iterator[range]:
    """Yield the tasks in ranges; what follows `%` is a limit. ValueError if the text is no such list."""
    for part in filter(None, text.partition("%")[0].split(",")):
        found = _PART.fullmatch(part)
        step = int(found[3] or 1) if found else 0
        if found is None or not step:
            raise ValueError(f"has the tasks {text[:40]!r}; expected a list such as 1-4,9")
        first = int(found[1])
        yield range(first, max(first, int(found[2] or first)) + 1, step)


def first_task(text: str) -> tuple[int, str]:
    """Return the first task of a list such as `1-4,9-20:2%3`, and the list of the others."""
    word, _, others = text.partition("%")[0].partition(",")
    span, _, step = word.partition(":")
    first, _, last = span.partition("-")
    after = int(first) + int(step or 1)
    rest = f"{after}-{last}:{step or 1}" if last and after <= int(last) else ""
    return int(first), ",".join(filter(None, (rest, others)))


def whole_tasks(text: str) -> tuple[str, bool]:
    """Return a list without what `squeue` cut off of it, and whether it did: `1,3,5,1...%2` is `1,3,5%2`.

    Without SLURM_BITSTR_LEN=0 it writes 64 characters.
    """
    tasks, percent, most = text.partition("%")
    begun, dots, _ = tasks.partition("...")
    kept = begun.rpartition(",")[0]
    return (f"{kept}{percent}{most}", True) if dots and kept else (text, False)
