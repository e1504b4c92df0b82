"""The terminal for the console alone: what anything else prints meanwhile does not damage the screen."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper


@contextmanager
def alone() -> Iterator[None]:
    """Let `sys.__stdout__` and `sys.__stderr__` lead to the terminal, and file descriptors 1 and 2 nowhere.

    A policy in Python may write to those, in a thread of its own or through a library in C.
    """
    before = sys.__stdout__, sys.__stderr__
    if not all(_is_file(stream, number) for number, stream in enumerate(before, 1)):
        # Somebody else has arranged the streams.
        yield
        return
    copies = [_copy(stream) for stream in before if stream is not None]
    sys.__stdout__, sys.__stderr__ = copies  # type: ignore[misc]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        sys.__stdout__, sys.__stderr__ = before  # type: ignore[misc]
        for number, copy in enumerate(copies, 1):
            os.dup2(copy.fileno(), number)


def _is_file(stream: object, number: int) -> bool:
    return isinstance(stream, TextIOWrapper) and not stream.closed and stream.fileno() == number


def _copy(stream: TextIOWrapper) -> TextIOWrapper:
    """Return another stream to where this one leads."""
    stream.flush()
    return TextIOWrapper(
        os.fdopen(os.dup(stream.fileno()), "wb"),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
    )
