"""DynamicResources: devices for a pod's claims, and its half of the FailedScheduling message.

What it does with claims is in `kube/dynamic_resources/`. Extended resources that a DeviceClass stands behind
are asked for by a claim that the scheduler makes.

Source: kubernetes v1.36 plugins/dynamicresources.

Which claims a pod waits for is not looked into by the hints: any change of one counts for pods that have
some.

Hints: plugins/dynamicresources EventsToRegister, isSchedulableAfter...
"""

from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.kube import wording
from scheduler_core.kube.dynamic_resources.binding import BindingFault, ClaimBinding, deallocation
from scheduler_core.kube.dynamic_resources.claims_state import (
    FIRST_FAULT,
    REASONS,
    ClaimsOfPod,
    ExtendedAsk,
    claims_in,
)
from scheduler_core.kube.dynamic_resources.devices_tried import devices_tried
from scheduler_core.kube.dynamic_resources.extended_resources import (
    amounts_of,
    claim_in_memory,
    claim_made_before,
)
from scheduler_core.kube.dynamic_resources.kept_searches import KeptSearches
from scheduler_core.kube.dynamic_resources.pod_claims import UnusableClaim, claims_of, require_classes
from scheduler_core.kube.framework import (
    ERROR,
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    Rejected,
    ScoreFault,
    ScorePlugin,
    View,
    scale_to_maximum,
)
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer, PostFilterPlugin
from scheduler_core.kube.queueing.cluster_event import (
    DEVICE_CLASS,
    NODE,
    POD,
    RESOURCE_CLAIM,
    RESOURCE_SLICE,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.objects.dynamic_resources import ResourceClaim, ResourceSlice
from scheduler_core.objects.types import Pod, convert
from scheduler_core.predicates.devices.allocator import Allocator
from scheduler_core.predicates.devices.pools import Slices
from scheduler_core.predicates.devices.selecting import Selecting
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.claim_documents import ClaimKey, key_of
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo


class DynamicResources(FilterPlugin, ScorePlugin, PostFilterPlugin):
    """PreFilter has nothing to say about a pod without claims, but must have run before PostFilter."""

    name = "DynamicResources"
    reads = Reads.NODE
    unprepared = "not found"
    looks_for_devices = True
    word = "Pod"
    """How its messages call a pod."""

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        super().__init__(args, gates)
        self._selecting = Selecting()
        self._kept = KeptSearches()
        self._slices: tuple[list[ResourceSlice], Slices] | None = None

    # -- before the queue, and before the nodes --------------------------------------------------------

    def pre_enqueue(self, pod: PodInfo, claims: DeviceClaims | None = None) -> Status | None:
        """Return the rejection of a pod of which a claim can't be used, None for any other."""
        if claims is None or not pod.pod.spec.resource_claims:
            return None
        try:
            claims_of(pod, claims, self.word)
        except UnusableClaim as fault:
            return Status(self.name, UNRESOLVABLE, [str(fault)])
        return None

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        claims = cycle.state.device_claims
        if claims is None:
            return SKIP
        try:
            keys = claims_of(cycle.pod, claims, self.word)
            found = [self._usable(key, claims) for key in keys]
        except UnusableClaim as fault:
            return Rejected(wording.rejection(self.name, UNRESOLVABLE, str(fault)))
        extended = _extended_ask(cycle.pod, claims)
        if extended is not None:
            keys = [*keys, key_of(extended.document)]
            found = [*found, convert(extended.document, ResourceClaim)]
        if not keys:
            return SKIP
        allocator = self._allocator(found, claims)
        known = ClaimsOfPod(cycle.state, claims.now, keys, found, allocator, extended=extended)
        if self._slices is not None and extended is None and len(known.to_allocate) == len(found):
            slices = self._slices[1]
            known.kept = self._kept.of(found, cycle.state, slices, claims.classes, claims.in_use)
        return known

    @staticmethod
    def _usable(key: ClaimKey, claims: DeviceClaims) -> ResourceClaim:
        """Return a claim. Raises UnusableClaim where it needs devices of a class that doesn't exist."""
        claim = claims.claim(key)
        assert claim is not None
        if not claim.status.allocation:
            require_classes(claim, claims)
        return claim

    def _allocator(self, found: list[ResourceClaim], claims: DeviceClaims) -> Allocator | None:
        """Return who looks for devices, None where all claims have theirs."""
        if all(claim.status.allocation for claim in found):
            return None
        if self._slices is None or self._slices[0] is not claims.slices:
            self._slices = (claims.slices, Slices(claims.slices))
        return Allocator(self._slices[1], claims.classes, claims.in_use, self._selecting)

    # -- filter ----------------------------------------------------------------------------------------

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, ClaimsOfPod)
        return state.codes(nodes)

    def status(self, state: FilterState | None, code: int) -> Status:
        if code >= FIRST_FAULT:
            assert isinstance(state, ClaimsOfPod)
            return wording.filter_error(self.name, state.faults[code - FIRST_FAULT])
        return Status(self.name, UNRESOLVABLE, [REASONS[code]])

    def devices(self, view: View, node: int) -> DevicesTried | None:
        state = view.states.get(self.name)
        return devices_tried(state, node) if isinstance(state, ClaimsOfPod) else None

    # -- score -----------------------------------------------------------------------------------------

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        if self.name not in cycle.prepared:
            raise ScoreFault(self.unprepared)
        state = claims_in(cycle)
        if state is None or len(state.to_allocate) == len(state.claims):
            return None
        if any(node in state.allocations for node in nodes.tolist()):
            given = len(state.to_allocate)
            raise ScoreFault(f"number of allocations {given} is smaller than number of claims")
        return None

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        state = claims_in(cycle)
        if state is None or state.allocator is None:
            return np.zeros(len(nodes), dtype=np.int64)
        return state.points(nodes)

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        return scale_to_maximum(scores)

    # -- bind ------------------------------------------------------------------------------------------

    def unfiltered(self, cycle: Cycle) -> str:
        """Return what is said of claims for which nobody has looked for devices.

        Source: kubernetes v1.36 dynamicresources.Reserve.
        """
        state = claims_in(cycle)
        wanting = state is not None and any(place < len(state.own) for place in state.to_allocate)
        return "claim allocation not found for node" if wanting else ""

    def pre_bind(self, cycle: Cycle, node: int) -> Status | None:
        """Write down what the pod's claims get on the node; return the error with which that ends, if any."""
        state, claims = claims_in(cycle), cycle.state.device_claims
        if state is None or claims is None:
            return None
        binding = ClaimBinding(state, cycle.pod.pod, node, claims)
        try:
            binding.bind()
        except BindingFault as fault:
            binding.unreserve()
            text = f'running PreBind plugin "{self.name}": {fault}'
            state.fault = Status("", ERROR, [text])
        state.writes = binding.writes
        state.status_of_pod = binding.status_of_pod
        return state.fault

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        if self.name not in failure.cycle.prepared:
            # Without its state it ends with an error, and PostFilter with it.
            return PostFilterAnswer(ERROR, self.unprepared)
        state, claims = claims_in(failure.cycle), failure.cycle.state.device_claims
        if state is not None and claims is not None:
            state.writes, said = deallocation(state, failure.cycle.pod.pod, claims)
            return PostFilterAnswer(UNSCHEDULABLE, said)
        return PostFilterAnswer(UNSCHEDULABLE, "no new claims to deallocate")


