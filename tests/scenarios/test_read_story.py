"""[[expect]], [[note]] and [[question]]."""

import pytest

from shadowtime.scenarios import Expect, Note, Question
from shadowtime.scenarios.values import MACHINE, METRICS, QUESTION_FIELDS
from tests.scenarios.support import GOOD, Desk


def expects(desk: Desk, *lines: str) -> tuple[Expect, ...]:
    return desk.read(GOOD + "[[expect]]\n" + "".join(f"{line}\n" for line in lines)).expects


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_may_be_expected(desk: Desk, metric: str) -> None:
    """Those of an instant and those of `run --json`; the line is that of the value."""
    (expect,) = expects(desk, f'metric = "{metric}"', "equals = 0.50")
    assert expect == Expect(12, metric=metric, equals=0.5, decimals=2, text="0.50")


@pytest.mark.parametrize(
    ("written", "equals", "decimals"),
    [("5", 5, 0), ("0.875", 0.875, 3), ("0.8750", 0.875, 4), ("-0.5", -0.5, 1), ("5.0", 5.0, 1),
     ("1e3", 1000.0, 0), ("8.75e-1", 0.875, 3), ("1_000.5", 1000.5, 1), ("0xff", 255, 0)],
)  # fmt: skip
def test_decimals_are_those_written(desk: Desk, written: str, equals: float, decimals: int) -> None:
    """Trailing zeros count."""
    (expect,) = expects(desk, 'metric = "mean_wait"', f"equals = {written}")
    assert (expect.equals, expect.decimals) == (equals, decimals)


def test_an_instant_a_variant_and_bounds(desk: Desk) -> None:
    """`within` has both bounds."""
    text = (
        GOOD
        + '[[variant]]\nname = "v"\npolicy = {name = "easy"}\n[[expect]]\nvariant = "v"\nat = "0 00:30:00"\n'
    )
    (expect,) = desk.read(text + 'metric = "utilization_slots"\nwithin = [0.5, 1]\n').expects
    assert expect == Expect(17, "v", 1800, "utilization_slots", within=(0.5, 1.0), text="0.5 to 1")


def test_what_becomes_of_a_job(desk: Desk) -> None:
    """Times in any notation, counts; each is an expectation of its own, with its own line."""
    assert expects(desk, "job = 1", 'start = "1h"', "finish = 7200", "preemptions = 0") == (
        Expect(12, job=1, field="start", equals=3600, text="1h"),
        Expect(13, job=1, field="finish", equals=7200, text="7200"),
        Expect(14, job=1, field="preemptions", equals=0, text="0"),
    )


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (['metric = "utilisation"', "equals = 1"],
         ['11:10: metric is "utilisation"; did you mean utilization?']),
        (['metric = "mean_wait"'], ["10:1: this [[expect]] has no value; expected equals or within"]),
        (['metric = "mean_wait"', "equals = 1", "within = [1, 2]"],
         ["13:10: within is [1, 2]; expected only one of equals and within"]),
        (['metric = "mean_wait"', "within = [2, 1]"],
         ["12:10: within is [2, 1]; the first is larger than the second; expected [low, high]"]),
        (['metric = "mean_wait"', "within = [1]"],
         ["12:10: within is [1]; expected [low, high], two numbers"]),
        (['metric = "mean_wait"', "within = [1, true]"],
         ["12:10: within is [1, true]; expected [low, high], two numbers"]),
        (['metric = "mean_wait"', "equals = nan"], ["12:10: equals is nan; expected a number"]),
        (['metric = "mean_wait"', "equals = 1e400"],
         ["12:10: equals is 1e+400; expected a number"]),
        (['metric = "mean_wait"', "equals = 1e-30"],
         ["12:10: equals is 1e-30; it has 30 decimals; expected at most 15"]),
        (['metric = "mean_wait"', "equals = true"], ["12:10: equals is true; expected a number"]),
        (['metric = "mean_wait"', 'equals = "1"'], ['12:10: equals is "1"; expected a number']),
        (['metric = "mean_wait"', "equals = 1", "start = 3"],
         ["13:1: start goes with a job; expected equals or within beside a metric"]),
        (["job = 9", "start = 1"], ["11:7: job is 9; the workload has no such job"]),
        (["job = 1"], ["10:1: this [[expect]] has no value; expected start, finish or preemptions"]),
        (["job = 1", "start = -1"], ["12:9: start is -1; expected 0 seconds or more"]),
        (["job = 1", "start = 1", "equals = 1"],
         ["13:1: equals does not go with job; expected start, finish or preemptions"]),
        (["job = 1", "begin = 1"],
         ["10:1: this [[expect]] has no value; expected start, finish or preemptions",
          "12:1: unknown key begin; expected variant, at, job, metric, equals, within, start, finish or "
          "preemptions"]),
        (['variant = "x"', "job = 1", "start = 1"], ['11:11: variant is "x"; the scenario has no variants']),
    ],
)  # fmt: skip
def test_mistakes_in_expectations(desk: Desk, lines: list[str], faults: list[str]) -> None:
    """An expectation that could never be tested is a fault of the file."""
    text = GOOD + "[[expect]]\n" + "\n".join(lines) + "\n"
    assert desk.faults(text) == [f"gang.toml:{fault}" for fault in faults]


