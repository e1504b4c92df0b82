"""What is typed behind `impact` and `advise`, as the work that answers it."""

import re

from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.advice import AdviceWork
from shadowtime.console.session.impact.impact import ImpactWork
from shadowtime.console.session.impact.outlook import Outlook

ADVISE = re.compile(r"(?:(?P<job>\d+)(?:\s+by)?|by)?\s*(?P<by>.*)")


def impact_work(outlook: Outlook, rest: str) -> ImpactWork:
    """Return the work of a typed `impact`; several actions have `;` between them. SessionError."""
    actions = [text.strip() for text in rest.split(";") if text.strip()]
    if not actions:
        raise SessionError("the impact of what? expected an action, as in impact hold 31")
    return ImpactWork(outlook, actions)


def advice_work(outlook: Outlook, rest: str, chosen: int | None = None) -> AdviceWork:
    """Return the work of a typed `advise`: `[JOB] [by TIME]`. SessionError.

    `chosen` (an id) is the job if none is named; without a deadline it is to start now.
    """
    found = ADVISE.fullmatch(rest.strip())
    assert found is not None
    job = chosen if found["job"] is None else int(found["job"])
    if job is None:
        raise SessionError("advice for which job? expected a waiting job, as in advise 31 by +2h")
    return AdviceWork(outlook, job, found["by"])
