"""The bytes of a file: plain, .gz or .xz. Whatever keeps them away is one clear line."""

import stat
import zlib
from pathlib import Path

from scenarios.errors import ScenarioError, single

LOG_SUFFIXES = (".swf", ".swf.gz", ".swf.xz")
# An archive that asks for more memory than this was not made by an ordinary xz.
_MEMORY = 2**30


def is_log(path: Path) -> bool:
    """Whether a file is a log by its name."""
    return path.name.lower().endswith(LOG_SUFFIXES)


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked where its name ends in .gz or .xz.

    ScenarioError says why there is none.
    """
    packed = _read(path)
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return _gunzip(path, packed)
    if suffix == ".xz":
        return _unxz(path, packed)
    return packed


def _read(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise single(path, "is a folder; expected a file")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise single(path, "is a device; expected a file")
        return path.read_bytes()
    except FileNotFoundError:
        raise single(path, "no such file") from None
    except (OSError, ValueError) as error:
        # ValueError: a name that holds a NUL.
        reason = error.strerror if isinstance(error, OSError) else "not a name of a file"
        raise single(path, f"cannot be read: {reason}") from None


def _gunzip(path: Path, packed: bytes) -> bytes:
    import gzip

    try:
        return gzip.decompress(packed)
    except EOFError:
        raise _broken(path, "gzip", "it ends too early") from None
    except (gzip.BadGzipFile, zlib.error, MemoryError) as error:
        raise _broken(path, "gzip", str(error)) from None


def _unxz(path: Path, packed: bytes) -> bytes:
    import lzma

    try:
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY)
        parts = [unpacker.decompress(packed)]
        while unpacker.eof and unpacker.unused_data.strip(b"\0"):
            # An archive may hold several streams, padded with zeros.
            rest = unpacker.unused_data.lstrip(b"\0")
            unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY)
            parts.append(unpacker.decompress(rest))
    except (lzma.LZMAError, EOFError, MemoryError) as error:
        raise _broken(path, "xz", str(error)) from None
    if not unpacker.eof:
        raise _broken(path, "xz", "it ends too early")
    return b"".join(parts)


def _broken(path: Path, kind: str, why: str) -> ScenarioError:
    return single(
        path, f"is not a whole {kind} archive ({why[:1].lower()}{why[1:]}); expected one that unpacks"
    )
