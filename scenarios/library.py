"""The scenario files that are shipped, and what a browser shows of a file before it is opened."""

from pathlib import Path

import attrs

from shadowtime.scenarios.clusters import CLUSTER_FILE, shipped_folder
from shadowtime.scenarios.errors import ScenarioError
from shadowtime.scenarios.reader import open_document

EXPERIMENTS = "experiments"
"""The folder beside the scenarios whose files say what is run to reproduce the papers: they are none."""
COURSE_FILE = "course.toml"
"""What makes a folder of scenario files a course."""


def scenario_files() -> list[Path]:
    """The shipped scenario files, by folder and name; the lessons of the courses come last."""
    shipped = shipped_folder()
    lessons = (path for path in shipped.glob("courses/*/*.toml") if path.name != COURSE_FILE)
    own = (path for path in shipped.glob("*/*.toml") if path.parent.name != EXPERIMENTS)
    return [*sorted(own), *sorted(lessons)]


def course_folders(own: Path | None = None) -> list[Path]:
    """The folders of the shipped courses, then those that lie in the folder `own`, each by name."""
    shipped = shipped_folder() / "courses"
    places = [shipped] if own is None else [shipped, own]
    return [path.parent for place in places for path in sorted(place.glob(f"*/{COURSE_FILE}"))]


@attrs.frozen
class Head:
    """What a scenario file, or a captured cluster, says of itself.

    `fault` is the first thing wrong with it as TOML, None where all is well.
    """

    path: Path
    title: str
    paper: str = ""
    about: str = ""
    fault: str | None = None
    questions: int = 0
    """How many questions it asks, with those that a seed draws."""
    drawn: bool = False
    """Whether a seed draws questions."""
    shift: str = ""
    """The kind of shift; empty if the file has no [shift]."""
    cluster: bool = False
    """Whether it is a captured cluster."""


def read_head(path: Path | str) -> Head:
    """The head of a scenario file, or of a captured cluster with a `cluster.toml`.

    Never raises; nothing but the texts is checked, and no log is read.
    """
    path = Path(path)
    cluster = (path / CLUSTER_FILE).is_file()
    try:
        values = open_document(path / CLUSTER_FILE if cluster else path).values
    except ScenarioError as error:
        return Head(path, path.stem, fault=str(error.faults[0]))
    texts = [values.get(key) for key in ("title", "paper", "about")]
    title, paper, about = (text.strip() if isinstance(text, str) else "" for text in texts)
    asked = values.get("question")
    picks = [it.get("pick") for it in asked if isinstance(it, dict)] if isinstance(asked, list) else []
    drawn = any(pick is not None for pick in picks)
    questions = sum(pick if isinstance(pick, int) else 1 for pick in picks)
    shift = values.get("shift")
    kind = shift.get("kind") if isinstance(shift, dict) else ""
    kind = kind if isinstance(kind, str) else ""
    return Head(path, title or path.stem, paper, about, None, questions, drawn, kind, cluster)
