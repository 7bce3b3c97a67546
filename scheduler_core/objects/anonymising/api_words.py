"""Words that APIs define: they say nothing of a cluster, and stay. Any other word in their place is a name.

Sources: kubernetes v1.36 staging/src/k8s.io/api and pkg/scheduler/framework/plugins/names, and older ones.
"""

import re
from functools import cache

from scheduler_core.objects.anonymising.known_names import is_public_group
from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.privacy.kept_by_kind import kept_kinds

_KUBERNETES = (
    # operators, effects and policies
    "In NotIn Exists DoesNotExist Gt Lt Equal NoSchedule PreferNoSchedule NoExecute None Always OnFailure"
    " Never IfNotPresent PreemptLowerPriority DoNotSchedule ScheduleAnyway Honor Ignore OrderedReady Parallel"
    " Indexed NonIndexed TerminatingOrFailed Failed AlwaysAllow IfHealthyBudget Allow Forbid Replace Restart"
    " RestartContainer RestartAllContainers NotRequired PreferNoRestart FailJob FailIndex Count RollingUpdate"
    " Recreate OnDelete Guaranteed Burstable BestEffort List System ExactCount All LeastAllocated"
    " MostAllocated RequestedToCapacityRatio"
    # storage
    " Filesystem Block ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod Retain Delete Recycle"
    " Immediate WaitForFirstConsumer Persistent Ephemeral Managed Dedicated Shared managed dedicated shared"
    " Memory"
    # protocols, machines, states and quotas
    " TCP UDP SCTP linux windows amd64 arm64 arm 386 ppc64le s390x riscv64 mips64le True False Unknown"
    " Pending Running Succeeded Active Terminating Available Bound Released Lost Proposed InProgress Deferred"
    " Infeasible NotTerminating NotBestEffort PriorityClass CrossNamespacePodAffinity VolumeAttributesClass"
    " Container PersistentVolumeClaim Pod"
    # types of conditions
    " PodScheduled Initialized ContainersReady Ready DisruptionTarget PodReadyToStartContainers"
    " PodResizePending PodResizeInProgress AllContainersRestarting Progressing ReplicaFailure Complete"
    " Suspended FailureTarget SuccessCriteriaMet DisruptionAllowed Unschedulable MemoryPressure DiskPressure"
    " PIDPressure NetworkUnavailable OutOfDisk ConfigOK KernelDeadlock ReadonlyFilesystem"
    " FrequentKubeletRestart FrequentDockerRestart FrequentContainerdRestart FrequentUnregisterNetDevice"
    " CorruptDockerOverlay2 PodGroupInitiallyScheduled PodGroupScheduled"
    # what an extender is asked
    " filter prioritize preempt bind"
)
_KINDS = (
    "Secret ServiceAccount Endpoints EndpointSlice Event Binding Lease List Scale ControllerRevision Ingress"
    " NetworkPolicy Role RoleBinding VolumeSnapshot CustomResourceDefinition InterPodAffinityArgs"
    " NodeAffinityArgs NodeResourcesBalancedAllocationArgs NodeResourcesFitArgs PodTopologySpreadArgs"
    " VolumeBindingArgs DefaultPreemptionArgs DynamicResourcesArgs"
)
_PLUGINS = (
    "PrioritySort DefaultBinder DefaultPreemption DynamicResources GangScheduling ImageLocality"
    " InterPodAffinity NodeAffinity NodeDeclaredFeatures NodeName NodePorts NodeResourcesBalancedAllocation"
    " NodeResourcesFit NodeUnschedulable NodeVolumeLimits PodTopologySpread SchedulingGates TaintToleration"
    " TopologyPlacementGenerator PodGroupPodsCount VolumeBinding VolumeRestrictions VolumeZone EBSLimits"
    " GCEPDLimits AzureDiskLimits CinderLimits SelectorSpread NodePreferAvoidPods NodeLabel ServiceAffinity"
    " NodeResourcesLeastAllocated NodeResourcesMostAllocated RequestedToCapacityRatio"
    " DefaultPodTopologySpread"
)
_CONFIGURATION_KEYS = (
    "queueSort preEnqueue preFilter filter postFilter preScore score reserve permit preBind bind postBind"
    " multiPoint placementGenerate placementScore enabled disabled name weight type resources"
    " requestedToCapacityRatio shape utilization ignoredByScheduler"
)
CONFIGURATION_KEYS = frozenset(_CONFIGURATION_KEYS.split())
"""Keys in a configuration of kube-scheduler that no object has."""
_VERSION = re.compile(r"v[0-9]+(?:(?:alpha|beta)[0-9]+)?")
_CAMEL = re.compile(r"[A-Z][A-Za-z0-9]{2,80}")
_UNITS = re.compile(r"[0-9.]+(?:[numkKMGTPE]i?|ns|us|µs|ms|[smhd])?(?![A-Za-z])")
_LETTERS = re.compile(r"[A-Za-z][-A-Za-z_]*")
_COMPONENTS = frozenset((*_PLUGINS.split(), "*"))


@cache
def _words() -> frozenset[str]:
    own = (word for module in data_modules("anonymised") for word in module.API_WORDS)
    return frozenset((*_KUBERNETES.split(), *own)) | _kinds()


@cache
def _kinds() -> frozenset[str]:
    return frozenset((*_KINDS.split(), *(kind.name for kind in kept_kinds())))


def is_api_word(text: str) -> bool:
    """Tell whether a text is a word that an API defines, or the name of a kind."""
    return text in _words()


def is_api_version(version: str) -> bool:
    """Tell whether a text is the version of an API group, such as `v1beta1`."""
    return _VERSION.fullmatch(version) is not None


def is_known_kind(kind: str, group: str) -> bool:
    """Tell whether a kind is Kubernetes' own or a public project's; `group`: its API group, maybe empty."""
    return kind in _kinds() or (
        "." in group and is_public_group(group) and _CAMEL.fullmatch(kind) is not None
    )


def is_component(text: str) -> bool:
    """Tell whether a text in a configuration is a plugin of kube-scheduler, or `*` for all."""
    return text in _COMPONENTS


def is_gate(text: str) -> bool:
    """Tell whether a text is written as the name of a feature: Kubernetes' programs name no others."""
    return _CAMEL.fullmatch(text) is not None


def has_only_api_words(text: str) -> bool:
    """Tell whether a text holds nothing but numbers, amounts, times and words that an API defines."""
    return all(map(is_api_word, _LETTERS.findall(_UNITS.sub("", text))))
