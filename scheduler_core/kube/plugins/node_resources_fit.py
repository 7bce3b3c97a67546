"""NodeResourcesFit: enough of every requested resource is free; scored by a strategy.

Source: kubernetes v1.36 plugins/noderesources fit.go, resource_allocation.go, least_allocated.go,
most_allocated.go, requested_to_capacity_ratio.go.

Hints: plugins/noderesources fit.go isSchedulableAfter...,
haveAnyRequestedResourcesIncreased.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.explanation import Figure
from scheduler_core.go.arithmetic import go_divide, wrap_int64
from scheduler_core.kube.framework import (
    MAX_NODE_SCORE,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    ScorePlugin,
    View,
)
from scheduler_core.kube.queueing.cluster_event import DEVICE_CLASS, NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import is_assigned, takes_room, uid_of
from scheduler_core.objects.amounts.requests import Amounts, counted_by_scheduler, is_extended, pod_requests
from scheduler_core.objects.dynamic_resources import DeviceClass
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.ratio_shape import ratio_of, round_half_away
from scheduler_core.predicates.resource_figures import Wanted, room_figures, wanted_of
from scheduler_core.predicates.resources import (
    EXACT,
    FEW,
    NATIVE,
    amount_columns,
    weighted_resources,
)
from scheduler_core.predicates.slack import Slack, may_overflow
from scheduler_core.state.nodes import IntArray, allocatable_of

_TOO_MANY_PODS = 1
_FULL = "Too many pods"
_FITS_BITS = 30
"""So many resources have their two bits in a code."""


@dataclass
class _Requested(FilterState):
    """What Filter asks for: names in the order of their reasons, with column and amount."""

    names: list[str]
    columns: IntArray
    amounts: IntArray
    of_devices: frozenset[int] = frozenset()
    """The places of those that devices stand behind where a node has none of its own."""


class NodeResourcesFit(FilterPlugin, ScorePlugin):
    """Filter gives every reason at once; a request above the node's whole size is unresolvable.

    A code is a bit set: bit 0 is the pod count; resource i of the pod has bit 2i+1 where it is short and
    bit 2i+2 where it could never fit.
    """

    name = "NodeResourcesFit"
    reads = Reads.ROOM
    reasons_apart = True
    unprepared = 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return [*interests_of_room(after_node_change), _OF_DEVICES]

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        wanted = {
            name: amount
            for name, amount in cycle.pod.requests.items()
            if amount > 0 and counted_by_scheduler(name) and not self._is_ignored(name)
        }
        names = [name for name in NATIVE if name in wanted]
        names += sorted(name for name in wanted if name not in NATIVE)
        column = cycle.state.nodes.resources.column
        return _Requested(
            names,
            np.array([column[name] for name in names], dtype=np.int64),
            np.array([wanted[name] for name in names], dtype=np.int64),
            _of_devices(cycle, names),
        )

    def _is_ignored(self, name: str) -> bool:
        if not is_extended(name):
            return False
        groups = self.args.get("ignoredResourceGroups") or ()
        return name in (self.args.get("ignoredResources") or ()) or name.split("/")[0] in groups

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Requested)
        table, requested = view.cluster.nodes, view.requested
        codes = (view.pod_count.take(nodes) >= table.pod_limit.take(nodes)).astype(np.int64)
        for place, (column, amount) in enumerate(zip(state.columns.tolist(), state.amounts, strict=True)):
            allocatable = table.allocatable[:, column].take(nodes)
            short = amount > allocatable - requested[:, column].take(nodes)
            if place in state.of_devices:
                short &= allocatable > 0
            if np.count_nonzero(short):
                codes |= short.astype(np.int64) << (2 * place + 1)
                codes |= (short & (amount > allocatable)).astype(np.int64) << (2 * place + 2)
        return codes

    def slack(self, view: View, nodes: IntArray) -> Slack | None:
        if self.name in view.cycle.refusals:
            return None
        state = view.states[self.name]
        assert isinstance(state, _Requested)
        if len(state.names) > _FITS_BITS or state.of_devices:
            return None
        cluster, columns = view.cluster, state.columns.tolist()
        sizes = [cluster.nodes.allocatable[:, column][nodes] for column in columns]
        taken = [view.requested[:, column][nodes] for column in columns]
        requests = [cluster.pods.requests[:, column] for column in columns]
        if any(may_overflow(amounts) for amounts in (*sizes, *taken, *requests, state.amounts)):
            return None
        pods = cluster.nodes.pod_limit[nodes] - view.pod_count[nodes] - 1
        asked = state.amounts.tolist()
        return Slack(
            pods,
            [size - used - amount for size, used, amount in zip(sizes, taken, asked, strict=True)],
            [amount > size for size, amount in zip(sizes, asked, strict=True)],
            requests,
        )

    def asking(self, view: View) -> Callable[[int], int]:
        state = view.states[self.name]
        assert isinstance(state, _Requested)
        if len(state.names) > _FITS_BITS or state.of_devices:
            return super().asking(view)
        limit, count = view.cluster.nodes.pod_limit.item, view.pod_count.item
        allocatable, requested = view.cluster.nodes.allocatable, view.requested
        asked = [
            (2 * place + 1, amount, allocatable[:, column].item, requested[:, column].item)
            for place, (column, amount) in enumerate(
                zip(state.columns.tolist(), state.amounts.tolist(), strict=True)
            )
        ]

        def code_of(node: int) -> int:
            code = int(count(node) + 1 > limit(node))
            for bit, amount, size_of, taken_of in asked:
                size = size_of(node)
                free = size - taken_of(node)
                if amount > (free if -EXACT < free < EXACT else wrap_int64(free)):
                    code |= (3 if amount > size else 1) << bit
            return code

        return code_of

    def status(self, state: FilterState | None, code: int) -> Status:
        assert isinstance(state, _Requested)
        reasons = [_FULL] if code & _TOO_MANY_PODS else []
        unresolvable = False
        for place, name in enumerate(state.names):
            if code >> (2 * place + 1) & 1:
                reasons.append(_short_of(name))
                unresolvable |= bool(code >> (2 * place + 2) & 1)
        return Status(self.name, UNRESOLVABLE if unresolvable else UNSCHEDULABLE, reasons)

    def numbers(self, view: View, node: int) -> list[Figure]:
        state = view.states[self.name]
        assert isinstance(state, _Requested)
        asked = zip(state.names, state.columns.tolist(), state.amounts.tolist(), strict=True)
        return room_figures(view.cluster, view.requested, view.pod_count, node, asked)

    def wanted(self, view: View) -> list[Wanted]:
        state = view.states[self.name]
        assert isinstance(state, _Requested)
        asked = zip(state.names, state.columns.tolist(), state.amounts.tolist(), strict=True)
        told = ((_short_of(one[0]), one) for one in asked)
        return wanted_of(view.cluster, view.requested, view.pod_count, told, _FULL)

    # -- score ---------------------------------------------------------------------------------------

    @cached_property
    def _strategy(self) -> dict[str, Any]:
        return self.args.get("scoringStrategy") or {"type": "LeastAllocated"}

    @cached_property
    def _resources(self) -> list[tuple[str, int]]:
        return weighted_resources(self._strategy.get("resources"))

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return [cycle.pod.scored_requests.get(name, 0) for name, _ in self._resources]

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        if len(nodes) <= FEW:
            score_of = self.scoring(cycle, prepared)
            return np.array([score_of(node) for node in nodes.tolist()], dtype=np.int64)
        return self._score_many(cycle, prepared, nodes)

    def _score_many(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        score_one = self._score_of_one_resource()
        total: Any = np.zeros(len(nodes), dtype=np.int64)
        weights: Any = 0
        ratio = self._strategy.get("type") == "RequestedToCapacityRatio"
        for (name, weight), asked in zip(self._resources, prepared, strict=True):
            if asked == 0 and name not in NATIVE:
                continue
            columns = amount_columns(cycle.state, name, non_zero=True, emptied=cycle.emptied)
            capacity, allocated = (column.take(nodes) for column in columns)
            counted: Any = 1
            if np.count_nonzero(capacity) == len(nodes):
                score = score_one(allocated + asked, capacity)
            else:
                counted = capacity != 0
                score = np.where(counted, score_one(allocated + asked, np.where(counted, capacity, 1)), 0)
            # The ratio strategy leaves a resource that scores 0 out of the weights.
            counted = counted & (score > 0) if ratio else counted
            total = total + score * weight
            weights = weights + counted * weight
        # Where nothing counts the total is 0.
        divisor: Any = max(weights, 1) if isinstance(weights, int) else np.maximum(weights, 1)
        return round_half_away(total, divisor) if ratio else go_divide(total, divisor)

    def scoring(self, cycle: Cycle, prepared: Any) -> Callable[[int], int]:
        strategy = self._strategy.get("type") or "LeastAllocated"
        score_one = {"LeastAllocated": _least_of_one, "MostAllocated": _most_of_one}.get(strategy)
        parts = []
        for (name, weight), asked in zip(self._resources, prepared, strict=True):
            if asked != 0 or name in NATIVE:
                columns = amount_columns(cycle.state, name, non_zero=True, emptied=cycle.emptied)
                parts.append((weight, asked, columns[0].item, columns[1].item))

        def score_of(node: int) -> int:
            total = weights = 0
            for weight, asked, capacity_of, allocated_of in parts:
                capacity, allocated = capacity_of(node), allocated_of(node)
                requested = allocated + asked
                plain = 0 <= capacity < EXACT and allocated >= 0 and asked >= 0 and requested < EXACT
                if score_one is None or not plain:
                    return int(self._score_many(cycle, prepared, np.array([node], dtype=np.int64))[0])
                if capacity:
                    total += score_one(requested, capacity) * weight
                    weights += weight
            return total // weights if weights else 0

        return score_of

    def _score_of_one_resource(self) -> Callable[[IntArray, IntArray], IntArray]:
        match self._strategy.get("type"):
            case "MostAllocated":
                return _most_allocated
            case "RequestedToCapacityRatio":
                shape = (self._strategy.get("requestedToCapacityRatio") or {}).get("shape") or []
                return ratio_of(shape)
        return _least_allocated


def _of_devices(cycle: Cycle, names: list[str]) -> frozenset[int]:
    """Return the places of the resources that a DeviceClass stands behind."""
    claims = cycle.state.device_claims
    if claims is None:
        return frozenset()
    return frozenset(place for place, name in enumerate(names) if name in claims.classes_by_resource)


def _short_of(name: str) -> str:
    return f"Insufficient {name}"


def _least_allocated(requested: IntArray, capacity: IntArray) -> IntArray:
    left = np.where(requested <= capacity, capacity - requested, 0)
    return go_divide(left * MAX_NODE_SCORE, capacity)


def _least_of_one(requested: int, capacity: int) -> int:
    return (capacity - requested) * MAX_NODE_SCORE // capacity if requested <= capacity else 0


def _most_of_one(requested: int, capacity: int) -> int:
    return min(requested, capacity) * MAX_NODE_SCORE // capacity


def _most_allocated(requested: IntArray, capacity: IntArray) -> IntArray:
    return go_divide(np.minimum(requested, capacity) * MAX_NODE_SCORE, capacity)


# -- queueing hints ------------------------------------------------------------------------------------


_IMPLICIT = "deviceclass.resource.kubernetes.io/"


def interests_of_room(after_node_change: Hint) -> list[Interest]:
    """Pods that go or shrink, nodes that come or grow."""
    return [
        Interest(
            ClusterEvent(POD, Action.DELETE | Action.UPDATE_POD_SCALE_DOWN),
            after_pod_event,
            yes="the other pod gave room back, or the pod itself asks for less",
            no="the other pod gave back nothing that the pod asks for",
        ),
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_ALLOCATABLE),
            after_node_change,
            yes="the pod would fit on the node if it were empty, and the node is new or grew",
            no="the node is too small even if it were empty, or did not grow in what the pod asks for",
        ),
    ]


def after_pod_event(pod: Pod, old: Pod, new: Pod | None, view: ClusterView) -> bool:
    """Return whether the other pod gave room back, or the pod itself asks for less."""
    if new is None:
        return takes_room(old)
    if uid_of(new) == uid_of(pod):
        return True
    if not is_assigned(new):
        return False
    before, after = pod_requests(old, running=True), pod_requests(new, running=True)
    return any(before.get(name, 0) > after.get(name, 0) for name in _wanted(pod_requests(pod, running=True)))


def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    """Return whether the pod would fit into the node if it were empty, and the node grew in what it wants."""
    return would_fit(pod, old, new, view.devices.offer)


def would_fit(pod: Pod, old: Node | None, new: Node, is_of_devices: Callable[[str], bool]) -> bool:
    """Return whether the pod fits into the empty node, which is new or grew in what the pod wants.

    What a node lacks and devices offer is no reason against it.
    """
    wanted, after = _wanted(pod_requests(pod)), allocatable_of(new)
    of_devices = {name for name in wanted if not after.get(name) and is_of_devices(name)}
    short = {name for name, amount in wanted.items() if amount > after.get(name, 0)}
    if after.get("pods", 0) < 1 or short - of_devices:
        return False
    if old is None or of_devices:
        return True
    before = allocatable_of(old)
    return any(after.get(name, 0) > before.get(name, 0) for name in ("pods", *wanted))


def after_device_class_event(pod: Pod, old: DeviceClass | None, new: DeviceClass, view: ClusterView) -> bool:
    """Return whether the class newly stands for an extended resource that the pod asks for."""
    name, requests = new.spec.extended_resource_name, pod_requests(pod)
    if old is not None and (old.spec.extended_resource_name or "") == (name or ""):
        return False
    if old is None and f"{_IMPLICIT}{new.metadata.name}" in requests:
        return True
    return name is not None and name in requests


_OF_DEVICES = Interest(
    ClusterEvent(DEVICE_CLASS, Action.ADD | Action.UPDATE),
    after_device_class_event,
    yes="the class newly stands for a resource that the pod asks for",
    no="the class stands for nothing that the pod asks for, or did so before",
)


def _wanted(requests: Amounts) -> Amounts:
    return {name: amount for name, amount in requests.items() if amount > 0 and counted_by_scheduler(name)}
