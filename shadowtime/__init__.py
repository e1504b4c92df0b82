"""Step the schedule of a parallel machine forward and back, ask why a job waits, and forecast when it starts.

    import shadowtime

    session = shadowtime.open("mylog.swf.gz", policy="easy")
    session.go("50%")
    print(shadowtime.why(session, 31))

docs/python.md is the page of this package. What is not in `__all__` may change without notice. Everything is
loaded when it is first asked for: the import itself costs next to nothing.
"""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
