"""The shipped scenarios and captured clusters as a list to choose from."""

from shadowtime.scenarios import Head as Entry
from shadowtime.scenarios import cluster_folders, read_head, scenario_files


def catalogue() -> tuple[Entry, ...]:
    """Return what each shipped scenario and captured cluster says of itself, ordered by folder and name.

    The clusters stand behind the scenarios, the lessons of the courses behind both. No log is read.
    """
    files = scenario_files()
    lessons = [path for path in files if path.parent.parent.name == "courses"]
    stories = [path for path in files if path not in lessons]
    return tuple(read_head(path) for path in (*stories, *cluster_folders(), *lessons))


__all__ = ["Entry", "catalogue"]
