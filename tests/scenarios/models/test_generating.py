"""A model's jobs as a log: its own reader gives the same jobs, and the header says how they were made."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from shadowtime.scenarios import GeneratedLog, ScenarioError, generate
from shadowtime.scenarios.models.registry import MODELS, Recipe
from tests.scenarios.traces.reading import read_swf

SETTINGS: Mapping[str, Mapping[str, object]] = {
    "typed": {"model": "lublin99", "load": Decimal("0.8"), "seed": 4},
    "untyped": {"model": "lublin99", "kind": "untyped", "estimates": {"kind": "uniform", "factor": 4}},
    "interactive": {"model": "lublin99", "kind": "interactive", "estimates": {"kind": "exact"}},
    "feitelson96": {
        "model": "feitelson96",
        "constants": {"run_exponent": 2},
        "estimates": {"kind": "tsafrir"},
    },
    "feitelson97": {"model": "feitelson97", "load": 1},
    "means": {"model": "means", "load": Decimal("0.7"), "constants": {"correlation": Decimal("-0.3")}},
    "livermore": {"model": "livermore", "constants": {"interactive_share": Decimal("0.5")}},
}


def text(log: GeneratedLog) -> str:
    return "".join(f"{line}\n" for line in log.lines())


@pytest.mark.parametrize("name", SETTINGS)
def test_reading_gives_the_same_jobs(name: str, tmp_path: Path) -> None:
    """Every column, and the machine from the header."""
    log = generate({**SETTINGS[name], "jobs": 700}, 200)
    path = tmp_path / "out.swf"
    path.write_text(text(log))
    read, made = read_swf(path), log.workload
    assert (read.id, read.submit, read.runtime, read.size) == (made.id, made.submit, made.runtime, made.size)
    assert read.estimate == made.estimate
    assert read.klass == made.klass
    assert not any(read.killed) and not read.dropped and not read.notes and read.rows == 700
    assert max(made.size) <= 200


def test_a_log_of_batch_jobs_alone_has_no_classes(tmp_path: Path) -> None:
    """By the format only queue 0 distinguishes them; the rest is the same."""
    log = generate({"model": "lublin99", "kind": "batch", "jobs": 50}, 128)
    path = tmp_path / "out.swf"
    path.write_text(text(log))
    assert set(read_swf(path).klass) == {""} and set(read_swf(path).queue) == {"1"}
    assert read_swf(path).runtime == log.workload.runtime


def test_the_header(tmp_path: Path) -> None:
    """Model, parameters, seed, machine; what is a reconstruction is called so; no date."""
    estimates = {"kind": "tsafrir", "seed": 2, "max": "2d"}
    log = generate({"model": "feitelson96", "jobs": 40, "load": Decimal("0.75"), "estimates": estimates}, 64)
    header = [line for line in log.lines() if line.startswith(";")]
    assert header == [
        "; Version: 2.2",
        "; Computer: none: jobs of the workload model feitelson96 (a reconstruction of Feitelson 1996)",
        "; Information: model feitelson96, jobs 40, nodes 64, load 0.75, seed 1; "
        "estimates: kind tsafrir, seed 2, max 172800, popular 20, share 0.89",
        "; MaxJobs: 40",
        "; MaxRecords: 40",
        "; MaxNodes: 64",
        "; MaxProcs: 64",
        "; Note: constants: size_exponent 1.5, small_size 8, small_factor 1.5, power_factor 4, "
        "run_exponent 2.5, longest_run 100, interarrival 150, runtime_short 300, runtime_long 7200, "
        "long_least 0.05, long_most 0.25",
        "; Note: feitelson96 is a reconstruction: the published structure, with constants of our own",
        "; Note: fields 17 and 18 say which job a job runs again, as soon as that has ended",
    ]


@pytest.mark.parametrize("model", MODELS)
def test_the_header_says_whose_model_it_is(model: str) -> None:
    """Lublin's constants are the published ones: theirs is no reconstruction."""
    log = generate({"model": model, "jobs": 5}, 64)
    assert ("reconstruction" in text(log)) == (model != "lublin99")
    assert "; Information: model " + model in text(log)
    if model == "lublin99":
        assert "kind typed" in text(log) and "queue 0 is interactive" in text(log)


def test_runs_again() -> None:
    """Fields 17 and 18: the job that is run again and no time to think; -1 where a job is run first."""
    log = generate({"model": "feitelson97", "jobs": 300}, 64)
    rows = [line.split() for line in log.lines() if not line.startswith(";")]
    assert all(len(row) == 18 for row in rows)
    again = [row for row in rows if row[16] != "-1"]
    assert len(again) > 50
    for row in again:
        before = rows[int(row[16]) - 1]
        assert row[17] == "0" and (row[3], row[4]) == (before[3], before[4])
        assert int(row[1]) == int(before[1]) + int(before[3])
    assert all(row[17] == "-1" for row in rows if row[16] == "-1")
    other = generate({"model": "lublin99", "jobs": 300}, 64)
    assert all(line.endswith(" -1 -1") for line in other.lines() if not line.startswith(";"))


def test_the_load_is_reported() -> None:
    """That of the jobs; None where they come all at once."""
    log = generate({"model": "lublin99", "jobs": 500, "load": Decimal("0.8")}, 64)
    assert log.load is not None and abs(log.load - 0.8) < 0.001
    assert log.recipe == Recipe("lublin99", 500, load=Fraction(4, 5))
    assert generate({"model": "lublin99", "jobs": 1}, 64).load is None


@pytest.mark.parametrize(
    ("settings", "nodes", "faults"),
    [
        ({"model": "lublin98"}, 64, ['model is "lublin98"; did you mean lublin99?',
                                     "the model has no jobs; expected a whole number from 1 to 10000000"]),
        ({"model": "lublin99", "jobs": 5}, 0, ["--nodes is 0; expected 1 to 16777216"]),
        ({"model": "lublin99", "jobs": 1, "load": 1}, 4, ["load is 1; a load needs at least two jobs"]),
        ({"model": "lublin99", "jobs": 5, "estimates": {"kind": "log"}}, 4,
         ['--estimates: kind is "log"; expected exact, uniform or tsafrir']),
        ({"model": "lublin99", "jobs": 5, "estimates": {"kind": "tsafrir", "max": 1}}, 4,
         ["--estimates: max is 1; expected at least the longest runtime, 119 seconds"]),
        ({"model": "feitelson96", "jobs": 5, "constants": {"run_exp": 1}}, 4,
         ["--set: unknown constant run_exp; did you mean run_exponent?"]),
        ({"model": "lublin99", "jobs": 5, "month": "1996-10"}, 4, ["unknown key month; expected model, kind, "
         "constants, jobs, load, seed, shrink, resample, shake or estimates"]),
    ],
)  # fmt: skip
def test_mistakes(settings: Mapping[str, object], nodes: int, faults: list[str]) -> None:
    """Called with with the option that they belong to, all at once."""
    with pytest.raises(ScenarioError) as caught:
        generate(settings, nodes)
    assert [str(fault) for fault in caught.value.faults] == faults


def test_estimates_may_end_where_the_longest_runtime_does() -> None:
    """A largest estimate is one that a job may need."""
    settings = {"model": "lublin99", "jobs": 5}
    longest = max(generate(settings, 4).workload.runtime)
    log = generate({**settings, "estimates": {"kind": "tsafrir", "max": longest}}, 4)
    assert max(log.workload.runtime) == max(log.workload.estimate) == longest
