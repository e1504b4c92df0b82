"""The page of a job: keys to the instants at which its predicted start moved."""

from shadowtime.console.screens.pages.detail import JobDetail
from tests.console.operator import Operator, operate
from tests.session.build import case_of
from tests.session.impact.test_odds import BUSY


def test_keys_step_the_clock_to_the_changes_of_a_prediction() -> None:
    async def story(operator: Operator) -> None:
        session = operator.console.session
        waiting = [session.id_of(index) for index in session.snapshot().waiting]
        lives = {job: [made.event for made in session.forecasts.history_of(job).run()] for job in waiting}
        job, changes = max(lives.items(), key=lambda life: len(life[1]))
        assert len(changes) > 3
        operator.console.selection.select(session.index_of(job))
        await operator.press("enter")
        page = operator.app.screen
        assert isinstance(page, JobDetail)
        await operator.until(lambda: len(page._changes) >= len(changes))
        here = session.number
        await operator.press("P")
        assert session.number == max(event for event in changes if event < here)
        await operator.press("P")
        assert session.number < max(event for event in changes if event < here) and "here: " in page.text
        await operator.press("N", "N", "N", "N", "N", "N")
        assert session.number in (here, changes[-1])

    operate(story, case_of(BUSY), at="#600")
