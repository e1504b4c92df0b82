"""[workload] with a model: constants and estimates as a file gives them, and what is wrong with them."""

from fractions import Fraction

import attrs
import pytest

from shadowtime.scenarios import Estimates, estimated, scenario_files
from shadowtime.scenarios.models.constants import DEFAULTS, Constants, ThreeStages
from shadowtime.scenarios.models.feitelson import feitelson
from tests.scenarios.support import MACHINE, POLICY, Desk, log, row

HEAD = MACHINE + POLICY + "[workload]\n"


def model(name: str, *lines: str, jobs: int = 60) -> str:
    return HEAD + f'model = "{name}"\njobs = {jobs}\n' + "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", DEFAULTS)
def test_constants_have_defaults(desk: Desk, name: str) -> None:
    """Without any, and with those of the defaults written out, the jobs are the same."""
    plain = desk.read(model(name)).workload
    default = "constants = {size_exponent = 1.5, small_size = 8, run_exponent = 2.5}"
    written = desk.read(model(name, default)).workload
    assert (plain.submit, plain.size, plain.runtime) == (written.submit, written.size, written.runtime)
    assert plain.runtime == feitelson(name, 60, 128, DEFAULTS[name]).workload.runtime
    assert any(note.startswith(f"{name} is a reconstruction") for note in plain.notes)


def test_the_shipped_scenario_writes_the_defaults_out(desk: Desk) -> None:
    """All of them, as its comment says."""
    (path,) = (path for path in scenario_files() if path.stem == "modal-128")
    text = path.read_text()
    constants = text[text.index("[workload.constants]") : text.index("[[variant]]")]
    assert constants.count("=") == len(attrs.fields(Constants))
    written = desk.read(model("feitelson96", constants)).workload
    plain = desk.read(model("feitelson96")).workload
    assert (plain.submit, plain.size, plain.runtime) == (written.submit, written.size, written.runtime)


def test_every_constant_is_read(desk: Desk) -> None:
    """Numbers, whole numbers, and durations in any notation; as a sub-table or inline."""
    lines = (
        "[workload.constants]", "size_exponent = 1.25", "small_size = 4", "small_factor = 2",
        "power_factor = 3.5", "run_exponent = 3", "longest_run = 7", 'interarrival = "5m"',
        "runtime_short = 10",
        'runtime_medium = "1h30m"', 'runtime_long = "0 10:00:00"', "medium_least = 0.1", "medium_most = 0.2",
        "long_least = 0.3", "long_most = 0.4",
    )  # fmt: skip
    constants = ThreeStages(
        size_exponent=1.25, small_size=4, small_factor=2, power_factor=3.5, run_exponent=3, longest_run=7,
        interarrival=300, runtime_short=10, runtime_medium=5400, runtime_long=36_000, medium_least=0.1,
        medium_most=0.2, long_least=0.3, long_most=0.4,
    )  # fmt: skip
    assert len(lines) - 1 == len(attrs.fields(ThreeStages))
    found = desk.read(model("feitelson97", *lines)).workload
    expected = feitelson("feitelson97", 60, 128, constants).workload
    assert (found.submit, found.size, found.runtime) == (expected.submit, expected.size, expected.runtime)


def test_modal_estimates(desk: Desk) -> None:
    """Of a model's jobs and of a log's; max in any notation."""
    line = 'estimates = {kind = "tsafrir", seed = 4, max = "7d", popular = 10, share = 0.8}'
    plain = feitelson("feitelson96", 60, 128, Constants()).workload
    rule = Estimates("tsafrir", seed=4, max=604_800, popular=10, share=Fraction("0.8"))
    assert desk.read(model("feitelson96", line)).workload.estimate == estimated(plain, rule).estimate
    desk.write(log(*(row(i, i, 100 + i, estimate=7000) for i in range(50))), "a.swf")
    found = desk.read(HEAD + 'log = "a.swf"\nestimates = {kind = "tsafrir"}\n').workload
    assert max(found.estimate) == 7200 and len(set(found.estimate)) > 5


