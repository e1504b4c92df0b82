"""Step the schedule of a parallel machine forward and back, ask why a job waits, and forecast when it starts.

    import shadowtime

    session = shadowtime.open("mylog.swf.gz", policy="easy")
    session.go("50%")
    print(shadowtime.why(session, 31))

docs/python.md is the page of this package. What is not in `__all__` may change without notice. Everything is
loaded when it is first asked for: the import itself costs next to nothing.
"""

from importlib import import_module

# typing itself would take most of the time of this import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from shadowtime.console.session import Case as Case
    from shadowtime.console.session import Comparison as Comparison
    from shadowtime.console.session import PolicyError as PolicyError
    from shadowtime.console.session import ScenarioError as ScenarioError
    from shadowtime.console.session import Session as Session
    from shadowtime.console.session import SessionError as SessionError
    from shadowtime.console.session import load as load
    from shadowtime.console.session.slurm import Forecast as Forecast
    from shadowtime.face import compare as compare
    from shadowtime.face import expected_starts as expected_starts
    from shadowtime.face import export as export
    from shadowtime.face import forecast as forecast
    from shadowtime.face import open as open
    from shadowtime.face import run as run
    from shadowtime.face import why as why

_SESSION = ("Case", "Comparison", "PolicyError", "ScenarioError", "Session", "SessionError", "load")
_FACE = ("compare", "expected_starts", "export", "forecast", "open", "run", "why")

__all__ = [*_SESSION, "Forecast", *_FACE]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "face" if name in _FACE else "console.session.slurm" if name == "Forecast" else "console.session"
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
