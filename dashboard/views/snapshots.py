"""Snapshot pages: the gallery, the import, a snapshot's summary and tables, the detail of one object."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.errors import Refused
from dashboard.kinds import pages
from dashboard.kinds.cards import policy_runs, slots_of_snapshot
from dashboard.models import Node, Pod, Snapshot, Workload
from dashboard.natural_order import natural_key
from dashboard.queries import access
from dashboard.queries.cluster_release import cluster_release
from dashboard.queries.device_asks import devices_asked
from dashboard.queries.node_map import map_nodes, nodes_of, packed
from dashboard.queries.pending import PENDING
from dashboard.queries.pending_groups import pending_groups, resources_asked
from dashboard.services.workspace import snapshots as service
from dashboard.services.workspace.suggesting import suggest
from dashboard.services.workspace.upgrading import upgrade_choices
from dashboard.shapes.snapshots import Amounts
from dashboard.views import snapshot_links, snapshot_tables
from dashboard.views.charts import resource_chart
from dashboard.views.deleting import delete_or_explain
from dashboard.views.document_text import note_on, writer_for
from dashboard.views.htmx import HtmxRequest, drawn_anew
from dashboard.views.tables import Table, TablePage, download
from dashboard.views.tick_actions import ACTIONS
from dashboard.views.ticked import tick_context
from dashboard.views.why import pod_context, why_page

CARD_RESOURCES = 4
CARD_FIRST = ("cpu", "memory")
PENDING_GROUPS = 12
LOAD_WORDS = ("free", "under 25%", "under 50%", "under 75%", "under 95%", "full")
"""The steps of a map's colours, as its legend says them (static/js/debugger/map/tile.js)."""
TABLES: dict[str, tuple[Table, Any]] = {
    "nodes": (snapshot_tables.NODES, nodes_of),
    "pods": (snapshot_tables.PODS, snapshot_tables.pods_of),
    "workloads": (snapshot_tables.WORKLOADS, snapshot_tables.workloads_of),
}
IMPORT_COMMAND = (
    "kubectl get nodes,pods,namespaces,priorityclasses,poddisruptionbudgets,persistentvolumes,"
    "persistentvolumeclaims,storageclasses,csinodes,csidrivers,csistoragecapacities,"
    "limitranges,resourcequotas,runtimeclasses,services,"
    "deployments,replicasets,replicationcontrollers,statefulsets,daemonsets,jobs,horizontalpodautoscalers"
    " -A -o json > cluster.json"
)


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """All snapshots as cards, but for readings of connected clusters that are old and that nobody uses."""
    access.require_viewer(request.user)
    snapshots = access.visible_snapshots(request.user).annotate(
        scenario_count=Count("scenarios", distinct=True),
        run_count=Count("runs", filter=Q(runs__baseline_key=""), distinct=True),
    )
    shown = list(snapshots if request.GET.get("readings") == "all" else _without_old_readings(snapshots))
    cards = [(snapshot, main_resources(snapshot)) for snapshot in shown]
    context = {"cards": cards, "folded": len(snapshots) - len(shown)}
    return render(request, "snapshots/gallery.html", context)


def _without_old_readings(snapshots: Iterable[Any]) -> Iterator[Any]:
    """Yield snapshots of no cluster, of each cluster the last and the last good one, and those in use."""
    seen: dict[int, set[str]] = {}
    for one in snapshots:
        before = seen.setdefault(one.cluster_id or 0, set())
        is_news = not before or (one.status == Snapshot.Status.READY and one.status not in before)
        if one.cluster_id is None or is_news or one.scenario_count or one.run_count:
            yield one
        before.add(one.status)


@require_safe
def importing(request: HttpRequest) -> HttpResponse:
    """The page to import from: drop, paste or choose files; the sending itself is REST.

    With `add_to`, the number of a snapshot, files are added to what that holds.
    """
    access.require_operator(request.user)
    number = request.GET.get("add_to")
    base = access.get_snapshot_or_404(request.user, number) if number else None
    return render(request, "snapshots/import.html", {"command": IMPORT_COMMAND, "base": base})


@require_safe
def snapshot(request: HtmxRequest, pk: int) -> HttpResponse:
    """Why pods of a snapshot wait where any does, else its summary; or how far its import is."""
    found = access.get_snapshot_or_404(request.user, pk)
    # What asks again is the progress of an import, which ends here, or the answers that are being computed.
    if request.htmx and request.htmx.target != "why-now" and found.status != Snapshot.Status.IMPORTING:
        return drawn_anew()
    if found.status != Snapshot.Status.READY:
        part = "snapshots/progress.html" if request.htmx else "snapshots/unready.html"
        return render(request, part, {"snapshot": found, "share": import_share(found)})
    return why_page(request, found) if found.pending else _summary(request, found)


