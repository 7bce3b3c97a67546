"""Scenario pages: the list, the editor, and the same scenario under another version of the scheduler.

The editor saves and validates through REST; here are the page itself, what needs no script (create, copy,
delete), and the translation of an edit between fields and YAML.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.errors import Refused, VersionConflict, sentences_of
from dashboard.json_body import decode_body
from dashboard.kinds import all_kinds
from dashboard.kinds.kind import Present
from dashboard.kinds.settled import settled_of
from dashboard.models import Node, Pod, Run, Scenario, Snapshot
from dashboard.natural_order import natural_key
from dashboard.queries import access
from dashboard.queries.node_map import nodes_of
from dashboard.queries.pending_groups import pending_groups
from dashboard.services.workspace import scenarios as service
from dashboard.services.workspace import upgrading, variants
from dashboard.services.workspace.driver_choice import choose_driver
from dashboard.services.workspace.schedulers import versions
from dashboard.services.workspace.suggesting import Suggestion, suggest
from dashboard.views import snapshot_tables
from dashboard.views.deleting import delete_or_explain
from dashboard.views.document_text import as_json, as_yaml, note_on, writer_for
from dashboard.views.snapshots import main_resources
from dashboard.views.ticked import remember_draft
from scheduler_core.objects.identity import ENDED_PHASES
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.edits.operations import OPERATIONS, form_of
from scheduler_core.world.edits.operations.base import Field

TEXT_LIMIT = 1_000_000
NAMES_LISTED = 2000
PENDING_GROUPS = 20
ICONS = {
    "add": "plus",
    "scale": "layers",
    "drain": "log-out",
    "cordon": "ban",
    "uncordon": "check",
    "clone-node": "server",
    "add-nodes": "layers",
    "stop-kubelet": "circle-x",
    "start-kubelet": "rotate-ccw",
    "evict": "zap",
    "delete": "trash-2",
    "set-card": "circle-x",
}
OTHER_ICON = "pencil"


@require_safe
def scenarios(request: HttpRequest) -> HttpResponse:
    """All scenarios, the last changed first."""
    access.require_viewer(request.user)
    rows = access.visible_scenarios(request.user).defer("edits").annotate(run_count=Count("runs"))
    return render(request, "scenarios/list.html", {"scenarios": rows})


@require_safe
def editor(request: HttpRequest, pk: int) -> HttpResponse:
    """The editor of one scenario."""
    scenario = access.get_scenario_or_404(request.user, pk)
    snapshot = scenario.snapshot
    remember_draft(request, scenario)
    suggestion = suggest(snapshot, scenario.driver)
    groups, group_count = pending_groups(snapshot, PENDING_GROUPS)
    context = {
        "scenario": scenario,
        "snapshot": snapshot,
        "resources": main_resources(snapshot),
        "pending_groups": groups,
        "more_groups": group_count - len(groups),
        "data": editor_data(scenario, suggestion),
        "suggestion": suggestion,
        "settled": settled_of(snapshot),
        "kinds": list(kinds()),
        "versions": versions(),
        "upgrade": upgrading.upgrade_choices(snapshot, scenario.profile),
        "operations": [
            (op, shape.words.button, ICONS.get(op, OTHER_ICON)) for op, shape in OPERATIONS.items()
        ],
        "runs": access.visible_runs(request.user).filter(scenario=scenario)[:8],
    }
    return render(request, "scenarios/editor.html", context)


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """A new scenario of a snapshot, without edits."""
    access.require_operator(request.user)
    snapshot = access.get_snapshot_or_404(request.user, request.POST.get("snapshot"))
    number = Scenario.objects.filter(snapshot=snapshot).count() + 1
    name = request.POST.get("name") or f"{snapshot.name}: what if {number}"[: service.NAME_LENGTH]
    fields = {"name": name, "snapshot": snapshot}
    try:
        scenario = service.create_scenario(request.user, fields)
    except BadInput as error:
        messages.error(request, "; ".join(problem.message for problem in error.problems))
        return redirect("snapshot", pk=snapshot.pk)
    return redirect("scenario", pk=scenario.pk)


@require_POST
def copy(request: HttpRequest, pk: int) -> HttpResponse:
    """A copy of the scenario under another name."""
    access.require_operator(request.user)
    original = access.get_scenario_or_404(request.user, pk)
    fields = {name: getattr(original, name) for name in service.FIELDS}
    fields["driver"] = original.driver if original.driver_chosen else None
    fields["name"] = f"{original.name} (copy)"[-service.NAME_LENGTH :]
    try:
        return redirect("scenario", pk=service.create_scenario(request.user, fields).pk)
    except BadInput as error:
        messages.error(request, f"{original.name} was not copied: {sentences_of(error)}")
        return redirect("scenario", pk=pk)


@require_POST
def take_own_schedulers(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the scenario the schedulers that its cluster's waiting pods name."""
    access.require_operator(request.user)
    scenario = access.get_scenario_or_404(request.user, pk)
    fields = suggest(scenario.snapshot, scenario.driver).fields()
    try:
        service.update_scenario(scenario, scenario.version, fields)
    except (BadInput, VersionConflict) as error:
        why = sentences_of(error) if isinstance(error, BadInput) else str(error)
        messages.error(request, f"The schedulers were not changed: {why}")
    return redirect("scenario", pk=pk)


