"""Which generation of Slurm wrote a file: `meta` names the plugin that wrote the JSON, and the release."""

import re

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.fields import Record

OLDEST, NEWEST = 38, 45
"""The generations of the JSON that are known: v0.0.38 of Slurm 22.05 to v0.0.45 of 26.05."""
MEASURED = ("22.05", "24.11", "26.05")
"""The releases whose decisions are known from recorded plans."""
_PARSER = re.compile(r"v0\.0\.(\d{1,4})", re.ASCII)
_RELEASE = re.compile(r"(\d{2})\.(\d{1,2})\b.*", re.ASCII)


@attrs.frozen
class Generation:
    """The generation of the JSON, `parser`, and the release of Slurm that wrote it."""

    parser: int
    """45 for v0.0.45."""
    release: str

    rules: str = attrs.field(init=False, eq=False)
    """The newest measured release that is not newer than this one: `22.05`, `24.11` or `26.05`."""

    @rules.default
    def _rules(self) -> str:
        found = _RELEASE.fullmatch(self.release)
        assert found is not None
        here = f"{found[1]}.{int(found[2]):02d}"
        return max(version for version in MEASURED if version <= here)


def read_generation(top: Record) -> Generation:
    """Return the generation of a JSON file. CaptureError if `meta` names none, or one that is unknown."""
    top.require(["meta"])
    meta = top.record("meta")
    # 23.02's commands write `plugins`, all others and its REST interface `plugin`.
    plugin = meta.record("plugins" if "plugins" in meta.values else "plugin")
    field = "data_parser" if plugin.text("data_parser") or not plugin.text("type") else "type"
    name = plugin.text(field)
    found = _PARSER.search(name)
    if found is None:
        raise plugin.error(field, name, "one such as data_parser/v0.0.42")
    if not OLDEST <= int(found[1]) <= NEWEST:
        raise plugin.error(field, name, f"v0.0.{OLDEST} to v0.0.{NEWEST}")
    slurm = meta.record("slurm" if "slurm" in meta.values else "Slurm")
    return Generation(int(found[1]), check_release(slurm, "release"))


def check_release(slurm: Record, name: str) -> str:
    """Return the release in a field, 22.05 or later. CaptureError for another."""
    release = slurm.text(name)
    found = _RELEASE.fullmatch(release)
    if found is None or (int(found[1]), int(found[2])) < (22, 5):
        raise slurm.error(name, release, "22.05 or a later release of Slurm")
    return release


def refuse_errors(top: Record, content: str) -> None:
    """CaptureError if Slurm wrote errors, as it does when it cannot be reached, or if there is no content.

    The content beside an error may be empty, or a part. Warnings are no errors.
    """
    for error in top.records("errors"):
        words = error.text("description") or error.text("error")
        raise top.fault("errors", f"Slurm reports {shown(words)}")
    top.require([content])
