"""Line mode: the story of a scenario in lines, and the same commands as on the screen."""

import io
import re
from pathlib import Path

import pytest

from shadowtime.console import words
from shadowtime.console.lines import Teller, tell
from shadowtime.console.screens.command_table import LINES, names_of
from shadowtime.console.session import SessionError, load, open_session
from shadowtime.console.words.moving import ENDS
from tests.console import wording
from tests.console.operator import case, under
from tests.refusals import cannot

SCENARIOS = Path(__file__).parents[3] / "scenarios"
DAY = SCENARIOS / "fj97" / "t3d-day.toml"
SMALL = """\
A dilemma, kept still for the tests of the console
Feitelson & Jette 1997, Fig. 1
128 nodes, 3 jobs, policy easy
"""


def printed(
    typed: str | None = None, at: str | None = None, name: str = "dilemma.toml", policy: str | None = "easy"
) -> list[str]:
    """What is reported: the story, or the answers to typed lines."""
    out = io.StringIO()
    assert (
        tell(
            under(policy, name) if policy else case(name, None),
            at,
            io.StringIO(typed or ""),
            out,
            typed is not None,
        )
        == 0
    )
    return out.getvalue().splitlines()


def test_who_does_not_type_gets_the_whole_story() -> None:
    """Every event with its decisions, the reasons of those who wait, the notes, and how it ended."""
    lines = printed()
    assert "\n".join(lines).startswith(SMALL)
    events = [line for line in lines if line[:6].strip().isdigit()]
    assert len(events) == 12
    assert events[2] == f"     3  0d 00:10:00  {words.happened('submit', 2)}: 128 nodes, estimate 3h00m"
    sixth = wording.at(under("easy"), "#6")
    assert f"        {wording.turned(sixth, 3, 'ends_by_shadow')}" in lines
    assert f"        {wording.why(wording.at(under('easy'), '#4'), 2, 'head_blocked')}" in lines
    assert sum(line.startswith("        NOTE: ") for line in lines) == 4
    assert lines[-2] == "0d 06:20:00: 3 of 3 jobs over, 0 running, 0 waiting"
    assert lines[-1].startswith("utilization ")


def test_a_long_story_is_told_in_part_and_its_end_in_figures() -> None:
    lines = printed(name="busy.swf")
    assert len([line for line in lines if line[:6].strip().isdigit()]) == 40
    assert any("`shadowtime run` prints the figures of busy.swf alone." in line for line in lines)
    assert "jobs over, 0 running, 0 waiting" in lines[-2]


def test_the_story_can_begin_later() -> None:
    lines = printed(at="#10")
    assert [line[:6].strip() for line in lines if line[:6].strip().isdigit()] == ["10", "11", "12"]


def test_a_place_that_is_none_is_an_error() -> None:
    with pytest.raises(SessionError, match="is no place in time"):
        printed(at="nowhere")


def test_enter_and_n_step_and_p_steps_back() -> None:
    lines = printed("\nn 2\np\nq\n")
    events = [
        line.removeprefix("> ").split()[0] for line in lines if line.removeprefix("> ")[:6].strip().isdigit()
    ]
    assert events == ["1", "2", "3", "2"]


def test_decisions_and_places() -> None:
    lines = printed("N\nN\nP\ng 3 end\ng 50%\nq\n")
    events = [
        line.removeprefix("> ").split()[0] for line in lines if line.removeprefix("> ")[:6].strip().isdigit()
    ]
    assert events == ["2", "6", "2", "9", "6"]


def test_why_and_queue_and_metrics() -> None:
    lines = "\n".join(printed("g #6\nwhy 2\nwhy 3\nqueue\nmetrics\nnote\nhelp\nq\n"))
    sixth = wording.at(under("easy"), "#6")
    sixth.predict()
    assert wording.expected(sixth, 2) in lines and wording.turned(sixth, 3, "ends_by_shadow") in lines
    brief = words.brief(sixth.why(2), sixth.time, words.NODES)
    assert f"job 2, 128 nodes, waits 10m00s, starts 0d 08:00:00 expected: {brief}" in lines
    assert f"{words.standing(sixth.row(0), words.NODES)}, on 64 nodes" in lines
    assert "32 nodes of 128 free" in lines
    assert "0 of 3 jobs over, 2 running, 1 waiting" in lines
    assert "why JOB" in lines


