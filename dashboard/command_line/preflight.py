"""`sandtable preflight MANIFEST… --snapshot FILE`: whether what is about to be applied fits."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec

from dashboard.command_line.embedded import chosen_by, open_snapshot, scenario_of, world_of
from dashboard.command_line.live import cluster_options
from dashboard.command_line.printing import FORMATS, about, form, print_answer
from dashboard.command_line.progress import progress
from dashboard.command_line.questions import cluster_at, scheduler_option
from dashboard.command_line.refusals import Refusal, refusing
from dashboard.command_line.server import Server, server_options
from dashboard.command_line.sources import FILE, manifest_of, objects_of

if TYPE_CHECKING:
    from dashboard.answers.preflight import Preflight
    from dashboard.models import Snapshot

Object = dict[str, Any]


@click.command()
@click.argument("manifest", nargs=-1, required=True, type=FILE)
@cluster_options
@scheduler_option
@click.option("-n", "--namespace", default="", help="The namespace of objects that name none.")
@click.option("--max-evictions", type=click.IntRange(0), help="More pods than so many must not have to go.")
@click.option("--no-budget-violation", is_flag=True, help="No eviction must violate a disruption budget.")
@click.option("--strict", is_flag=True, help="Exit with 4 wherever the answer rests on what isn't known.")
@server_options
@form((*FORMATS, "junit"))
def command(
    manifest: tuple[str, ...],
    snapshot: str,
    scheduler: str,
    namespace: str,
    max_evictions: int | None,
    no_budget_violation: bool,
    strict: bool,
    server: str,
    token: str,
    form: str,
) -> None:
    """Say whether the objects of MANIFEST fit, and at whose cost. Nothing is applied anywhere.

    MANIFEST is a file or a folder of YAML or JSON, as `kubectl apply -f` takes it; `-` reads what Helm or
    kustomize prints. Objects that are there already are changed as by `kubectl apply`. Pods that wait in the
    cluster are tried too, as a run does. With --server a running Sandtable answers, from a cluster that it
    holds ready; without it this process does.

    \b
    Exit codes:
      0  all pods fit
      1  some pods find no node
      2  a limit is crossed: a quota, a LimitRange, a missing priority class
         or queue, a webhook, --max-evictions or --no-budget-violation
      3  the manifest, or the snapshot, is wrong, or the cluster's release
         has no such version of a kind: object and field are named
      4  not sure: what decides is not modelled
    """
    try:
        found, cluster = _found(manifest, namespace, snapshot, scheduler, server and Server(server, token))
    except Refusal as refusal:
        if form == "junit":
            from dashboard.answers.printers.junit import junit_of_errors

            click.echo(junit_of_errors(refusal.lines))
        raise
    costs = max_evictions is not None and found.evicted > max_evictions
    costs = costs or (no_budget_violation and found.violated > 0)
    if form == "junit":
        from dashboard.answers.printers.junit import junit

        click.echo(junit(found, costs=costs, strict=strict))
    elif form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        print_answer(found.answer, form, about("A preflight", cluster))
    from dashboard.answers.exit_codes import exit_code

    sys.exit(exit_code(found, costs=costs, strict=strict))


def _found(
    manifest: tuple[str, ...], namespace: str, snapshot: str, scheduler: str, server: Server | Literal[""]
) -> "tuple[Preflight, Callable[[], Any]]":
    """Return the answer, and what tells of the cluster. Ends the command where something is wrong."""
    documents, secrets = objects_of(manifest, namespace)
    if server:
        found, cluster = (
            _answered_by(server, snapshot, documents, scheduler),
            cluster_at(server, snapshot),
        )
    else:
        with refusing(snapshot):
            opened = open_snapshot(snapshot)
        with refusing():
            found, cluster = _answered(opened, documents, scheduler), lambda: opened
    from dashboard.answers.preflight_basis import without_secrets

    return without_secrets(found, secrets), cluster


def _answered(snapshot: "Snapshot", documents: list[Object], scheduler: str) -> "Preflight":
    from dashboard.answers.preflight_basis import with_source, without_hooks
    from dashboard.services.results.preflight import baseline, preflight_in_stages
    from dashboard.services.workspace.preflighting import require_served
    from scheduler_core.world.edits.helm_hooks import in_stages
    from scheduler_core.world.trials.warm_world import adding

    require_served(snapshot, documents)
    before, documents, left_out = in_stages(documents)
    edits = [adding(documents)] if documents else []
    scenario = scenario_of(snapshot, edits, scheduler)
    world = world_of(scenario)
    waiting = snapshot.pending
    with progress("The cluster as it is", waiting) as advance:
        against = baseline(world, advance)
    with progress("With the manifest", waiting + len(documents)) as advance:
        found = preflight_in_stages(world, documents, before, against, advance)
    found = without_hooks(found, left_out)
    chosen = chosen_by(snapshot, scheduler, edits)
    return with_source(found, chosen) if chosen else found


def _answered_by(server: Server, snapshot: str, documents: list[Object], profile: str) -> "Preflight":
    """Return what a running Sandtable answers."""
    from dashboard.answers.preflight import Preflight

    body = {"manifest": manifest_of(documents), "profile": profile}
    return msgspec.convert(server.asked(snapshot, "preflight/", body)["found"], Preflight)
