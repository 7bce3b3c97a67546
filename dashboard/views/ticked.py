"""Rows ticked in a snapshot's tables: edits of all of them, in the draft that is open for the snapshot.

The draft is the scenario of this snapshot that its author made or opened last and that has no run yet.
"""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.accounts.roles import is_operator
from dashboard.errors import VersionConflict, sentences_of
from dashboard.models import Run, Scenario, Snapshot
from dashboard.queries import access
from dashboard.services.workspace import scenarios as service
from dashboard.views.tick_actions import LONGEST_NAMES, Action
from scheduler_core.objects.problems import BadInput

DRAFTS = "drafts"
DRAFTS_KEPT = 20


def remember_draft(request: HttpRequest, scenario: Scenario) -> None:
    """Let a scenario be the draft that edits of other pages go to."""
    if Run.objects.filter(scenario=scenario).exists():
        return
    key = str(scenario.snapshot_id)
    others = {snapshot: pk for snapshot, pk in _drafts(request).items() if snapshot != key}
    request.session[DRAFTS] = dict([*others.items(), (key, scenario.pk)][-DRAFTS_KEPT:])


def draft_of(request: HttpRequest, snapshot: Snapshot) -> Scenario | None:
    """Return the draft that is open for a snapshot, None if there is none."""
    number = _drafts(request).get(str(snapshot.pk))
    if number is None:
        return None
    found = access.visible_scenarios(request.user).filter(pk=number, snapshot=snapshot, runs__isnull=True)
    return found.first()


def tick_context(
    request: HttpRequest, found: Snapshot, rows: str, actions: list[Action], kind: object = ""
) -> dict[str, Any]:
    """Return what a table of a snapshot needs for its rows to be ticked.

    rows: what they are called, as static/js/ticked-edits.js knows them. kind: theirs, where all are of one.
    """
    return {
        "ticks": is_operator(request.user),
        "tick_rows": rows,
        "tick_kind": str(kind),
        "tick_actions": actions,
        "longest_names": LONGEST_NAMES,
        "draft": draft_of(request, found),
    }


def _drafts(request: HttpRequest) -> dict[str, int]:
    drafts = request.session.get(DRAFTS)
    return drafts if isinstance(drafts, dict) else {}


@require_POST
def add_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Add what is in `edit`, an edit or a list of them as JSON, to the snapshot's draft or a `new` scenario.

    With `open` the editor shows its form, for an edit of which something is still to be said.
    """
    access.require_operator(request.user)
    snapshot = access.get_snapshot_or_404(request.user, pk)
    try:
        given = json.loads(request.POST.get("edit", ""))
    except ValueError:
        messages.error(request, "The edit is no JSON.")
        return redirect("snapshot", pk=pk)
    draft = None if request.POST.get("new") else draft_of(request, snapshot)
    try:
        scenario = _with(request.user, snapshot, draft, given if isinstance(given, list) else [given])
    except (BadInput, VersionConflict) as error:
        why = sentences_of(error) if isinstance(error, BadInput) else str(error)
        messages.error(request, f"Not added: {why}")
        return redirect("snapshot", pk=pk)
    remember_draft(request, scenario)
    return redirect(
        reverse("scenario", args=[scenario.pk]) + ("#last-edit" if request.POST.get("open") else "")
    )


def _with(user: Any, snapshot: Snapshot, draft: Scenario | None, edits: list[Any]) -> Scenario:
    """Return the scenario with the edits at the end of its list. Raises BadInput, VersionConflict."""
    if draft is not None:
        return service.update_scenario(draft, draft.version, {"edits": [*draft.edits, *edits]})
    name = f"{snapshot.name}: what if {Scenario.objects.filter(snapshot=snapshot).count() + 1}"
    fields = {"name": name[: service.NAME_LENGTH], "snapshot": snapshot, "edits": edits}
    return service.create_scenario(user, fields)
