"""A workload model's jobs as a log in the Standard Workload Format, whose header says how they were made.

The same settings give the same bytes: neither date nor place is in it.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import attrs

from shadowtime.scenarios.errors import Fault, single
from shadowtime.scenarios.models.changes import MODEL_KINDS, read_change
from shadowtime.scenarios.models.estimates import Estimates
from shadowtime.scenarios.models.generated import Generated, Progress
from shadowtime.scenarios.models.registry import PAPERS, Recipe, read_recipe
from shadowtime.scenarios.text.document import Document, Path
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.traces.header import header_lines
from shadowtime.scenarios.traces.labels import Labels
from shadowtime.scenarios.workload import MAX_NODES, Workload

_OPTIONS = {"estimates": "--estimates: ", "constants": "--set: "}


class _Options(Document):
    """Settings of a command line: a fault has no place, but the option that it belongs to."""

    def __init__(self) -> None:
        super().__init__("", "")

    def fault(self, path: Path, message: str, at: Literal["key", "value"] = "value") -> None:
        option = _OPTIONS.get(str(path[0]), "") if path else ""
        self.faults.append(Fault("", None, None, option + message))


@attrs.frozen(eq=False)
class GeneratedLog:
    """The jobs of a model for a machine of so many nodes, with all that settles them."""

    recipe: Recipe
    estimates: Estimates
    nodes: int
    jobs: Generated

    @property
    def workload(self) -> Workload:
        return self.jobs.workload

    @property
    def load(self) -> float | None:
        """sum(runtime * size) / (nodes * (last submission - first)); None where that is no time."""
        jobs = self.workload
        area = sum(runtime * size for runtime, size in zip(jobs.runtime, jobs.size, strict=True))
        span = jobs.submit[-1] - jobs.submit[0]
        return area / (self.nodes * span) if span else None

    def lines(self) -> Iterator[str]:
        """The log, line by line, without line ends."""
        yield from header_lines(self._header())
        yield from self._rows()

    def _header(self) -> Iterator[tuple[str, str]]:
        recipe, count = self.recipe, len(self.workload)
        yield "Version", "2.2"
        yield "Computer", f"none: jobs of the workload model {recipe.model} ({PAPERS[recipe.model]})"
        yield "Information", f"{_settings(recipe.settings(self.nodes))}; estimates: {self._estimates()}"
        yield "MaxJobs", str(count)
        yield "MaxRecords", str(count)
        yield "MaxNodes", str(self.nodes)
        yield "MaxProcs", str(self.nodes)
        if constants := recipe.all_constants():
            yield "Note", f"constants: {_settings(constants)}"
        for note in self.workload.notes:
            yield "Note", note
        if self.jobs.preceding is not None:
            yield "Note", "fields 17 and 18 say which job a job runs again, as soon as that has ended"
        if any(self.workload.klass):
            yield "Note", "queue 0 is interactive, queue 1 is batch"

    def _estimates(self) -> str:
        rule = self.estimates
        if rule.kind == "uniform":
            return _settings({"kind": rule.kind, "factor": float(rule.factor), "seed": rule.seed})
        if rule.kind == "tsafrir":
            longest = max(self.workload.estimate)
            given = {"max": longest, "popular": rule.popular, "share": float(rule.share)}
            return _settings({"kind": rule.kind, "seed": rule.seed, **given})
        if rule.kind == "log" and self.recipe.model == "livermore":
            return "the time limits of its queues"
        if rule.kind == "log" and self.recipe.model == "means":
            return "the model's own"
        return "the model has none; requested times are the runtimes"

    def _rows(self) -> Iterator[str]:
        jobs, preceding = self.workload, self.jobs.preceding
        # The codes of the classes are the numbers of the queues.
        assert isinstance(jobs.klass, Labels)
        queues, again = jobs.klass.codes, preceding or [0] * len(jobs)
        columns = jobs.id, jobs.submit, jobs.runtime, jobs.size, jobs.estimate, queues, again
        for number, submit, runtime, size, estimate, queue, before in zip(*columns, strict=True):
            used = f"{number} {submit} -1 {runtime} {size}"
            asked = f"{size} {estimate}"
            last = f"{before} 0" if before else "-1 -1"
            yield f"{used} -1 -1 {asked} -1 1 -1 -1 -1 {queue} -1 {last}"


def generate(settings: Mapping[str, object], nodes: int, progress: Progress | None = None) -> GeneratedLog:
    """The jobs that the keys of a [workload] with a model describe, for a machine of so many nodes.

    ScenarioError carries every fault of the settings.
    """
    if not 1 <= nodes <= MAX_NODES:
        raise single("", f"--nodes is {nodes}; expected 1 to {MAX_NODES}")
    document = _Options()
    table = Table(document, (), "the model", settings)
    recipe, change = read_recipe(table), read_change(table, MODEL_KINDS)
    table.close()
    generated = recipe.made(table, nodes, progress) if recipe and not table.flawed else None
    if recipe is not None and generated is not None:
        changed = attrs.evolve(generated, workload=change.made(table, generated.workload))
        if not table.flawed:
            return GeneratedLog(recipe, change.estimates, nodes, changed)
    raise document.error()


def _settings(values: Mapping[str, object]) -> str:
    """`jobs 1000, load 0.8`."""
    texts = (f"{value:.15g}" if isinstance(value, float) else str(value) for value in values.values())
    return ", ".join(f"{key} {text}" for key, text in zip(values, texts, strict=True))
