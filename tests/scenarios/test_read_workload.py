"""[workload]: logs, models, and what is done to them."""

from pathlib import Path
from typing import Any

import pytest

from shadowtime.scenarios import LogMissing, Scenario, ScenarioError
from tests.scenarios.support import JOB, MACHINE, POLICY, Desk, log, row

DAY = 86_400
HEADER = "; MaxProcs: 100\n; UnixStartTime: 843480031\n; TimeZoneString: Europe/Stockholm\n"
# Second 0 is 23 September, 14:00:31; October begins 7.4 days later.
ROWS = [row(i, i * 5 * DAY, 100 + i, estimate=150 - 10 * (i % 7)) for i in range(10)]


def workload(*lines: str) -> str:
    return POLICY + "[workload]\n" + "".join(f"{line}\n" for line in lines)


@pytest.fixture
def kth(desk: Desk) -> Desk:
    """A desk on which a small log lies."""
    desk.write(log(*ROWS, header=HEADER), "kth.swf")
    return desk


def read(desk: Desk, *lines: str, **options: Any) -> Scenario:
    return desk.read(workload('log = "kth.swf"', *lines), **options)


def test_the_machine_may_be_the_log_s(kth: Desk) -> None:
    """Or that of the file, or that of the command line: the last counts."""
    assert read(kth).machine.nodes == 100
    assert kth.read(MACHINE + workload('log = "kth.swf"')).machine.nodes == 128
    assert kth.read(MACHINE + workload('log = "kth.swf"'), nodes=50).machine.nodes == 50
    assert read(kth, nodes=50).machine.nodes == 50
    epoch = '[machine]\nepoch = "1996-06-03"\n'
    scenario = kth.read(epoch + workload('log = "kth.swf"'))
    assert scenario.machine.nodes == 100 and scenario.epoch == scenario.machine.epoch


def test_a_log_that_does_not_know_its_machine_has_the_file_s(desk: Desk) -> None:
    """Its header is asked for nothing that the file says."""
    desk.write(log(*ROWS, header=""), "bare.swf")
    assert desk.read(MACHINE + workload('log = "bare.swf"')).machine.nodes == 128
    with pytest.raises(ScenarioError, match="the header names no MaxProcs and no MaxNodes"):
        desk.read(workload('log = "bare.swf"'))


def test_a_log_elsewhere(kth: Desk, tmp_path: Path) -> None:
    """In the folder that is named; when it is nowhere the file says where it names it."""
    folder = tmp_path / "scenarios"
    folder.mkdir()
    text = workload('log = "kth.swf"')
    path = folder / "x.toml"
    path.write_text(text)
    assert len(Desk(folder).read(text, traces=tmp_path).workload) == 10
    (fault,) = Desk(folder).faults(text)
    assert fault.startswith("gang.toml:4:7: the log kth.swf was not found (plain, .gz or .xz) in ")


def test_a_missing_log_is_an_error_of_its_own(desk: Desk) -> None:
    """If it is all that is wrong: then the file is well, and only cannot be run here."""
    text = workload('log = "kth.swf"')
    for content, kind in ((text, LogMissing), (text + "x = 1\n", ScenarioError)):
        with pytest.raises(ScenarioError) as caught:
            desk.read(content)
        assert type(caught.value) is kind


def test_a_month(kth: Desk) -> None:
    """By the log's own clock; its times are not shifted; what is outside is not counted."""
    october = read(kth, 'month = "1996-10"').workload
    assert list(october.submit) == [time * DAY for time in (10, 15, 20, 25, 30, 35)]
    assert october.rows == 6
    assert october.group is not None and set(october.group) == {0}
    assert len(read(kth, 'month = "1996-09"').workload) == 2


