"""The plan of a captured Slurm cluster: read a folder, plan the cycle that begins now, return rows."""

from console.session.slurm.forecast import Forecast, ForecastRow, forecast, forecast_of
from console.session.slurm.writing import write_rows, zone_of

__all__ = ["Forecast", "ForecastRow", "forecast", "forecast_of", "write_rows", "zone_of"]
