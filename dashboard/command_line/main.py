"""The entry of `sandtable`: its subcommands by name, each read when somebody calls it."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import click

from dashboard.command_line.refusals import WRONG

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes of shells for what a signal ended: 128 and its number. They say nothing of an answer."""
UNWRITTEN = 74
"""The exit code of sysexits.h for what could not be written (EX_IOERR)."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_COMMANDS = {
    "came-true": "What came of a run's prediction, by a later reading of its cluster.",
    "consolidate": "Which nodes can be given back for good.",
    "export": "A snapshot as a file.",
    "headroom": "How many more pods fit.",
    "healthy": "Does the part in this container still work?",
    "import": "Send files to a running Sandtable as a snapshot.",
    "manage": "A command for administrators: add_user, sign_in_link, prepare and others.",
    "part": "Start one part of Sandtable, where the others run elsewhere.",
    "preflight": "Does a manifest fit, and at whose cost?",
    "rehearse": "How an upgrade of nodes would go.",
    "run": "Play a snapshot, with edits or without, and print the answer.",
    "sweep": "A cluster under every combination of some settings.",
    "up": "Start Sandtable on this machine.",
    "why": "Why a pod, or the pods of a workload, wait.",
    "would-fit": "What would make pods fit that wait.",
}
"""By name: what the list of subcommands says of each, which need not be read for it."""
_MODULES = {"import": "importing"}
"""Of subcommands whose modules can't be named like them."""


@contextmanager
def _ending() -> Iterator[None]:
    """Give what ends a command early an exit code that no answer has."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except click.UsageError as error:
        error.exit_code = WRONG
        raise
    except BrokenPipeError:
        _forget_the_rest()
        sys.exit(PIPE_CLOSED)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        _forget_the_rest()
        click.echo(f"Error: The answer could not be written: {error.strerror}.", err=True)
        sys.exit(UNWRITTEN)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)


def _forget_the_rest() -> None:
    """Let what is still buffered go nowhere, also when the interpreter ends."""
    with suppress(OSError, ValueError):  # a test's own output is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Lazy(click.Group):
    """Reads a subcommand's module when it is called: each costs what it needs alone."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _ending():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _ending():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"dashboard.command_line.{_MODULES.get(cmd_name, cmd_name.replace('-', '_'))}")
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
