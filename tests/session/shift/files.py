"""Small shifts for tests."""

from pathlib import Path

JOBS = ((1, 6, 0, 100), (2, 8, 10, 50), (3, 2, 20, 60), (4, 4, 30, 200))
"""Id, size, submission, runtime: on ten nodes job 2 is a blocked head, 3 ends in time, 4 would delay it."""
MANUAL = 'kind = "manual"\ngoal = "Short waits."\nuntil = 1000\nwide = 8\n'
INCIDENT = (
    'kind = "incident"\ngoal = "Lose no work."\nbudget = 2\nallow = ["drain", "up", "suspend"]\nwide = 8\n'
)
RESPONSE = """
[[shift.response]]
name = "drain"
[[shift.response.action]]
at = 150
do = "drain"
nodes = "0"
"""
FAILING = "".join(
    f'[[outage]]\nnodes = "0"\nfrom = {start}\nuntil = {start + 5}\nkill = true\n'
    for start in range(50, 1000, 100)
)
"""Node 0 fails every hundred seconds, for five."""


def shift_file(
    folder: Path,
    shift: str,
    rest: str = "",
    policy: str = "easy",
    jobs: tuple[tuple[int, ...], ...] = JOBS,
) -> Path:
    """A file with a shift on ten nodes; a job that loses a node begins anew."""
    text = (
        f'[machine]\nnodes = 10\non_failure = "requeue"\n[policy]\nname = "{policy}"\n[shift]\n{shift}{rest}'
    )
    for job in jobs:
        keys = zip(("id", "size", "submit", "runtime"), job, strict=True)
        text += "[[job]]\n" + "".join(f"{key} = {value}\n" for key, value in keys)
    path = folder / "shift.toml"
    path.write_text(text)
    return path


def manual(folder: Path, policy: str = "easy") -> Path:
    """Four jobs by hand, until 1000."""
    return shift_file(folder, MANUAL, policy=policy)


def incident(folder: Path, response: str = RESPONSE) -> Path:
    """Four jobs under EASY, and a node that fails again and again."""
    return shift_file(folder, INCIDENT, response + FAILING)
