from shadowtime.console.session.operator.saving import save_place as save_place
from shadowtime.console.session.slurm.expectations import check_plan as check_plan
from shadowtime.console.session.slurm.forecasting import Forecast as Forecast
from shadowtime.console.session.slurm.forecasting import ForecastRow as ForecastRow
from shadowtime.console.session.slurm.forecasting import forecast as forecast
from shadowtime.console.session.slurm.forecasting import forecast_of as forecast_of
from shadowtime.console.session.slurm.guard.beside import Beside as Beside
from shadowtime.console.session.slurm.queue import tasks_of as tasks_of
from shadowtime.console.session.slurm.writing import write_records as write_records
from shadowtime.console.session.slurm.writing import write_rows as write_rows
from shadowtime.console.session.slurm.zones import calendar as calendar
from shadowtime.console.session.slurm.zones import zone_of as zone_of
from shadowtime.kernels.slurm.over_time.moments import Happening as Happening
from shadowtime.kernels.slurm.over_time.moments import Moment as Moment
from shadowtime.kernels.slurm.over_time.moments import PassKind as PassKind
from shadowtime.kernels.slurm.over_time.moments import Started as Started
from shadowtime.kernels.slurm.records import Measure as Measure
from shadowtime.scenarios.files import is_folder as is_folder
from shadowtime.scenarios.slurm import Capture as Capture
from shadowtime.scenarios.slurm import Job as Job
from shadowtime.scenarios.slurm import format_hosts as format_hosts
from shadowtime.scenarios.slurm import read_capture as read_capture
from shadowtime.scenarios.slurm.changes import VERBS as VERBS

__all__: list[str]
from shadowtime.scenarios.slurm.priorities import Factor as Factor
