"""What a scenario would change, told before it runs: by all that a run begins with, or by what edits touch.

To build a large cluster takes a minute, and edits touch a few objects of it. So `KnownCluster` reads a
cluster's objects once. For a scenario it edits a copy, and builds the touched objects alone, as they were and
as they are then. What a `Forecast` counts are sums over pods and nodes, so that all others count as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import is_
from threading import Lock
from typing import Any

import msgspec

from scheduler_core.events.decisions import Trust
from scheduler_core.events.state import ACTORS, RunState
from scheduler_core.objects import types
from scheduler_core.objects.amounts.requests import counted_by_scheduler, pod_requests
from scheduler_core.objects.api_server.admission import ADMISSION_KINDS, admit_imported
from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.identity import has_ended, namespace_of, spec_of
from scheduler_core.objects.imports.references import gaps
from scheduler_core.objects.kinds import (
    NAMESPACE,
    NODE,
    POD,
    POD_DISRUPTION_BUDGET,
    RESOURCE_QUOTA,
    SERVICE,
    WORKLOAD_KINDS,
    kind_of,
)
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.kind import Version
from scheduler_core.schedulers.registry import kind_of_profile, kinds
from scheduler_core.state.nodes import allocatable_of
from scheduler_core.state.pods import DEFAULT_ACCOUNTING
from scheduler_core.world.edits import Applied, EditResult, EvictionRequest, edit_cluster
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.places import uid_of
from scheduler_core.world.reporting.cluster_release import told_by
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.companions import build_all
from scheduler_core.world.setting_up.preparation import arrange, not_modelled
from scheduler_core.world.setting_up.run_checks import check
from scheduler_core.world.simulation import Simulation

Object = dict[str, Any]
Totals = Counter[tuple[str, str]]
"""Sums over pods and nodes: of "nodes", those that are "cordoned", and "pods"; "allocatable" (what of it is
"closed": on cordoned nodes) and "requested" by resource, pods that are "pending" by the scheduler that they
ask for, "left out" by what they are with."""

_COUNTED_APART = (POD, NODE)
_OF_NO_MATTER_TO_QUEUES = frozenset(
    {POD, NODE, POD_DISRUPTION_BUDGET, NAMESPACE, SERVICE, RESOURCE_QUOTA, *ADMISSION_KINDS, *WORKLOAD_KINDS}
)
"""An edit of any other kind may change what becomes of pods that wait."""
_SCHEDULERS_KEPT = 8


@dataclass(frozen=True)
class Forecast:
    """What each edit does, sums before the first decision, and what answers rest on.

    schedulers: who decides, by the `schedulerName`s of pods.
    """

    edit_results: list[EditResult]
    totals: Totals
    trust: Trust
    schedulers: Mapping[str, str]

    @classmethod
    def of(cls, simulation: Any) -> Forecast:
        """Return what a whole run begins with, one that `foretells`."""
        return cls(
            simulation.edit_results, _totals_of(simulation), simulation.trust, schedulers_of(simulation.base)
        )


def is_told_by_parts(run_input: RunInput) -> bool:
    """Tell whether what is counted under a run's schedulers are sums over pods, whoever the others are."""
    main = kind_of_profile(run_input.profile)
    others = (kinds()[companion.scheduler] for companion in run_input.beside)
    return (
        main is not None
        and _counts_as_the_newest(main.versions[run_input.profile])
        and all(kind.told_by_parts for kind in (main, *others))
    )


def _counts_as_the_newest(version: Version) -> bool:
    """Tell whether a pod on a node, read with the same fields, adds to sums what it adds for the newest."""
    return not version.release and version.accounting.running_requests is DEFAULT_ACCOUNTING.running_requests


