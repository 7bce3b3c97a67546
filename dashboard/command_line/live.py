"""The cluster that a command is about: a file, a number, or what an API server says now."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dashboard.command_line.progress import Shown
from dashboard.command_line.sources import FILE
from scheduler_core.objects.problems import BadInput

if TYPE_CHECKING:
    from dashboard.live.api_server import ApiServer

OF_KUBECTL = "of kubectl"
"""Given to the commands of kubectl's plugin, which asks the current context by default."""
_KEPT = "dashboard.command_line.live."


class Live(str):
    """A context of a kubeconfig instead of a file's name; as text what messages call it."""

    __slots__ = ("context", "in_cluster", "kubeconfig")

    def __new__(cls, context: str, kubeconfig: str, *, in_cluster: bool = False) -> "Live":
        """Take the current context where none is named; in a pod without any, the pod's own cluster."""
        in_cluster = in_cluster or (not (context or kubeconfig) and _stands_alone())
        current = "the own cluster" if in_cluster else "the current context"
        made = super().__new__(cls, f"context {context}" if context else current)
        made.context, made.kubeconfig, made.in_cluster = context, kubeconfig, in_cluster
        return made

    def read(self) -> tuple[list[tuple[str, bytes]], list[str]]:
        """Return the files that a snapshot is made of, and what they lack. Raises BadInput."""
        from dashboard.live.reading import read_cluster
        from dashboard.live.resources import resources_of

        with Shown() as shown, self._server() as server:
            read = read_cluster(server, resources_of(server), shown.tell_of)
        for note in read.notes:
            click.echo(note, err=True)
        return read.payloads, read.notes

    @contextmanager
    def _server(self) -> "Iterator[ApiServer]":
        from dashboard.live.api_server import connect, connected
        from dashboard.live.in_cluster import own_connection

        if self.in_cluster:
            with connected(own_connection()) as server:
                yield server
        else:
            yield connect(self.context, self.kubeconfig)


def _stands_alone() -> bool:
    """Tell whether this is a pod's shell without a kubeconfig, where kubectl asks the pod's own cluster."""
    from dashboard.live.in_cluster import is_in_cluster

    named = os.environ.get("KUBECONFIG") or str(Path.home() / ".kube" / "config")
    return is_in_cluster() and not any(Path(one).is_file() for one in named.split(os.pathsep) if one)


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
            "--in-cluster",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_keep,
            help="The cluster whose pod this shell is in, by its service account.",
        ),
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
    context, kubeconfig, in_cluster = _named(ctx)
    if in_cluster and (context or kubeconfig):
        raise click.UsageError("Give a context, or --in-cluster, not both.", ctx)
    is_live = context or kubeconfig or in_cluster or ctx.find_root().obj == OF_KUBECTL
    return Live(context, kubeconfig, in_cluster=in_cluster) if is_live else None


def refuse_both(ctx: click.Context) -> None:
    """End a command that was given a context beside another cluster."""
    if any(_named(ctx)):
        raise click.UsageError("Give a file or a number, or a context, not both.", ctx)


def _named(ctx: click.Context) -> tuple[str, str, bool]:
    """Return what a command was given: context, kubeconfig, and whether the own cluster is meant."""
    return ctx.meta[_KEPT + "context"], ctx.meta[_KEPT + "kubeconfig"], ctx.meta[_KEPT + "in_cluster"]


def _keep(ctx: click.Context, param: click.Parameter, value: str | bool) -> None:
    ctx.meta[f"{_KEPT}{param.name}"] = value
