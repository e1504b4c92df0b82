"""What is wrong with a captured folder: one fault with its file and its field."""

from pathlib import Path

from shadowtime.scenarios.errors import Fault, ScenarioError


class CaptureError(ScenarioError):
    """A captured folder that cannot be read: a file is missing, broken or not what Slurm writes."""


def broken(
    file: object, message: str, field: str = "", line: int | None = None, column: int | None = None
) -> CaptureError:
    """The error that holds one fault of a captured file; `field` is its path, such as `jobs[3].priority`."""
    return CaptureError([Fault(str(file), line, column, f"{field}: {message}" if field else message)])


def said(error: CaptureError) -> str:
    """Return what an error says, with the name of its file but not the folder."""
    fault = error.faults[0]
    line = "" if fault.line is None else f":{fault.line}"
    return f"{Path(fault.file).name}{line}: {fault.message}"
