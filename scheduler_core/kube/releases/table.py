"""The releases as a table: 1.8, 1.9, 1.11 and 1.13, each with the default provider of its time.

Left out are predicates that fail no pod that is modelled here: HostName (a pending pod names no node),
and those that a gate switches off by default: NoVolumeNodeConflict in 1.8, CheckVolumeBinding in 1.9.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.9 to v1.13 pkg/scheduler: algorithmprovider/defaults/
defaults.go; algorithm/predicates predicatesOrdering.
"""

from collections.abc import Callable
from typing import Any

from scheduler_core.events.decisions import Criterion
from scheduler_core.kube.framework import FilterPlugin, ScorePlugin
from scheduler_core.kube.releases.predicates.affinity_rules import (
    AllTermsByDomain,
    AllTermsOnOneNode,
    EachTermAlone,
)
from scheduler_core.kube.releases.predicates.check_volume_binding import CheckVolumeBinding
from scheduler_core.kube.releases.predicates.match_inter_pod_affinity import (
    AffinityRules,
    MatchInterPodAffinity,
)
from scheduler_core.kube.releases.predicates.max_csi_volume_count import MaxCSIVolumeCount
from scheduler_core.kube.releases.predicates.max_volume_count import (
    MaxAzureDiskVolumeCount,
    MaxEBSVolumeCount,
    MaxGCEPDVolumeCount,
)
from scheduler_core.kube.releases.predicates.no_disk_conflict import NoDiskConflict
from scheduler_core.kube.releases.predicates.no_volume_zone_conflict import NoVolumeZoneConflict
from scheduler_core.kube.releases.predicates.node_predicates import (
    CheckNodeCondition,
    CheckNodeDiskPressure,
    CheckNodeMemoryPressure,
    CheckNodePIDPressure,
    CheckNodeUnschedulable,
    MatchNodeSelector,
    PodToleratesNodeTaints,
)
from scheduler_core.kube.releases.predicates.pod_fits_host_ports import PodFitsHostPorts
from scheduler_core.kube.releases.predicates.pod_fits_resources import PodFitsResources
from scheduler_core.kube.releases.predicates.predicate import Conjunction
from scheduler_core.kube.releases.predicates.wording import (
    SENTENCES,
    UNRESOLVABLE_SINCE_1_9,
    UNRESOLVABLE_SINCE_1_13,
    Wording,
)
from scheduler_core.kube.releases.preemption import exhausted_budgets, no_budgets
from scheduler_core.kube.releases.priorities.inter_pod_affinity_priority import InterPodAffinityPriority
from scheduler_core.kube.releases.priorities.node_priorities import (
    ImageLocalityPriority,
    NodeAffinityPriority,
    NodePreferAvoidPodsPriority,
    TaintTolerationPriority,
)
from scheduler_core.kube.releases.priorities.resource_priorities import (
    BalancedResourceAllocation,
    LeastRequestedPriority,
)
from scheduler_core.kube.releases.priorities.selector_spread_priority import SelectorSpreadPriority
from scheduler_core.kube.releases.profile import ReleaseProfile, counted_of_all, named_in_parentheses

DEFAULT_SCHEDULER = "default-scheduler"
_SINCE_1_8: tuple[Criterion, ...] = ("highest_priority", "priority_sum", "victim_count")
_SINCE_1_9: tuple[Criterion, ...] = ("pdb_violations", *_SINCE_1_8)


def _general(wording: Wording, *, native_gpu: bool = False) -> list[FilterPlugin]:
    resources = PodFitsResources(wording, native_gpu=native_gpu)
    return [resources, PodFitsHostPorts(wording), MatchNodeSelector(wording)]


def _named_together(general: list[FilterPlugin]) -> list[tuple[str, FilterPlugin]]:
    return [(Conjunction.name, predicate) for predicate in general]


def _priorities(
    *more: tuple[ScorePlugin, int], divides_by_zero: bool = False
) -> list[tuple[ScorePlugin, int]]:
    return [
        (BalancedResourceAllocation(), 1),
        (InterPodAffinityPriority(), 1),
        (LeastRequestedPriority(), 1),
        (NodeAffinityPriority(), 1),
        (NodePreferAvoidPodsPriority(), 10_000),
        (SelectorSpreadPriority(divides_by_zero=divides_by_zero), 1),
        (TaintTolerationPriority(), 1),
        *more,
    ]


