"""Training: drills whose answers are computed at their moment, courses of them, and what was earned."""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
