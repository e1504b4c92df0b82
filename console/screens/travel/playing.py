"""Playing: how many events are due, at which speed and in which direction. No clock, no screen."""

FASTEST = 2**20
SLOWEST = 1 / 8
FRAME = 1 / 30
"""Seconds between two pictures while playing."""


class Player:
    """The state of play. `x1` is one event a second."""

    def __init__(self, skips: bool = False) -> None:
        self.playing = False
        self.backwards = False
        self.speed = 1.0
        self.skips = skips
        """Whether steps pass over events of some kinds."""
        self._carried = 0.0

    def due(self, elapsed: float) -> int:
        """How many events to move after so many seconds; parts of an event are kept for the next time."""
        self._carried += elapsed * self.speed
        events = int(self._carried)
        self._carried -= events
        return events

    def toggle(self) -> None:
        """Play or pause. The first event comes at once."""
        self.playing = not self.playing
        self._carried = 1.0

    def turn(self) -> None:
        self.backwards = not self.backwards

    def set_speed(self, speed: float) -> None:
        """Play at a speed, in events a second, within the limits."""
        self.speed = float(min(FASTEST, max(SLOWEST, speed)))
        self._carried = min(self._carried, 1.0)

    @property
    def speed_shown(self) -> str:
        """`x8`, `x1/4`, `x2.5`."""
        if self.speed < 1 and (1 / self.speed).is_integer():
            return f"x1/{int(1 / self.speed)}"
        return f"x{int(self.speed):,}" if self.speed.is_integer() else f"x{self.speed:g}"

    @property
    def state_shown(self) -> str:
        """`|| PAUSED`, `>> PLAYING`, `<< PLAYING`; a pause that would play backwards says so.

        Steps that pass over events are shown too: `|| PAUSED skips`.
        """
        if self.playing:
            state = "<< PLAYING" if self.backwards else ">> PLAYING"
        else:
            state = "|| PAUSED <" if self.backwards else "|| PAUSED"
        return f"{state} skips" if self.skips else state
