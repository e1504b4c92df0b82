"""The shipped captured clusters: each folder has what Slurm's commands printed, a title and a plan."""

from importlib.resources import files
from pathlib import Path

CLUSTER_FILE = "cluster.toml"
"""What a captured cluster says of itself, beside the output of Slurm's commands: `title` and `about`."""


def cluster_folders() -> list[Path]:
    """The shipped captured clusters, by name."""
    shipped = Path(str(files("scenarios"))) / "clusters"
    return [path.parent for path in sorted(shipped.glob(f"*/{CLUSTER_FILE}"))]
