"""An experiment of twelve small cells, results as a test wants them, and what is made of both."""

from collections.abc import Mapping
from pathlib import Path

import attrs

from shadowtime.console.session.lab.frames import Lookup
from shadowtime.console.session.lab.judging.claims import judge_claim
from shadowtime.console.session.lab.judging.means import tabled
from shadowtime.console.session.lab.judging.tables import judge_table
from shadowtime.console.session.lab.judging.verdicts import Found
from shadowtime.console.session.lab.measures import MEASURES, Results
from shadowtime.scenarios.experiment import Experiment
from shadowtime.scenarios.experiment_reader import read_experiment

SMALL = """title = "T"
paper = "A & B 2000, Table 1"
differs = ["nothing"]
[[grid]]
name = "g"
machine = {nodes = 16}
workload = {model = "feitelson96", jobs = 60, seed = 1, load = 0.8}
[[grid.axis]]
name = "policy"
values = ["easy", "fcfs", {label = "order", policy = "dynp:threshold=1"}]
[[grid.axis]]
name = "seed"
sets = "workload.seed"
from = 1
to = 4

[[table]]
title = "Mean wait"
grid = "g"
measure = "mean_wait"
columns = "policy"
average = "seed"
within = 0.2
published = {easy = 1000, fcfs = 2000}

[[claim]]
title = "EASY waits less"
grid = "g"
measure = "mean_wait"
average = "seed"
along = "policy"
order = ["easy", "fcfs"]

[[plot]]
title = "Waits by size"
grid = "g"
measure = "sizes.mean_wait"
average = "seed"
x = "size"
lines = "policy"
"""


def experiment_of(folder: Path, text: str = SMALL, name: str = "small") -> Experiment:
    """An experiment of this text, in a file of this name."""
    path = folder / f"{name}.toml"
    path.write_text(text)
    return read_experiment(path, MEASURES)


@attrs.frozen
class MeanWaits:
    """Results with these mean waits by policy; the number of the seed is added, or multiplied with."""

    waits: Mapping[str, float]
    times: bool = False

    def __call__(self, scenario: Mapping[str, object]) -> Results | None:
        policy, workload = str(scenario["policy"]), scenario["workload"]
        assert isinstance(workload, Mapping)
        if policy not in self.waits:
            return None
        wait, seed = self.waits[policy], workload["seed"]
        return {"metrics": {"mean_wait": wait * seed if self.times else wait + seed}, "span": 5}


def given(waits: Mapping[str, float]) -> MeanWaits:
    """Results with these mean waits by the labels of the policies; each seed adds its number."""
    return MeanWaits(
        {"dynp:threshold=1" if label == "order" else label: wait for label, wait in waits.items()}
    )


def judged(experiment: Experiment, lookup: Lookup) -> Found:
    """What comes of an experiment by these results."""
    tables = tuple(judge_table(experiment, table, lookup) for table in experiment.tables)
    claims = tuple(judge_claim(experiment, claim, lookup) for claim in experiment.claims)
    means = tuple(tabled(experiment, each, lookup) for each in experiment.means)
    return Found(experiment, tables, claims, (), 9, {}, (), means)