def test_a_job_that_nothing_leads_to_is_said_never_to_start() -> None:
    """Nothing runs any more, and fewer nodes are in service than job 2 asks for."""
    out = io.StringIO()
    too_large = load(SCENARIOS / "courses" / "failures" / "06-too-large.toml")
    assert tell(too_large, "#19", io.StringIO("why 2\nq\n"), out, True) == 0
    assert "it never starts" in out.getvalue()


def test_a_node_and_the_users_are_told() -> None:
    """As on their pages."""
    lines = printed("g #6\nnode 0\nusers\nnode 128\nq\n")
    text = "\n".join(lines)
    assert f"if drained now  {words.emptied(28_800, 1200)}" in text
    assert "USER  RUN NODE-RUN" in text and "CLASS" in text
    assert "there is no node 128; the machine has the nodes 0 to 127" in text


def test_the_commands_are_those_of_the_table_and_help_lists_each() -> None:
    commands = set(Teller(open_session(case()), io.StringIO()).commands())
    assert commands - {""} == set(names_of(LINES)) - {"quit"}
    listed = {line.removeprefix("> ").split(" ")[0] for line in printed("help\nq\n")}
    assert set(names_of(LINES)) <= listed


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (
            "jump",
            "unknown command 'jump'; expected one of n, p, N, P, g, why ...; help lists all",
        ),
        ("why", "which job? expected a number"),
        ("why 99", "there is no job 99"),
        ("gangster", "gangster draws a torus, and this machine is flat; expected a machine with a torus"),
        ("g somewhere", "'somewhere' is no place in time"),
        ("p", ENDS.back),
        ("P", ENDS.previous_decision),
        ("n x", "'x' is no count; expected a whole number"),
    ],
)
def test_a_line_that_is_none_gets_one_clear_answer(typed: str, answer: str) -> None:
    lines = printed(f"{typed}\nq\n")
    assert any(line.removeprefix("> ").startswith(answer) for line in lines)


def test_the_end_of_the_input_is_the_end() -> None:
    assert printed("n\n")[-1] == "> "


def test_the_end_of_time_says_so() -> None:
    assert any(ENDS.forward in line for line in printed("g 100%\nn\nN\n"))


def test_a_reconstruction_is_named_as_one_and_deadlines_are_told() -> None:
    lines = printed("g #6\nqueue\nwhy 2\nq\n", policy="flex")
    assert lines[2] == "128 nodes, 3 jobs, policy flex (reconstruction)"
    text = "\n".join(lines)
    assert (
        "job 2, 128 nodes, waits 10m00s, starts 0d 08:00:00 planned, by 0d 09:00:00 at the latest: " in text
    )
    assert wording.why(wording.at(under("flex"), "#6"), 2, "planned_by_deadline") in text


def test_preemption_is_told_from_both_sides() -> None:
    """Who gave way, with what he keeps; who holds his nodes; and what it all cost."""
    lines = printed("g 2 start\np\nqueue\nwhy 2\nwhy 3\nmetrics\nq\n", name="saving.toml", policy=None)
    text = "\n".join(lines)
    done = words.progress({"done": 6600, "left": 6000})
    assert f"job 3, 64 nodes, waits 0s in all, resumes 0d 03:05:00 expected, {done}" in text
    before = wording.at(case("saving.toml", None), "2 start")
    before.back()
    brief = words.brief(before.why(2), before.time, words.NODES)
    assert f"job 2, 128 nodes, holds its nodes, starts 0d 02:05:00 settled: {brief}" in text
    assert wording.turned(before, 2, "after_preemption") in text
    assert wording.turned(before, 3, "preempted_for") in text
    assert "jobs preempted 50.0 %, checkpoints/day 6.00 a node" in text


def test_the_policy_tells_what_it_goes_by() -> None:
    lines = printed("g #6\npolicy\nq\n", policy="dynp:threshold=1")
    text = "\n".join(lines)
    assert "policy: dynp:threshold=1" in text
    assert "in force: ljf" in text and "up to: sjf 2h, fcfs 2h30m" in text
    assert printed("policy\nq\n")[-2].endswith("policy: easy"), "a policy that reports nothing is only named"


def test_an_instant_is_compared_under_other_policies() -> None:
    """Side by side: the variants, or what is typed; the session stays where it is."""
    lines = printed("n 6\ncompare gang:quantum=600\nn\ncompare gang:quantum=600\ncompare nope\n")
    text = "\n".join(" ".join(line.split()) for line in lines)
    _, found, rest = text.partition("0d 00:20:00: easy | gang:quantum=600")
    assert (
        found
        and f"\neasy {words.happened('submit', 3)}; {words.TALLIES['backfill'].format('job 3')}\n" in rest
    )
    assert "\nutil slots 75.0 % 87.5 % +12.5 pt better\n" in rest
    assert (
        f"7 0d 01:00:00 {words.happened('finish', 1)}" in rest
        and "0d 01:00:00: easy | gang:quantum=600" in rest
    )
    assert "there is no policy 'nope'" in rest


