"""The command `shadowtime` and the table of its commands, each imported when it is called."""

import importlib
import os
import shlex
from collections.abc import Mapping

import click

from shadowtime.console.commands.looks import Looks, permission_options, permissions_for, takes_looks

COMMANDS: Mapping[str, tuple[str, str]] = {
    "open": ("shadowtime.console.commands.open", "Open a scenario, a log or a Slurm cluster."),
    "run": ("shadowtime.console.commands.run", "Simulate to the end, without a screen."),
    "compare": ("shadowtime.console.commands.compare", "Compare several policies on one workload."),
    "report": (
        "shadowtime.console.commands.report.command",
        "Write a report for a meeting as HTML.",
    ),
    "why": ("shadowtime.console.commands.answers.why", "Show why a job waits, and all until it starts."),
    "impact": ("shadowtime.console.commands.answers.impact", "Show whom an action would hurt and help."),
    "advise": ("shadowtime.console.commands.answers.advise", "Find what gets a waiting job started in time."),
    "check": ("shadowtime.console.commands.check", "Check the expectations of scenarios."),
    "forecast": ("shadowtime.console.commands.forecast", "Forecast the starts of a captured Slurm cluster."),
    "score": ("shadowtime.console.commands.odds.score", "Score likely starts on a log, beside what came."),
    "capture": ("shadowtime.console.commands.slurm.capture", "Capture a live Slurm cluster into a folder."),
    "users": ("shadowtime.console.commands.slurm.users", "Show what users of a Slurm cluster hold and want."),
    "shorter": (
        "shadowtime.console.commands.slurm.shorter",
        "Show which jobs could start now with less time.",
    ),
    "ledger": (
        "shadowtime.console.commands.slurm.ledger",
        "Show how far forecasts of live clusters were off.",
    ),
    "train": ("shadowtime.console.commands.train", "Train: a tour, and drills with computed answers."),
    "reproduce": ("shadowtime.console.commands.reproduce", "Compare simulated results with the papers'."),
    "policies": ("shadowtime.console.commands.policies", "List the policies and their parameters."),
    "generate": ("shadowtime.console.commands.generate", "Write the jobs of a workload model as a log."),
    "import": ("shadowtime.console.commands.importing", "Make a log of a cluster's accounting dump."),
    "fetch": ("shadowtime.console.commands.fetch", "Fetch a log of the Parallel Workloads Archive."),
    "serve": ("shadowtime.console.commands.serve", "Serve the console to a web browser."),
    "keys": (
        "shadowtime.console.commands.keys",
        "Print the keys, in the format of the file that changes them.",
    ),
}
"""Name of each command -> the module that holds it as `command`, and its summary in one line."""


class LazyGroup(click.Group):
    """A group that knows its commands from the table, so that `--help` does not import them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and return the rest of the line. Raises UsageError for a word that is none."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            ctx.fail(f"No such command {word!r}; {_meant(word)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def _meant(word: str) -> str:
    """What to say after a word that is no command."""
    if os.path.lexists(word):
        return f"did you mean shadowtime open {shlex.quote(word)}?"
    from shadowtime.console.session import one_of

    return one_of(COMMANDS, word)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="FILE is a scenario (.toml), a log in the Standard Workload Format (.swf, .swf.gz, .swf.xz), or a"
    " captured Slurm cluster (a folder; two-tiers is shipped). open, run, why, impact and advise take"
    " the word slurm, too: the live cluster of this machine.",
)
@click.version_option(package_name="shadowtime", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
@takes_looks
@permission_options
@click.pass_context
def shadowtime(context: click.Context, looks: Looks, read_only: bool, no_files: bool) -> None:
    """Step through the schedules of parallel jobs, forward and back, and ask why.

    Without a command, the console lists the scenarios to open.
    """
    if context.invoked_subcommand is None:
        from shadowtime.console.commands.browse import browse

        context.exit(browse(looks, permissions_for(read_only, no_files)))
    _hand_on(context)


def _hand_on(context: click.Context) -> None:
    """Make the options before a command the defaults of its own. Raises UsageError for one that it lacks."""
    name = context.invoked_subcommand
    assert name is not None
    command = shadowtime.get_command(context, name)
    own = {parameter.name for parameter in command.params} if command is not None else set()
    given = {key: value for key, value in context.params.items() if value}
    for parameter in context.command.params:
        if command is not None and parameter.name in given and parameter.name not in own:
            raise click.UsageError(f"{name} takes no {parameter.opts[0]}")
    context.default_map = {name: given}
