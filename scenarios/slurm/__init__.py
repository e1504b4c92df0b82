"""Slurm clusters as its own commands describe them: a folder of their output, read into records."""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