def _release(
    release: str,
    asked: list[FilterPlugin],
    filters: list[FilterPlugin],
    scores: list[tuple[ScorePlugin, int]],
    **differing: Any,
) -> ReleaseProfile:
    """Make a release: `asked` are its predicates one by one, `filters` the same as they are put together."""
    common: dict[str, Any] = {
        "violations": exhausted_budgets,
        "criteria": _SINCE_1_9,
        "message": counted_of_all,
    }
    return ReleaseProfile(
        scheduler_name=DEFAULT_SCHEDULER,
        pre_enqueue=[],
        pre_filters=[*asked],
        filters=filters,
        scores=scores,
        post_filters=[],
        pre_scores=[plugin for plugin, _ in scores],
        release=release,
        **(common | differing),
    )


def _all_at_once(
    wording: Wording, rules: AffinityRules, unbound_in: str = ""
) -> tuple[list[FilterPlugin], list[FilterPlugin]]:
    """1.8 and 1.9: every predicate is asked, in no order."""
    general = _general(wording, native_gpu=True)
    others: list[FilterPlugin] = [
        CheckNodeCondition(wording),
        NoDiskConflict(wording),
        PodToleratesNodeTaints(wording),
        MaxEBSVolumeCount(wording, unbound_in=unbound_in),
        MaxGCEPDVolumeCount(wording, unbound_in=unbound_in),
        MaxAzureDiskVolumeCount(wording, unbound_in=unbound_in),
        NoVolumeZoneConflict(wording),
        CheckNodeMemoryPressure(wording),
        CheckNodeDiskPressure(wording),
        MatchInterPodAffinity(wording, rules),
    ]
    first, *rest = others
    whole = Conjunction([(first.name, first), *_named_together(general), *((one.name, one) for one in rest)])
    return [*general, *others, whole], [whole]


def _in_order(
    general: list[FilterPlugin], filters: list[FilterPlugin]
) -> tuple[list[FilterPlugin], list[FilterPlugin]]:
    """Since 1.11: the general predicates stand second, and the first that fails is the last that is asked."""
    together = Conjunction(_named_together(general))
    return [*general, *filters, together], [filters[0], together, *filters[1:]]


def _release_1_8() -> ReleaseProfile:
    rules = AffinityRules(EachTermAlone, detailed=False, key_of_last_term=True)
    return _release(
        "1.8",
        *_all_at_once(Wording(), rules, unbound_in="1.8"),
        _priorities(divides_by_zero=True),
        counts_nominations=False,
        scores_single=True,
        violations=no_budgets,
        criteria=_SINCE_1_8,
        message=named_in_parentheses,
        checks_claims=False,
    )


def _release_1_9() -> ReleaseProfile:
    rules = AffinityRules(EachTermAlone, detailed=True, key_of_last_term=True)
    wording = Wording(unresolvable=UNRESOLVABLE_SINCE_1_9)
    return _release("1.9", *_all_at_once(wording, rules), _priorities(), checks_claims=False)


def _release_1_11() -> ReleaseProfile:
    wording = Wording(SENTENCES, UNRESOLVABLE_SINCE_1_9)
    rules = AffinityRules(AllTermsOnOneNode, detailed=True, key_of_last_term=True)
    filters: list[FilterPlugin] = [
        CheckNodeCondition(wording),
        NoDiskConflict(wording),
        PodToleratesNodeTaints(wording),
        MaxEBSVolumeCount(wording),
        MaxGCEPDVolumeCount(wording),
        MaxAzureDiskVolumeCount(wording),
        binding := CheckVolumeBinding(wording, early=True),
        NoVolumeZoneConflict(wording, waits=True),
        CheckNodeMemoryPressure(wording),
        CheckNodePIDPressure(wording),
        CheckNodeDiskPressure(wording),
        MatchInterPodAffinity(wording, rules),
    ]
    return _release("1.11", *_in_order(_general(wording), filters), _priorities(), reserves=[binding])


def _release_1_13() -> ReleaseProfile:
    wording = Wording(SENTENCES, UNRESOLVABLE_SINCE_1_13)
    rules = AffinityRules(AllTermsByDomain, detailed=True, key_of_last_term=False)
    filters: list[FilterPlugin] = [
        CheckNodeUnschedulable(wording),
        NoDiskConflict(wording),
        PodToleratesNodeTaints(wording),
        MaxEBSVolumeCount(wording, announced=True, nitro=True),
        MaxGCEPDVolumeCount(wording, announced=True),
        MaxCSIVolumeCount(wording),
        MaxAzureDiskVolumeCount(wording, announced=True),
        binding := CheckVolumeBinding(wording),
        NoVolumeZoneConflict(wording, waits=True),
        MatchInterPodAffinity(wording, rules),
    ]
    return _release(
        "1.13",
        *_in_order(_general(wording), filters),
        _priorities((ImageLocalityPriority(), 1)),
        reserves=[binding],
    )


RELEASES: dict[str, Callable[[], ReleaseProfile]] = {
    "1.8": _release_1_8,
    "1.9": _release_1_9,
    "1.11": _release_1_11,
    "1.13": _release_1_13,
}
