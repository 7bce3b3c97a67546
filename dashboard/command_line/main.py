"""The entry of `sandtable`: its subcommands by name, each read when somebody calls it."""

import os
from importlib import import_module

import click

_COMMANDS = {
    "export": "A snapshot as a file.",
    "headroom": "How many more pods fit.",
    "import": "Send files to a running Sandtable as a snapshot.",
    "preflight": "Does a manifest fit, and at whose cost?",
    "rehearse": "How an upgrade of nodes would go.",
    "run": "Play a snapshot, with edits or without, and print the answer.",
    "up": "Start Sandtable on this machine.",
    "why": "Why a pod, or the pods of a workload, wait.",
    "would-fit": "What would make pods fit that wait.",
}
"""By name: what the list of subcommands says of each, which need not be read for it."""
_MODULES = {"import": "importing", "would-fit": "would_fit"}


class _Lazy(click.Group):
    """Reads a subcommand's module when it is called: each costs what it needs alone."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"dashboard.command_line.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sandtable", prog_name="sandtable")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Ask what kube-scheduler, Volcano or HAMi would do next with a cluster.

    Shell completion: `eval "$(_SANDTABLE_COMPLETE=bash_source sandtable)"`; zsh_source and fish_source for
    other shells.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