def test_a_note_names_the_courses_and_the_state_that_it_is_true_of(desk: Desk) -> None:
    more = '[[variant]]\nname = "turns"\npolicy = { name = "gang", quantum = "1m" }\n'
    note = '[[note]]\nat = 0\ntext = "a"\n'
    read = desk.read(
        GOOD + more + note + 'variant = ["turns", "fcfs"]\nwhen = { job = 1, state = "R" }\n'
    ).notes
    assert read == (Note(0, "a", ("turns", "fcfs"), (1, "R")),)
    assert desk.read(GOOD + note + 'variant = "any"\n').notes == (Note(0, "a", ("any",)),)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('variant = "x"', 'variant is "x"; expected fcfs, all or any'),
        ("variant = []", "variant is []; expected fcfs, all or any"),
        ("when = { job = 1 }", "when has no state; expected N, W, i, R, S, o, O, H or F"),
        ('when = { job = 99, state = "R" }', "job is 99; the workload has no such job"),
    ],
)
def test_mistakes_in_the_courses_of_notes(desk: Desk, line: str, fault: str) -> None:
    (found,) = desk.faults(GOOD + '[[note]]\nat = 0\ntext = "a"\n' + line + "\n")
    assert found.endswith(fault)


def test_notes_are_in_order_of_time(desk: Desk) -> None:
    """Those of one instant as the file has them."""
    notes = '[[note]]\nat = "1h"\ntext = "c"\n[[note]]\nat = 0\ntext = "a"\n[[note]]\nat = 0\ntext = "b"\n'
    assert desk.read(GOOD + notes).notes == (Note(0, "a"), Note(0, "b"), Note(3600, "c"))


def test_mistakes_in_notes(desk: Desk) -> None:
    """A note has an instant and a text."""
    assert desk.faults(GOOD + '[[note]]\n[[note]]\nat = "x"\ntext = " "\n') == [
        'gang.toml:10:1: this [[note]] has no at; expected a time: seconds, "D HH:MM:SS" or "1h30m"',
        "gang.toml:10:1: this [[note]] has no text; expected a text",
        'gang.toml:12:6: at is "x"; expected a time: seconds, "D HH:MM:SS" or "1h30m"',
        'gang.toml:13:8: text is " "; expected a text that is not empty',
    ]


OF_MACHINE = {ask: it for ask, it in QUESTION_FIELDS.items() if it.about == MACHINE}
PLAIN = [ask for ask, it in OF_MACHINE.items() if it.needs in ((), ("job",))]
WRITTEN = [ask for ask, it in OF_MACHINE.items() if not it.drawn]


@pytest.mark.parametrize("ask", PLAIN)
def test_questions(desk: Desk, ask: str) -> None:
    """Some are about a job, the others are not; each says so where it is mistaken."""
    text = GOOD + f'[[question]]\nat = 5\nask = "{ask}"\n'
    if QUESTION_FIELDS[ask].needs == ("job",):
        assert desk.read(text + "job = 1\n").questions == (Question(5, ask, 1),)
        assert desk.faults(text) == [
            "gang.toml:10:1: this [[question]] has no job; expected a whole number, 0 or more"
        ]
        assert desk.faults(text + "job = 2\n") == ["gang.toml:13:7: job is 2; the workload has no such job"]
    else:
        assert desk.read(text).questions == (Question(5, ask),)
        (fault,) = desk.faults(text + "job = 1\n")
        assert fault == f"gang.toml:13:1: job does not go with {ask}"


