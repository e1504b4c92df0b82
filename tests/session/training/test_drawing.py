"""Drawn questions: one seed, the same questions; within their bounds, as difficult as asked, answerable."""

from pathlib import Path

import pytest

from shadowtime.console.session import SessionError, load
from shadowtime.console.session.training import Drill, LeftOut, answers_of
from shadowtime.scenarios import ScenarioError
from tests.commandline import ROOT

MODEL = (ROOT / "scenarios" / "generated" / "modal-128.toml").read_text()


def lesson(folder: Path, *questions: str) -> Path:
    """A lesson on a model; a question is the keys of its table."""
    path = folder / "drawn.toml"
    path.write_text(MODEL + "".join(f"\n[[question]]\n{keys}\n" for keys in questions))
    return path


@pytest.mark.proof
@pytest.mark.parametrize("ask", ["next_start", "start_time", "why", "state", "next_event"])
def test_the_seed_settles_the_questions(tmp_path: Path, ask: str) -> None:
    """And with them the answers and their order; another seed draws others."""
    case = load(lesson(tmp_path, f'ask = "{ask}"\npick = 4\nfrom = "2h"\nuntil = "20h"'))
    drills = [Drill(case, seed) for seed in (1, 1, 2)]
    assert drills[0].questions == drills[1].questions != drills[2].questions
    offered = [[made.offered for made in answers_of(case, seed)] for seed in (1, 1, 2)]
    assert offered[0] == offered[1] != offered[2]
    for drill in drills:
        assert len(drill.questions) == 4 and len(set(drill.questions)) == 4
        assert [it.at for it in drill.questions] == sorted(it.at for it in drill.questions)
        for question, made in zip(drill.questions, drill.answers, strict=True):
            assert 7200 <= question.at <= 72000 and (question.job is not None) is question.about_a_job
            assert len(made.offered) >= 3  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("difficulty", "least", "most"), [("low", 1, 3), ("medium", 4, 10), ("high", 11, 10**9)]
)
def test_difficulty_is_how_many_wait(tmp_path: Path, difficulty: str, least: int, most: int) -> None:
    """Counted event by event, after the last event of the instant."""
    case = load(lesson(tmp_path, f'ask = "why"\npick = 5\ndifficulty = "{difficulty}"'))
    for question in Drill(case, 3).questions:
        simulation = case.simulation()
        while (upcoming := simulation.peek()) is not None and upcoming[0] <= question.at:
            simulation.step()
        assert simulation.now == question.at and least <= len(simulation.waiting()) <= most


def test_no_reason_is_always_right_and_every_step_is_shown(tmp_path: Path) -> None:
    """Of a long queue most jobs wait for one reason and start after hundreds of steps: others are drawn."""
    high = 'difficulty = "high"'
    case = load(lesson(tmp_path, f'ask = "why"\npick = 3\n{high}', f'ask = "start_time"\npick = 3\n{high}'))
    made = answers_of(case, 1)
    assert len({it.shown for it in made if it.question.ask == "why"}) == 3
    assert not any(isinstance(part, LeftOut) for it in made for part in it.because)


def test_beside_questions_as_they_stand(tmp_path: Path) -> None:
    """In order of their instants."""
    case = load(lesson(tmp_path, 'ask = "why"\npick = 2', 'ask = "next_event"\nat = "6h"'))
    questions = Drill(case, 1).questions
    assert len(questions) == 3 and [it.at for it in questions] == sorted(it.at for it in questions)


def test_too_few_instants(tmp_path: Path) -> None:
    """One line that says how many were found."""
    case = load(lesson(tmp_path, 'ask = "why"\npick = 5\nfrom = "900d"'))
    with pytest.raises(SessionError, match=r"drawn\.toml:\d+: 0 of 5 why questions can be drawn"):
        Drill(case, 1)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ('ask = "why"\npick = 2\njob = 3', "job does not go with pick"),
        ('ask = "why"\npick = 2\nat = 3', "at does not go with pick"),
        ('ask = "why"\npick = 0', "expected a whole number from 1 to 100"),
        ('ask = "next_start"\nat = 3\ndifficulty = "low"', "difficulty goes with pick"),
        ('ask = "next_start"\npick = 1\nfrom = 9\nuntil = 3', "it is before from"),
        ('ask = "next_start"\npick = 1\ndifficulty = "mean"', "expected low, medium or high"),
    ],
)
def test_faults(tmp_path: Path, keys: str, text: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(lesson(tmp_path, keys))
    assert len(caught.value.faults) == 1 and text in str(caught.value)
