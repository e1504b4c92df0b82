"""How instants of a cluster are written: by the calendar of a time zone, or as elapsed since the capture."""

from collections.abc import Callable

from shadowtime.console.clock import KINDS, zone_named
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures


class ClusterClock:
    """Shows and chooses the clock; `show` paints everything anew."""

    def __init__(
        self,
        captures: Captures,
        picture: ClusterPicture,
        show: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        self._captures, self._picture = captures, picture
        self._show, self._say = show, say

    def choose(self, kind: str) -> None:
        """Write instants otherwise; without a kind show how they are written. Unknown if there is none."""
        if kind:
            self._take(kind)
            self._show()
        at, dates = self._captures.board.now, self._picture.dates
        if self._picture.elapsed:
            self._say(f"instants are written as elapsed since the capture: {dates.whole(at)}")
        else:
            self._say(f"instants are those of {dates.zone_name(at) or 'this machine'}: {dates.whole(at)}")

    def turn(self) -> None:
        self.choose(KINDS[self._picture.elapsed])

    def _take(self, kind: str) -> None:
        if kind not in KINDS:
            try:
                self._picture.zone = zone_named(kind)
            except ValueError as error:
                raise Unknown(str(error)) from None
        self._picture.elapsed = kind == KINDS[0]
