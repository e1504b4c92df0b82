"""What the operator of a console may do: one value, made by the command line.

Whoever changes a run, or opens a file for the operator, asks it first. Looking is always allowed: steps,
jumps, filters, comparisons and what-ifs, which are runs beside this one.
"""

import attrs

READ_ONLY = "read-only"
"""What the title line shows of a console in which nothing can be done."""


@attrs.frozen
class Permissions:
    """Each answer is a refusal in one line, or empty if the operator may."""

    read_only: bool = False
    """Nothing can be acted on, saved or exported."""
    no_files: bool = False
    """No file is read or written from within the console."""

    @property
    def no_acting(self) -> str:
        """Why no job, no node and no policy can be acted on."""
        return f"{READ_ONLY}: nothing can be acted on" if self.read_only else ""

    @property
    def no_writing(self) -> str:
        if self.read_only:
            return f"{READ_ONLY}: nothing can be saved or exported"
        return f"no file can be written {NO_FILES}" if self.no_files else ""

    @property
    def no_reading(self) -> str:
        if self.read_only:
            return f"{READ_ONLY}: no other file can be opened"
        return f"no other file can be read {NO_FILES}" if self.no_files else ""

    @property
    def no_editing(self) -> str:
        """Why the scenario's file cannot be edited."""
        if self.read_only:
            return f"{READ_ONLY}: no file can be edited"
        return f"no file can be edited {NO_FILES}" if self.no_files else ""

    @property
    def no_training(self) -> str:
        """Why there is no training: an operator in training acts, and what is answered is kept."""
        return f"{READ_ONLY}: there is no training" if self.read_only else ""

    @property
    def unoffered(self) -> frozenset[str]:
        """Keys, by id, that are refused whatever is selected: the footer does not offer them."""
        if self.read_only:
            return frozenset(("act", "undo", "redo", "train", "edit", "read"))
        return frozenset(("edit", "read")) if self.no_files else frozenset()

    def marked(self, state: str) -> str:
        """The state that a title line shows, with a mark if nothing can be done."""
        return f"{READ_ONLY.upper()}  {state}" if self.read_only else state

    def arguments(self) -> list[str]:
        """The same as options of a command line."""
        return [*(["--read-only"] if self.read_only else []), *(["--no-files"] if self.no_files else [])]


NO_FILES = "from here (serve --allow-files allows it)"
ALL = Permissions()


def permissions_of(app: object) -> Permissions:
    found = getattr(app, "permissions", ALL)
    assert isinstance(found, Permissions)
    return found
