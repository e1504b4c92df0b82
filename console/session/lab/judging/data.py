"""Of what data a row is: the paper's own log, a cleaned version of it, a model, its text, or a stand-in."""

from collections.abc import Mapping
from enum import StrEnum

from shadowtime.scenarios.experiment import Citation, Experiment


class Data(StrEnum):
    """What is simulated, beside what the paper simulated."""

    OWN = "own log"
    CLEANED = "cleaned log"
    """The archive's cleaned version of the paper's log."""
    MODEL = "model"
    """Jobs that the paper draws from a published model, too."""
    TEXT = "text"
    """Jobs and machines that stand in the text."""
    STAND_IN = "stand-in"
    """Another log, or a model, in the place of data that cannot be had."""
    NONE = "none"
    """Nothing can be simulated."""


def data_of(experiment: Experiment, source: Citation, grid: str | None) -> Data:
    """Return of what data the values of a grid are; a grid of several kinds is of the weakest.

    A log is a cleaned one if its name has the archive's mark `-cln`.
    """
    if source.is_stand_in:
        return Data.STAND_IN
    if grid is None:
        return Data.TEXT
    kinds = {_of_cell(scenario) for _, scenario in experiment.grids[grid].cells()}
    return next(kind for kind in (Data.MODEL, Data.CLEANED, Data.OWN, Data.TEXT) if kind in kinds)


def _of_cell(scenario: Mapping[str, object]) -> Data:
    workload = scenario.get("workload")
    if not isinstance(workload, Mapping):
        return Data.TEXT
    if "model" in workload:
        return Data.MODEL
    return (
        Data.TEXT if "log" not in workload else Data.CLEANED if "-cln" in str(workload["log"]) else Data.OWN
    )
