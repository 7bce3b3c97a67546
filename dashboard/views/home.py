"""The first page: what people ran of late, samples to try with one click, and how much the data takes."""

import time
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.kinds.cards import policy_runs
from dashboard.models import Run, Scenario, Snapshot
from dashboard.queries import access
from dashboard.queries.counterparts import counterparts
from dashboard.services.background.attendance import SAMPLES, present_parts
from dashboard.services.workspace.samples import begin_sample, loaded_sample
from dashboard.views.runs import outcome_sums
from samples.gallery import Sample, gallery

RECENT_RUNS = 8
RECENT_SNAPSHOTS = 4
SAMPLE_SCENARIOS = 4
SIZE_KEPT_SECONDS = 60

_size: tuple[float, int] = (0.0, 0)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Recent runs, samples, import."""
    access.require_viewer(request.user)
    runs = access.visible_runs(request.user).filter(background=False)
    snapshots = access.visible_snapshots(request.user)
    context = {
        "runs": [(run, outcome_sums(run.outcome) if run.outcome else []) for run in runs[:RECENT_RUNS]],
        "samples": [
            sample_card(request.user, snapshot)
            for snapshot in snapshots.filter(is_sample=True).exclude(status=Snapshot.Status.FAILED)[::-1]
        ],
        "loading_samples": SAMPLES in present_parts(),
        "not_loaded": [sample for sample in _large_samples() if loaded_sample(sample.name) is None],
        "snapshots": snapshots.filter(is_sample=False)[:RECENT_SNAPSHOTS],
        "data_size": data_size(),
    }
    return render(request, "home.html", context)


@require_POST
def load_large_sample(request: HttpRequest) -> HttpResponse:
    """Let a worker load a large sample, and show how far it is."""
    access.require_operator(request.user)
    named = [sample for sample in _large_samples() if sample.name == request.POST.get("name")]
    if not named:
        raise Http404
    return redirect("snapshot", begin_sample(request.user, named[0]).pk)


def sample_card(user: Any, snapshot: Snapshot) -> dict[str, Any]:
    """A sample with its own scenarios, each with a run (a finished one if any) and what to watch in it."""
    scenarios = []
    for scenario in own_scenarios(user, snapshot):
        runs = access.visible_runs(user).filter(scenario=scenario)
        run = runs.filter(status=Run.Status.FINISHED).first() or runs.filter(finished_at=None).first()
        scenarios.append({"scenario": scenario, "run": run, "watch": what_to_watch(run)})
    return {
        "snapshot": snapshot,
        "scenarios": scenarios,
        "pair": _pair(user, scenarios),
        "policies": len(policy_runs(snapshot.pk, access.visible_runs(user))),
    }


def own_scenarios(user: Any, snapshot: Snapshot) -> list[Scenario]:
    """The scenarios that came with a sample: the first of each name that the gallery gives it."""
    names = _names_in_gallery().get(snapshot.name, [])
    among = access.visible_scenarios(user).filter(snapshot=snapshot, name__in=names)
    first = {scenario.name: scenario for scenario in among.order_by("-pk")}
    return [first[name] for name in names if name in first]


@cache
def _large_samples() -> list[Sample]:
    return [sample for sample in gallery() if sample.large]


@cache
def _names_in_gallery() -> dict[str, list[str]]:
    """The names of the first scenarios of each sample."""
    return {
        sample.name: [scenario.name for scenario in sample.scenarios[:SAMPLE_SCENARIOS]]
        for sample in gallery()
    }


def _pair(user: Any, scenarios: list[dict[str, Any]]) -> tuple[Run, Run] | None:
    """Two finished runs of one question of the sample under different schedulers, to be seen side by side."""
    of_sample = access.visible_runs(user).filter(scenario__in=[entry["scenario"] for entry in scenarios])
    for run in (entry["run"] for entry in scenarios):
        others = counterparts(run, of_sample) if run and run.finished_at else []
        finished = [other for other in others if other.status == Run.Status.FINISHED]
        if finished:
            return run, finished[0]
    return None


def what_to_watch(run: Run | None) -> dict[str, Any] | None:
    """The decision of a run that shows most: its first preemption, else its first failure, else its first."""
    if run is None or not run.outcome or not run.decisions:
        return None
    eviction, failure = run.outcome["first_eviction"], run.outcome["first_unschedulable"]
    if eviction and eviction["by"]:
        return {"words": "Watch a preemption", "seq": eviction["seq"], "tab": "preemption"}
    if eviction:
        return {"words": "Watch a drain", "seq": eviction["seq"], "tab": ""}
    if failure:
        return {"words": "See why a pod fits nowhere", "seq": failure["seq"], "tab": ""}
    return {"words": "Step through it", "seq": 1, "tab": ""}


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
