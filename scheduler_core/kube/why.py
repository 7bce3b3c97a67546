"""Why a pod waits, as a kube-scheduler has it: every filter is asked alone about every node.

A decision ends at the first filter that says no. Here each is asked whatever the others say, so that it is
known on which nodes one alone stands against the pod. Extenders in process are asked about all nodes too;
those outside are left out, and told. Nothing is changed.

Source: the filters' own files; what binds is defined in docs/semantics.md "Why a pod waits".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.kube.attempt_explanation import devices_by, each_filter
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.extender import Extender, ExtenderError, KnowsCards
from scheduler_core.kube.extenders.panel import Hearing, Panel, Refusal
from scheduler_core.kube.framework import Cycle, FilterPlugin, View
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.profile import Prepared, Profile
from scheduler_core.schedulers.card_lacks import CardLack
from scheduler_core.schedulers.cause import Answered, Cause, CauseKind, Evicting
from scheduler_core.schedulers.wants import Want, Weighed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.node_names import NodeNames
from scheduler_core.state.nodes import BoolArray
from scheduler_core.state.pods import PodInfo

Decide = Callable[[Profile], AttemptResult]
"""Decides about the pod by a profile and changes nothing."""

_LOOKING_UP_CLAIMS = frozenset(
    {
        "VolumeRestrictions", "VolumeBinding", "VolumeZone", "NodeVolumeLimits", "EBSLimits", "GCEPDLimits",
        "AzureDiskLimits", "CinderLimits",
    }
)  # fmt: skip
"""The plugins that look a pod's claims up: where one of them finds a claim missing, all do."""


def why(profile: Profile, state: ClusterState, pod: PodInfo, decide: Decide) -> Answered:
    """Return why a pod of this profile has no node."""
    for plugin in profile.pre_enqueue:
        status: Status | None = plugin.pre_enqueue(pod, state.device_claims)
        if status is not None:
            reason = ", ".join(status.reasons)
            return Answered(Cause("gated", nodes=len(state.nodes), plugin=status.plugin, reason=reason))
    quiet, unasked = without_outsiders(profile)
    result = decide(quiet)
    message = result.message or ""
    if result.outcome == "error":
        return Answered(Cause("error", nodes=len(state.nodes), message=message, unasked=unasked))
    asked = Asked(quiet, state, pod, result.room)
    weighed = Weighed(state.nodes.names, asked.wants(), asked.named())
    cause = Cause(
        _kind_of(result, asked.prepared),
        message=message,
        chosen="" if result.chosen is None else state.nodes.names[result.chosen],
        evicting=_evicting(result),
        unasked=unasked,
    )
    return weighed.answered(cause)


def without_outsiders(profile: Profile) -> tuple[Profile, list[str]]:
    """Return the profile with extenders in process alone, and which ones are left out."""
    extenders = profile.panel.extenders
    outside = [one.settings.url_prefix for one in extenders if one.is_outside]
    inside = [one for one in extenders if not one.is_outside]
    panel = Panel(inside, Exchanges(), profile.panel.binds_at_once, profile.panel.skips_binders)
    return replace(profile, panel=panel), outside


def _kind_of(result: AttemptResult, prepared: Prepared) -> CauseKind:
    if result.outcome == "scheduled":
        return "fits"
    if result.outcome == "nominated":
        return "preempts"
    return "pre_filter" if prepared.rejected else "nodes"


def _evicting(result: AttemptResult) -> Evicting | None:
    preemption = result.preemption
    if preemption is None:
        return None
    runs = preemption.runs
    return Evicting(
        preemption.eligible,
        0 if runs is None else len(runs.nodes),
        0 if runs is None else len(runs.candidates),
        result.nominate or "" if preemption.winner is not None else "",
        len(preemption.victims),
        preemption.reason,
    )


def devices_on(profile: Profile, state: ClusterState, pod: PodInfo, node: int) -> DevicesTried | None:
    """Return what comes of each device of a node (a row) for a pod; None where no filter looks for any."""
    cycle = Cycle(state, pod)
    profile.prepare_each(cycle)
    return devices_by(each_filter(profile), View(cycle), node)


