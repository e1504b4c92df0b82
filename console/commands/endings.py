"""The end of a command: exit codes, errors in one line each on stderr, an output whose reader is gone.

0 done, 1 an expectation failed, 2 bad input or usage, 3 a file failed while working, 70 internal error,
130 interrupted, 143 terminated.
"""

import os
import signal
import sys
import traceback
from contextlib import suppress
from typing import NoReturn

import click

from shadowtime.console.terminal.gate import gated

DONE = 0
FAILED_EXPECTATION = 1
BAD_INPUT = 2
FAILED_FILE = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
TERMINATED = 143
LONGEST_WORD, LONGEST_LINE = 200, 2000
"""Characters of a value, and of all of a message, beyond which the middle is left out."""
_WATCHED = "shadowtime.kernels.policies.watched"


class Terminated(BaseException):
    """The process was asked to end: what is half-written is removed on the way out."""


def ending(error: BaseException, debug: bool = False) -> int:
    """Report on stderr what ended the command, after its traceback if `debug`; return the exit code."""
    if isinstance(error, BrokenPipeError):
        return DONE
    if isinstance(error, RuntimeError) and isinstance(error.__cause__, (KeyboardInterrupt, Terminated)):
        # Until 3.12 Python puts a RuntimeError around what is raised while a class is made, as in an import.
        error = error.__cause__
    if debug:
        traceback.print_exception(error)
    code, lines = _report(error)
    for line in lines:
        say_error(line)
    return code


def finish(code: int) -> int:
    """Flush stdout; return the exit code, or FAILED_FILE if that fails."""
    if code and sys.stdout.closed:
        # What closed it has been reported.
        return code
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except (OSError, ValueError) as error:
        silence_stdout()
        say_error(f"standard output: {_words(error)}")
        return code or FAILED_FILE
    return code


def leave(code: int) -> NoReturn:
    """Leave the process with its exit code.

    Code from elsewhere that was called may have threads that go on for ever, and may have more to do at
    the end of Python: then it is not waited for.
    """
    called = getattr(sys.modules.get(_WATCHED), "watch", None)
    if called is not None and called().diverts:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def silence_stdout() -> None:
    """Discard the rest of the output: its reader is gone, and Python would complain at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def say_error(line: str) -> None:
    """Write one line to stderr, printable (a file can have any name)."""
    if sys.stderr is not None:
        words = (shortened(word, LONGEST_WORD) for word in gated(line).replace("\n", "\\x0a").split(" "))
        click.echo(shortened(" ".join(words), LONGEST_LINE), err=True)


def shortened(text: str, most: int) -> str:
    """Return a text without its middle if it is longer."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-most // 4 :]}"


_requests: list[int] = []
"""The signals that asked the process to end."""


def end_on_request() -> None:
    """Have SIGTERM end the command like an error, not at once."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)


def requested_end() -> int | None:
    """Return the exit code of the first signal that asked the process to end; None if no signal came.

    What a signal raises can be lost: Python ignores what is raised in the callbacks of an import.
    """
    return 128 + _requests[0] if _requests else None


def interrupted(number: int, frame: object) -> None:
    """Have SIGINT end the command like an error, as Python does by itself."""
    _requests.append(number)
    _raise(KeyboardInterrupt(), INTERRUPTED)


def _terminated(number: int, frame: object) -> None:
    _requests.append(number)
    _raise(Terminated(), TERMINATED)


def _raise(error: BaseException, code: int) -> None:
    """Raise it, past a policy of another package that may be running."""
    # Looked up, not imported: in the first instants it is not there yet.
    interrupt = getattr(sys.modules.get(_WATCHED), "interrupt", None)
    if interrupt is not None:
        interrupt(error, code)
    raise error


def _report(error: BaseException) -> tuple[int, list[str]]:
    """Return the exit code and the lines for an error."""
    if isinstance(error, Terminated):
        return TERMINATED, ["terminated"]
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return INTERRUPTED, ["interrupted"]
    if isinstance(error, click.ClickException):
        return BAD_INPUT, [_usage(error)]
    if isinstance(error, OSError):
        return FAILED_FILE, [_words(error)]
    faults = _input_faults(error)
    if faults is not None:
        return BAD_INPUT, faults
    return INTERNAL_ERROR, [f"internal error: {type(error).__name__}: {error} (--debug shows where)"]


def _usage(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = "shadowtime" if context is None else context.command_path
    return f"{command}: {message} (see {command} --help)"


def _input_faults(error: BaseException) -> list[str] | None:
    """Return one line for each fault of the input, or None for another error."""
    # Looked up, not imported: an error from before the session was loaded is not one of its errors.
    session = sys.modules.get("shadowtime.console.session")
    if isinstance(error, getattr(session, "ScenarioError", ())):
        return [str(fault) for fault in error.faults]  # type: ignore[attr-defined]
    # An exception of another package's policy is reported like any other bad input.
    ours = getattr(session, "SessionError", ()), getattr(session, "PolicyError", ())
    return list(getattr(error, "lines", [str(error)])) if isinstance(error, ours) else None


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        return place + error.strerror[0].lower() + error.strerror[1:]
    return str(error)
