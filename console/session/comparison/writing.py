"""The users of a comparison in a file: a row for each user and policy."""

from shadowtime.console.session.comparison.verdict import LaneVerdict
from shadowtime.console.session.files.tidy import save_rows

COLUMNS = ("of", "user", "policy", "jobs", "mean_wait", "median_wait", "longest_wait", "better", "worse")
"""`of` is `all` or `user`: a job may have no user. Waits are in seconds; `better` and `worse` are
jobs against the first policy, whose rows have none."""


def write_users(found: LaneVerdict, path: str, force: bool = False) -> None:
    """Write the waits as CSV, all users together first. SessionError for a file that is there; OSError."""
    rows = []
    for of, row in (("all", found.all), *(("user", user) for user in found.users)):
        for place, name in enumerate(found.names):
            ways = (row.better[place - 1], row.worse[place - 1]) if place else ("", "")
            waits = row.means[place], row.medians[place], row.longest[place]
            rows.append((of, row.user, name, row.jobs, *waits, *ways))
    save_rows(path, COLUMNS, rows, force)
