"""Whether the console was ever open before, as a file in the user's folder of states keeps it."""

from pathlib import Path

import attrs

from shadowtime.console.session.files.recent import place as recent_place
from shadowtime.console.session.files.writers import written_whole


def place() -> Path:
    """Return where that is kept."""
    return recent_place().with_name("greeted")


@attrs.frozen
class FirstStart:
    """The file that is there once somebody has been greeted."""

    path: Path

    @property
    def ahead(self) -> bool:
        """Whether nobody was greeted yet."""
        try:
            return not self.path.exists()
        except OSError:
            return False

    def over(self) -> None:
        """Keep that somebody was greeted; where nothing can be written, the next start greets again."""
        try:
            with written_whole(self.path, private=True, folders=True):
                pass
        except (OSError, ValueError):
            return
