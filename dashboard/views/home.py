"""The first page: for those who have nothing here yet what it is all about, else what can be asked."""

import re
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from dashboard.models import Run, Snapshot
from dashboard.queries import access
from dashboard.views.htmx import HtmxRequest
from dashboard.views.rehearsing import address_of_drain
from dashboard.views.samples import entries, first_run, is_loading
from dashboard.views.scenario_lines import scenario_lines
from dashboard.views.snapshots import IMPORT_COMMAND, main_resources
from scheduler_core.objects.suggestions import did_you_mean

LINES = 8
CLUSTERS = 4
CLUSTERS_TO_ASK = 12
NODES_NAMED = 2000
SIZE_KEPT_SECONDS = 60

_size: tuple[float, int] = (0.0, 0)


@require_safe
def home(request: HtmxRequest) -> HttpResponse:
    """Where nothing was imported, and the reader has run nothing: the first visit; else what can be asked."""
    access.require_viewer(request.user)
    runs = access.visible_runs(request.user).filter(background=False)
    if request.htmx.target == "lines" and _all_go_on(request, runs):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    snapshots = access.visible_snapshots(request.user)
    own = snapshots.filter(is_sample=False)
    asked_of_samples = entries(request.user)
    shared = {"entries": asked_of_samples, "loading": is_loading(), "data_size": data_size()}
    if not own.exists() and not runs.filter(created_by=request.user.pk).exists():
        run = first_run(request.user)
        context = {**shared, "run": run, "command": IMPORT_COMMAND}
        return render(request, "home/first_visit.html", context)
    choices = _to_ask(request, snapshots)
    asked = _asked(request, choices)
    drain = request.GET.get("drain", "").replace("\x00", "").strip() if asked else ""
    if asked and drain and asked.nodes.filter(name=drain).exists():
        return redirect(address_of_drain(asked.pk, drain))
    context = {
        **shared,
        "played": [entry for entry in asked_of_samples if entry.address],
        "lines": scenario_lines(runs, LINES),
        "clusters": [(snapshot, _resources(snapshot)) for snapshot in own[:CLUSTERS]],
        "more_clusters": max(0, own.count() - CLUSTERS),
        "choices": choices,
        "asked": asked,
        "drain": drain,
        "no_such_node": _no_such_node(asked, drain) if asked and drain else "",
        "nodes": asked.nodes.values_list("name", flat=True)[:NODES_NAMED] if asked else (),
    }
    return render(request, "home/returning.html", context)


def _all_go_on(request: HttpRequest, runs: QuerySet[Run]) -> bool:
    """Return whether no run has ended of those that the page shows as under way."""
    numbers = [text for text in request.GET.get("going", "").split(",") if re.fullmatch("[0-9]{1,18}", text)]
    return runs.filter(pk__in=numbers, finished_at=None).count() == len(numbers)


def _to_ask(request: HttpRequest, snapshots: QuerySet[Snapshot]) -> list[Snapshot]:
    """Return the clusters to choose from: the newest of one's own, or samples, and the one in the address."""
    ready = snapshots.filter(status=Snapshot.Status.READY)
    own = ready.filter(is_sample=False)
    newest = list((own if own.exists() else ready)[:CLUSTERS_TO_ASK])
    wanted = request.GET.get("of", "")
    if not re.fullmatch("[0-9]{1,18}", wanted):
        return newest
    return [*newest, *ready.filter(pk=wanted).exclude(pk__in=[one.pk for one in newest])]


def _asked(request: HttpRequest, choices: list[Snapshot]) -> Snapshot | None:
    """Return the cluster that is asked: the one in the address, else the newest; None if there is none."""
    wanted = request.GET.get("of", "")
    named = [snapshot for snapshot in choices if str(snapshot.pk) == wanted]
    return next(iter([*named, *choices]), None)


def _no_such_node(asked: Snapshot, name: str) -> str:
    known = asked.nodes.values_list("name", flat=True)
    return f"{asked.name} has no node {name}{did_you_mean(name, known)}"


def _resources(snapshot: Snapshot) -> list[tuple[str, Any]]:
    return main_resources(snapshot) if snapshot.status == Snapshot.Status.READY else []


def data_size() -> int:
    """Bytes in the data folder, counted at most once a minute."""
    global _size
    counted_at, size = _size
    if not counted_at or time.monotonic() - counted_at > SIZE_KEPT_SECONDS:
        size = sum(_file_size(file) for file in Path(settings.DATA_DIR).rglob("*"))
        _size = (time.monotonic(), size)
    return size


def _file_size(file: Path) -> int:
    """A file that vanishes while we look has no size."""
    try:
        return file.lstat().st_size if file.is_file() else 0
    except OSError:
        return 0