def test_a_span(kth: Desk) -> None:
    """[from, until): either may be missing."""
    assert list(read(kth, 'from = "5d"', 'until = "15d"').workload.id) == [1, 2]
    assert list(read(kth, f"from = {40 * DAY + 1}").workload.id) == [9]
    assert list(read(kth, 'until = "0 00:00:01"').workload.id) == [0]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (['month = "1996-13"'], 'gang.toml:5:9: month is "1996-13"; expected a month such as "1996-10"'),
        (["month = 1996-10-01"], "gang.toml:5:9: month is 1996-10-01; expected a text"),
        (['month = "1997-01"'],
         "kth.swf: no job was submitted in 1997-01; "
         "the log's submissions are from 1996-09 to 1996-11 (0 to 3888000)"),
        (['from = "60d"'], "kth.swf: no job was submitted in 60 00:00:00 to the end; "
         "the log's submissions are from 1996-09 to 1996-11 (0 to 3888000)"),
        (['month = "1996-10"', "from = 3"],
         'gang.toml:5:9: month is "1996-10"; expected either month, or from and until'),
        (["from = 5", "until = 5"], "gang.toml:6:9: until is 5; expected a time after from"),
        (["shrink = 0"], "gang.toml:5:10: shrink is 0; expected a number from 0.001 to 1000"),
        (["shrink = nan"], "gang.toml:5:10: shrink is nan; expected a number from 0.001 to 1000"),
        (['overrun = "kil"'], 'gang.toml:5:11: overrun is "kil"; did you mean kill?'),
        (['missing_estimate = "keep"'],
         'gang.toml:5:20: missing_estimate is "keep"; expected runtime or drop'),
        (["load = 0.8"],
         "gang.toml:5:1: load goes with a model; the workload is a log"),
        (["mnth = 3"], "gang.toml:5:1: unknown key mnth; did you mean month?"),
        (["estimates = 3"], "gang.toml:5:13: estimates is 3; expected a table"),
        (['estimates = "uniform"'], 'gang.toml:5:13: estimates is "uniform"; expected log or exact'),
        (["estimates = {}"],
         "gang.toml:5:1: estimates has no kind; expected log, exact, uniform, alpha or tsafrir"),
        (['estimates = {kind = "exakt"}'],
         'gang.toml:5:21: kind is "exakt"; did you mean exact?'),
        (['estimates = {kind = "uniform"}'],
         "gang.toml:5:1: estimates has no factor; expected a number from 1 to 1000000"),
        (['estimates = {kind = "uniform", factor = 0.5}'],
         "gang.toml:5:41: factor is 0.5; expected a number from 1 to 1000000"),
        (['estimates = {kind = "alpha", alpha = 1.1}'],
         "gang.toml:5:38: alpha is 1.1; expected a number from 0 to 1"),
        (['estimates = {kind = "exact", seed = 1}'], "gang.toml:5:30: seed does not go with exact"),
    ],
)  # fmt: skip
def test_mistakes(kth: Desk, lines: list[str], fault: str) -> None:
    """One line each."""
    assert kth.faults(workload('log = "kth.swf"', *lines)) == [fault]


def test_months_need_an_epoch(desk: Desk) -> None:
    """The log's, or else the machine's."""
    desk.write(log(*ROWS), "kth.swf")
    text = workload('log = "kth.swf"', 'month = "1996-10"')
    assert desk.faults(text) == [
        'gang.toml:5:9: month is "1996-10"; the log has no UnixStartTime, so its months are not known; '
        "expected from and until"
    ]
    october = desk.read('[machine]\nepoch = "1996-09-23 14:00"\n' + text).workload
    assert list(october.id) == [2, 3, 4, 5, 6, 7]
    assert october.group is not None and set(october.group) == {0}


def test_faults_of_the_file_and_of_its_log(desk: Desk) -> None:
    """All at once: those of the file first."""
    desk.write(log("x", row(2)), "bad.swf")
    assert desk.faults(workload('log = "bad.swf"') + '[[note]]\nat = -1\ntext = "x"\n') == [
        "gang.toml:6:6: at is -1; expected 0 seconds or more",
        "bad.swf:2:2: the row has 1 field; expected 18",
    ]


def test_a_job_of_the_log_may_be_expected(kth: Desk) -> None:
    """If it is there and not dropped."""
    expect = "[[expect]]\njob = 3\nstart = 0\n"
    assert kth.read(workload('log = "kth.swf"') + expect).expects[0].job == 3
    assert kth.faults(workload('log = "kth.swf"', 'month = "1996-09"') + expect) == [
        "gang.toml:7:7: job is 3; the workload has no such job"
    ]


