"""The page of a job: keys to the instants at which its predicted start moved."""

from shadowtime.console.screens.pages.detail import JobDetail
from tests.console.operator import Operator, case, operate
from tests.session.build import case_of
from tests.session.impact.test_odds import BUSY


def test_keys_step_the_clock_to_the_changes_of_a_prediction() -> None:
    async def story(operator: Operator) -> None:
        session = operator.console.session
        waiting = [session.id_of(index) for index in session.snapshot().waiting]
        lives = {job: [made.event for made in session.forecasts.life_of(job).run()] for job in waiting}
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


def test_a_row_of_the_life_names_the_event_that_moved_it() -> None:
    """Each moment in the order of the page, with the jobs that began in its pass."""

    async def story(operator: Operator) -> None:
        operator.console.selection.select_job(3)
        await operator.press("enter")
        await operator.until(lambda: "#" in operator.text.partition("HOW ITS PREDICTED START MOVED")[2])
        below = operator.text.partition("HOW ITS PREDICTED START MOVED")[2]
        assert "#5 job 3 is submitted" in below or "#6 job 3 is submitted" in below

    operate(story, of=case(policy="fcfs"), at="#6")
