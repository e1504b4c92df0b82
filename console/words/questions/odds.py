"""Training: the words of the questions about odds (docs/forecast.md)."""

from collections.abc import Callable, Mapping

from shadowtime.console.clock import clock, duration
from shadowtime.console.session.training import Answer, Read, Value
from shadowtime.console.session.training.questions.odds import FOREVER
from shadowtime.console.words.phrases import NEVER
from shadowtime.console.words.questions.wording import Wording, among, instant, job, plain
from shadowtime.console.words.units import Unit

ASKED: Mapping[tuple[str, str], str] = {
    ("likely_start", "early"): "Before which instant does job {job} start in 1 of 10 cases only?",
    ("likely_start", "likely"): "When is job {job} likely to start: as often earlier as later?",
    ("likely_start", "late"): "By when has job {job} started in 9 of 10 cases?",
}
HAPPENED: Mapping[str, str] = {
    "held": 'came between their "1 in 10 before" and their "9 in 10 by"',
    "early": 'had come by their "1 in 10 before"',
    "likely": "had come by their likely start",
    "late": 'had come by their "9 in 10 by"',
    "limits": "had come by their expected start, which is that at the limits",
}
"""What became of starts that were forecast."""
PLACES: Mapping[str, str] = {
    "before_early": 'earlier than its "1 in 10 before"',
    "before_likely": 'between its "1 in 10 before" and its likely start',
    "before_late": 'between its likely start and its "9 in 10 by"',
    "after_late": 'later than its "9 in 10 by"',
}
SHOWN: Mapping[str, str] = {
    "odds_start": "job {job}: 1 in 10 before {early}, likely {likely}, 9 in 10 by {late};"
    " {length} from the first to the last",
    "odds_open": "job {job}: likely {likely}, and it may never start",
    "odds_limits": "if every job ran to its limit and nobody came, job {job} would start at {start}",
    "odds_habit": "{user}: {jobs} jobs have ended; they took {least} to {most} % of their limits,"
    " half of them {half} % or less",
    "odds_ahead": "running jobs: {runs}, jobs that wait before job {job}: {waits}; nobody knows when they"
    " end, and each end may move its start",
    "odds_record": "of {of} starts that were forecast {count} {odds}: about {tenths} of 10",
    "odds_came": "job {job} started at {start}; the odds were: 1 in 10 before {early}, likely {likely},"
    " 9 in 10 by {late}",
    "odds_before_early": "1 start of 10 comes so early",
    "odds_before_likely": "4 starts of 10 come between the two",
    "odds_before_late": "4 starts of 10 come between the two",
    "odds_after_late": "1 start of 10 comes so late: one such start is no fault of the forecast, 3 of 10 over"
    " many starts would be one",
    "odds_room": "{free} {units} are free; job {job} asks for {size} and for {length}",
    "odds_request": "job {job} {do}: likely {likely}, 9 in 10 by {late}",
}
FORECAST = "{instant}, the odds were: 1 in 10 before {early}, likely {likely}, 9 in 10 by {late}"
INSTANTS = ("early", "likely", "late", "start", "instant")
MISTAKES: Mapping[str, str] = {
    "is_early": "only 1 start of 10 comes before {at}",
    "is_likely": "{at} is the likely start of job {job}: as often it starts earlier as later",
    "is_late": "by {at} job {job} has started in 9 of 10 cases",
    "is_at_limits": "{at} is the start of job {job} if every job runs to its limit, which most do not",
    "odds_of_another": "{at} is what the odds say of job {job}",
    "odds_of_head": "job {job} is the first of the queue: fewest ends lie before its start",
    "odds_of_last": "the likely start of job {job} is the latest, but a late start need not be the least"
    " certain",
    "odds_of_largest": "job {job} is the largest that waits, but its size alone does not make it uncertain",
    "narrower_odds": 'from its "1 in 10 before" to its "9 in 10 by" job {job} has less time than another',
    "smallest_by_odds": "job {job} is the smallest other, but starts before {at} in 1 of 10 cases only",
    "head_by_odds": "job {job} is the first of the queue, but starts before {at} in 1 of 10 cases only",
    "later_by_odds": "job {job} starts before {at} in 1 of 10 cases only",
    "never_certain": "not all did: odds of 9 in 10 are no promise",
    "counted_others": "that is about how many of 10 did not",
    "half_is_likely": "half is what the likely start stands for",
    "some_did": "some did",
    "counted_wrong": "the earlier forecasts came out otherwise",
    "came_later": "job {job} started at {at}, and that is later",
    "came_earlier": "job {job} started at {at}, and that is earlier",
    "no_sooner_by_odds": "with it the likely start of job {job} is no earlier than as it stands",
    "less_by_odds": "with it job {job} is likely to start earlier than as it stands, but another request"
    " does more",
}


def _tenths(value: Value, unit: Unit) -> str:
    return {0: "none", 10: "all"}.get(value, f"{value} of 10") if isinstance(value, int) else NEVER


WORDINGS: Mapping[str, Wording] = {
    "likely_start": Wording(
        "{odds}",
        "Panel 4 has the odds of the selected job, and so has its page.",
        instant,
    ),
    "least_certain": Wording(
        'Which waiting job has the least certain start: the longest time from "1 in 10 before" to "9 in 10'
        ' by"?',
        "Panel 4 has the odds of the selected job: where are the first and the last instant far apart?",
        job,
    ),
    "likely_first": Wording(
        "Which waiting job is likely to start first: before the others in 8 of 10 cases or more?",
        "Which job needs the fewest ends before it? Most jobs end before their limits: think of the ends that"
        " come early, and of who may pass the head.",
        job,
    ),
    "record": Wording(
        "Of ten starts that were forecast in this run, about how many {odds}?",
        'By "9 in 10 by" all but one of ten have started, by the likely start half of them.',
        _tenths,
    ),
    "as_forecast": Wording(
        "When job {job} came, at {odds}. Where does its start lie among them?",
        "Panel 2 has the start of a job that runs: compare it with the three instants.",
        among(PLACES),
    ),
    "request": Wording(
        "Suppose that its user asks for something else. With which request is job {job} likely to start"
        " earliest?",
        "Which request fits into what is free now, or into the time before a larger job starts?",
        plain,
    ),
}


def asked(answer: Answer) -> str:
    """Return what a question about odds asks for; empty for any other question."""
    question, part = answer.question, next(iter(answer.because), None)
    if question.ask == "as_forecast" and isinstance(part, Read):
        return FORECAST.format(**_instants(part, clock))
    return ASKED.get((question.ask, question.odds), HAPPENED.get(question.odds, ""))


def because(part: Read, unit: Unit) -> str:
    numbers: dict[str, object] = {**part.numbers, **_instants(part, unit.instant)}
    if isinstance(length := part.numbers.get("length"), int):
        numbers["length"] = duration(length)
    numbers["odds"] = HAPPENED.get(str(part.numbers.get("odds")), "")
    do = part.numbers.get("do")
    numbers["do"] = f"with {do}" if do else "as it stands"
    return SHOWN[part.code].format(job=part.job, units=unit.several, **numbers)


def _instants(part: Read, written: Callable[[int], str]) -> dict[str, str]:
    found = {name: at for name, at in part.numbers.items() if name in INSTANTS and isinstance(at, int)}
    return {name: written(at) if at < FOREVER else NEVER for name, at in found.items()}