@pytest.mark.parametrize(
    ("name", "line", "fault"),
    [
        ("feitelson96", "constants = {sise_exponent = 1}",
         "gang.toml:8:14: unknown constant sise_exponent; did you mean size_exponent?"),
        ("feitelson96", "constants = {medium_least = 0.2}",
         "gang.toml:8:14: unknown constant medium_least; expected size_exponent, small_size, small_factor, "
         "power_factor, run_exponent, longest_run, interarrival, runtime_short, runtime_long, long_least or "
         "long_most"),
        ("feitelson96", "constants = {size_exponent = 11}",
         "gang.toml:8:30: size_exponent is 11; expected a number from 0 to 10"),
        ("feitelson96", "constants = {power_factor = 0}",
         "gang.toml:8:29: power_factor is 0; expected a number from 0.001 to 1000"),
        ("feitelson96", 'constants = {run_exponent = "2"}',
         'gang.toml:8:29: run_exponent is "2"; expected a number from 0 to 10'),
        ("feitelson96", "constants = {longest_run = 2.5}",
         "gang.toml:8:28: longest_run is 2.5; expected a whole number from 1 to 10000"),
        ("feitelson96", "constants = {interarrival = 0}",
         "gang.toml:8:29: interarrival is 0; expected at least 1 second"),
        ("feitelson96", 'constants = {runtime_long = "400d"}',
         'gang.toml:8:29: runtime_long is "400d"; expected at most 31536000 seconds'),
        ("feitelson97", "constants = {medium_most = 0.75, long_most = 0.5}",
         "gang.toml:8:1: medium_most and long_most are 1.25 together; expected at most 1"),
        ("feitelson97", "constants = 3", "gang.toml:8:13: constants is 3; expected a table"),
        ("feitelson97", 'kind = "typed"', "gang.toml:8:1: kind goes with lublin99; the model is feitelson97"),
        ("lublin99", "constants = {}",
         "gang.toml:8:1: constants go with feitelson96, feitelson97, means and livermore; the model is "
         "lublin99"),
        ("means", "constants = {looseness = 0.95}",
         "gang.toml:8:1: looseness is 0.95; expected a number from 0 to 0.9"),
        ("means", "constants = {mean_size = 4000}",
         "gang.toml:6:9: model is \"means\"; mean_size is 4000; expected from 1.01 to 119.79 on a machine "
         "of 128 nodes"),
        ("feitelson98", "constants = {a = 1}\nkind = \"typed\"\n", 'gang.toml:6:9: model is "feitelson98"; '
         "did you mean feitelson97?"),
        ("lublin99", 'estimates = {kind = "tsafrir", max = "10s"}',
         "gang.toml:8:38: max is 10; expected at least the longest runtime, 32174 seconds"),
        ("lublin99", 'estimates = {kind = "tsafrir", max = 0}',
         "gang.toml:8:38: max is 0; expected at least 1 second"),
        ("lublin99", 'estimates = {kind = "tsafrir", share = 0.5}',
         "gang.toml:8:1: share is 0.5; 20 popular values have 0.776 or more"),
        ("lublin99", 'estimates = {kind = "tsafrir", share = 2}',
         "gang.toml:8:40: share is 2; expected a number from 0 to 1"),
        ("lublin99", 'estimates = {kind = "tsafrir", popular = 61}',
         "gang.toml:8:42: popular is 61; expected a whole number from 1 to 60"),
        ("lublin99", 'estimates = {kind = "tsafrir", factor = 2}',
         "gang.toml:8:32: factor does not go with tsafrir; expected seed, max, popular or share"),
        ("lublin99", 'estimates = {kind = "exact", seed = 2}', "gang.toml:8:30: seed does not go with exact"),
        ("lublin99", 'estimates = {kind = "log"}',
         'gang.toml:8:21: kind is "log"; expected exact, uniform or tsafrir'),
        ("lublin99", 'estimates = {kind = "tsafri"}',
         'gang.toml:8:21: kind is "tsafri"; did you mean tsafrir?'),
    ],
)  # fmt: skip
def test_mistakes(desk: Desk, name: str, line: str, fault: str) -> None:
    """One line each."""
    assert desk.faults(model(name, line)) == [fault]


def test_constants_go_with_a_model(desk: Desk) -> None:
    """Not with a log."""
    desk.write(log(row()), "a.swf")
    assert desk.faults(HEAD + 'log = "a.swf"\nconstants = {}\n') == [
        "gang.toml:7:1: constants goes with a model; the workload is a log"
    ]
