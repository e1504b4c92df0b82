"""The workload models by name: what a [workload] says of each, and the jobs that come of it."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import attrs

from shadowtime.scenarios.models.constants import DEFAULTS, AnyModel, Livermore, Means, read_constants
from shadowtime.scenarios.models.generated import Generated, LoadError, Progress
from shadowtime.scenarios.text.table import Table

CONSTANTS: Mapping[str, AnyModel] = {**DEFAULTS, "means": Means(), "livermore": Livermore()}
"""The models with constants of their own, and the defaults."""
MODELS = ("lublin99", *CONSTANTS)
PAPERS = {
    "lublin99": "Lublin & Feitelson 1999",
    "feitelson96": "a reconstruction of Feitelson 1996",
    "feitelson97": "a reconstruction of Feitelson & Jette 1997",
    "means": "a reconstruction of jobs of which a paper publishes the means",
    "livermore": "a reconstruction of the workload in Feitelson & Jette 1997",
}
MODEL_KEYS = ("model", "kind", "constants", "jobs", "load", "seed")
MOST_JOBS = 10_000_000


@attrs.frozen
class Recipe:
    """A model with everything that settles its jobs but the machine."""

    model: str = attrs.field(validator=attrs.validators.in_(MODELS))
    jobs: int
    seed: int = 1
    load: Fraction | None = None
    kind: str = "typed"
    """The streams of lublin99."""
    constants: AnyModel | None = None
    """The constants of the others; None: their defaults."""

    def settings(self, nodes: int) -> dict[str, object]:
        """All that settles the jobs, by name, but for the constants."""
        kind = {"kind": self.kind} if self.model == "lublin99" else {}
        load = {} if self.load is None else {"load": float(self.load)}
        return {"model": self.model, **kind, "jobs": self.jobs, "nodes": nodes, **load, "seed": self.seed}

    def all_constants(self) -> dict[str, object]:
        """The constants by name; none where the model has no other than the published ones."""
        constants = self.constants or CONSTANTS.get(self.model)
        return {} if constants is None else attrs.asdict(constants)

    def make(self, nodes: int, progress: Progress | None = None) -> Generated:
        """The jobs for a machine of so many nodes. ValueError where the load cannot be set."""
        if self.model == "lublin99":
            from shadowtime.scenarios.models.lublin import lublin99

            workload = lublin99(
                self.jobs, nodes, seed=self.seed, kind=self.kind, load=self.load, progress=progress
            )
            return Generated(workload)
        constants = self.constants or CONSTANTS[self.model]
        if isinstance(constants, Livermore):
            from shadowtime.scenarios.models.livermore import livermore

            if self.load is not None:
                raise LoadError("livermore has the load that its constants give; expected none")
            return livermore(self.jobs, nodes, constants, seed=self.seed, progress=progress)
        if isinstance(constants, Means):
            from shadowtime.scenarios.models.means import means

            return means(self.jobs, nodes, constants, seed=self.seed, load=self.load, progress=progress)
        from shadowtime.scenarios.models.feitelson import feitelson

        return feitelson(
            self.model, self.jobs, nodes, constants, seed=self.seed, load=self.load, progress=progress
        )

    def made(self, table: Table, nodes: int, progress: Progress | None = None) -> Generated | None:
        """The same; None, with a fault, where the load that the table gives cannot be set, or the machine
        is too small for the model."""
        try:
            return self.make(nodes, progress)
        except ValueError as error:
            table.fault("load" if isinstance(error, LoadError) else "model", str(error))
            return None


def read_recipe(table: Table) -> Recipe | None:
    """The model that a [workload] names, with its parameters; None, with faults, where it is wrong."""
    model = table.choice("model", MODELS, required=True)
    kind, constants = _read_kind(table, model), _read_constants(table, model)
    jobs = table.integer("jobs", 1, MOST_JOBS, required=True)
    load = table.ratio("load", Decimal("0.001"), 1000)
    seed = table.integer("seed")
    if table.flawed or model is None or jobs is None:
        return None
    return Recipe(model, jobs, 1 if seed is None else seed, load, kind or "typed", constants)


def _read_kind(table: Table, model: str | None) -> str | None:
    if model not in ("lublin99", None):
        table.refuse(("kind",), f"goes with lublin99; the model is {model}")
        return None
    from shadowtime.scenarios.models.lublin import KINDS

    return table.choice("kind", KINDS)


def _read_constants(table: Table, model: str | None) -> AnyModel | None:
    if model is None:
        table.known.append("constants")
        return None
    if model not in CONSTANTS:
        *others, last = CONSTANTS
        named = f"{', '.join(others)} and {last}"
        table.refuse(("constants",), f"go with {named}; the model is {model}")
        return None
    inner = table.table("constants", "constants")
    return None if inner is None else read_constants(inner, CONSTANTS[model])
