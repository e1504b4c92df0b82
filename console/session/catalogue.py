"""The shipped scenarios as a list to choose from."""

from scenarios import Head as Entry
from scenarios import read_head, scenario_files


def catalogue() -> tuple[Entry, ...]:
    """Return what each shipped scenario says of itself, by folder and name; no log is read."""
    return tuple(read_head(path) for path in scenario_files())


__all__ = ["Entry", "catalogue"]
