"""The shipped captured clusters: each folder has what Slurm's commands printed, a title and a plan."""

from importlib.resources import files
from pathlib import Path

CLUSTER_FILE = "cluster.toml"
"""What a captured cluster says of itself, beside the output of Slurm's commands: `title` and `about`."""


def shipped_folder() -> Path:
    """The folder of all that is shipped; a link on the way, as a working copy has one, is followed."""
    return Path(str(files("shadowtime.scenarios"))).resolve()


def cluster_folders() -> list[Path]:
    shipped = shipped_folder() / "clusters"
    return [path.parent for path in sorted(shipped.glob(f"*/{CLUSTER_FILE}"))]
