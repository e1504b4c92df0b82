"""Questions about odds: against the samples themselves, a run with the other request, and what rows show."""

from pathlib import Path

import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.facts import Row
from shadowtime.console.session.training import Answer, Read, UnanswerableError, answer, answers_of
from shadowtime.console.session.training.questions.odds import requesting
from shadowtime.kernels.likely.odds import Odds
from shadowtime.scenarios import Question, course_folders
from tests.session.training.test_readings import checked

COURSE = next(folder for folder in course_folders() if folder.name == "odds")
ANSWERS, HOW, ASK, ONE = (load(path) for path in sorted(COURSE.glob("0*.toml")))
AT, JOB = 68245, 38


def standing(session: Session, at: int) -> Session:
    session.go_time(at)
    return session


def rows(session: Session) -> dict[int, Row]:
    """The waiting jobs where a session stands, with their odds."""
    session.predict()
    work = session.forecasts.start_likely()
    work.run()
    session.forecasts.take_likely(work)
    waiting = session.snapshot().waiting
    return {row.id: row for row in session.rows(waiting, 0, len(waiting))}


def asked(session: Session, ask: str, job: int | None = None, **more: str | tuple[str, ...]) -> Answer:
    return checked(answer(session, Question(session.time, ask, job, **more)))  # type: ignore[arg-type]


def numbers(made: Answer, code: str) -> list[Read]:
    return [part for part in made.because if isinstance(part, Read) and part.code == code]


def test_a_likely_start_is_the_middle_of_the_samples() -> None:
    """Too few forecasts are settled for a calibration: the samples count as they are."""
    session = standing(Session(ANSWERS), AT)
    simulation = session.fork_simulation()
    drawn = Odds(simulation).starts(simulation, [ANSWERS.index_of(JOB)], seed=1, samples=100)
    ordered = sorted(drawn)
    wanted = {"early": ordered[9:11], "likely": ordered[49:51], "late": ordered[89:91]}
    for odds, two in wanted.items():
        assert asked(session, "likely_start", JOB, odds=odds).right == (round(sum(two) / 2),)


def test_the_least_certain_start_has_the_longest_odds() -> None:
    session = standing(Session(HOW), 75028)
    widths = {}
    for id_, row in rows(session).items():
        assert row.likely is not None and row.likely.late is not None and row.likely.early is not None
        widths[id_] = row.likely.late - row.likely.early
    made = asked(session, "least_certain")
    assert made.right == (max(widths, key=widths.__getitem__),)
    assert numbers(made, "odds_start")[0].numbers["length"] == max(widths.values())


def test_starts_at_the_limits_are_counted_by_what_the_rows_showed() -> None:
    """Of the forecasts of the last 64 submissions those that came by the expected start of their moment."""
    session, columns = standing(Session(ANSWERS), 89000), ANSWERS.columns
    started, there = session.fork_simulation(), Session(ANSWERS)
    came = settled = 0
    for at in sorted({at for at in columns.submit if at < 89000}):
        for id_, row in rows(standing(there, at)).items():
            start = started.start_of(ANSWERS.index_of(id_))
            if row.likely is not None and start is not None and start <= 89000:
                settled += 1
                came += row.predicted is not None and start <= row.predicted.time
    made = asked(session, "record", odds="limits")
    assert numbers(made, "odds_record")[0].numbers == {
        "odds": "limits", "count": came, "of": settled, "tenths": round(10 * came / settled),
    }  # fmt: skip
    assert made.right == (round(10 * came / settled),) and settled > 50


def test_a_count_of_those_in_between_is_that_of_the_two_ends() -> None:
    session = standing(Session(ONE), 123800)
    count = {
        odds: int(numbers(asked(session, "record", odds=odds), "odds_record")[0].numbers["count"])
        for odds in ("early", "likely", "late", "held")
    }
    assert 0 < count["early"] < count["likely"] < count["late"]
    # A start at the early instant itself is counted in both.
    assert 0 <= count["held"] - (count["late"] - count["early"]) <= count["early"]


