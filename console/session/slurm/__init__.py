"""The plan of a captured Slurm cluster: read a folder, plan the cycle that begins now, return rows."""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