QUESTION = GOOD + '[[question]]\nat = 5\nask = "{}"\n'


def test_a_question_that_supposes_an_action(desk: Desk) -> None:
    """Of some kinds it may be; who is delayed by an action is always asked of one."""
    delayed, state = QUESTION.format("delayed"), QUESTION.format("state") + "job = 1\n"
    assert desk.read(delayed + 'do = "drain  0-3"\n').questions == (Question(5, "delayed", do="drain 0-3"),)
    assert desk.read(state + 'do = "hold 1"\n').questions == (Question(5, "state", 1, do="hold 1"),)
    (missing,) = desk.faults(delayed)
    assert "has no do" in missing
    (other,) = desk.faults(QUESTION.format("next_event") + 'do = "hold 1"\n')
    assert "do does not go with next_event" in other


def test_a_question_for_a_remedy(desk: Desk) -> None:
    """It has a job, an instant, and two to four actions, each once."""
    text = QUESTION.format("remedy") + "job = 1\n"
    good = text + 'by = "1h"\namong = ["hold 2", "up 0"]\n'
    assert desk.read(good).questions == (Question(5, "remedy", 1, by=3600, among=("hold 2", "up 0")),)
    assert len(desk.faults(text)) == 2
    for among in ('"hold 2"', '["hold 2"]', '["hold 2", "hold  2"]', '["a", "b", "c", "d", "e"]', "[1, 2]"):
        (fault,) = desk.faults(text + f'by = "1h"\namong = {among}\n')
        assert "expected two to four actions" in fault, among
    (fault,) = desk.faults(QUESTION.format("state") + 'job = 1\nby = "1h"\n')
    assert "by does not go with state" in fault


@pytest.mark.parametrize("ask", WRITTEN)
def test_no_seed_draws_what_only_a_file_can_ask(desk: Desk, ask: str) -> None:
    faults = desk.faults(GOOD + f'[[question]]\nask = "{ask}"\npick = 2\n')
    assert any(f"no seed draws {ask}" in fault for fault in faults)


def test_questions_that_the_screen_answers(desk: Desk) -> None:
    """A node of the machine, a metric that the panel has, a job; nothing of it is covered."""
    head = GOOD + "[[question]]\nat = 5\n"
    (owner,) = desk.read(head + 'ask = "owner"\nnode = 3\n').questions
    (metric,) = desk.read(head + 'ask = "metric"\nmetric = "mean_wait"\n').questions
    (waited,) = desk.read(head + 'ask = "waited"\njob = 1\n').questions
    (why,) = desk.read(head + 'ask = "why"\njob = 1\ncovered = false\n').questions
    assert (owner.node, metric.metric, waited.job) == (3, "mean_wait", 1)
    assert not any(one.covered for one in (owner, metric, waited, why))
    assert desk.read(head + 'ask = "why"\njob = 1\n').questions[0].covered
    for text, found in (
        ('ask = "owner"\n', "this [[question]] has no node; expected a whole number from 0 to "),
        ('ask = "owner"\nnode = 9999\n', "node is 9999; expected a whole number from 0 to "),
        ('ask = "free"\nnode = 1\n', "node does not go with free"),
        ('ask = "metric"\nmetric = "mean_wit"\n', 'metric is "mean_wit"; did you mean mean_wait?'),
        ('ask = "free"\nmetric = "running"\n', "metric does not go with free"),
        ('ask = "free"\ncovered = true\n', "covered does not go with free: the screen answers it"),
        ('ask = "free"\npick = 2\n', 'ask is "free"; no seed draws free; expected it without pick'),
    ):
        faults = desk.faults(GOOD + "[[question]]\n" + ("" if "pick" in text else "at = 5\n") + text)
        assert any(found in fault for fault in faults), (text, faults)


def test_a_question_with_an_unknown_word(desk: Desk) -> None:
    """The words are fixed."""
    assert desk.faults(GOOD + '[[question]]\nat = 0\nask = "next_stat"\njob = 1\n') == [
        'gang.toml:12:7: ask is "next_stat"; did you mean next_start?'
    ]


def test_how_near_an_answer_must_come(desk: Desk) -> None:
    """In seconds, of a question for a start; to the second where nothing is said."""
    ask = '[[question]]\nat = "2h"\nask = "start_time"\njob = 1\n'
    near, exact = desk.read(GOOD + ask + 'within = "5m"\n' + ask).questions
    assert (near.within, exact.within) == (300, 0)
