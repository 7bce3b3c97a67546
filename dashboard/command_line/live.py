"""The cluster that a command is about: a file, a number, or what an API server says now."""

from collections.abc import Callable
from typing import Any

import click

from dashboard.command_line.progress import Shown
from dashboard.command_line.sources import FILE
from scheduler_core.objects.problems import BadInput

OF_KUBECTL = "of kubectl"
"""Given to the commands of kubectl's plugin, which asks the current context by default."""
_KEPT = "dashboard.command_line.live."


class Live(str):
    """A context of a kubeconfig instead of a file's name; as text what messages call it."""

    __slots__ = ("context", "kubeconfig")

    def __new__(cls, context: str, kubeconfig: str) -> "Live":
        """Take the current context where none is named."""
        made = super().__new__(cls, f"context {context}" if context else "the current context")
        made.context, made.kubeconfig = context, kubeconfig
        return made

    def read(self) -> tuple[list[tuple[str, bytes]], list[str]]:
        """Return the files that a snapshot is made of, and what they lack. Raises BadInput."""
        from dashboard.live.api_server import connect
        from dashboard.live.reading import read_cluster
        from dashboard.live.resources import resources_of

        with Shown() as shown:
            server = connect(self.context, self.kubeconfig)
            read = read_cluster(server, resources_of(server), shown.tell_of)
        for note in read.notes:
            click.echo(note, err=True)
        return read.payloads, read.notes


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take its cluster as `snapshot`: a file, a number, or a context."""
    named = click.option(
        "--snapshot",
        default="",
        type=FILE,
        callback=chosen,
        metavar="FILE|ID",
        help="The cluster: as kubectl prints it, or by number.",
    )
    return context_options(named(command))


def context_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take a context, which `chosen` makes of it what the command is about."""
    for option in (
        click.option(
            "--kubeconfig",
            default="",
            type=click.Path(),
            is_eager=True,
            expose_value=False,
            callback=_keep,
            metavar="FILE",
            help="Where the context stands; else as kubectl finds it.",
        ),
        click.option(
            "--context",
            default="",
            is_eager=True,
            expose_value=False,
            callback=_keep,
            shell_complete=_contexts,
            metavar="NAME",
            help="The cluster as it is now: it is read from its API server.",
        ),
    ):
        command = option(command)
    return command


def _contexts(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Return the contexts that a shell may complete a name to."""
    from dashboard.live.api_server import contexts_of

    try:
        return [name for name in contexts_of("")[0] if name.startswith(begun)]
    except BadInput:
        return []


def chosen(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return what a command is about: what it was given, or a context."""
    found = value or live_of(ctx)
    if not found:
        raise click.UsageError("Give the cluster: a file or a number, or --context NAME.", ctx)
    if value:
        refuse_both(ctx)
    return found


def live_of(ctx: click.Context) -> Live | None:
    """Return the context that a command is about, None where it was given none."""
    context, kubeconfig = ctx.meta[_KEPT + "context"], ctx.meta[_KEPT + "kubeconfig"]
    is_live = context or kubeconfig or ctx.find_root().obj == OF_KUBECTL
    return Live(context, kubeconfig) if is_live else None


def refuse_both(ctx: click.Context) -> None:
    """End a command that was given a context beside another cluster."""
    if ctx.meta[_KEPT + "context"] or ctx.meta[_KEPT + "kubeconfig"]:
        raise click.UsageError("Give a file or a number, or a context, not both.", ctx)


def _keep(ctx: click.Context, param: click.Parameter, value: str) -> None:
    ctx.meta[f"{_KEPT}{param.name}"] = value
