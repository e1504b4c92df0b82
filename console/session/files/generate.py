"""Workloads out of a model, as logs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import attrs

from shadowtime.console.session.files.writers import refuse_archive, written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.scenarios import GeneratedLog, parse_policy, parse_setting, parse_value
from shadowtime.scenarios import generate as make

CHUNK = 8192
"""Lines that are written at a time."""


@attrs.frozen(eq=False)
class Generation:
    """The jobs of a model, ready to be written as a log."""

    log: GeneratedLog

    def pieces(self, progress: Progress | None = None) -> Iterator[str]:
        """Yield the log in pieces of whole lines, each but for its last line end."""
        lines, total, done = self.log.lines(), len(self.log.workload), 0
        while piece := list(islice(lines, CHUNK)):
            yield "\n".join(piece)
            done += len(piece)
            if progress is not None:
                progress(min(done, total), total)

    def save(self, path: str | Path, progress: Progress | None = None) -> None:
        """Write the log. OSError leaves nothing half-written; SessionError if the name is an archive's."""
        refuse_archive(path)
        with written_whole(path) as stream:
            stream.writelines(f"{piece}\n" for piece in self.pieces(progress))


def generate(
    model: str,
    *,
    jobs: int,
    nodes: int,
    load: str | None = None,
    seed: int = 1,
    kind: str | None = None,
    estimates: str | None = None,
    settings: Sequence[str] = (),
    progress: Progress | None = None,
) -> Generation:
    """Make the jobs of a workload model for a machine of so many nodes.

    `load` is a number as text, `estimates` is `kind` or `kind:key=value,...`, a setting is `constant=value`.
    ScenarioError: everything that is wrong with them.
    """
    given: dict[str, object] = {"model": model, "jobs": jobs, "seed": seed}
    if load is not None:
        # TOML wants a digit before the point.
        given["load"] = parse_value(f"0{load}" if load.startswith(".") else load)
    if kind is not None:
        given["kind"] = kind
    if estimates is not None:
        given["estimates"] = _estimates(estimates)
    if settings:
        given["constants"] = dict(parse_setting(text) for text in settings)
    return Generation(make(given, nodes, progress))


def _estimates(text: str) -> Mapping[str, object]:
    kind, parameters = parse_policy(text)
    return {**parameters, "kind": kind}
