"""The place of a stepped cluster as a file: the folder, and the event at which it stands."""

from pathlib import Path

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.operator.saving import refuse_name
from shadowtime.scenarios.slurm.scenario import is_capture
from shadowtime.scenarios.text.writing import MARK, standing_at, written


def save_place(folder: Path, event: int, target: Path, force: bool) -> None:
    """Write where a captured cluster stands; `force` writes over any file.

    SessionError in one line: the cluster is not read from a folder, or something would be lost. OSError.
    """
    if not is_capture(folder):
        raise SessionError("a live cluster is not saved; shadowtime capture slurm -o FOLDER keeps one")
    refuse_name(target, force)
    values = {"title": folder.name, "cluster": str(folder.resolve())}
    with written_whole(target) as stream:
        stream.write(standing_at(f"{written(values)}\n{MARK}\n", event))
