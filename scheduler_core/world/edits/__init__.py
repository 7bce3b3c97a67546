"""Edits: what happens to the cluster before a run starts, and in it.

In come a snapshot's objects and an ordered list of edits, out go the edited objects, a result for each edit
that says in words what it did, and the evictions that drain and evict ask for, which the driver plays
through the budgets. Everything else is structural: it changes the list of objects. The input is never
changed. Edits with an instant (`at`) become entries of the run's timeline, and those of the start of which a
clock sees more than their result (`played.py`).

Otherwise the API server and the controllers are taken to have done their work before the scheduler's first
decision: added objects pass admission, workloads have their pods, budgets know their pods.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from scheduler_core.objects.api_server.admission import Webhook
from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.identity import uid_of
from scheduler_core.objects.kinds import POD, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.schedulers.registry import pod_makers
from scheduler_core.world.edits.counted_budgets import budgets_over, count_budgets, update_budgets
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster
from scheduler_core.world.edits.operations import read_edit
from scheduler_core.world.edits.operations.add import Add
from scheduler_core.world.edits.operations.base import Edit
from scheduler_core.world.edits.operations.drain import Drain
from scheduler_core.world.edits.operations.evict import Evict
from scheduler_core.world.edits.operations.kubelets import StartKubelet, StopKubelet
from scheduler_core.world.edits.played import at_the_start, of_the_run, under_way
from scheduler_core.world.edits.results import Applied, EditResult, EvictionRequest
from scheduler_core.world.edits.tainted_nodes import PLAYED, UNPLAYED, TaintedNodes, newly_tainted
from scheduler_core.world.edits.timing import drain_entry, entries_of, kubelet_entries, nanoseconds
from scheduler_core.world.timeline_entry import Entry

__all__ = ["Applied", "EditResult", "EvictionRequest", "apply_edits", "edit_cluster"]

Object = dict[str, Any]
Chosen = Callable[[EditedCluster], Sequence[Object]]

_NO_LIMITS_GIVEN = Limits()


def apply_edits(
    objects: list[Object],
    edits: list[Object],
    *,
    driver: str = "instant",
    controllers: str = "recreate",
    limits: Limits = _NO_LIMITS_GIVEN,
    webhook: Webhook | None = None,
    foretells: bool = False,
) -> Applied:
    """Apply the edits in order; `webhook` is asked about new pods; `foretells` as for `edit_cluster`.

    Raises BadInput with the problems of every edit that is refused.
    """
    if not edits:
        return Applied(objects, [], [])
    cluster = EditedCluster(objects, limits, webhook)
    return edit_cluster(cluster, edits, driver=driver, controllers=controllers, foretells=foretells)


def _at_start(cluster: EditedCluster) -> list[Object]:
    return cluster.objects_at_start()


def edit_cluster(
    cluster: EditedCluster,
    edits: list[Object],
    *,
    driver: str,
    controllers: str,
    chosen: Chosen = _at_start,
    foretells: bool = False,
) -> Applied:
    """Apply the edits to a cluster, which they change; of its objects return those that are `chosen`.

    `foretells`: whether all that comes of edits of the start is there before it, as an editor shows it.
    Raises BadInput with the problems of every edit that is refused.
    """
    results = [
        EditResult(index, str(given.get("op")) if isinstance(given, dict) else "")
        for index, given in enumerate(edits)
    ]
    evictions: list[EvictionRequest] = []
    problems: list[Problem] = []
    timed: list[tuple[float, EditResult, Edit]] = []
    first: list[Entry] = []
    foreseen: list[Object] = []
    durations: dict[str, int] = {}
    tainted = TaintedNodes()
    cluster.has_clock, cluster.recreates = driver == "timed", controllers == "recreate"
    cluster.controllers_act = cluster.recreates and cluster.has_clock
    if cluster.controllers_act:
        cluster.rolling |= under_way(cluster)
    for given, result in zip(edits, results, strict=True):
        try:
            edit = read_edit(given, driver)
            if edit.at is not None:
                timed.append((edit.at, result, edit))
                continue
            cluster.begin_edit()
            asked = edit.apply(cluster, result) or []
            evictions += asked
            if cluster.controllers_act:
                tainted.note(cluster.differences(), result)
            elif any(newly_tainted(cluster.differences())):
                result.note(UNPLAYED)
            result.budgets = budgets_over(cluster, (one.uid for one in asked if one.skipped is None))
            if isinstance(edit, StopKubelet | StartKubelet):
                first += kubelet_entries(edit, result)
            if isinstance(edit, Drain) and (edit.is_rolling or any(request.in_turn for request in asked)):
                first.append(drain_entry(edit, result))
            if not foretells and not isinstance(edit, StopKubelet | StartKubelet):
                first += _in_the_run(cluster, edit, result, foreseen)
            durations.update(_durations(edit, cluster.differences()))
        except Refused as refused:
            problems += refused.problems(result.index)
    if problems:
        raise BadInput(problems)
    tainted.tell(cluster)
    update_budgets(cluster, results)
    evictions = _still_there(cluster, evictions, foretells=foretells)
    applied = Applied(chosen(cluster), results, evictions)
    timeline = [*first, *_timeline(cluster, timed, durations, foreseen)]
    return applied._replace(timeline=timeline, durations=durations, foreseen=foreseen)


def _in_the_run(
    cluster: EditedCluster, edit: Edit, result: EditResult, foreseen: list[Object]
) -> list[Entry]:
    """Return what an edit of the start does in the run; what controllers do there goes to `foreseen`."""
    found = at_the_start(edit, cluster)
    if not found:
        return []
    cluster.leave_to_run(found)
    differences, left = of_the_run(edit, list(found.values()), cluster)
    foreseen += left
    cluster.let_leave(differences, 0.0)
    return entries_of(edit, result, differences, cluster)


def _timeline(
    cluster: EditedCluster,
    timed: list[tuple[float, EditResult, Edit]],
    durations: dict[str, int],
    foreseen: list[Object],
) -> Iterator[Entry]:
    """Apply the edits of instants, the earliest first, and yield what each changes.

    What controllers do of it in the run goes to `foreseen`.
    """
    problems: list[Problem] = []
    for at, result, edit in sorted(timed, key=lambda one: one[0]):
        cluster.begin_edit(at)
        try:
            if isinstance(edit, Evict):
                edit.say_later(result)
            else:
                edit.apply(cluster, result)
                count_budgets(cluster)
            if any(newly_tainted(cluster.differences())):
                result.note(PLAYED if cluster.controllers_act else UNPLAYED)
            differences, left = of_the_run(edit, cluster.differences(), cluster)
            foreseen += left
            cluster.let_leave(differences, at)
            yield from entries_of(edit, result, differences, cluster)
            durations.update(_durations(edit, cluster.differences()))
        except Refused as refused:
            problems += refused.problems(result.index)
    if problems:
        raise BadInput(problems)


def _durations(edit: Edit, differences: Iterable[Difference]) -> dict[str, int]:
    """Return how long the pods run that the edit added, if they run out; also those made in the run."""
    if not isinstance(edit, Add) or edit.duration is None:
        return {}
    added = [after for before, after in differences if before is None and after is not None]
    return {
        uid_of(document): nanoseconds(edit.duration)
        for document in added
        if kind_of(document) in (POD, *WORKLOAD_KINDS) or kind_of(document) in pod_makers()
    }


def _still_there(
    cluster: EditedCluster, evictions: list[EvictionRequest], *, foretells: bool
) -> list[EvictionRequest]:
    """Return the evictions of pods that no later edit took away before the run, each pod once."""
    there = () if foretells else cluster.at_start.values()
    begun = {uid_of(one) for one in there if one is not None and kind_of(one) == POD}
    first = {
        request.uid: request
        for request in reversed(evictions)
        if request.uid in begun or cluster.pods_with_uid(request.uid)
    }
    return [request for request in evictions if first.get(request.uid) is request]
