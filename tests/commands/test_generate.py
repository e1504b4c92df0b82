"""`shadowtime generate`: a model's jobs as a log, on stdout or in a file."""

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commandline import Shadowtime, loaded_by, process

MODELS = ["lublin99", "feitelson96", "feitelson97", "means"]


@pytest.mark.proof
@pytest.mark.parametrize("model", MODELS)
def test_the_same_command_gives_the_same_bytes(model: str, tmp_path: Path, shadowtime: Shadowtime) -> None:
    """On stdout and in a file, in this process and in another with another hash seed."""
    arguments = ["generate", model, "--jobs", 300, "--nodes", 64, "--load", "0.7", "--seed", 5]
    path = tmp_path / "out.swf"
    assert shadowtime(*arguments, "-o", path).code == 0
    out = shadowtime(*arguments).out
    other = process(*arguments, environment={"PYTHONHASHSEED": "7"})
    assert path.read_text() == out == other.out
    assert (other.code, other.err) == (0, "")
    assert len(out.splitlines()) > 300 and shadowtime(*arguments[:-1], 6).out != out


@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"),
    reason="the last digit of exp and log is the C library's: known for Linux x86-64",
)
def test_the_bytes_are_known(shadowtime: Shadowtime) -> None:
    """Header and rows, to the last byte."""
    out = shadowtime("generate", "feitelson97", "--jobs", 500, "--estimates", "tsafrir").out
    assert hashlib.sha256(out.encode()).hexdigest()[:16] == "e9d9cf9737d533f8"


@pytest.mark.parametrize("model", MODELS)
def test_what_is_written_can_be_run(model: str, tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Every other command reads the log; its load and the reconstruction are reported."""
    path = tmp_path / "out.swf"
    ended = shadowtime("generate", model, "--jobs", 400, "--load", ".8", "--estimates", "tsafrir", "-o", path)
    assert (ended.code, ended.err) == (0, "")
    first, *notes = ended.out.splitlines()
    assert first.startswith(f"{path}: 400 jobs on 128 nodes in ") and first.endswith(", load 0.800")
    assert any("is a reconstruction" in note for note in notes) == (model != "lublin99")
    ran = shadowtime("run", path, "--json")
    assert ran.code == 0 and '"jobs": 400,' in ran.out and '"nodes": 128,' in ran.out


def test_options_settle_the_jobs(shadowtime: Shadowtime) -> None:
    """Kind, constants and estimates stand in the header."""
    kind = shadowtime("generate", "lublin99", "--jobs", 9, "--kind", "batch").out
    assert "kind batch, jobs 9" in kind
    constants = ["--set", "runtime_long=1h", "--set", "size_exponent=2"]
    out = shadowtime(
        "generate", "feitelson97", "--jobs", 9, *constants, "--estimates", "uniform:factor=3"
    ).out
    assert "size_exponent 2," in out and "runtime_long 3600," in out
    assert "estimates: kind uniform, factor 3, seed 1" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing argument 'MODEL'"),
        (["lublin98"], 'model is "lublin98"; did you mean lublin99?'),
        (["lublin99", "--jobs", "0"], "jobs is 0; expected a whole number from 1 to 10000000"),
        (["lublin99", "--jobs", "many"], "'many' is not a valid integer"),
        (["lublin99", "--nodes", "-1"], "--nodes is -1; expected 1 to"),
        (["lublin99", "--load", "full"], 'load is "full"; expected a number from 0.001 to 1000'),
        (["lublin99", "--load", "0"], "load is 0; expected a number from 0.001 to 1000"),
        (["lublin99", "--load", "1", "--jobs", "1"], "load is 1; a load needs at least two jobs"),
        (["lublin99", "--seed", "-1"], "seed is -1; expected a whole number, 0 or more"),
        (["lublin99", "--kind", "typd"], 'kind is "typd"; did you mean typed?'),
        (["feitelson96", "--kind", "typed"], "kind goes with lublin99; the model is feitelson96"),
        (
            ["lublin99", "--set", "run_exponent=2"],
            "--set: constants go with feitelson96, feitelson97, means and livermore",
        ),
        (["feitelson96", "--set", "run_exponent"], "is no setting; expected key=value"),
        (
            ["feitelson96", "--set", "runexponent=2"],
            "unknown constant runexponent; did you mean run_exponent?",
        ),
        (
            ["lublin99", "--estimates", "alpha:alpha=1"],
            '--estimates: kind is "alpha"; expected exact, uniform',
        ),
        (["lublin99", "--estimates", "uniform"], "--estimates: estimates has no factor"),
        (["lublin99", "-o", "out.swf.gz"], "out.swf.gz would be an archive; expected a plain log"),
    ],
)
def test_a_mistake_is_answered_by_one_line(
    arguments: list[str], words: str, shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On stderr, with exit code 2; nothing is written."""
    monkeypatch.chdir(tmp_path)
    ended = shadowtime("generate", *arguments)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert words in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Exit code 3."""
    for target in (tmp_path / "nowhere" / "out.swf", tmp_path):
        ended = shadowtime("generate", "lublin99", "-o", target)
        assert (ended.code, ended.out, len(ended.complaints)) == (3, "", 1)
        assert str(target) in ended.err
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_no_half_written_file(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there before stays as it was; nothing is left beside it."""

    def interrupted(log: object) -> Iterator[str]:
        yield from ["; Version: 2.2"] * 10_000
        raise KeyboardInterrupt

    monkeypatch.setattr("shadowtime.scenarios.GeneratedLog.lines", interrupted)
    path = tmp_path / "out.swf"
    path.write_text("of yesterday\n")
    ended = shadowtime("generate", "lublin99", "-o", path)
    assert (ended.code, ended.err) == (130, "interrupted\n")
    assert path.read_text() == "of yesterday\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("estimates", "minutes"),
    [('"tsafrir"', 56), ('"exact"', 13), ('"uniform", factor = 4', 12)],
)
def test_the_story_of_modal_estimates(
    estimates: str, minutes: int, story: Callable[[str], Path], shadowtime: Shadowtime, tmp_path: Path
) -> None:
    """What the shipped scenario says of other estimates for its jobs is so."""
    path = tmp_path / "modal.toml"
    text = story("generated/modal-128.toml").read_text()
    path.write_text(text.replace('estimates = { kind = "tsafrir" }', f"estimates = {{ kind = {estimates} }}"))
    report = json.loads(shadowtime("run", path, "--json").out)
    assert round(report["metrics"]["mean_wait"] / 60) == minutes


@pytest.mark.proof
def test_generating_loads_no_screen() -> None:
    """It does without Textual."""
    loaded = loaded_by("generate", "lublin99", "--jobs", "2")
    assert (
        "shadowtime.scenarios.models.lublin" in loaded
        and "shadowtime.scenarios.models.feitelson" not in loaded
    )
    assert "textual" not in loaded