def _extended_ask(pod: PodInfo, claims: DeviceClaims) -> ExtendedAsk | None:
    """Return what a pod asks for by extended resources that devices stand behind, None for nothing."""
    amounts = amounts_of(pod, claims)
    if not amounts:
        return None
    made = claim_made_before(pod, claims)
    document = claim_in_memory(pod) if made is None else claims.documents.values[made]
    return ExtendedAsk(pod, amounts, document, claims)


# -- queueing hints ------------------------------------------------------------------------------------


_NODE_CHANGES = Action.ADD | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_ALLOCATABLE


def _interests() -> list[Interest]:
    """Nodes, claims, device classes and slices; the claims that are made for the pod."""
    return [
        Interest(ClusterEvent(NODE, _NODE_CHANGES)),
        Interest(
            ClusterEvent(RESOURCE_CLAIM, Action.ADD | Action.UPDATE),
            after_claim_change,
            yes="devices were given back, or the claim may be the pod's own",
            no="no devices were given back, and the pod has no claims",
        ),
        Interest(
            ClusterEvent(POD, Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM),
            after_pod_change,
            yes="the claims are the pod's own",
            no="the claims are another pod's",
        ),
        Interest(ClusterEvent(DEVICE_CLASS, Action.ADD | Action.UPDATE)),
        Interest(ClusterEvent(RESOURCE_SLICE, Action.ADD | Action.UPDATE)),
    ]


def after_claim_change(pod: Pod, old: ResourceClaim | None, new: ResourceClaim, view: ClusterView) -> bool:
    """Return whether devices were given back, or the claim may be the pod's own."""
    given_back = old is not None and old.status.allocation is not None and new.status.allocation is None
    return given_back or bool(pod.spec.resource_claims)


def after_pod_change(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
    """Return whether the claims are the pod's own."""
    return uid_of(new) == uid_of(pod)