def test_the_likely_first_is_first_in_clear_odds_alone() -> None:
    """Nine in ten of its starts lie before nine in ten of those of each other job, or it is not asked."""
    session = standing(Session(ASK), 62003)
    made, likely = asked(session, "likely_first"), {job: row.likely for job, row in rows(session).items()}
    (first,) = made.right
    odds = likely.pop(first)  # type: ignore[arg-type]
    assert odds is not None and odds.late is not None and odds.late > session.time
    early = [it.early for it in likely.values() if it is not None and it.early is not None]
    assert len(early) >= 3 and odds.late <= min(early)
    with pytest.raises(UnanswerableError):
        asked(standing(Session(ASK), 75028), "likely_first")


@pytest.mark.parametrize(("job", "place"), [(46, "after_late"), (49, "before_early")])
def test_where_a_start_lies_is_seen_from_the_odds_of_its_submission(job: int, place: str) -> None:
    start, submit = None, ONE.columns.submit[ONE.index_of(job)]
    session = standing(Session(ONE), 110000)
    start = session.fork_simulation().start_of(ONE.index_of(job))
    likely = rows(standing(Session(ONE), submit))[job].likely
    assert start is not None and likely is not None and likely.early is not None and likely.late is not None
    assert (start < likely.early, start > likely.late) == (place == "before_early", place == "after_late")
    assert asked(session, "as_forecast", job).right == (place,)


def test_a_request_has_the_odds_of_a_file_with_that_request(tmp_path: Path) -> None:
    """The jobs one by one in a file, one of them changed: the odds there are those of the explanation."""
    columns, number = ASK.columns, 40
    made = next(it for it in answers_of(ASK) if it.question.job == number)
    text = '[machine]\nnodes = 64\n\n[policy]\nname = "easy"\n'
    for row, id_ in enumerate(columns.id):
        limit = 1800 if id_ == number else columns.estimate[row]
        text += f'\n[[job]]\nid = {id_}\nsubmit = {columns.submit[row]}\nuser = "{columns.user[row]}"\n'
        text += (
            f"runtime = {min(columns.runtime[row], limit)}\nestimate = {limit}\nsize = {columns.size[row]}\n"
        )
    path = tmp_path / "asked.toml"
    path.write_text(f'title = "Asked"\n{text}')
    there = Session(load(path))
    there.go_time(made.time)
    there.go_event(there.number - 1)
    likely = rows(there)[number].likely
    facts = {part.numbers["do"]: part.numbers for part in numbers(made, "odds_request")}
    assert likely is not None and made.right == ("limit=30m",)
    assert (likely.likely, likely.late) == (facts["limit=30m"]["likely"], facts["limit=30m"]["late"])
    assert int(facts["limit=30m"]["likely"]) < int(facts[""]["likely"])


@pytest.mark.parametrize(
    ("at", "question"),
    [
        (1000, Question(1000, "likely_start", 1, odds="late")),
        (AT, Question(AT, "likely_start", 34, odds="late")),
        (AT, Question(AT, "as_forecast", 38)),
        (AT, Question(AT, "request", 38, among=("size=1", "limit=1h"))),
        (63220, Question(63220, "request", 38, among=("size=1", "nodes=3"))),
        (1000, Question(1000, "record", odds="late")),
        (1000, Question(1000, "least_certain")),
    ],
    ids=lambda it: it.ask if isinstance(it, Question) else "",
)
def test_without_odds_there_is_no_answer(at: int, question: Question) -> None:
    with pytest.raises(UnanswerableError):
        answer(standing(Session(ANSWERS), at), question)


@pytest.mark.parametrize("text", ["nodes=3", "size", "size=65", "limit=0", "size=x"])
def test_what_cannot_be_asked_for_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        requesting(ASK, 1, text)