def test_sizes_are_measured_against_the_file_s_machine(kth: Desk) -> None:
    """In its unit."""
    kth.write(log(row(1, requested=200), row(2, requested=150), header=HEADER), "big.swf")
    text = '[machine]\nnodes = 80\nunit = "processor"\nper_node = 2\n' + workload('log = "big.swf"')
    scenario = kth.read(text)
    assert (list(scenario.workload.id), scenario.machine.nodes, scenario.machine.capacity) == ([2], 80, 160)
    assert scenario.workload.dropped == {"larger_than_machine": 1}


def test_estimates_without_parameters_stand_alone(kth: Desk) -> None:
    """The name of the kind is the same as a table with nothing else in it."""
    for kind in ("log", "exact"):
        short = read(kth, f'estimates = "{kind}"').workload
        assert list(short.estimate) == list(read(kth, f'estimates = {{kind = "{kind}"}}').workload.estimate)
    assert list(short.estimate) == list(short.runtime)


def test_the_status_of_a_job_is_the_log_s(desk: Desk) -> None:
    """As the rows have it, whatever it says; a job of a file has none."""
    desk.write(log(row(1, status=0), row(2, status=1), row(3, status=-1), header=HEADER), "kth.swf")
    assert list(read(desk).workload.status or ()) == [0, 1, -1]
    assert desk.read(MACHINE + POLICY + JOB).workload.status is None


def test_overruns_and_missing_estimates(desk: Desk) -> None:
    """As the file wants them."""
    desk.write(log(row(1, 0, 100, estimate=60), row(2, 0, 100, estimate=-1)), "kth.swf")
    plain = read(desk).workload
    assert (list(plain.runtime), list(plain.estimate), list(plain.killed)) == ([60, 100], [60, 100], [1, 0])
    other = read(desk, 'overrun = "extend"', 'missing_estimate = "drop"').workload
    assert (list(other.runtime), list(other.estimate), other.dropped) == ([100], [100], {"estimate": 1})


def test_a_model(desk: Desk) -> None:
    """On the file's machine; the same file gives the same jobs."""
    text = MACHINE + workload('model = "lublin99"', "jobs = 50", "load = 0.8", "seed = 7")
    first, again = desk.read(text).workload, desk.read(text).workload
    assert list(first.submit) == list(again.submit) and list(first.size) == list(again.size)
    assert len(first) == first.rows == 50
    assert set(first.klass) <= {"interactive", "batch"}
    other = desk.read(text.replace("seed = 7", "seed = 8")).workload
    assert list(first.runtime) != list(other.runtime)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (MACHINE + workload(), "gang.toml:5:1: [workload] has no log and no model; expected one of them"),
        (MACHINE + workload('log = "x"', 'model = "y"'),
         "gang.toml:7:1: the workload has a log too; expected one of them"),
        (MACHINE + workload('model = "lublin98"', "jobs = 5"),
         'gang.toml:6:9: model is "lublin98"; did you mean lublin99?'),
        (MACHINE + workload('model = "lublin99"'),
         "gang.toml:5:1: [workload] has no jobs; expected a whole number from 1 to 10000000"),
        (MACHINE + workload('model = "lublin99"', "jobs = 1", "load = 0.5"),
         "gang.toml:8:8: load is 0.5; a load needs at least two jobs"),
        (MACHINE + workload('model = "lublin99"', "jobs = 5", 'kind = "typd"'),
         'gang.toml:8:8: kind is "typd"; did you mean typed?'),
        (MACHINE + workload('model = "lublin99"', "jobs = 5", 'month = "1996-10"'),
         "gang.toml:8:1: month goes with a log; the workload is a model"),
        (MACHINE + workload('model = "lublin99"', "jobs = 5", 'estimates = {kind = "alpha", alpha = 1}'),
         'gang.toml:8:21: kind is "alpha"; expected exact, uniform or tsafrir'),
        (workload('model = "lublin99"', "jobs = 5"),
         "gang.toml:3:1: [workload] has no machine to fit; expected [machine] with its nodes, or --nodes"),
    ],
)  # fmt: skip
def test_mistakes_in_models(desk: Desk, text: str, fault: str) -> None:
    """One line each."""
    assert desk.faults(text) == [fault]
