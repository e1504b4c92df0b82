"""The plan of a captured Slurm cluster: read a folder, plan the cycle that begins now, return rows."""

from console.session.slurm.expectations import check_plan
from console.session.slurm.forecast import Forecast, ForecastRow, forecast, forecast_of
from console.session.slurm.moments import Event, Happening, Moment
from console.session.slurm.over_time import Expected, OverTime
from console.session.slurm.summary import read_summary, summary
from console.session.slurm.writing import write_rows, zone_of
from scenarios.files import is_folder
from scenarios.slurm import Job, format_hosts

__all__ = [
    "Event",
    "Expected",
    "Forecast",
    "ForecastRow",
    "Happening",
    "Job",
    "Moment",
    "OverTime",
    "check_plan",
    "forecast",
    "forecast_of",
    "format_hosts",
    "is_folder",
    "read_summary",
    "summary",
    "write_rows",
    "zone_of",
]
