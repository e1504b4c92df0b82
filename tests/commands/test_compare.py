"""`shadowtime compare`: several policies side by side."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commandline import Shadowtime
from tests.parameters import easy

Story = Callable[[str], Path]


def columns(text: str) -> dict[str, list[str]]:
    """Return the cells of a printed table by its first column."""
    lines = [line.split("  ") for line in text.splitlines() if line.strip()]
    stripped = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    return {cells[0]: cells[1:] for cells in stripped}


def test_base_and_variants_stand_side_by_side(shadowtime: Shadowtime, story: Story) -> None:
    """Without --policy the scenario's own policy and every variant are compared, under their names."""
    ended = shadowtime("compare", story("fj97/dilemma.toml"))
    table = columns(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert table["metric"] == ["fcfs", "easy", "conservative", "gang"]
    assert table["mean_wait"] == ["4,200.00 s", "5,000.00 s", "5,000.00 s", "400.00 s"]


def test_named_policies_are_compared_in_their_order(shadowtime: Shadowtime, story: Story) -> None:
    """--policy takes a name, or a name with parameters after a colon."""
    names = ["easy:scan=shortest", "easy", "conservative:compress=replan"]
    arguments = [word for name in names for word in ("--policy", name)]
    ended = shadowtime("compare", story("small/06-scan-order.toml"), *arguments)
    assert columns(ended.out)["metric"] == names


def test_json_has_a_report_for_each(shadowtime: Shadowtime, story: Story) -> None:
    """--json prints the report of `run --json` for each policy, with the name it is compared under."""
    path = story("small/06-scan-order.toml")
    found = json.loads(shadowtime("compare", path, "--json").out)
    alone = json.loads(shadowtime("run", path, "--json").out)
    assert [report["name"] for report in found["policies"]] == ["easy", "shortest"]
    assert {key: value for key, value in found["policies"][0].items() if key != "name"} == alone
    assert found["policies"][1]["parameters"] == easy("shortest")


@pytest.mark.parametrize(
    ("spoken", "words"),
    [
        ("nope", "there is no policy 'nope'"),
        ("easy:scan", "expected key=value"),
        ("easy:speed=3", "speed"),
        (":scan=widest", "there is no policy ''"),
        ("", "there is no policy ''"),
    ],
)
def test_a_bad_policy_is_answered_by_one_line(
    spoken: str, words: str, shadowtime: Shadowtime, story: Story
) -> None:
    """What is wrong with a policy as it is spelled is said before anything runs."""
    ended = shadowtime("compare", story("fj97/dilemma.toml"), "--policy", "easy", "--policy", spoken)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert words in ended.err


def test_a_reconstruction_is_marked_and_preemption_shown_if_there_is_any(
    shadowtime: Shadowtime, story: Story
) -> None:
    """The figures of preemption stand in the table as soon as one of the policies preempts."""
    saving = Path(__file__).parent.parent / "console/stories/saving.toml"
    table = columns(shadowtime("compare", saving, "--policy", "flex", "--policy", "checkpoint:p=0.5").out)
    assert table["metric"] == ["flex (reconstruction)", "checkpoint:p=0.5"]
    assert table["preempt_ratio"] == ["0.00 %", "25.00 %"]
    plain = columns(shadowtime("compare", saving, "--policy", "flex", "--policy", "easy").out)
    assert "preempt_ratio" not in plain and "mean_wait" in plain


def test_the_jobs_whose_wait_changes_most_are_listed(shadowtime: Shadowtime, story: Story) -> None:
    """Most first, with size, submission and the wait until the first start under each policy."""
    path = story("fj97/dilemma.toml")
    printed = shadowtime("compare", path).out
    _, listed = printed.split("Whose wait changes most:")
    assert columns(listed) == {
        "job": ["size", "submitted", "fcfs", "easy", "conservative", "gang"],
        **{name: cells for name, cells in columns(listed).items() if set(name) == {"─"}},
        "2": ["128", "0d 00:10:00", "0d 00:50:00", "0d 04:10:00", "0d 04:10:00", "0d 00:10:00"],
        "3": ["32", "0d 00:20:00", "0d 02:40:00", "0d 00:00:00", "0d 00:00:00", "0d 00:10:00"],
    }
    found = json.loads(shadowtime("compare", path, "--json").out)["changed"]
    assert found[0] == {"job": 2, "size": 128, "submit": 600, "waits": [3000, 15000, 15000, 600]}
    assert [job["job"] for job in found] == [2, 3]


def test_users_have_a_line_a_lane_where_a_row_would_be_cut(shadowtime: Shadowtime, story: Story) -> None:
    path, lanes = story("fj97/dilemma.toml"), ["fcfs", "easy", "conservative", "sjf", "ljf", "gang"]
    for count in (2, len(lanes)):
        printed = shadowtime(
            "compare", path, *(word for lane in lanes[:count] for word in ("--policy", lane))
        )
        users = printed.out.split("mean and median wait:")[1].split("Whose wait")[0]
        assert "…" not in printed.out and users.count("grace") == 1
        rows = [line.split() for line in users.splitlines() if "grace" in line or " gang " in line]
        wait, gain = ["50m00s"], ["10s", "10s", "1", "0"]
        if count == 2:
            assert rows == [["grace", "1", *wait * 2, "4h10m", "4h10m", "0", "1"]]
        else:
            assert rows[0] == ["grace", "1", "fcfs", *wait * 2] and rows[1] == ["gang", *gain]


def test_as_many_jobs_are_listed_as_asked_for(shadowtime: Shadowtime, story: Story) -> None:
    """--changed takes their number; none are asked for, or none change: nothing is said of them."""
    path = story("fj97/dilemma.toml")
    (job,) = json.loads(shadowtime("compare", path, "--json", "--changed", 1).out)["changed"]
    assert job["job"] == 2
    whole = shadowtime("compare", path).out
    none = shadowtime("compare", path, "--changed", 0).out
    assert whole.startswith(none)
    assert "Whose wait" not in none
    assert "Whose wait" not in shadowtime("compare", path, "--policy", "easy", "--policy", "easy").out
    ended = shadowtime("compare", path, "--changed", -1)
    assert (ended.code, len(ended.complaints)) == (2, 1)


def test_a_job_that_never_starts_is_not_among_the_changed(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """One has no wait; the one behind it in the queue has."""
    path = tmp_path / "cancelled.toml"
    path.write_text(
        'title = "T"\nmachine = {nodes = 4}\npolicy = {name = "fcfs"}\n'
        '[[variant]]\nname = "easy"\npolicy = {name = "easy"}\n'
        + "".join(
            f"[[job]]\nid = {job}\nsize = {size}\nsubmit = {job}\nruntime = {runtime}\n"
            for job, size, runtime in ((1, 3, 100), (2, 4, 50), (3, 1, 10), (4, 1, 20))
        )
        + '[[action]]\nat = 50\ndo = "cancel"\njob = 3\n'
    )
    found = json.loads(shadowtime("compare", path, "--json").out)["changed"]
    assert [(job["job"], job["waits"]) for job in found] == [(4, [147, 9])]


def test_jobs_whose_waits_change_as_much_are_listed_by_id(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Two of the same size pass the head together, and either of them is the first where one is asked for."""
    path = tmp_path / "twins.toml"
    path.write_text(
        'title = "T"\nmachine = {nodes = 4}\npolicy = {name = "fcfs"}\n'
        '[[variant]]\nname = "easy"\npolicy = {name = "easy"}\n'
        + "".join(
            f"[[job]]\nid = {job}\nsize = {size}\nsubmit = {submit}\nruntime = {runtime}\n"
            for job, size, submit, runtime in ((1, 2, 0, 100), (2, 4, 1, 50), (9, 1, 2, 10), (4, 1, 2, 10))
        )
    )
    found = json.loads(shadowtime("compare", path, "--json").out)["changed"]
    assert [job["job"] for job in found] == [4, 9]
    assert found[0]["waits"] == found[1]["waits"]
    (first,) = json.loads(shadowtime("compare", path, "--json", "--changed", 1).out)["changed"]
    assert first["job"] == 4


def test_actions_and_outages_of_the_scenario_are_reported(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """One line, with the counts of every kind; nothing where there are none."""
    assert "In force" not in shadowtime("compare", story("fj97/dilemma.toml")).out
    path = tmp_path / "steered.toml"
    hold = '\n[[action]]\nat = "{}m"\ndo = "{}"\njob = 2\n'
    outage = '\n[[outage]]\nnodes = "0-3"\nfrom = "{}h"\nuntil = "{}h"\nkill = {}\n'
    text = story("fj97/dilemma.toml").read_text(encoding="utf-8")
    text += hold.format(11, "hold") + hold.format(12, "release") + hold.format(13, "hold")
    path.write_text(text + outage.format(20, 21, "true"), encoding="utf-8")
    found = [line for line in shadowtime("compare", path).out.splitlines() if "In force" in line]
    assert found == [
        "In force under every policy: 3 actions (2 hold, 1 release) and 1 outage (1 kill) of the scenario;"
        " a policy refuses the actions that it does not offer."
    ]
    steered = json.loads(shadowtime("compare", path, "--json").out)["steered"]
    assert steered == {"actions": {"hold": 2, "release": 1}, "outages": {"kill": 1}}


WINDOWED = """
title = "four users"
[machine]
nodes = 1
[policy]
name = "fcfs"
""" + "".join(
    f'[[job]]\nid = {row}\nsize = 1\nsubmit = {at}\nruntime = {run}\nuser = "{user}"\n'
    for row, at, run, user in ((1, 0, 100, "ada"), (2, 1, 50, "kim"), (3, 2, 10, "ada"), (4, 300, 5, "kim"))
)
"""Job 3 is the shortest: under sjf it waits 98 s and not 148 s, and job 2 109 s, not 99 s."""


def test_a_window_and_a_user_are_measured_in_whole_runs(shadowtime: Shadowtime, tmp_path: Path) -> None:
    path = tmp_path / "windowed.toml"
    path.write_text(WINDOWED)
    compare = "compare", path, "--policy", "fcfs,sjf", "--json"
    found = json.loads(shadowtime(*compare).out)["verdict"]
    assert (found["all"]["jobs"], found["all"]["better"], found["all"]["worse"]) == (4, [1], [1])
    assert [(row["user"], row["mean_waits"]) for row in found["users"]] == [
        ("ada", [74, 49]),
        ("kim", [49.5, 54.5]),
    ]
    window = "--from", "1", "--until", "4 submit"
    ended = json.loads(shadowtime(*compare, *window, "--user", "kim").out)
    assert ended["verdict"]["all"]["longest_waits"] == [99, 109] and ended["verdict"]["bounds"] == [None]
    assert [row["job"] for row in ended["changed"]] == [2]
    assert ended["policies"] == json.loads(shadowtime(*compare).out)["policies"]
    assert (ended["verdict"]["from"], ended["verdict"]["until"]) == (1, 300)


def test_a_time_of_the_day_is_read_as_instants_are_written(shadowtime: Shadowtime) -> None:
    """The capture is of 19:18:32, its second 1."""
    for clock, second in (("calendar", 2489), ("elapsed", 72000)):
        compared = "compare", "two-tiers", "easy", "sjf", "--json", "--clock", clock
        until, since = (
            json.loads(shadowtime(*compared, bound, "20:00").out)["verdict"]
            for bound in ("--until", "--from")
        )
        assert (until["until"], since["from"]) == (second, second)


def test_users_are_written(shadowtime: Shadowtime, tmp_path: Path) -> None:
    path, out = tmp_path / "windowed.toml", tmp_path / "users.csv"
    path.write_text(WINDOWED)
    compare = "compare", path, "--policy", "fcfs,sjf", "--csv", out
    assert shadowtime(*compare).code == 0
    header, *rows = [line.split(",") for line in out.read_text().splitlines()]
    assert header[:4] == ["of", "user", "policy", "jobs"] and len(rows) == 6
    assert rows[3] == ["user", "ada", "sjf", "2", "49.0", "49.0", "98", "1", "0"]
    assert shadowtime(*compare).code == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--from", "50%"), "50%"),
        (("--from", "200", "--until", "100"), "ends after it begins"),
        (("--user", "eve"), "eve"),
        (("--from", "end"), "end"),
    ],
)
def test_a_window_that_is_none_is_refused(
    shadowtime: Shadowtime, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    path = tmp_path / "windowed.toml"
    path.write_text(WINDOWED)
    ended = shadowtime("compare", path, "--policy", "fcfs,sjf", *arguments)
    assert (ended.code, ended.out) == (2, "") and says in ended.err and ended.err.count("\n") == 1


def test_what_another_simulator_found_is_a_column(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """As far as its file goes, our own schedule has our own metrics; a later start is a longer wait."""
    file, jobs = story("fj97/dilemma.toml"), tmp_path / "jobs.csv"
    assert shadowtime("run", file, "--variant", "easy", "--batsim", jobs).code == 0
    shown = ("compare", file, "--policy", "easy", "--outcomes", jobs, "--json")
    ours, theirs = json.loads(shadowtime(*shown).out)["policies"]
    assert theirs["span"] == ours["span"]
    known = {name: value for name, value in theirs["metrics"].items() if value is not None}
    assert known == {name: ours["metrics"][name] for name in known}
    assert {"mean_wait", "mean_bounded_slowdown", "utilization"} <= known.keys()
    rows = jobs.read_text().splitlines()
    cells = rows[-1].split(",")
    start, finish = (rows[0].split(",").index(name) for name in ("starting_time", "finish_time"))
    cells[start], cells[finish] = (str(float(cells[at]) + 60.2) for at in (start, finish))
    # Batsim writes the workload before the number of a job; a job that it lacks has not started.
    jobs.write_text("\n".join([rows[0], rows[1], f"w0!{','.join(cells)}"]))
    found = json.loads(shadowtime(*shown).out)
    (changed,) = found["changed"]
    assert (changed["job"], changed["waits"][1] - changed["waits"][0]) == (int(cells[0]), 60)
    assert (found["verdict"]["never"], found["policies"][1]["not_started"]) == ([0, 1], 1)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("9,0,5,9", "there is no job 9"),
        ("x,0,5,9", "'x' has no number"),
        ("1,0,5,9\n2,7,7,9", "job 2 does not come with the others"),
        ("1,0,late,9", ":2: a job without times"),
        ("w0!1,0,5,9\nw1!1,0,7,9", "job 1 is there twice"),
        ("1,10,5,20", "expected times that ascend"),
        ("1,10,15,2", "expected times that ascend"),
    ],
)
def test_results_of_other_jobs_are_refused(
    rows: str, words: str, shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """By the job that does not go with ours."""
    path = tmp_path / "jobs.csv"
    path.write_text(f"job_id,submission_time,starting_time,finish_time\n{rows}\n")
    ended = shadowtime("compare", story("fj97/dilemma.toml"), "--outcomes", path)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err
    assert ended.err.count("\n") == 1


def test_results_of_one_name_can_be_kept_apart(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """By their paths. The span of jobs that come late counts from the first of them."""
    file = tmp_path / "late.toml"
    file.write_text(
        'policy = {name = "easy"}\nmachine = {nodes = 2}\n'
        "[[job]]\nid = 1\nsize = 1\nsubmit = 1000\nruntime = 200\n"
    )
    paths = [tmp_path / name / "jobs.csv" for name in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("job_id,submission_time,starting_time,finish_time\n1,1000,1000,1200\n")
    shown = [each for path in paths for each in ("--outcomes", path)]
    found = json.loads(shadowtime("compare", file, "--policy", "easy", *shown, "--json").out)["policies"]
    assert [lane["name"] for lane in found[1:]] == list(map(str, paths))
    assert [lane["span"] for lane in found] == [200, 200, 200]
