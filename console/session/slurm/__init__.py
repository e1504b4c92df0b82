"""The plan of a captured Slurm cluster: read a folder, plan the cycle that begins now, return rows."""

from shadowtime.console.session.slurm.expectations import check_plan
from shadowtime.console.session.slurm.forecast import Forecast, ForecastRow, forecast, forecast_of
from shadowtime.console.session.slurm.guard.beside import Beside
from shadowtime.console.session.slurm.moments import Event, Happening, Moment
from shadowtime.console.session.slurm.over_time import Expected, OverTime
from shadowtime.console.session.slurm.summary import read_summary, summary
from shadowtime.console.session.slurm.writing import calendar, write_records, write_rows, zone_of
from shadowtime.kernels.slurm import Measure
from shadowtime.scenarios.files import is_folder
from shadowtime.scenarios.slurm import Job, format_hosts

__all__ = [
    "Beside",
    "Event",
    "Expected",
    "Forecast",
    "ForecastRow",
    "Happening",
    "Job",
    "Measure",
    "Moment",
    "OverTime",
    "calendar",
    "check_plan",
    "forecast",
    "forecast_of",
    "format_hosts",
    "is_folder",
    "read_summary",
    "summary",
    "write_records",
    "write_rows",
    "zone_of",
]
