"""Work for a thread of its own, which can be broken off from any other."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from shadowtime.console.session.errors import SessionError, failure
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.kernels.policies import PolicyError

Found = TypeVar("Found", covariant=True)
Halt = Callable[[], bool]
"""Whether the work is to be broken off."""
PIECE = 8192
"""Events between two looks at whether the work has been broken off: some milliseconds."""


class Broken(Exception):
    """The work was broken off."""


def check(halt: Halt) -> None:
    """Raise Broken if the work is to be broken off."""
    if halt():
        raise Broken


def never() -> bool:
    """Break nothing off: a `Halt`."""
    return False


class Cancellable:
    """What stops soon after `cancel`, which may be called in any thread: at the end of its present piece."""

    _cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether it is broken off."""
        return self._cancelled

    def cancel(self) -> None:
        self._cancelled = True


class Work(Cancellable, ABC, Generic[Found]):
    """Finds something. `run` and `cancel` may be called in any thread, one `run` at a time."""

    def run(self, progress: Progress | None = None) -> Found | None:
        """Return what was found; None if the work was broken off. SessionError: why nothing can be found."""
        try:
            return self._found(progress or no_progress)
        except Broken:
            return None
        except PolicyError as error:
            raise SessionError(failure(error)) from None

    @abstractmethod
    def _found(self, progress: Progress) -> Found:
        """Find it. Broken, SessionError, PolicyError."""

    def _halt(self) -> bool:
        return self._cancelled
