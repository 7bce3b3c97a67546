"""Questions of any kind, answered in this process or by a running Sandtable."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from dashboard.command_line.embedded import begin_in_memory, scenario_of, world_of
from dashboard.command_line.live import cluster_options
from dashboard.command_line.progress import Shown
from dashboard.command_line.refusals import refuse
from dashboard.command_line.server import Server, number_of
from dashboard.command_line.sources import FILE

if TYPE_CHECKING:
    from dashboard.answers.answer import Answer
    from dashboard.models import Snapshot
    from dashboard.services.questions.kind import QuestionKind

scheduler_option = click.option(
    "--scheduler", default="", metavar="PROFILE", help="As kube-1.36; else the cluster's own."
)
edits_option = click.option(
    "--edits",
    default="",
    type=FILE,
    metavar="FILE",
    help="Edits as REST takes them: a list, in YAML or JSON.",
)


def nodes_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take nodes by name, by labels, or by group."""
    for option in (
        click.option("--group", help="The nodes of `pool=…`, `zone=…` or `name=…`."),
        click.option("-l", "--selector", help="The nodes with these labels, as kubectl takes them."),
        cluster_options,
        click.argument("node", nargs=-1),
    ):
        command = option(command)
    return command


def plan_of(node: Sequence[str], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a command was given of nodes and else, without what it was not."""
    plan = {name: value for name, value in chosen.items() if value is not None}
    return {**plan, "nodes": list(node)} if node else plan


def found_here(
    kind: "QuestionKind[Any]",
    of: dict[str, Any],
    snapshot: "Snapshot",
    scheduler: str = "",
    adds: "Sequence[dict[str, Any]]" = (),
    **fields: Any,
) -> Any:
    """Return what this process finds; `fields` are those of `scenario_of`. Raises BadInput.

    adds: objects that the question is about, whose schedulers are played too.
    """
    from scheduler_core.world.trials.warm_world import adding

    scenario = scenario_of(snapshot, [adding(adds)] if adds else [], scheduler, **fields)
    world = world_of(scenario)
    with Shown() as shown:
        return kind.answer(world, of, shown)


def told_by(
    server: Server, snapshot: str, path: str, body: dict[str, Any] | None = None, *, scheduler: str = ""
) -> dict[str, Any]:
    """Return all that a server tells of a question; why it has no answer is told and ends the command.

    scheduler: a server asks under those of the cluster, so that another one is refused.
    """
    if scheduler:
        refuse("--scheduler: a server asks it under the cluster's own schedulers")
    told = server.asked(snapshot, path, body)
    if told.get("answer") is None:
        refuse(told.get("fault") or "It was ended before it was answered.")
    return told


def cluster_at(server: Server, snapshot: str) -> Callable[[], "Snapshot"]:
    """Return what tells of a server's snapshot where it is from, once somebody asks."""

    def told() -> "Snapshot":
        found = server.send(f"snapshots/{number_of(snapshot)}/")
        begin_in_memory()
        from dashboard.models import Snapshot

        return Snapshot(
            name=found["name"],
            created_at=datetime.fromisoformat(found["created_at"]),
            taken_at=datetime.fromisoformat(found["taken_at"]) if found["taken_at"] else None,
            content_hash=found["content_hash"],
        )

    return told


def answer_in(told: dict[str, Any]) -> "Answer":
    """Return the answer among what a server tells."""
    from dashboard.answers.answer import Answer

    return msgspec.convert(told["answer"], Answer)
