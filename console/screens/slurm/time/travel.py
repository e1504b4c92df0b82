"""Moving a stepped cluster: the parts of every console over its course."""

from collections.abc import Callable
from datetime import tzinfo

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.screens.travel.breakpoints import Breakpoints, Seeks
from shadowtime.console.screens.travel.jumps import FarSteps, Jumps
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.playing import Player
from shadowtime.console.screens.travel.view import Marks, TravelView
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.places import AtJob, parse_place
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.stepping.breakpoints import STOPS
from shadowtime.console.session.slurm.stepping.cluster import SteppedCluster
from shadowtime.console.words.moving import OF_CLUSTERS


class ClusterTravel:
    """The cluster of a board and how it is moved. What is shown is `course.stand`."""

    def __init__(
        self,
        view: TravelView,
        first: Board,
        zone: Callable[[], tzinfo | None],
        chosen: Callable[[], PlanRow | None],
    ) -> None:
        """`zone` gives the zone whose clock is typed, `chosen` the row under the cursor."""
        self._zone, self._chosen = zone, chosen
        self.course = SteppedCluster(first)
        self.marks, self.met = Marks(), set[int]()
        self.player = Player()
        self.jumps = Jumps(view, self)
        self.steps = FarSteps(self, self.jumps, OF_CLUSTERS, "start")
        self.play = self.jumps.play = Play(view, self.player, self.steps, lambda: self.busy, ends=OF_CLUSTERS)
        self.breakpoints = Breakpoints(view, self, self.jumps.set_out, STOPS)
        self.seeks = Seeks(
            self,
            self.jumps.set_out,
            unit=lambda: words.NODES,
            job_of=lambda worst: worst.job if isinstance(worst.job, str) else None,
        )

    def take(self, found: Board) -> None:
        """Stand at another capture; the breakpoints stay."""
        points = self.course.stops.points
        self.course = SteppedCluster(found)
        self.course.stops.points = points
        # Numbers of events name others from here on.
        self.marks, self.met = Marks(), set()

    @property
    def clock(self) -> Clock:
        return dated_clock(self._zone(), self.course.begin)

    @property
    def busy(self) -> bool:
        """Whether a journey is under way beside the keys."""
        return self.jumps.travel.busy

    @property
    def stepped(self) -> bool:
        """Whether what is shown is after the capture."""
        return self.course.stand.number > 0

    @property
    def chosen_job(self) -> str:
        """The job under the cursor; empty for none."""
        row = self._chosen()
        return "" if row is None else str(row.number)

    def select(self, place: AtJob) -> None:
        """The cursor of the plan stays: a job that starts leaves it."""

    def look(self) -> None:
        self.course.look()

    def check(self, text: str) -> None:
        """SessionError if a text is no place."""
        parse_place(text, self.clock, self.course.time)

    def stop(self) -> bool:
        """Stop playing and what is under way; return whether there was anything."""
        playing = self.player.playing
        self.play.pause()
        return self.jumps.travel.stop() or playing
