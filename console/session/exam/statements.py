"""Results of exams as statements of the Experience API (xAPI 1.0.3), one JSON object a line.

An answer has no instant of its own in a result file: its timestamp is the begin of the exam plus the seconds
of all answers up to it. The id of a statement follows from what it states, so that a second import of a file
changes nothing.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from uuid import NAMESPACE_URL, uuid5

from shadowtime.console.session.exam.paper import Given, Paper
from shadowtime.console.session.training import POINTS
from shadowtime.console.session.training.drill import RIGHT, SKIPPED

HOME = "http://localhost"
"""The home of accounts: result files name accounts of a machine, and no place of theirs."""
ADL, TINCAN = "http://adlnet.gov/expapi", "http://id.tincanapi.com"
VERBS = {
    "answered": f"{ADL}/verbs/answered",
    "skipped": f"{TINCAN}/verb/skipped",
    "completed": f"{ADL}/verbs/completed",
}


def statements(papers: Sequence[Paper]) -> Iterator[str]:
    """Yield a statement for each answer, and one for each exam that was handed in."""
    for paper in papers:
        begun = paper.begins
        spent = list(accumulate((it.seconds for it in paper.answers), initial=0))
        for given, seconds in zip(paper.answers, spent[1:], strict=True):
            yield _written(paper, _answered(paper, given), begun + timedelta(seconds=seconds))
        if paper.ended:
            yield _written(paper, _completed(paper, spent[-1]), begun + timedelta(seconds=spent[-1]))


def _answered(paper: Paper, given: Given) -> dict[str, object]:
    result: dict[str, object] = {"duration": f"PT{given.seconds}S"}
    if given.verdict != SKIPPED:
        result |= {
            "success": given.verdict == RIGHT,
            "response": given.value or given.given,
            "score": _score(given.points, POINTS),
        }
    name = f"{given.lesson}, question {given.question}: {given.ask}"
    return {
        "verb": _verb("skipped" if given.verdict == SKIPPED else "answered"),
        "object": _activity(
            f"{_course(paper)}:{paper.seed}:{given.lesson}:{given.question}", name, "question"
        ),
        "result": result,
    }


def _completed(paper: Paper, seconds: int) -> dict[str, object]:
    return {
        "verb": _verb("completed"),
        "object": _activity(_course(paper), paper.course, "assessment"),
        "result": {
            "completion": True,
            "score": _score(paper.points, POINTS * paper.questions),
            "duration": f"PT{seconds}S",
        },
    }


def _written(paper: Paper, stated: dict[str, object], at: datetime) -> str:
    exam = uuid5(NAMESPACE_URL, json.dumps(paper.key))
    values = {
        "actor": {"account": {"homePage": HOME, "name": paper.operator}},
        **stated,
        "timestamp": at.isoformat(),
        "context": {
            "registration": str(exam),
            "platform": "shadowtime",
            "contextActivities": {"parent": [{"objectType": "Activity", "id": _course(paper)}]},
        },
    }
    return json.dumps({"id": str(uuid5(exam, json.dumps(values))), **values})


def _course(paper: Paper) -> str:
    """The id of what was taken: a course, or a form of it."""
    return f"urn:shadowtime:course:{paper.digest}{paper.form and f':{paper.form}'}"


def _verb(name: str) -> dict[str, object]:
    return {"id": VERBS[name], "display": {"en": name}}


def _activity(name: str, title: str, kind: str) -> dict[str, object]:
    definition = {"name": {"en": title}, "type": f"{ADL}/activities/{kind}"}
    return {"objectType": "Activity", "id": name, "definition": definition}


def _score(points: int, most: int) -> dict[str, object]:
    return {"raw": points, "min": 0, "max": most, "scaled": round(points / most, 4) if most else 0}
