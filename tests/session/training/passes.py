"""Random scenarios of a few jobs, and every instant in them at which a pass is due."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

from shadowtime.console.session import Session, load

EXAMPLES = int(os.environ.get("SHADOWTIME_EXAMPLES", "40"))
POLICIES = ("fcfs", "easy", "conservative")


def workload(random: Random, policy: str) -> str:
    """A scenario of a few jobs with estimates that are often too long."""
    nodes, submit, text = random.randint(4, 16), 0, ""
    for job in range(1, random.randint(4, 12)):
        submit += random.choice((0, 1, 5, 20))
        estimate = random.randint(1, 60)
        runtime = random.choice((estimate, random.randint(1, estimate)))
        size = random.randint(1, nodes)
        text += f"[[job]]\nid={job}\nsize={size}\nsubmit={submit}\nruntime={runtime}\nestimate={estimate}\n"
    return f'[machine]\nnodes={nodes}\n[policy]\nname="{policy}"\n{text}'


def passes(folder: Path, random: Random, examples: int, policy: str | None = None) -> Iterator[Session]:
    """Yield a run at each instant before a pass, of one random scenario after the other; None: any policy."""
    path = folder / "random.toml"
    for _ in range(examples):
        path.write_text(workload(random, policy or random.choice(POLICIES)))
        session = Session(load(path))
        while session.step():
            if session.snapshot().pending:
                yield session
