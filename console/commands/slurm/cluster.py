"""What `open` and `run` do with a captured folder, and with a live cluster, in the place of a scenario."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from shadowtime.console.commands.looks import with_options
from shadowtime.console.commands.options import LIVE, OF_CASES, debug_option, file_argument
from shadowtime.console.commands.output import say
from shadowtime.console.commands.slurm.reaching import Reached, Way, reach_options
from shadowtime.console.session import SessionError, parse_duration
from shadowtime.console.session.slurm import is_folder
from shadowtime.console.widgets.slurm.dates import Dates

if TYPE_CHECKING:
    from shadowtime.console.session.slurm.capturing import ClusterSource
    from shadowtime.console.session.slurm.parameters import Overrides

LATEST = 2**40
"""No instant is later, in seconds since 1970."""
SHORTEST = 1
"""Seconds between two captures, at least."""
Show = Callable[..., None]


def is_cluster(file: str) -> bool:
    """Whether the argument of a command names a cluster: the word `slurm`, or a folder."""
    return file == LIVE or is_folder(Path(file))


def or_cluster(show: Show, follows: bool = True) -> Callable[[Show], Show]:
    """Let a command that takes a scenario take a cluster, too: then `show` is called with `reached`.

    `--policy slurm` is a cluster, with parameters of its own if there are any behind the name. A captured
    folder with another option of a scenario, such as `--policy easy`, is a scenario (docs/slurm-cycle.md,
    section 16). Unless the command follows a live cluster, it has neither `--follow` nor a ledger.
    """

    def decorated(command: Show) -> Show:
        @_following(follows)
        @reach_options
        @click.option(
            "--now",
            type=click.IntRange(0, LATEST),
            metavar="EPOCH",
            help="Of a captured folder: its instant, in seconds since 1970, if it does not say it.",
        )
        @click.option("--timezone", metavar="ZONE", help="Of a cluster: write instants in this time zone.")
        @functools.wraps(command)
        def chosen(
            *,
            file: str,
            way: Way,
            timezone: str | None,
            now: int | None,
            follow: str | None = None,
            no_ledger: bool = True,
            **others: Any,
        ) -> None:
            overrides = _overrides(file, others)
            others_of_cases = any(others.get(name) for name in OF_CASES)
            simulated = file != LIVE and overrides is None and others_of_cases
            if simulated or not is_cluster(file):
                _refuse(file, {**way.given, "--follow": follow, "--timezone": timezone, "--now": now})
                command(file=file, **others)
                return
            # Imported late: a scenario needs none of it.
            from shadowtime.console.session.slurm import zone_of
            from shadowtime.console.session.slurm.capturing import Folder, Live

            for name in OF_CASES:
                if others.pop(name, None):
                    option = "set" if name == "settings" else name
                    raise click.UsageError(f"{file} is a cluster; --{option} is for scenarios")
            zone = None if timezone is None else zone_of(timezone)
            source: ClusterSource
            if file == LIVE and now is not None:
                raise click.UsageError("--now is for captured folders; a live cluster has its own clock")
            if file == LIVE:
                source = Live(way.reach())
            elif given := next((name for name, value in way.given.items() if value is not None), ""):
                raise click.UsageError(f"{given} reaches a live cluster; expected the word {LIVE} with it")
            else:
                zone = zone_of("UTC") if zone is None else zone
                source = Folder(Path(file), zone, now)
            keeps = source.live and not no_ledger and not overrides
            if overrides:
                source.overrides = overrides
            show(reached=Reached(source, Dates(zone), _every(follow), keeps), **others)

        return chosen

    return decorated


def of_cluster(name: str, show: Show) -> Callable[[Show], click.Command]:
    """Make a command that takes a cluster alone: `show` is called with `reached` and its own options."""

    def made(options: Show) -> click.Command:
        @or_cluster(show, follows=False)
        @file_argument()
        @click.option(
            "--policy", metavar="slurm:KEY=VALUE", help="Other parameters of Slurm, as slurm:bf_interval=60."
        )
        @debug_option
        @functools.wraps(options)
        def command(*, file: str, policy: str | None, **_: Any) -> None:
            if is_cluster(file):
                raise click.UsageError(f"{name} is of Slurm; expected --policy slurm:KEY=VALUE, not {policy}")
            raise click.UsageError(
                f"{name} is for clusters; expected the word {LIVE} or a folder, not {file}"
            )

        return click.command(name)(command)

    return made


def _following(follows: bool) -> Callable[[Show], Show]:
    """Add the options of a command that follows a live cluster, if it does."""
    options = (
        click.option("--no-ledger", is_flag=True, help="Of a live cluster: keep no forecasts."),
        click.option(
            "--follow",
            metavar="DURATION",
            help="Of a cluster: capture it again every DURATION, such as 30s.",
        ),
    )
    return lambda command: with_options(command, *options if follows else ())


def _overrides(file: str, others: dict[str, Any]) -> "Overrides | None":
    """Take the policy `slurm` and its settings out of the options; None for another policy."""
    policy, settings = others.get("policy"), others.get("settings") or ()
    if policy is None and not settings:
        return None
    # Imported late: most runs say nothing of a policy.
    from shadowtime.console.session.slurm.parameters import NAME, is_parameter, is_slurm, parse_overrides

    if policy is None and is_cluster(file) and any(map(is_parameter, settings)):
        policy = NAME
    if policy is None or not is_slurm(policy):
        return None
    refuse_policy(file)
    others["policy"], others["settings"] = None, ()
    return parse_overrides(policy, settings)


def refuse_policy(file: str) -> None:
    """UsageError if the policy `slurm` has no cluster."""
    if not is_cluster(file):
        raise click.UsageError(
            f"policy slurm schedules clusters; expected the word {LIVE} or a folder, not {file}"
        )


def _refuse(file: str, given: dict[str, object]) -> None:
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(
                f"{name} is for clusters; expected the word {LIVE} or a folder, not {file}"
            )


def _every(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = parse_duration(text)
    except ValueError:
        raise SessionError(f"--follow {text!r} is no duration; expected one such as 30s or 5m") from None
    if seconds < SHORTEST:
        raise SessionError(f"--follow {text!r} is too short; expected {SHORTEST}s or more")
    return seconds


def print_plan(reached: Reached, at: str | None = None, source: TextIO | None = None) -> None:
    """Print the plan in lines: once, or again and again with what changed. ScenarioError, SessionError.

    `at` is a place to which the cluster is stepped before; `source` has what is typed after it.
    """
    # Imported late: the texts of the panels need what draws them.
    from shadowtime.console.commands.slurm.lines import ClusterLines

    try:
        ClusterLines(reached, say, at, source).run()
    finally:
        reached.source.close()