class KnownCluster:
    """The objects of a snapshot, read once for the forecasts of many scenarios, in any number of threads."""

    def __init__(self, objects: list[Object]) -> None:
        self._gaps = gaps(objects)
        self._told = told_by(objects)
        imported, _, self._problems = admit_imported(objects)
        self._cluster = EditedCluster(imported, Limits())
        self._settled = _Settled()
        self._likes = _Likes()
        self._pending: set[int] = set()
        self._lock = Lock()
        self._waiting: dict[bytes, Totals] = {}
        self._read_as_it_is: dict[str, bool] = {}
        for place in self._cluster.places(POD):
            pod = self._of(place)
            self._likes.count(pod, 1)
            if not _is_settled(pod):
                self._pending.add(place)
        self._in_all: Totals = Counter()
        for one in self._cluster.objects():
            if _is_settled(one):
                self._in_all.update(self._settled.sums(one))

    def is_read_as_it_is(self, profile: str) -> bool:
        """Tell whether a version that is told by parts knows every field of the cluster's pods.

        A release drops fields that came after it; where pods have one, sums kept for all releases are wrong.
        """
        kind = kind_of_profile(profile)
        assert kind is not None
        with self._lock:
            if profile not in self._read_as_it_is:
                pods = [self._of(place) for place in self._cluster.places(POD)]
                read, _ = kind.versions[profile].read(pods)
                self._read_as_it_is[profile] = len(read) == len(pods) and all(map(is_, read, pods))
            return self._read_as_it_is[profile]

    def forecast(self, run_input: RunInput) -> Forecast:
        """Return what `Forecast.of` returns of the whole cluster. Raises BadInput as that does.

        The run's own objects are not looked at. Its profile has to be one that reads the cluster as it is.
        """
        run_input, _ = check(run_input)
        build_all(run_input)
        if self._problems:
            raise BadInput(self._problems)
        parts: list[tuple[list[Object], list[Object]]] = []

        def touched(cluster: EditedCluster, evictions: list[EvictionRequest]) -> list[Object]:
            parts.append(self._touched(cluster, evictions))
            return parts[0][1]

        edited = edit_cluster(
            self._cluster.copy(),
            run_input.edits,
            driver=run_input.driver or "instant",
            controllers=run_input.controllers,
            chosen=touched,
            foretells=True,
        )
        before, after = parts[0]
        simulation = _built(run_input, edited, before)
        totals = self._in_all + self._waiting_under(run_input)
        totals.subtract(self._sums(run_input, before))
        totals.update(_totals_of(simulation))
        trust = simulation.trust_in(
            [*self._like_others(before, after, totals["nodes", ""]), *after],
            totals["nodes", ""],
            not_modelled({how: number for (what, how), number in totals.items() if what == "left out"}),
            self._gaps,
            self._told,
        )
        return Forecast(edited.results, totals, trust, schedulers_of(simulation.base))

    def _of(self, place: int) -> Object:
        found = self._cluster.at(place)
        assert found is not None
        return found

    def _touched(
        self, cluster: EditedCluster, evictions: list[EvictionRequest]
    ) -> tuple[list[Object], list[Object]]:
        """Return, as they were and as they are, the pods and nodes that edits touch, and all other kinds."""
        places = cluster.changed()
        kinds = {kind_of(one) for place in places for one in _both(cluster, place)}
        if not kinds <= _OF_NO_MATTER_TO_QUEUES:
            places |= self._pending
        for kind in cluster.kinds():
            if kind not in _COUNTED_APART:
                places.update(cluster.places(kind))
        for request in evictions:
            places.update(cluster.places_of_pod(request.uid))
        names = {spec_of(one).get("nodeName") for place in places for one in _both(cluster, place)}
        places.update(place for name in names if name for place in cluster.places_of_node(name))
        in_order = sorted(places)
        before = [one for place in in_order if (one := cluster.at_first(place)) is not None]
        return before, [one for place in in_order if (one := cluster.at(place)) is not None]

    def _sums(self, run_input: RunInput, objects: list[Object]) -> Totals:
        """Return the sums over objects that nobody has edited."""
        totals = _totals_of(_begun(run_input, [one for one in objects if not _is_settled(one)]))
        for one in objects:
            if _is_settled(one):
                totals.update(self._settled.sums(one))
        return totals

    def _waiting_under(self, run_input: RunInput) -> Totals:
        """Return the sums over the pods without a node, as these schedulers know them."""
        key = msgspec.json.encode([run_input.profile, run_input.config, run_input.beside])
        with self._lock:
            if key not in self._waiting:
                if len(self._waiting) >= _SCHEDULERS_KEPT:
                    self._waiting.pop(next(iter(self._waiting)))
                self._waiting[key] = _totals_of(_begun(run_input, self._queue()))
            return self._waiting[key]

    def _queue(self) -> list[Object]:
        """Return the pods without a node, and whatever else is neither a pod nor a node."""
        places = set(self._pending)
        for kind in self._cluster.kinds():
            if kind not in _COUNTED_APART:
                places.update(self._cluster.places(kind))
        return [self._of(place) for place in sorted(places)]

    def _like_others(self, before: list[Object], after: list[Object], nodes: int) -> list[Object]:
        """Return a pod of every sort that is left where edits don't touch any, and a node if there is one."""
        left = self._likes.copy()
        for pod in before:
            if kind_of(pod) == POD:
                left.count(pod, -1)
        apart = nodes > sum(1 for one in after if kind_of(one) == NODE)
        return [*([self._of(next(iter(self._cluster.places(NODE))))] if apart else []), *left.examples()]


