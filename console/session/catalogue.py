"""The shipped scenarios and captured clusters as a list to choose from."""

from scenarios import Head as Entry
from scenarios import cluster_folders, read_head, scenario_files


def catalogue() -> tuple[Entry, ...]:
    """Return what each shipped scenario and captured cluster says of itself; the clusters come first.

    The scenarios are ordered by folder and name. No log is read.
    """
    return tuple(read_head(path) for path in (*cluster_folders(), *scenario_files()))


__all__ = ["Entry", "catalogue"]