@require_POST
def run_scenario_under(request: HttpRequest, pk: int) -> HttpResponse:
    """Run the scenario under another version of the scheduler, as a scenario of its own."""
    original = access.get_scenario_or_404(request.user, pk)
    return _run_under(request, original, redirect("scenario", pk=pk))


@require_POST
def run_again_under(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask a run's question again, as it was frozen, under another version of the scheduler."""
    return _run_under(request, access.get_run_or_404(request.user, pk), redirect("run-outcome", pk=pk))


def _run_under(request: HttpRequest, original: Scenario | Run, back: HttpResponse) -> HttpResponse:
    access.require_operator(request.user)
    profile = request.POST.get("profile", "")
    try:
        run = variants.run_under(request.user, original, profile)
    except BadInput as error:
        messages.error(request, f"Not run under {profile}: {sentences_of(error)}")
        return back
    except Refused as refusal:
        messages.error(request, str(refusal))
        return back
    if original.config and not run.config:
        messages.warning(request, f"{profile} does not take the configuration that {original} had: left out.")
    if len(run.beside) < len(original.beside):
        messages.warning(request, f"{profile} acts alone: the schedulers beside it were left out.")
    if run.driver != original.driver:
        messages.warning(request, f"{profile} has no driver {original.driver}: it was run with {run.driver}.")
    return redirect("run", pk=run.pk)


@require_POST
def upgrade_snapshot(request: HttpRequest, pk: int) -> HttpResponse:
    """Run the cluster under its release and a newer one, and compare them."""
    found = access.get_snapshot_or_404(request.user, pk)
    return _upgrade(request, found, redirect("snapshot", pk=pk))


@require_POST
def upgrade_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Run the scenario under its cluster's release and a newer one, and compare them."""
    return _upgrade(request, access.get_scenario_or_404(request.user, pk), redirect("scenario", pk=pk))


def _upgrade(request: HttpRequest, original: Scenario | Snapshot, back: HttpResponse) -> HttpResponse:
    access.require_operator(request.user)
    try:
        made = upgrading.run_upgrade(request.user, original, request.POST.get("release"))
    except BadInput as error:
        messages.error(request, f"Not run under two releases: {sentences_of(error)}")
        return back
    except Refused as refusal:
        messages.error(request, str(refusal))
        return back
    for note in made.notes:
        messages.warning(request, note)
    return redirect(f"{reverse('compare')}?a={made.older.pk}&b={made.newer.pk}")


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the scenario; with `cascade` also its runs."""
    scenario = access.get_scenario_or_404(request.user, pk)
    deleted = delete_or_explain(request, scenario, service.delete_scenario)
    return redirect("scenarios") if deleted else redirect("scenario", pk=pk)


@require_POST
def text(request: HttpRequest) -> HttpResponse:
    """Translate between values and YAML, by the one reader of YAML: {"value"} or {"yaml"} in, both out.

    A large value is written as JSON, and `note` says so.
    """
    access.require_operator(request.user)
    if len(request.body) > TEXT_LIMIT:
        return _refusal(f"The text has more than {TEXT_LIMIT:,} bytes.")
    try:
        body = decode_body(request.body, about="")
        if "yaml" not in body:
            return _written(body["value"])
        documents = read_yaml(body["yaml"].encode())
    except BadInput as error:
        return _refusal(sentences_of(error))
    except (ValueError, KeyError, TypeError, AttributeError):
        return _refusal("This is not a document.")
    if len(documents) > 1:
        return _refusal(
            f"This box takes one YAML document and has {len(documents):,}, parted by ---. "
            "Keep one of them here. Add an edit for each of the others."
        )
    return JsonResponse({"value": documents[0], "yaml": body["yaml"]})


def editor_data(scenario: Scenario, suggestion: Suggestion) -> dict[str, Any]:
    """What the editor's script starts from: the scenario, its cluster's schedulers, names for the forms."""
    snapshot = scenario.snapshot
    nodes = nodes_of(snapshot).values_list("name", flat=True)
    workloads = snapshot_tables.workloads_of(snapshot).values_list("kind", "namespace", "name", "replicas")
    pods = snapshot_tables.pods_of(snapshot).values_list("namespace", "name")
    ended = Pod.objects.filter(snapshot=snapshot, phase__in=ENDED_PHASES).count()
    write, write_edit = writer_for([scenario.config, scenario.beside]), _writer_of_edits(scenario.edits)
    return {
        "id": scenario.pk,
        "version": scenario.version,
        "name": scenario.name,
        "schedulers": [asdict(version) for version in versions()],
        "profile": scenario.profile,
        "config": scenario.config,
        "config_yaml": write(scenario.config) if scenario.config else "",
        "found": [
            {"where": f"{one.config_map}: {one.entry}", "scheduler": one.scheduler, "yaml": write(one.config)}
            for one in suggestion.found
        ],
        "suggestion": {**suggestion.fields(), "unserved": suggestion.unserved},
        "driver": scenario.driver if scenario.driver_chosen else None,
        "driver_choice": choose_driver(scenario)._asdict(),
        "beside": [
            {"value": entry, "yaml": write(entry["config"]) if entry.get("config") else ""}
            for entry in scenario.beside
        ],
        "controllers": scenario.controllers,
        "seed": scenario.seed,
        "until": scenario.until,
        "attempt_seconds": scenario.attempt_seconds,
        "ready_seconds": scenario.ready_seconds,
        "edits": [{"value": edit, "yaml": write_edit(edit)} for edit in scenario.edits],
        "note": note_on(write),
        "ended": ended,
        "operations": operations_declared(),
        "most_names": NAMES_LISTED,
        "groups": _groups_of(snapshot),
        "nodes": list(nodes[:NAMES_LISTED]),
        "workloads": [list(row) for row in workloads[:NAMES_LISTED]],
        "pods": [f"{namespace}/{name}" for namespace, name in pods[:NAMES_LISTED]],
        "present": _present(snapshot),
        "configuration_forms": {
            kind.configuration: form
            for kind in all_kinds()
            if (form := kind.configuration_form()) is not None
        },
        "cards_address": reverse("api:snapshot-node-cards", args=[snapshot.pk, "NODE"]),
    }


def _present(snapshot: Snapshot) -> Present:
    """What objects of the schedulers' own kinds say now, for the forms that change them."""
    found = (kind.present(snapshot, NAMES_LISTED) for kind in all_kinds())
    return {op: by_name for present in found for op, by_name in present.items()}


def operations_declared() -> list[dict[str, Any]]:
    """The operations of edits as the editor's forms are made of them."""
    return [
        {
            "op": op,
            "title": shape.words.title,
            "hint": shape.words.hint,
            "phrase": shape.words.phrase,
            "blank": dict(shape.words.blank),
            "fields": [_declared(field) for field in form_of(shape)],
        }
        for op, shape in OPERATIONS.items()
    ]


def _declared(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "type": field.kind,
        "optional": field.optional,
        "clock": field.clock,
        "choices": list(field.choices),
        "min": field.least,
    }


def _groups_of(snapshot: Snapshot) -> list[str]:
    """The groups that the labels of the snapshot's nodes name, as edits name them."""
    nodes = Node.objects.filter(snapshot=snapshot).order_by()
    return [
        f"{by}={value}"
        for by in ("pool", "zone")
        for value in sorted(set(nodes.exclude(**{by: ""}).values_list(by, flat=True)), key=natural_key)
    ]


def _writer_of_edits(edits: list[Any]) -> Callable[[Any], str | None]:
    """Return what writes the edits; of very many the editor asks for each text when it is looked at."""
    return (lambda edit: None) if writer_for(edits) is as_json else as_yaml


def _written(value: Any) -> JsonResponse:
    write = writer_for(value)
    return JsonResponse({"value": value, "yaml": write(value), "note": note_on(write)})


def _refusal(message: str) -> JsonResponse:
    return JsonResponse({"detail": message}, status=400)
