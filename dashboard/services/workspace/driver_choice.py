"""Which driver a scenario has where nobody chose one: `timed` wherever time decides about the answer.

A drain meets budgets that get room again, evicted pods come back one after another, pods that leave hold
their room for their grace period, a rollout needs room for new pods beside old ones. Without a clock all of
this would happen at one instant. Where nothing of the kind is asked, the profile's first driver says where
pods would go now.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Max, Min

from dashboard.models import Pod, Scenario, Snapshot, Workload
from dashboard.models.packing import contains
from dashboard.models.scenarios import without_switch
from dashboard.queries.pending import PENDING
from dashboard.services.workspace.schedulers import WITH_CLOCK, default_driver, scheduler_problems
from dashboard.services.workspace.trial_size import added_objects
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import DAEMON_SET, DEPLOYMENT, STATEFUL_SET, kind_of
from scheduler_core.schedulers.registry import versions
from scheduler_core.world.controllers.pod_endings import DURATION
from scheduler_core.world.edits.applying import says_nothing_new
from scheduler_core.world.edits.operations import shape_of
from scheduler_core.world.edits.refusals import manifest_faults
from scheduler_core.world.run_input import ATTEMPT_SECONDS, READY_SECONDS

TIMED = "timed"
KEPT = 64
_ROLLING = (DEPLOYMENT, STATEFUL_SET, DAEMON_SET)


class DriverChoice(NamedTuple):
    """A driver, and the reason for it as the end of a sentence: "because …"."""

    driver: str
    because: str


def choose_driver(scenario: Scenario) -> DriverChoice:
    """Return the driver for what a scenario asks, saved or not; its own for a profile that there is not."""
    first = default_driver(scenario.profile)
    if first is None:
        return DriverChoice(scenario.driver, f"{scenario.profile} is unknown")
    if TIMED not in versions()[scenario.profile].drivers:
        return DriverChoice(first, f"{scenario.profile} has no clock")
    because = next(_reasons(scenario), "")
    if not because:
        return DriverChoice(first, "nothing is evicted, drained, deleted or timed")
    if first not in WITH_CLOCK and _refused_with_clock(scenario):
        return DriverChoice(first, "one of these schedulers has no clock")
    return DriverChoice(TIMED, because)


def _refused_with_clock(scenario: Scenario) -> bool:
    """Return whether the schedulers can be played, but not together under a clock."""
    given = scenario.profile, scenario.config
    refused = scheduler_problems(*given, TIMED, beside=scenario.beside)
    return bool(refused) and not scheduler_problems(
        *given, default_driver(scenario.profile) or "", beside=scenario.beside
    )


def _reasons(scenario: Scenario) -> Iterator[str]:
    """Yield why time decides, from what is cheapest to see on."""
    clock = scenario.until, scenario.attempt_seconds, scenario.ready_seconds
    if clock != (None, ATTEMPT_SECONDS, READY_SECONDS):
        yield "the clock is set"
    edits = [
        without_switch(edit)
        for edit in scenario.edits
        if isinstance(edit, dict) and edit.get("enabled", True) is True
    ]
    for edit in edits:
        typed = shape_of(edit)
        if typed is not None:
            yield from typed.because_of_time()
    cluster = _facts(scenario.snapshot_id, scenario.snapshot.content_hash)
    if cluster.has_durations:
        yield "pods of the snapshot run for a set time"
    if cluster.may_preempt:
        yield "pods that wait have a higher priority than pods that run, and may preempt them"
    if any(_brings_priority(scenario.snapshot, edit) for edit in edits):
        yield "pods with a priority are added, and may preempt others"
    if any(_rolls_out(scenario.snapshot, edit) for edit in edits):
        yield "a changed template is rolled out, a few pods at a time"


class _Facts(NamedTuple):
    """What of a cluster makes time decide: durations of its pods, and pods that may preempt others."""

    has_durations: bool
    may_preempt: bool


@lru_cache(maxsize=KEPT)
def _facts(snapshot: int, content_hash: str) -> _Facts:
    """Return the facts of a snapshot. Snapshots don't change, so that the last ones are kept."""
    found = Snapshot.objects.get(pk=snapshot, content_hash=content_hash)
    pods = Pod.objects.filter(snapshot=found).order_by()
    highest = pods.filter(PENDING).aggregate(of=Max("priority"))["of"] if found.pending else None
    lowest = None if highest is None else pods.exclude(node_name="").aggregate(of=Min("priority"))["of"]
    return _Facts(
        contains(found.content, DURATION.encode()),
        highest is not None and lowest is not None and lowest < highest,
    )


def _brings_priority(snapshot: Snapshot, edit: dict[str, Any]) -> bool:
    """Return whether an edit adds pods that name a priority above that of pods which name none."""
    if edit.get("op") == "add":
        return any(map(_has_priority, added_objects(edit.get("manifest"))))
    if edit.get("op") != "scale":
        return False
    namespace = edit.get("namespace") or "default"
    named = Workload.objects.filter(snapshot=snapshot, namespace=namespace, name=edit.get("name"))
    scaled = named.filter(kind__iexact=edit.get("kind")).values_list("object", flat=True)
    return any(map(_has_priority, scaled))


def _rolls_out(snapshot: Snapshot, edit: dict[str, Any]) -> bool:
    """Return whether an edit applies another template to a workload that rolls it out step by step."""
    if edit.get("op") != "add":
        return False
    added = (one for one in added_objects(edit.get("manifest")) if kind_of(one) in _ROLLING)
    applied = [one for one in added if not manifest_faults(one)]
    named = {(kind_of(one).name, namespace_of(one), name_of(one)): _template(one) for one in applied}
    there = Workload.objects.filter(
        snapshot=snapshot, kind__in={kind for kind, _, _ in named}, name__in={name for _, _, name in named}
    )
    for one in there:
        key = one.kind, one.namespace, one.name
        if key in named and not says_nothing_new(named[key], _template(one.object), "template"):
            return True
    return False


def _template(workload: Any) -> Any:
    return (workload.get("spec") or {}).get("template")


def _has_priority(manifest: Any) -> bool:
    """Return whether there is a pod's spec with a priority or a class of one somewhere in an object."""
    if isinstance(manifest, list):
        return any(map(_has_priority, manifest))
    if not isinstance(manifest, dict):
        return False
    priority = manifest.get("priority")
    above = isinstance(priority, int) and priority > 0
    return above or bool(manifest.get("priorityClassName")) or any(map(_has_priority, manifest.values()))
