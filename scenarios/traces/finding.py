"""Where logs are found: beside the scenario, in the folders of logs, in the user's own."""

import os
from pathlib import Path

from shadowtime.scenarios.errors import Fault, LogMissing
from shadowtime.scenarios.text.gate import printable

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload/"
_ENDINGS = ("", ".gz", ".xz")


def find_log(name: str, beside: Path | None = None, traces: Path | None = None) -> Path:
    """The file of a log, plain or packed.

    Looked for in the folder `beside`, in `traces`, in $SHADOWTIME_TRACES and in the user's data folder, in
    this order. LogMissing says where it was looked for and where logs come from.
    """
    places = _folders(beside, traces)
    for folder in places:
        if (found := log_in(folder, name)) is not None:
            return found
    looked = ", ".join(str(folder) for folder in places)
    message = (
        f"the log {printable(name)} was not found (plain, .gz or .xz) in {looked}; "
        f"the Parallel Workloads Archive has logs ({ARCHIVE}): put it in one of these folders, "
        "or name another with --traces or SHADOWTIME_TRACES"
    )
    raise LogMissing([Fault("", None, None, message)])


def log_in(folder: Path, name: str) -> Path | None:
    """The file of a log in a folder, plain or packed; None if it is not there."""
    paths = (folder / (name + ending) for ending in _ENDINGS)
    return next((path for path in paths if _is_there(path)), None)


def user_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("shadowtime", appauthor=False)


def _folders(beside: Path | None, traces: Path | None) -> list[Path]:
    variable = os.environ.get("SHADOWTIME_TRACES")
    folders = [beside, traces, Path(variable) if variable else None, user_folder()]
    return list(dict.fromkeys(folder for folder in folders if folder is not None))


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # A name too long for the system, or with a NUL, is nowhere.
        return False