def test_a_fork_is_told_beside_the_run_that_it_leaves_alone() -> None:
    lines = printed("n 5\nwhatif hold 3\nwhatif hold 1\nwhatif\nwhatif dance\nn\n")
    text = "\n".join(" ".join(line.split()) for line in lines)
    assert "0d 00:20:00: easy | if hold 3" in text and "apart since 0d 00:20:00 and never agree again" in text
    assert "not every job ends in every lane" in text
    assert cannot("hold", 1, "R") in text
    assert "what if what? expected an action" in text and "'dance' is no action" in text
    decided = wording.turned(wording.at(under("easy"), "#6"), 3, "ends_by_shadow")
    assert f"6 0d 00:20:00 {words.happened('pass', None)}\n{decided}" in text, "the run goes on as it was"


def test_a_switch_of_the_policy_is_told_with_its_reason() -> None:
    text = "\n".join(printed(policy="dynp:threshold=1"))
    (reviewed,) = (
        each
        for each in wording.at(under("dynp:threshold=1"), "#2").events(1, 2)
        if each.kind == "switch_policy"
    )
    assert f"{words.occurred(reviewed)}\n" in text
    assert f"        {words.decision(reviewed.decisions[0], words.NODES)}" in text


def test_gangster_draws_the_torus_beside_its_jobs() -> None:
    lines = printed("g #6\ngangster\nq\n", name="torus.toml", policy=None)
    assert lines[-6:-1] == [
        ">    y1 aab.  CLAS JOB-USER PID COMMAND #PE BASE W ST MM:SS",
        "      aa..  Int  b ozawa   12 icl1      6  200 - R  10:00",
        "            Prod a kim     11 moldy    16  000 - R  20:00",
        "y0 aab.     Stby c ada     13 -        32    - - N  00:00",
        "   aab.",
    ]


def test_gangster_lists_suspended_and_held_jobs_too() -> None:
    lines = printed("g #6\nsuspend 12\nhold 13\ngangster\nq\n", name="torus.toml", policy=None)
    states = {line[10:].split()[-1] for line in lines if re.search(r"ozawa +12|ada +13", line)}
    assert states >= {"S"} and any(re.search(r"ada +13 .* H ", line) for line in lines)


def test_a_machine_of_processors_is_told_in_pe() -> None:
    """Head, submissions, decisions, queue, metrics, reasons: nothing counts nodes."""
    out = io.StringIO()
    typed = "g #186\nqueue\nmetrics\npolicy\nwhy 19\nhold 20\nn 9\nqueue\n"
    tell(load(DAY), stdin=io.StringIO(typed), stdout=out, interactive=True)
    lines = out.getvalue().splitlines()
    assert "256 PE, 20 jobs, policy t3d" in lines
    assert not [line for line in lines if re.search(r"\bnodes?\b|processors", line) and "NOTE" not in line]
    assert printed(name="dilemma.toml")[2] == "128 nodes, 3 jobs, policy easy"


def test_instants_are_written_by_the_clock_that_is_asked_for() -> None:
    out = io.StringIO()
    typed = "clock calendar\ng 1996-06-04 08:00\nclock elapsed\nn\nclock moon\n"
    tell(load(DAY), None, io.StringIO(typed), out, True)
    text = out.getvalue()
    assert "second 0 is 1996-06-04 06:00:00" in text
    assert f"1996-06-04 08:00:00  {words.happened('pass', None)}" in text and "0d 02:01:00" in text
    assert "there is no clock 'moon'; expected elapsed, calendar" in text


def test_the_queue_is_filtered_as_on_the_screen() -> None:
    """By predicted start; a filter that is none is one line."""
    lines = printed("g #6\nqueue starts>1h\nqueue starts<1m\nqueue state=R\nqueue foo<1\nq\n", policy="fcfs")
    (second,) = (place for place, line in enumerate(lines) if line.startswith("> job 2, 128 nodes"))
    assert lines[second + 1].startswith("job 3, 32 nodes")
    assert lines[second + 2] == "> no job matches 'starts<1m'"
    standing = words.standing(wording.at(under("fcfs"), "#6").row(0), words.NODES)
    assert lines[second + 3].startswith(f"> {standing}")
    assert "filter 'foo<1' asks for 'foo'" in lines[second + 4]
