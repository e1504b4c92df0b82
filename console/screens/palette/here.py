"""What the palette finds in the open session: its jobs, its nodes and its users."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.palette.entries import PaletteEntry
from shadowtime.console.session import SessionError

MOST = 8
"""Jobs and users of one kind that are offered at once."""
FOUND = 9.0
"""What a number is worth that names a job."""


class Here:
    """Jobs, nodes and users of a console, by what is typed."""

    def __init__(self, screen: ConsoleScreen) -> None:
        self._screen = screen
        self._users: tuple[str, ...] | None = None

    def entries(self, query: str) -> Iterator[PaletteEntry]:
        """Yield what the last word may name."""
        kind, _, word = query.strip().rpartition(" ")
        word = word.removeprefix("#")
        kind = kind.strip().lower()
        if word.isascii() and word.isdigit():
            if kind in ("", "job"):
                yield from self._jobs(word)
            if kind in ("", "node", "processor"):
                yield from self._nodes(int(word))
        if word and kind in ("", "user", "jobs of user"):
            yield from self._of_users(word)

    def _jobs(self, digits: str) -> Iterator[PaletteEntry]:
        desk, command = self._screen.desk, self._screen.command
        try:
            exact = [desk.session.index_of(int(digits))]
        except SessionError:
            exact = []
        ids = desk.case.columns.id
        begun = (index for index in desk.snapshot.everybody if str(ids[index]).startswith(digits))
        for index in dict.fromkeys((*exact, *islice(begun, MOST))):
            job = ids[index]
            size = desk.unit.sized(desk.case.columns.size[index])
            yield PaletteEntry(
                f"Job {job}",
                f"select it: {size}   :job {job}",
                partial(command, f"job {job}"),
                FOUND + (index in exact),
            )
        for index in exact:
            job = ids[index]
            yield PaletteEntry(
                f"Job {job}: why",
                f"why it waits or started   :why {job}",
                partial(command, f"why {job}"),
                FOUND,
            )
            yield PaletteEntry(
                f"Job {job}: go to its start",
                f"go there   :g {job} start",
                partial(command, f"goto {job} start"),
                FOUND,
            )

    def _nodes(self, node: int) -> Iterator[PaletteEntry]:
        picture = self._screen.picture
        if node < picture.nodes:
            name = self._screen.desk.unit.fill("{unit}")
            yield PaletteEntry(
                f"{name[:1].upper()}{name[1:]} {node}",
                "show it on the node map   1, then arrows",
                partial(picture.point, node),
                FOUND - 1,
            )

    def _of_users(self, word: str) -> Iterator[PaletteEntry]:
        if self._users is None:
            self._users = tuple(sorted(set(self._screen.desk.case.columns.user) - {""}))
        wanted = word.lower()
        matching = (user for user in self._users if user.lower().startswith(wanted))
        for user in islice(matching, MOST):
            yield PaletteEntry(
                f"Jobs of user {user}",
                f"filter the queue   :filter user:{user}",
                partial(self._screen.command, f"filter user:{user}"),
            )