class Asked:
    """All filters of a profile, each asked alone about all nodes for one pod.

    `room`: the nodes with the pods nominated to them, as an attempt counted them.
    """

    def __init__(self, profile: Profile, state: ClusterState, pod: PodInfo, room: Room | None) -> None:
        self._profile, self._state = profile, state
        cycle = Cycle(state, pod)
        self.prepared = profile.prepare_each(cycle)
        self._room = Room(profile, View(cycle), None if room is None else room.nominated)
        self._counts_cordons = False

    def wants(self) -> list[Want]:
        """Return what stands against the pod, in the order in which it is asked."""
        rejected = self._rejected()
        everywhere = np.ones(len(self._state.nodes), dtype=np.bool_)
        found = [
            Want(plugin, everywhere, reasons=dict.fromkeys(status.reasons, len(everywhere)))
            for plugin, status in rejected.items()
        ]
        same = _LOOKING_UP_CLAIMS if _LOOKING_UP_CLAIMS & set(rejected) else frozenset[str]()
        left_out = self._room.plain.cycle.skipped_filters | set(self.prepared.rejected) | same
        filters = [one for one in each_filter(self._profile) if one.name not in left_out]
        self._counts_cordons = any(one.looks_at_cordons for one in filters)
        for one in filters:
            found += self._of_filter(one)
        return [*found, *self._of_extenders()]

    def named(self) -> BoolArray | None:
        """Return the nodes (a mask) that the pod's node affinity names; None where it names none."""
        names = self.prepared.names.get("NodeAffinity")
        if names is None:
            return None
        mask: BoolArray = np.array([name in names for name in self._state.nodes.names], dtype=np.bool_)
        return mask if mask.any() else None

    def _rejected(self) -> dict[str, Status]:
        """Return PreFilter's rejections; of plugins that look at the same claims, the first one's."""
        found: dict[str, Status] = {}
        for plugin, status in self.prepared.rejected.items():
            if plugin not in _LOOKING_UP_CLAIMS or not _LOOKING_UP_CLAIMS & set(found):
                found[plugin] = status
        return found

    def _of_filter(self, plugin: FilterPlugin) -> Iterator[Want]:
        """Yield what a filter has against nodes: each of its reasons if these are wants of their own."""
        masks = self._masks(plugin)
        if plugin.reasons_apart:
            wanted = {one.reason: one for one in plugin.wanted(self._room.crowded)}
            for reason, mask in masks.items():
                reasons = {reason: int(np.count_nonzero(mask))}
                yield Want(plugin.name, mask, reason, reasons, wanted.get(reason))
            return
        whole = np.zeros(len(self._state.nodes), dtype=np.bool_)
        for mask in masks.values():
            whole |= mask
        reasons = {reason: int(np.count_nonzero(mask)) for reason, mask in masks.items()}
        whole = self._with_left_out(plugin.name, whole, reasons)
        particulars = partial(plugin.particulars, self._room.plain)
        cards = _PassedDevices(plugin, self._room.plain).on if plugin.looks_for_devices else None
        yield Want(plugin.name, whole, reasons=reasons, particulars=particulars, cards=cards)

    def _masks(self, plugin: FilterPlugin) -> dict[str, BoolArray]:
        """Return the nodes that a filter rejects for each reason, with and without nominated pods.

        A cordon's taint goes with the cordon, which counts for both.
        """
        masks: dict[str, BoolArray] = {}
        lifted = plugin.goes_with_cordon(self._room.plain) if self._counts_cordons else None
        for view in dict.fromkeys((self._room.crowded, self._room.plain)):
            codes = view.ask(plugin, self._state.nodes.all)
            codes = codes if lifted is None else np.where(lifted, 0, codes)
            for code in np.unique(codes[codes != 0]).tolist():
                mask = codes == code
                for reason in view.cycle.status(plugin, code).reasons:
                    masks[reason] = masks[reason] | mask if reason in masks else mask
        return masks

    def _with_left_out(self, plugin: str, rejected: BoolArray, reasons: dict[str, int]) -> BoolArray:
        """Return the nodes that a plugin rejects or its PreFilter leaves out; that reason is added."""
        names = self.prepared.names.get(plugin)
        if names is None:
            return rejected
        outside = np.array([name not in names for name in self._state.nodes.names], dtype=np.bool_)
        more = int(np.count_nonzero(outside & ~rejected))
        status = self._profile.left_out(self.prepared.narrowed_by(plugin)) if more else None
        for reason in status.reasons if status else ():
            reasons[reason] = reasons.get(reason, 0) + more
        both: BoolArray = rejected | outside
        return both

    def _of_extenders(self) -> list[Want]:
        """Return what each extender has against nodes, asked alone about all of them."""
        panel, pod = self._profile.panel, self._room.plain.cycle.pod
        asked = (one for one in panel.asked_about(pod) if one.settings.has("filter"))
        return [want for one in asked for want in self._of_extender(one)]

    def _of_extender(self, extender: Extender) -> list[Want]:
        nodes, pod, name = self._state.nodes, self._room.plain.cycle.pod, extender.settings.url_prefix
        hearing = replace(self._profile.panel, extenders=[extender]).hearing(self._state, pod)
        if isinstance(extender, KnowsCards):
            refused = extender.refused(pod, nodes.names)
            return [self._short_of_cards(name, hearing, refused)] if refused else []
        said: dict[str, Refusal] = {}
        mark = self._state.mark()
        try:
            hearing.filter(NodeNames(nodes.names, nodes.all), said)
        except ExtenderError:
            return []
        finally:
            self._state.undo_to(mark)
        by_node = {node: refusal.reason for node, refusal in said.items() if node in nodes.index}
        return [self._refused(name, hearing, by_node)] if by_node else []

    def _refused(self, extender: str, hearing: Hearing, by_node: Mapping[str, str]) -> Want:
        mask = np.zeros(len(self._state.nodes), dtype=np.bool_)
        mask[[self._state.nodes.index[node] for node in by_node]] = True
        return Want(extender, mask, reasons=Counter(by_node.values()), cards=partial(_refused_cards, hearing))

    def _short_of_cards(
        self, extender: str, hearing: Hearing, refused: Mapping[str, tuple[str, CardLack]]
    ) -> Want:
        """Return what cards lack on nodes: what becoming free helps with before all, then by nodes."""
        counts = Counter(lack for _, lack in refused.values())
        lacks = sorted(counts, key=lambda one: (not one.frees, one.is_missing, -counts[one], one.kind))
        place = {lack: at for at, lack in enumerate(lacks)}
        codes = np.full(len(self._state.nodes), -1, dtype=np.int64)
        for node, (_, lack) in refused.items():
            codes[self._state.nodes.index[node]] = place[lack]
        by_node = {node: reason for node, (reason, _) in refused.items()}
        return replace(self._refused(extender, hearing, by_node), lacks=lacks, lack=codes)


class _PassedDevices:
    """Counts devices that were passed over, node by node, until so many were looked at."""

    most = 20_000

    def __init__(self, plugin: FilterPlugin, view: View) -> None:
        self._plugin, self._view = plugin, view
        self._left = self.most

    def on(self, node: str) -> dict[str, int] | None:
        """Return how many devices of a node were passed over for each reason; None where none was tried."""
        if self._left <= 0:
            return None
        found = self._plugin.devices(self._view, self._view.cycle.state.nodes.index[node])
        counts = {} if found is None else found.in_short()
        self._left -= sum(counts.values())
        return counts or None


def _refused_cards(hearing: Hearing, node: str) -> dict[str, int] | None:
    """Return how many cards of a node are refused for each reason; None where nothing is known of cards."""
    found = hearing.cards_of(node)
    return None if found is None else {why: len(ids) for why, ids in found.in_short().refused.items()}
