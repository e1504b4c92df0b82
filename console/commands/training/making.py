"""`shadowtime train new FOLDER --from LOG|CAPTURE`: a course and a shift out of real moments."""

from pathlib import Path

from shadowtime.console.commands.options import shipped_or
from shadowtime.console.commands.output import say
from shadowtime.console.commands.training.soundness import say_course, say_shift, spoken
from shadowtime.console.session.new_course.making import new_course


def make_course(folder: Path, source: str, anonymous: bool) -> None:
    """Write a course and a shift, and print what a check of them says.

    Raises ScenarioError, SessionError, OSError.
    """
    made = new_course(folder, Path(shipped_or(source)), spoken, anonymous)
    say_course(folder.name, made.course)
    if made.has_shift:
        say(f"{folder.name}/shift.toml: {say_shift('shift', made.shift)}")
    else:
        say(f"{folder.name}: no shift: {'; '.join(flaw.text for flaw in made.shift.flaws)}")
    say(f"shadowtime train {folder}")
    if made.has_shift:
        say(f"shadowtime train {folder}/shift.toml")
