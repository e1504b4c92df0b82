"""The options of `shadowtime train`, and which of them go together."""

import functools
from pathlib import Path
from typing import Any

import attrs
import click

from shadowtime.console.commands.looks import Command, with_options
from shadowtime.console.session import parse_duration
from shadowtime.console.session.exam.forms import FORMS, seed_of
from shadowtime.console.session.training import Seed

USES = {
    "new": "new FOLDER --from LOG|CAPTURE",
    "export": "export FOLDER --gift FILE, or export RESULT... --xapi FILE",
}
WRITES = {"--from": "new", "--gift": "export", "--xapi": "export"}
"""The options that write something, and the word that comes first with each."""


@attrs.frozen
class Wanted:
    """The options as they were given."""

    names: tuple[str, ...]
    """The folder of a course; with `collect`, result files."""
    answers: bool
    in_lines: bool
    listed: bool
    review: bool
    lecture: bool
    exam: bool
    collect: bool
    seed: int | None
    limit: str | None
    output: Path | None
    table: str | None
    operator: str | None
    form: str | None
    verified: Path | None
    force: bool
    source: str | None
    anonymous: bool
    gift: Path | None
    statements: Path | None
    station: bool

    @property
    def writes(self) -> str:
        """The option that writes something; empty if none does."""
        return next((mode for mode in self.modes if mode in WRITES), "")

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names behind the word of an option that writes."""
        return self.names[1:]

    @property
    def modes(self) -> tuple[str, ...]:
        """The options of which one may be given; --text goes with some of them."""
        given = {
            "--answers": self.answers,
            "--list": self.listed,
            "--review": self.review,
            "--lecture": self.lecture,
            "--exam": self.exam and not self.answers,
            "--collect": self.collect,
            "--csv": self.table is not None and not self.collect,
            "--from": self.source is not None,
            "--gift": self.gift is not None,
            "--xapi": self.statements is not None,
            "--verify": self.verified is not None,
            "--station": self.station,
            "--text": self.in_lines and not (self.exam or self.review),
        }
        return tuple(name for name, chosen in given.items() if chosen)

    @property
    def sheet_seed(self) -> Seed:
        """The seed of an answer sheet: with --exam that of the exam."""
        return seed_of(self.seed or 0, self.form or "") if self.exam else self.seed or 0

    @property
    def seconds(self) -> int:
        """The seconds of the time limit. Raises UsageError."""
        try:
            seconds = parse_duration(str(self.limit))
        except ValueError as error:
            raise click.UsageError(f"--time: {error}") from None
        if seconds < 1:
            raise click.UsageError("--time is 0; expected a length such as 20m")
        return seconds


_file = functools.partial(click.option, type=click.Path(path_type=Path))


def takes_wanted(command: Command) -> Command:
    """Give a command the names and options of training; it is called with `wanted`."""

    @functools.wraps(command)
    def with_wanted(looks: Any, **given: Any) -> None:
        command(looks=looks, wanted=Wanted(**given))

    return with_options(
        with_wanted,
        click.argument("names", metavar="[FOLDER|FILE|new FOLDER|export NAME...]", nargs=-1),
        click.option("--list", "listed", is_flag=True, help="Print the map of the courses."),
        click.option("--text", "in_lines", is_flag=True, help="Ask in lines, without a screen."),
        click.option("--review", is_flag=True, help="Ask again what was missed and is due."),
        click.option("--seed", type=click.IntRange(min=0), help="Settles choices and drawn questions."),
        click.option("--exam", is_flag=True, help="An exam of FOLDER; needs --seed, --time and -o."),
        click.option("--time", "limit", metavar="LENGTH", help="With --exam: the time limit, as in 20m."),
        _file("-o", "output", help="With --exam: the result file; with --verify: the certificate."),
        click.option("--collect", is_flag=True, help="Count result files of exams; needs --csv OUT."),
        click.option("--lecture", is_flag=True, help="Ask a class: large, read-only, with a count of hands."),
        click.option(
            "--answers",
            is_flag=True,
            help="Print every question with its answer; with --exam: those of an exam.",
        ),
        click.option(
            "--csv",
            "table",
            is_flag=False,
            flag_value="-",
            metavar="[FILE]",
            help="Print the answers of all operators as CSV; with --collect: write the tables to FILE.",
        ),
        click.option(
            "--operator",
            metavar="NAME",
            help="With --csv: only the answers of this operator; with --station: whom.",
        ),
        click.option("--from", "source", metavar="LOG|CAPTURE", help="With new FOLDER: what to make it of."),
        click.option("--anonymous", is_flag=True, help="With new FOLDER: number the users."),
        _file(
            "--gift", help="With export FOLDER: write the questions of a course as Moodle GIFT to this file."
        ),
        _file(
            "--xapi",
            "statements",
            help="With export RESULT...: write results of exams as xAPI statements to this file.",
        ),
        click.option(
            "--form",
            type=click.Choice(FORMS),
            help="With --exam: a half of the questions, for a test before a course and one after it.",
        ),
        _file(
            "--verify",
            "verified",
            help="Judge a result file anew, with -o write its certificate; or verify a certificate.",
        ),
        click.option(
            "--station",
            is_flag=True,
            help="The instructor's seat: watch the shift FILE of --operator, and let things happen in it.",
        ),
        click.option("--force", is_flag=True, help="Write over tables, exports and certificates."),
    )


def refuse_mistakes(wanted: Wanted) -> None:
    """Refuse options that do not go together. Raises UsageError."""
    modes, names = wanted.modes, wanted.names
    if len(modes) > 1:
        raise click.UsageError(f"{' and '.join(modes)} cannot both be given; expected one of them")
    if wanted.operator is not None and not wanted.station and (wanted.table is None or wanted.collect):
        raise click.UsageError("--operator goes with --csv and --station")
    if wanted.force and modes[:1] not in (("--collect",), ("--gift",), ("--xapi",), ("--verify",)):
        raise click.UsageError("--force goes with --collect, export and --verify")
    if wanted.answers and (wanted.limit is not None or wanted.output is not None):
        raise click.UsageError("--answers takes no --time and -o: it prints; expected > sheet.txt")
    kept = wanted.output is not None and wanted.verified is None
    if not wanted.exam and (wanted.limit is not None or kept):
        raise click.UsageError("--time and -o go with --exam")
    if not wanted.exam and wanted.form is not None:
        raise click.UsageError("--form goes with --exam")
    if modes[:1] == ("--exam",) and (wanted.limit is None or wanted.output is None):
        raise click.UsageError("--exam needs a time limit and a result file; expected --time 20m -o FILE")
    if modes and modes[0] in ("--exam", "--text", "--lecture") and not names:
        raise click.UsageError(f"{modes[0]} needs the folder of a course")
    if wanted.exam and wanted.seed is None:
        what = "--answers of an exam" if wanted.answers else "--exam"
        raise click.UsageError(f"{what} needs the seed of the exam; expected --seed N")
    if wanted.collect and (not names or wanted.table in (None, "-")):
        raise click.UsageError("--collect needs result files and a table; expected FILE... --csv OUT")
    if names and modes and modes[0] in ("--csv", "--review"):
        raise click.UsageError(f"{modes[0]} takes no folder")
    writes = wanted.writes
    if writes and (
        names[:1] != (WRITES[writes],) or len(names) < 2 or (writes != "--xapi" and len(names) > 2)
    ):
        raise click.UsageError(f"{writes} needs names; expected {USES[WRITES[writes]]}")
    if len(names) > 1 and not writes and names[0] in USES:
        raise click.UsageError(f"{names[0]} needs an option; expected {USES[names[0]]}")
    if wanted.anonymous and writes != "--from":
        raise click.UsageError(f"--anonymous goes with {USES['new']}")
    if wanted.seed is not None and writes == "--from":
        raise click.UsageError("new takes no --seed: a new course draws by the --seed with which it is taken")
    if len(names) > 1 and not wanted.collect and not writes:
        raise click.UsageError(f"{len(names)} folders are given; expected one")
