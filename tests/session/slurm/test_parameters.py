"""The parameters of the policy `slurm`: what an override does is what config.txt would have done."""

import re
from pathlib import Path

import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.over_time import OverTime, followed
from shadowtime.console.session.slurm.parameters import PARAMETERS, is_slurm, parameters_of, parse_overrides
from shadowtime.scenarios.slurm import read_capture
from tests.commandline import ROOT
from tests.oracles.slurm.small import NOW, cluster, running, waiting
from tests.scenarios.slurm.support import files, write

SCHEDULER = "bf_interval=5,bf_window=2880,bf_busy_nodes,default_queue_depth=7"


@pytest.mark.parametrize(
    "words",
    [
        "bf_interval=60", "bf_interval=-1", "bf_window=180", "bf_resolution=300", "bf_max_job_test=9",
        "bf_max_job_user=3", "bf_max_job_part=4", "bf_max_job_start=2", "bf_max_job_array_resv=0",
        "bf_window_linear=30", "bf_node_space_size=12", "bf_min_prio_reserve=1000", "bf_min_age_reserve=60",
        "bf_running_job_reserve", "bf_busy_nodes", "bf_one_resv_per_job", "bf_licenses",
        "default_queue_depth=11", "sched_interval=-1", "sched_interval=20",
        "bf_max_job_user_part=2", "bf_max_job_assoc=3",
        "bf_max_job_user=3,bf_busy_nodes,bf_interval=7",
    ],
)  # fmt: skip
def test_an_override_does_what_the_configuration_would(tmp_path: Path, words: str) -> None:
    """The settings are those of a cluster whose SchedulerParameters are these words, the others as before."""
    contents = files(42)
    plain = read_capture(write(tmp_path / "a", contents))
    names = {word.partition("=")[0] for word in words.split(",")}
    kept = [word for word in SCHEDULER.split(",") if word.partition("=")[0] not in names]
    assert SCHEDULER in contents["config.txt"]
    contents["config.txt"] = contents["config.txt"].replace(SCHEDULER, ",".join((*kept, words)))
    wanted = read_capture(write(tmp_path / "b", contents)).settings
    assert parse_overrides(f"slurm:{words}").apply(plain).settings == wanted


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("KillWait", "90", "KillWait = 90 sec"),
        ("OverTimeLimit", "7", "OverTimeLimit = 7 min"),
        ("OverTimeLimit", "UNLIMITED", "OverTimeLimit = UNLIMITED"),
        ("SchedulerType", "builtin", "SchedulerType = sched/builtin"),
    ],
)
def test_so_does_one_of_another_line(tmp_path: Path, name: str, value: str, line: str) -> None:
    """KillWait, OverTimeLimit, SchedulerType."""
    contents = files(42)
    plain = read_capture(write(tmp_path / "a", contents))
    contents["config.txt"], count = re.subn(rf"(?m)^{name}\s*=.*$", line, contents["config.txt"])
    assert count == 1
    wanted = read_capture(write(tmp_path / "b", contents)).settings
    assert parse_overrides(f"slurm:{name}={value}").apply(plain).settings == wanted


def test_every_parameter_can_be_given_as_it_is(tmp_path: Path) -> None:
    """What is written for a value is read as that value, and an override with it changes nothing."""
    plain = read_capture(write(tmp_path, files(42)))
    assert {each.name for each in PARAMETERS} == parameters_of(plain).keys()
    for parameter in PARAMETERS:
        value = parameter.get(plain)
        found = parse_overrides(f"slurm:{parameter.name}={parameter.kind.write(value)}")
        assert found.values == ((parameter, value),) and found.apply(plain) == plain


def test_durations_are_in_the_unit_of_the_parameter(tmp_path: Path) -> None:
    """Two days of minutes, two minutes of seconds."""
    found = parse_overrides("slurm:bf_window=2d,bf_interval=2m")
    assert [value for _, value in found.values] == [2880, 120]
    assert "bf_window=2880 (2880), bf_interval=120 (5)" in found.words(
        read_capture(write(tmp_path, files(42)))
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("slurm:", "KEY=VALUE"),
        ("slurm:bf_intervall=60", "bf_interval?"),
        ("slurm:interval=60", "bf_interval?"),
        ("slurm:quantum=60", "expected"),
        ("slurm:bf_interval=0", "10,800"),
        ("slurm:bf_interval=x", "seconds"),
        ("slurm:bf_interval=10801", "10,800"),
        ("slurm:bf_interval", "bf_interval=VALUE"),
        ("slurm:bf_window=90s", "minutes"),
        ("slurm:bf_window=-1", "43,200"),
        ("slurm:bf_window=9" + "0" * 30, "1 to"),
        ("slurm:bf_max_job_test=2m", "1,000,000"),
        ("slurm:bf_busy_nodes=7", "yes or no"),
        ("slurm:bf_window=1,bf_window=2", "twice"),
        ("slurm:version=23.02", "24.11"),
        ("slurm:SchedulerType=gang", "builtin"),
        ("slurm:OverTimeLimit=x", "UNLIMITED"),
        ("slurm:bf_interval=\n", "expected"),
    ],
)
def test_a_bad_parameter_is_one_line(text: str, word: str) -> None:
    """What is wrong, and what was expected."""
    with pytest.raises(SessionError) as error:
        parse_overrides(text)
    assert "\n" not in str(error.value) and word in str(error.value)


def test_the_name_of_the_policy() -> None:
    """Alone or with parameters."""
    assert is_slurm("slurm") and is_slurm(" slurm:bf_interval=3") and not is_slurm("slurmy")
    assert not parse_overrides("slurm")


def test_parameters_decide() -> None:
    """Fewer tries end a cycle early; without cycles nobody passes the head."""
    jobs = [running(1, [1, 2], 600), waiting(2, 3, 10), waiting(3, 1, 5)]
    capture = cluster(3, jobs)

    def start(text: str) -> dict[str, int | None]:
        return {each.job_id: each.start for each in followed(parse_overrides(text).apply(capture), NOW)[0]}

    assert start("slurm") == {"3": NOW, "2": NOW + 603}
    assert start("slurm:bf_max_job_test=1") == {"2": NOW + 603, "3": NOW + 1205}
    assert (
        start("slurm:bf_interval=-1")
        == start("slurm:SchedulerType=builtin")
        == start("slurm:bf_max_job_test=1")
    )
    assert not [
        moment
        for moment in OverTime(parse_overrides("slurm:bf_interval=-1").apply(capture), NOW).moments()
        if moment.what.value == "backfill"
    ]
    found = forecast_of(parse_overrides("slurm:bf_max_job_test=1").apply(capture), NOW)
    assert (found.tried, found.stopped, len(found.rows)) == (1, "bf_node_space_size", 1)


def test_the_page_lists_every_parameter() -> None:
    """With its default, in the table of docs/slurm.md."""
    page = (ROOT / "docs" / "slurm.md").read_text(encoding="utf-8")
    table = page[page.index("| parameter | values | default |") :].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    found = {name: row[-1].strip(" |`") for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    assert found.keys() == {each.name for each in PARAMETERS}
    for each in PARAMETERS:
        assert found[each.name] == (each.default.removeprefix("sched/") or "the cluster's")