@require_safe
def summary(request: HtmxRequest, pk: int) -> HttpResponse:
    """A snapshot's summary."""
    return _summary(request, ready_or_404(request, pk))


def _summary(request: HtmxRequest, found: Snapshot) -> HttpResponse:
    slots = slots_of_snapshot(found)
    groups, group_count = pending_groups(found, PENDING_GROUPS)
    context = {
        "snapshot": found,
        "tab": "summary",
        "chart": resource_chart({name: row for name, row in found.resources.items() if name not in slots}),
        "slots": [(name, found.resources[name]) for name in sorted(slots)],
        "pending_groups": groups,
        "pending_asks": resources_asked(groups),
        "more_groups": group_count - len(groups),
        "other_counts": sorted(found.counts.items(), key=lambda pair: (-pair[1], pair[0])),
        "scenarios": access.visible_scenarios(request.user).filter(snapshot=found).defer("edits")[:10],
        "release": cluster_release(found),
        "upgrade": upgrade_choices(found, suggest(found).profile),
        "twins": service.same_content(found),
        "policies": len(policy_runs(found.pk, access.visible_runs(request.user))),
    }
    return render(request, "snapshots/snapshot.html", context)


@require_safe
def warnings(request: HttpRequest, pk: int) -> HttpResponse:
    """All warnings of an import, each with the objects that it is about."""
    found = access.get_snapshot_or_404(request.user, pk)
    by_warning = {finding["warning"]: finding for finding in found.findings}
    listed = [by_warning.pop(warning, {"warning": warning}) for warning in found.warnings]
    context = {"snapshot": found, "tab": "warnings", "findings": [*listed, *by_warning.values()]}
    return render(request, "snapshots/findings.html", context)


