"""Reads a log without a scenario around it."""

from pathlib import Path

from shadowtime.scenarios import Workload
from shadowtime.scenarios.traces.swf import Rules, log_nodes, open_log, read_jobs_of


def read_swf(path: Path | str, nodes: int | None = None, rules: Rules | None = None) -> Workload:
    """The jobs of a log for a machine of `nodes`, or of the size that its header names."""
    log = open_log(Path(path))
    return read_jobs_of(log, log_nodes(log, nodes), rules or Rules())
