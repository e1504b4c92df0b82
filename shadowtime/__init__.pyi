from shadowtime.console.session import Case as Case
from shadowtime.console.session import Comparison as Comparison
from shadowtime.console.session import PolicyError as PolicyError
from shadowtime.console.session import ScenarioError as ScenarioError
from shadowtime.console.session import Session as Session
from shadowtime.console.session import SessionError as SessionError
from shadowtime.console.session import load as load
from shadowtime.console.session.files.tidy import Table as Table
from shadowtime.console.session.lab.tables import Study as Study
from shadowtime.console.session.slurm import Forecast as Forecast
from shadowtime.console.widgets.study.chart import Chart as Chart
from shadowtime.face import chart as chart
from shadowtime.face import compare as compare
from shadowtime.face import expected_starts as expected_starts
from shadowtime.face import export as export
from shadowtime.face import forecast as forecast
from shadowtime.face import jobs as jobs
from shadowtime.face import measures as measures
from shadowtime.face import open as open
from shadowtime.face import outcomes as outcomes
from shadowtime.face import run as run
from shadowtime.face import study as study
from shadowtime.face import why as why

__all__: list[str]
