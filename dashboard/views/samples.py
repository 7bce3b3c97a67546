"""The samples: the questions that they answer, a page of all of them, and the loading of a large one."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.kinds.cards import policy_runs
from dashboard.models import Run, Scenario, Snapshot
from dashboard.queries import access
from dashboard.queries.counterparts import counterparts
from dashboard.services.background.attendance import SAMPLES, present_parts
from dashboard.services.workspace.samples import begin_sample, loaded_sample, sample_named
from samples.gallery import Sample, gallery
from samples.questions import FIRST, QUESTIONS, Question

SAMPLE_SCENARIOS = 4


@require_safe
def samples(request: HttpRequest) -> HttpResponse:
    """All samples with their scenarios, and the large ones to load."""
    access.require_viewer(request.user)
    there = access.visible_snapshots(request.user).filter(is_sample=True)
    context = {
        "samples": [
            sample_card(request.user, snapshot)
            for snapshot in there.exclude(status=Snapshot.Status.FAILED)[::-1]
        ],
        "loading_samples": is_loading(),
        "not_loaded": [sample for sample in _large_samples() if loaded_sample(sample.name) is None],
    }
    return render(request, "samples.html", context)


@require_POST
def load_large_sample(request: HttpRequest) -> HttpResponse:
    """Let a worker load a large sample, and show how far it is."""
    access.require_operator(request.user)
    named = [sample for sample in _large_samples() if sample.name == request.POST.get("name")]
    if not named:
        raise Http404
    return redirect("snapshot", begin_sample(request.user, named[0]).pk)


@dataclass(frozen=True)
class Entry:
    """A question with where its answer is; `address` is empty while there is none yet.

    facts: what the sample is, in a few words each. load: the name of a large sample that is not loaded.
    """

    question: Question
    address: str = ""
    facts: tuple[str, ...] = ()
    load: str = ""


def entries(user: Any) -> list[Entry]:
    """Return the questions that can be answered here, or could be once a sample is loaded."""
    found = [_entry(user, question) for question in QUESTIONS]
    return [entry for entry in found if entry.address or entry.load or is_loading()]


def first_run(user: Any) -> Run | None:
    """Return the run of the first question, None before it was started."""
    return _run_of(user, _scenario_of(user, FIRST))


def is_loading() -> bool:
    """Return whether the small samples are being loaded."""
    return SAMPLES in present_parts()


def _entry(user: Any, question: Question) -> Entry:
    scenario = _scenario_of(user, question)
    if scenario is None:
        return _not_loaded(question)
    nodes = f"{scenario.snapshot.counts.get('Node', 0):,} nodes"
    run = _run_of(user, scenario)
    if run is None:
        return Entry(question, reverse("scenario", args=[scenario.pk]), (nodes,))
    if question.shows == "policies":
        policies = len(policy_runs(scenario.snapshot_id, access.visible_runs(user)))
        if policies > 1:
            address = f"{reverse('compare-cards')}?snapshot={scenario.snapshot_id}"
            return Entry(question, address, (nodes, f"{policies} policies side by side"))
    if question.shows == "pair":
        pair = pair_of(user, [run], own_scenarios(user, scenario.snapshot))
        if pair:
            address = f"{reverse('compare')}?a={pair[0].pk}&b={pair[1].pk}"
            return Entry(question, address, (nodes, "side by side"))
    return Entry(question, _moment(run), (nodes, f"{run.decisions:,} decisions"))


def _not_loaded(question: Question) -> Entry:
    sample = sample_named(question.sample)
    if sample is None or not sample.large:
        return Entry(question)
    snapshot = loaded_sample(sample.name)
    if snapshot is not None:
        return Entry(question, reverse("snapshot", args=[snapshot.pk]), ("is being loaded",))
    return Entry(question, facts=(sample.large.partition(";")[0],), load=sample.name)


def _moment(run: Run) -> str:
    watch = what_to_watch(run)
    address = reverse("run", args=[run.pk])
    if watch is None:
        return address
    tab = f"&tab={watch['tab']}" if watch["tab"] else ""
    return f"{address}?at={watch['seq']}{tab}"


def _scenario_of(user: Any, question: Question) -> Scenario | None:
    named = access.visible_scenarios(user).filter(
        name=question.scenario, snapshot__name=question.sample, snapshot__is_sample=True
    )
    return named.order_by("pk").first()


def _run_of(user: Any, scenario: Scenario | None) -> Run | None:
    """Return a finished run of the scenario, else one that is under way."""
    if scenario is None:
        return None
    runs = access.visible_runs(user).filter(scenario=scenario)
    return runs.filter(status=Run.Status.FINISHED).first() or runs.filter(finished_at=None).first()


def sample_card(user: Any, snapshot: Snapshot) -> dict[str, Any]:
    """A sample with its own scenarios, each with a run (a finished one if any) and what to watch in it."""
    own = own_scenarios(user, snapshot)
    runs = [_run_of(user, scenario) for scenario in own]
    return {
        "snapshot": snapshot,
        "scenarios": [
            {"scenario": scenario, "run": run, "watch": what_to_watch(run)}
            for scenario, run in zip(own, runs, strict=True)
        ],
        "pair": pair_of(user, runs, own),
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


def pair_of(user: Any, runs: list[Run | None], scenarios: list[Scenario]) -> tuple[Run, Run] | None:
    """Two finished runs of one question of the sample under different schedulers, to be seen side by side."""
    of_sample = access.visible_runs(user).filter(scenario__in=scenarios)
    for run in runs:
        others = counterparts(run, of_sample) if run and run.finished_at else []
        finished = [other for other in others if other.status == Run.Status.FINISHED]
        if run and finished:
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