class _Settled:
    """Counts nodes, and the pods on them. What is equal in what is counted is worked out once."""

    def __init__(self) -> None:
        self._known: dict[bytes, Totals] = {}

    def sums(self, document: Object) -> Totals:
        """Return what a node, or a pod that has one, adds to all sums."""
        return self._of_node(document) if kind_of(document) == NODE else self._of_pod(document)

    def _of_node(self, node: Object) -> Totals:
        status = node.get("status") or {}
        closed = bool(spec_of(node).get("unschedulable"))
        return self._once(node, NODE.name, [status.get("allocatable"), closed])

    def _of_pod(self, pod: Object) -> Totals:
        spec, status = spec_of(pod), pod.get("status") or {}
        if has_ended(pod):
            return Counter()
        resizing = [one for one in status.get("conditions") or () if one.get("type") == "PodResizePending"]
        asked = [spec.get(name) for name in ("containers", "initContainers", "overhead", "resources")]
        given = ("containerStatuses", "initContainerStatuses", "resources", "allocatedResources")
        return self._once(pod, POD.name, [asked, [status.get(name) for name in given], resizing])

    def _once(self, document: Object, kind: str, deciding: Any) -> Totals:
        key = msgspec.json.encode([kind, deciding])
        if key not in self._known:
            self._known[key] = _of_node(document) if kind == NODE.name else _of_pod(document)
        return self._known[key]


def _is_settled(document: Object) -> bool:
    """Tell whether this is a node or a pod that has one: what it adds to sums depends on nothing else."""
    kind = kind_of(document)
    return kind == NODE or (kind == POD and bool(spec_of(document).get("nodeName")))


def _of_node(document: Object) -> Totals:
    amounts = allocatable_of(types.convert(document, types.Node))
    shown = {("allocatable", name): amount for name, amount in amounts.items() if amount and name != "pods"}
    totals: Totals = Counter({("nodes", ""): 1, **shown})
    if spec_of(document).get("unschedulable"):
        totals.update({("cordoned", ""): 1})
        totals.update({("closed", name): amount for (_, name), amount in shown.items()})
    return totals


def _of_pod(document: Object) -> Totals:
    amounts = pod_requests(types.convert(document, types.Pod), running=True)
    shown = {("requested", name): amount for name, amount in amounts.items() if counted_by_scheduler(name)}
    return Counter({("pods", ""): 1, **shown})


class _Likes:
    """How many pods there are of every sort: alike are those of which trust says the same."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[Any, ...]] = Counter()
        self._examples: dict[tuple[Any, ...], Object] = {}

    def copy(self) -> _Likes:
        twin = _Likes()
        twin._counts, twin._examples = self._counts.copy(), self._examples
        return twin

    def count(self, pod: Object, number: int) -> None:
        spec = spec_of(pod)
        sort = (
            namespace_of(pod),
            bool(uid_of(pod)),
            bool(spec.get("priorityClassName")),
            "namespaceSelector" in str(spec["affinity"]) if spec.get("affinity") else False,
            any("persistentVolumeClaim" in volume for volume in spec.get("volumes") or ()),
        )
        self._counts[sort] += number
        if sort not in self._examples:
            self._examples[sort] = pod

    def examples(self) -> list[Object]:
        return [self._examples[sort] for sort, number in self._counts.items() if number > 0]


def _both(cluster: EditedCluster, place: int) -> Iterable[Object]:
    return (one for one in (cluster.at_first(place), cluster.at(place)) if one is not None)


def _begun(run_input: RunInput, objects: list[Object]) -> Simulation:
    """Return a run of the same schedulers over these objects, before which nothing was edited.

    What it begins with is the same whether a clock moves then, and whether controllers act; to fill the
    queues of a clock takes longest.
    """
    still = msgspec.structs.replace(run_input, driver="instant", controllers="none", until=None)
    return _built(still, Applied(objects, [], []), objects)


def _built(run_input: RunInput, edited: Applied, imported: list[Object]) -> Simulation:
    given = msgspec.structs.replace(run_input, objects=imported, edits=[])
    return Simulation(given, prepared=arrange(edited, imported))


def _totals_of(simulation: Any) -> Totals:
    base = simulation.base
    pods, nodes = base.pods(), base.nodes()
    totals: Totals = Counter({("nodes", ""): len(nodes), ("pods", ""): len(pods)})
    for node in nodes:
        totals.update({("allocatable", name): amount for name, amount in node.allocatable.items()})
        if node.unschedulable:
            totals["cordoned", ""] += 1
            totals.update({("closed", name): amount for name, amount in node.allocatable.items()})
    for pod in pods:
        if pod.node:
            totals.update({("requested", name): amount for name, amount in pod.requests.items()})
        elif not pod.terminating:
            totals["pending", pod.scheduler] += 1
    left_out = getattr(simulation, "left_out", {})
    totals.update({("left out", how): number for how, number in left_out.items()})
    return totals


def schedulers_of(state: RunState) -> dict[str, str]:
    """Return the schedulers of a run, by the `schedulerName`s whose pods they decide about."""
    actors = state.tables.get(ACTORS, {})
    return {profile: name for name, actor in actors.items() for profile in actor["profiles"]}