@require_safe
def table(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """A table of the snapshot: a page, the part of it that a search changes, or a file of all rows."""
    found = ready_or_404(request, pk)
    declaration, rows_of = TABLES[kind]
    context: dict[str, Any] = {
        "snapshot": found, "tab": kind, "rows_template": f"snapshots/{kind}_rows.html",
        **tick_context(request, found, kind, ACTIONS[kind]),
    }  # fmt: skip
    if kind == "nodes":
        context["is_map"] = request.GET.get("view") == "map"
    if kind == "workloads" and found.pending:
        context["waiting"] = snapshot_tables.waiting_workloads(found)
    return show_table(request, declaration, rows_of(found), context, f"snapshots/{kind}.html")


def show_table(
    request: HtmxRequest, declaration: Table, rows: QuerySet[Any], context: dict[str, Any], template: str
) -> HttpResponse:
    """Answer with a table of `context["snapshot"]`: a page, the part of it that changes, or a file.

    The template of the whole page is given the `choices` of each filter too.
    """
    page = TablePage(declaration, rows, request)
    file = page.export(request.GET.get("format", ""), f"{context['snapshot'].name}-{context['tab']}")
    if file is not None:
        return file
    context |= {"table": page, "table_template": "parts/table.html"}
    if "is_map" in context:
        context |= _as_map(context["snapshot"], page, is_map=context["is_map"])
    if request.htmx:
        return render(request, context["table_template"], context)
    context["choices"] = {name: _choices_of(rows, column) for name, column in declaration.filters.items()}
    return render(request, template, context, status=page.status)


def _as_map(found: Snapshot, page: TablePage, *, is_map: bool) -> dict[str, Any]:
    """Return what a page of nodes shows of the same nodes as a map, and where it changes between the two."""
    context: dict[str, Any] = {
        "table_address": page.address(view=None, page=None),
        "map_address": page.address(view="map", page=None),
    }
    if not is_map:
        return context
    return context | {
        "table_template": "snapshots/nodes_map.html",
        "map_nodes": packed(map_nodes(found, page.rows, pages.node_groups(found))),
        "load_words": LOAD_WORDS,
    }


@require_safe
def detail(request: HtmxRequest, pk: int, kind: str, key: str) -> HttpResponse:
    """One node (by name), pod (by uid) or workload (Kind/namespace/name) as YAML."""
    found = ready_or_404(request, pk)
    thing = _thing(found, kind, key)
    if thing is None:
        raise Http404
    write = writer_for(thing.object)
    context: dict[str, Any] = {
        "snapshot": found,
        "tab": kind,
        "kind": kind,
        "thing": thing,
        "yaml": write(thing.object),
        "note": note_on(write),
    }
    if kind == "nodes":
        context["pods"] = snapshot_tables.pods_of(found).filter(node_name=thing.name)[:200]
        context["parts"] = pages.node_parts(found, thing.name)
    if kind == "workloads":
        context["pods"] = snapshot_tables.pods_of(found).filter(workload=str(thing))[:200]
        context["parts"] = pages.workload_parts(found, str(thing))
    if isinstance(thing, Pod):
        context["workload_address"] = snapshot_links.workload_address(found, thing.workload)
        context["group_address"] = pages.group_address(found, thing.group)
        context["devices"] = devices_asked(found, thing.object)
        if Pod.objects.filter(PENDING, pk=thing.pk).exists():
            context |= {"waits": True, **pod_context(found, thing.uid)}
    return render(request, "snapshots/detail_body.html" if request.htmx else "snapshots/detail.html", context)


@require_safe
def exported(request: HttpRequest, pk: int, file_format: str) -> HttpResponse:
    """The stored List again, as a file."""
    found = ready_or_404(request, pk)
    if file_format == "yaml":
        return download([service.export_yaml(found)], "application/yaml", f"{found.name}.yaml")
    return download([service.export_json(found)], "application/json", f"{found.name}.json")


@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop an import that is under way."""
    return _asked_of_import(request, pk, service.cancel_import)


@require_POST
def without_faulty(request: HttpRequest, pk: int) -> HttpResponse:
    """Import what a failed import kept, without what is faulty."""
    return _asked_of_import(request, pk, service.import_without_faulty)


def _asked_of_import(request: HttpRequest, pk: int, ask: Callable[[Snapshot], Any]) -> HttpResponse:
    """Ask for something of an import that may have ended otherwise by now, and show how it is."""
    access.require_operator(request.user)
    found = access.get_snapshot_or_404(request.user, pk, even_away=True)
    try:
        ask(found)
    except Refused as refusal:
        messages.warning(request, str(refusal))
    if found.is_put_away:
        return redirect("snapshots")  # to look at it would bring it back
    return redirect("snapshot", pk=pk)


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the snapshot; with `cascade` also what was made from it."""
    found = access.get_snapshot_or_404(request.user, pk, even_away=True)
    deleted = delete_or_explain(request, found, service.delete_snapshot)
    return redirect("snapshots") if deleted else redirect("snapshot", pk=pk)


def main_resources(found: Snapshot) -> list[tuple[str, Amounts]]:
    """The resources of the cluster that a card has room for: who is requested before who isn't.

    Those are in order: cpu, memory, devices, and then what a cluster seldom runs out of. Slots of shared
    cards are left out, since their share says nothing of how full the cards are.
    """
    slots = slots_of_snapshot(found)
    present = [
        (name, figures)
        for name, figures in found.resources.items()
        if figures["allocatable"] and name not in slots
    ]
    present.sort(key=lambda one: _card_rank(one[0]))
    present.sort(key=lambda one: not one[1]["requested"])
    return sorted(present[:CARD_RESOURCES], key=lambda one: _card_rank(one[0]))


def _card_rank(resource: str) -> int:
    if resource in CARD_FIRST:
        return CARD_FIRST.index(resource)
    return len(CARD_FIRST) if "/" in resource else len(CARD_FIRST) + 1


def _thing(found: Snapshot, kind: str, key: str) -> Node | Pod | Workload | None:
    if kind == "nodes":
        return Node.objects.filter(snapshot=found, name=key).first()
    if kind == "pods":
        return Pod.objects.filter(snapshot=found, uid=key).first()
    workload_kind, _, rest = key.partition("/")
    namespace, _, name = rest.partition("/")
    return Workload.objects.filter(snapshot=found, kind=workload_kind, namespace=namespace, name=name).first()


def _choices_of(rows: QuerySet[Any], column: str) -> list[str]:
    """The values a filter can take, at most 200: more are found by search."""
    found = rows.order_by(column).exclude(**{column: ""}).values_list(column, flat=True).distinct()[:200]
    return sorted(found, key=natural_key)


def ready_or_404(request: HttpRequest, pk: int) -> Snapshot:
    """The snapshot if it may be seen; 404 otherwise, and while it is being imported. Raises PutAway."""
    found = access.get_snapshot_or_404(request.user, pk)
    if found.status != Snapshot.Status.READY:
        raise Http404
    return found


def import_share(found: Snapshot) -> float:
    """How much of the present stage of an import is done, 0 to 100."""
    total = found.progress.get("total") or 0
    return 100 * found.progress.get("done", 0) / total if total else 0
