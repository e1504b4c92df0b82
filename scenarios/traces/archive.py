"""The bytes of a file: plain, .gz or .xz. Whatever keeps them away is one clear line."""

import io
import os
from pathlib import Path

from shadowtime.scenarios.errors import single
from shadowtime.scenarios.files import PIECE, Progress, open_regular, read_regular, size

LOG_SUFFIXES = (".swf", ".swf.gz", ".swf.xz")
LARGEST = 2**31
"""Bytes of a text, unpacked: three times the largest log of the Parallel Workloads Archive."""


def is_log(path: Path) -> bool:
    """Whether a file is a log by its name."""
    return path.name.lower().endswith(LOG_SUFFIXES)


def read_bytes(path: Path, most: int = LARGEST, progress: Progress | None = None) -> bytes:
    """The content of a file of so many bytes, unpacked where its name ends in .gz or .xz.

    `progress` is called with the bytes of the file that are read, and all of them. ScenarioError says why
    there is no content.
    """
    suffix = path.suffix.lower()
    if suffix not in (".gz", ".xz"):
        return read_regular(path, most, progress=progress)
    # What unpacks is loaded for archives alone.
    from shadowtime.scenarios.traces.unpacking import SUFFIXES, readable, unpacked

    kind = SUFFIXES[suffix]

    with open_regular(path) as raw:
        packed = os.fstat(raw.fileno()).st_size
        if packed > most:
            raise single(path, f"is larger than {size(most)}; expected a file")
        with unpacked(path, kind, lambda: packed, raw) as stream, readable(path, kind):
            found = io.BytesIO()
            while piece := stream.read(PIECE):
                found.write(piece)
                if progress is not None:
                    progress(raw.tell(), packed)
                if found.tell() > LARGEST:
                    raise single(path, f"unpacks to more than {size(LARGEST)}; expected an archive of a log")
            # The buffer itself, rather than a copy of it.
            return found.getvalue()
