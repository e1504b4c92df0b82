"""Shifts: scheduling by hand and incidents, as files: what is done, what it is worth, and what it cost."""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
