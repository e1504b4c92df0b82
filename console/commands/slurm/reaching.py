"""How a cluster is reached: a folder, Slurm's commands here or elsewhere, or its REST interface."""

import functools
import re
import shlex
from typing import TYPE_CHECKING, Any

import attrs
import click

from shadowtime.console.commands.looks import Command, with_options
from shadowtime.console.widgets.slurm.dates import Dates

if TYPE_CHECKING:
    from shadowtime.console.session.slurm.capturing import ClusterSource, Reach

SHORTEST, USUAL, LATEST = 0.1, 30.0, 3600.0
"""Bounds of a time limit, and the one by default, in seconds."""
_CLUSTER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@attrs.frozen
class Way:
    """How a live cluster is reached, as the command line says it."""

    via: str | None
    cluster_name: str | None
    rest: str | None
    token_file: str | None
    timeout: float

    @property
    def given(self) -> dict[str, str | None]:
        """The options that only a live cluster has."""
        named = {"--via": self.via, "-M": self.cluster_name}
        return {**named, "--rest": self.rest, "--token-file": self.token_file}

    def reach(self) -> "Reach":
        """Return how it is asked. UsageError if options are at odds or broken; SessionError; OSError."""
        # Imported late: neither a scenario nor a folder is reached.
        from shadowtime.console.session.slurm.capturing import Rest, Runner, parse_address, read_token

        if self.rest is not None:
            for name in ("--via", "-M"):
                if self.given[name] is not None:
                    raise click.UsageError(f"{name} is for Slurm's commands; --rest is another way")
            return Rest(parse_address(self.rest), read_token(self.token_file), self.timeout)
        if self.token_file is not None:
            raise click.UsageError("--token-file is for a REST interface; expected --rest URL with it")
        return Runner(self.timeout, self._words(), cluster=self._name())

    def _words(self) -> tuple[str, ...]:
        via = self.via
        try:
            words = tuple(shlex.split(via or ""))
        except ValueError as error:
            raise click.UsageError(f"--via {via!r} is no command: {str(error).lower()}") from None
        if via is not None and not words:
            raise click.UsageError("--via is empty; expected a command such as 'ssh login'")
        return words

    def _name(self) -> str:
        """The name of the cluster; several of them, or `all`, are refused: each has a plan of its own."""
        name = self.cluster_name
        if name is not None and (not _CLUSTER.fullmatch(name) or name.lower() == "all"):
            raise click.UsageError(f"-M {name!r} is no name of a cluster; expected one name")
        return name or ""


def reach_options(command: Command) -> Command:
    """Add the options that say how a live cluster is reached; the command is called with them as `way`."""

    @functools.wraps(command)
    def reached(**others: Any) -> None:
        way = Way(**{field.name: others.pop(field.name) for field in attrs.fields(Way)})
        command(way=way, **others)

    return with_options(
        reached,
        click.option("--via", metavar="COMMAND", help="Run Slurm's commands through this one: 'ssh login'."),
        click.option(
            "-M", "--clusters", "cluster_name", metavar="NAME", help="Of the cluster that slurmdbd knows so."
        ),
        click.option(
            "--rest", metavar="URL", help="Over Slurm's REST interface, not its commands: https://HOST:6820."
        ),
        click.option(
            "--token-file", metavar="FILE", help="With --rest: the token, if it is not in SLURM_JWT."
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(SHORTEST, LATEST),
            default=USUAL,
            show_default=True,
            metavar="SECONDS",
            help="Seconds that each of Slurm's commands, or each request, may take.",
        ),
    )


@attrs.frozen
class Reached:
    """A cluster as the command line names it."""

    source: "ClusterSource"
    dates: Dates
    every: float | None
    """Seconds between two captures; None: one capture."""
    ledger: bool
    """Whether live forecasts are kept."""
