"""The files of a captured folder: plain or compressed with xz, text or JSON, of bounded size."""

import gc
import json
import lzma
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shadowtime.scenarios.errors import ScenarioError
from shadowtime.scenarios.files import read_regular, size
from shadowtime.scenarios.slurm.errors import CaptureError, broken
from shadowtime.scenarios.text.gate import printable

MOST_BYTES = 1 << 29
"""No file of a capture is larger, neither as it lies on the disk nor unpacked."""
MOST_MEMORY = 1 << 27
"""An xz stream that needs more memory to unpack is refused; `xz -9` needs half of it."""
LONGEST_SAID = 160
"""Characters of what a file has in place of JSON."""


def find(folder: Path, names: Iterable[str]) -> Path | None:
    """Return the first of these files that the folder has, plain before `.xz`, or None."""
    for name in names:
        for path in (folder / name, folder / (name + ".xz")):
            if path.exists():
                return path
    return None


def require(folder: Path, names: Iterable[str], command: str) -> Path:
    """Return the first of these files. CaptureError names the command that writes it if there is none."""
    found = find(folder, chosen := tuple(names))
    if found is None:
        raise broken(folder, f"has no {' or '.join(chosen)}; expected the output of `{command}`")
    return found


def read_text(path: Path) -> str:
    """Return the text of a file, unpacked if its name ends in `.xz`. CaptureError if it has a zero byte.

    Names of jobs are bytes to Slurm: what is no UTF-8 becomes the replacement character.
    """
    data = _bytes(path)
    if (place := data.find(b"\0")) >= 0:
        raise broken(path, f"byte {place} is 0; expected text")
    return data.decode("utf-8-sig", errors="replace")


def read_json(path: Path) -> object:
    """Return the JSON value of a file. CaptureError gives the line and the column of what is no JSON."""
    text = read_text(path)
    if not text.strip():
        raise broken(path, "is empty; expected JSON")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos == 0:
            # A command that could not write JSON said why in its place.
            said = printable(text.strip().splitlines()[0][:LONGEST_SAID])
            raise broken(path, f'begins with "{said}"; expected JSON', "", 1, 1) from None
        raise broken(
            path, f"is no JSON ({error.msg[:60]}); the file may be cut off", "", error.lineno, error.colno
        ) from None
    except RecursionError:
        raise broken(path, "is nested too deeply; expected what Slurm writes") from None
    except ValueError:
        raise broken(path, "has a number of thousands of digits") from None


def _bytes(path: Path) -> bytes:
    try:
        data = read_regular(path, MOST_BYTES)
    except ScenarioError as error:
        raise CaptureError(error.faults) from None
    return _unpacked(data, path) if path.suffix == ".xz" else data


def _unpacked(data: bytes, path: Path) -> bytes:
    parts: list[bytes] = []
    room = MOST_BYTES
    while True:
        decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
        try:
            parts.append(decoder.decompress(data, room + 1))
        except (lzma.LZMAError, EOFError) as error:
            raise broken(path, f"is no sound xz file ({str(error)[:60]})") from None
        room -= len(parts[-1])
        if room < 0:
            raise broken(path, f"unpacks to more than {size(MOST_BYTES)}")
        if not decoder.eof:
            raise broken(path, "is cut off; expected a whole xz file")
        # Streams may follow each other, with zeros between them.
        data = decoder.unused_data.lstrip(b"\0")
        if not data:
            return b"".join(parts)


@contextmanager
def many_objects() -> Iterator[None]:
    """Let nobody look for garbage while a million objects are made of which none is garbage.

    That takes a third of the time of reading a large cluster (`make bench ARGS=watching`).
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
