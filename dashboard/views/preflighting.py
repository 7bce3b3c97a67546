"""Preflight of a snapshot: a manifest, and while somebody types what would come of applying it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.answers.answer import Table
from dashboard.answers.binding_lines import binding_lines
from dashboard.answers.exit_codes import MEANINGS, exit_code
from dashboard.answers.preflight import Preflight
from dashboard.answers.printers.html import WHOLE
from dashboard.answers.printers.junit import junit
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.node_names import cut_of
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.services.questions.of_snapshot import SnapshotQuestion
from dashboard.services.questions.stored_questions import Told
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.services.workspace.preflighting import Manifest, read_preflight
from dashboard.services.workspace.schedulers import versions
from dashboard.views.fitting import chosen_edits, fitting_part
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshots import ready_or_404
from scheduler_core.objects.problems import BadInput, Problem

PATIENCE_SECONDS = 1.0
"""So long an answer is waited for before it is said that it is being computed."""
LARGEST = 2_000_000
"""A manifest of more characters is refused."""
EXPORTS = (("md", "Markdown"), ("json", "JSON"), ("xml", "JUnit"), ("html", "One HTML file"))
MOST_FITTED = 3
"""Of so many workloads that don't fit it is asked what would make them fit."""


@require_http_methods(["GET", "HEAD", "POST"])
def preflight(request: HtmxRequest, pk: int) -> HttpResponse:
    """The tab Preflight: a field for manifests, and what comes of the one that was sent."""
    access.require_operator(request.user)
    return _page(request, ready_or_404(request, pk), {})


@require_POST
def end(request: HtmxRequest, pk: int) -> HttpResponse:
    """Let a preflight end that is being tried."""
    access.require_operator(request.user)
    found = ready_or_404(request, pk)
    with suppress(BadInput):  # what is wrong is told by the page
        _read(found, request.POST).end()
    return _page(request, found, {"is_ended": True})


@require_POST
def preflight_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """The answer as Markdown, JSON, JUnit's XML or one HTML file; 404 until it is there."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    found = _manifest(snapshot, request.POST).told(PATIENCE_SECONDS).answer
    if found is None:
        raise Http404
    body, media = _printed(snapshot, found, kind)
    response = HttpResponse(body, content_type=f"{media}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="preflight-{pk}.{kind}"'
    return response


def _printed(snapshot: Snapshot, found: Preflight, kind: str) -> tuple[str | bytes, str]:
    if kind == "md":
        return markdown(found.answer), "text/markdown"
    if kind == "xml":
        return junit(found), "application/xml"
    if kind == "html":
        return file_of_answer("A preflight", snapshot, found.answer), "text/html"
    return msgspec.json.format(msgspec.json.encode(found)), "application/json"


@require_POST
def would_fit(request: HtmxRequest, pk: int) -> HttpResponse:
    """What would make a workload of the manifest fit, as a part of the page."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    asked = _fitting(snapshot, request.POST)
    return fitting_part(request, snapshot, asked, {"manifest_of": asked.name})


@require_POST
def end_would_fit(request: HtmxRequest, pk: int) -> HttpResponse:
    """Let that end, and show what is known."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    _fitting(snapshot, request.POST).end(snapshot)
    return would_fit(request, pk)


@require_POST
def open_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the scenario of the manifest, with a change if one was chosen, and show it."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    try:
        made = _read(snapshot, request.POST).scenario(request.user, chosen_edits(request.POST))
    except BadInput as error:
        messages.error(request, "; ".join(problem.message for problem in error.problems))
        return redirect("snapshot-preflight", pk=pk)
    return redirect("scenario", pk=made.pk)


def _page(request: HtmxRequest, snapshot: Snapshot, more: dict[str, Any]) -> HttpResponse:
    form = {name: request.POST.get(name, "") for name in ("manifest", "namespace", "profile")}
    context: dict[str, Any] = {
        "snapshot": snapshot, "tab": "preflight", "form": form, **more,
        "profiles": [one.profile for one in versions()],
        "exports": EXPORTS, "site": request.build_absolute_uri("/").rstrip("/"), "no_cut": WHOLE,
    }  # fmt: skip
    if form["manifest"].strip() and "is_ended" not in more:
        again = request.POST.get("again") == "1"
        try:
            told = _read(snapshot, request.POST).told(PATIENCE_SECONDS, again=again)
        except BadInput as error:
            context["problems"] = error.problems
        else:
            context |= _shown(told, form["manifest"])
    template = "snapshots/preflight_answer.html" if request.htmx else "snapshots/preflight.html"
    return render(request, template, context | {"is_part": bool(request.htmx)})


def _shown(told: Told[Preflight], manifest: str) -> dict[str, Any]:
    if told.problems:
        return {"problems": [msgspec.convert(one, Problem) for one in told.problems]}
    found = told.answer
    if found is None:
        return {"told": told}
    tables = {table.name: table for table in found.answer.tables}
    waiting = [one for one in found.workloads if one.waiting]
    return {
        "told": told,
        "found": found,
        "answer": found.answer,
        "exit_code": (ends := exit_code(found)),
        "exit_means": MEANINGS[ends],
        "cut": cut_of(found.answer),
        "lands": tables.pop("lands", None),
        "beside": [tables.pop(name) for name in ("goes", "messages") if name in tables],
        "tables": list[Table](tables.values()),
        "binding": binding_lines(manifest, found.binds),
        "unfitted": [f"{one.kind}/{one.namespace}/{one.name}" for one in waiting[:MOST_FITTED]],
    }


def _manifest(snapshot: Snapshot, asked: QueryDict) -> Manifest:
    try:
        return _read(snapshot, asked)
    except BadInput as error:
        raise Http404 from error


def _fitting(snapshot: Snapshot, asked: QueryDict) -> SnapshotQuestion:
    try:
        return _read(snapshot, asked).fitting(asked.get("workload", ""))
    except BadInput as error:
        raise Http404 from error


def _read(snapshot: Snapshot, asked: QueryDict) -> Manifest:
    """Return the manifest of a form. Raises BadInput."""
    text = asked.get("manifest", "")
    if len(text) > LARGEST:
        limit = f"has {len(text):,} characters; at most {LARGEST:,} are tried here"
        raise BadInput([Problem("manifest", "", limit)])
    named = {name: asked.get(name, "").strip() for name in ("namespace", "profile")}
    return read_preflight(snapshot, text, **named)
