"""Decisions that a seed draws: one action helps, somebody pays, and the same seed draws them again."""

from contextlib import suppress
from pathlib import Path

import pytest

from shadowtime.console.session import SessionError, load
from shadowtime.console.session.training import answers_of, lessons_of, read_course
from shadowtime.console.session.training.drawing import questions_of
from shadowtime.scenarios import Question, ScenarioError, course_folders
from shadowtime.scenarios.values import QUESTION_FIELDS
from tests.scenarios.slurm.support import files, job, write
from tests.session.training.test_answers import scenario

DECISIONS = ("remedy", "delayed", "sooner", "put_off")
COURSES = [read_course(folder) for folder in course_folders()]
(DECIDING,) = (course for course in COURSES if course.name == "deciding")


def test_eighty_questions_of_a_sheet_ask_for_a_decision() -> None:
    """Counted over the tables of all shipped courses; a table that draws counts what it draws."""
    tables = [it for course in COURSES for path in course.lessons for it in load(path).scenario.questions]
    assert sum(it.pick or 1 for it in tables if it.ask in DECISIONS or it.do) >= 80


@pytest.mark.parametrize("name", ["02-easy", "05-on-a-cluster"])
def test_what_is_drawn_can_be_decided(name: str) -> None:
    """Three choices or more, one of them right; seldom nobody pays; another seed draws other actions."""
    (path,) = (lesson.path for lesson in lessons_of(DECIDING) if lesson.name == name)
    case = load(path)
    made = answers_of(case, 4)
    assert all(len(it.offered) >= 3 and sum(it.holds(value) for value in it.offered) == 1 for it in made)
    assert all(set(it.question.among) >= set(it.offered) for it in made if it.question.among)
    paid = [it.right for it in made if it.question.do]
    assert paid and sum(right == (None,) for right in paid) <= len(paid) // 2
    again, other = questions_of(case, 4), questions_of(case, 5)
    assert again == tuple(it.question for it in made) != other


@pytest.mark.parametrize("key", ['do = "hold 2"', 'by = "1h"', 'among = ["hold 2", "hold 3"]'])
def test_a_seed_settles_the_action(tmp_path: Path, key: str) -> None:
    ask = "delayed" if key.startswith("do") else "remedy"
    assert key.split()[0] in QUESTION_FIELDS[ask].needs
    path = scenario(tmp_path)
    path.write_text(f'{path.read_text()}[[question]]\nask = "{ask}"\npick = 1\n{key}\n')
    with pytest.raises(ScenarioError, match="does not go with pick"):
        load(path)


def test_no_node_is_drained_where_all_are_down(tmp_path: Path) -> None:
    """What is left to do is to change the job."""
    cluster = files(42)
    cluster["squeue.json"]["jobs"] = [job(42, number) for number in range(2, 8)]
    for node in cluster["nodes.json"]["nodes"]:
        node["state"] = ["DOWN"]
    write(tmp_path / "here", cluster)
    path = tmp_path / "lesson.toml"
    path.write_text('title = "T"\nabout = "A"\ncluster = "here"\n[[question]]\nask = "put_off"\npick = 1\n')
    case, drawn = load(path), list[Question]()
    for seed in range(8):
        with suppress(SessionError):
            drawn += questions_of(case, seed)
    assert drawn and all(it.do.startswith("job ") for it in drawn)
