"""How the fields of objects are anonymised, by their names: Kubernetes uses a name in one sense everywhere.

Numbers and true or false stay in any field, and so does an instant. A text in a field that is not named here
is dropped.
"""

from enum import Enum, auto
from functools import cache

from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.privacy.fields import Fields
from scheduler_core.objects.privacy.kept_by_kind import kept_kinds
from scheduler_core.objects.validation.schema import types


class How(Enum):
    """What is done to the texts of a field, or of a list in it."""

    NAME = auto()
    """A name is put in place of the name."""
    IMAGE = auto()
    """The same for an image: an account may stand before the domain of a public registry, so none stays."""
    NODE = auto()
    """The same for the name of a node."""
    WORD = auto()
    """One of the words that an API defines stays; any other is a name."""
    KIND = auto()
    """The same for the name of a kind, by its API group."""
    API_VERSION = auto()
    GATE = auto()
    """Names of features, which Kubernetes itself writes, or of kinds, which Sandtable does: they stay."""
    VERSION = auto()
    """A version: its numbers stay, what a maker of builds adds goes."""
    REASON = auto()
    """Why something is so: stays if Kubernetes or a scheduler says it so."""
    NUMBER = auto()
    """A number, an amount or a share, written as text: it stays."""
    ADDRESS = auto()
    """An IP address of this machine stays, others are numbered."""
    LABELS = auto()
    """Keys and values of labels; where values are no texts, an object like any other."""
    AMOUNTS = auto()
    """Amounts by the resource's name; where it is no such object, numbers."""
    BY_NAME = auto()
    """Keys are names. What is under them is an object like any other."""
    ANNOTATIONS = auto()
    OWNERS = auto()
    MEMBERS = auto()
    """Members of a group, each of a `type`: one of type Node is selected by the node's name."""
    VERDICT = auto()
    """What a scheduler said of a pod."""
    CONFIGURATIONS = auto()
    """Entries of a ConfigMap."""
    FLAGS = auto()
    """Arguments of a command line whose values are names or numbers."""
    PLAIN = auto()
    """A part that has nothing but numbers and words of an API: it stays whole."""
    DROPPED = auto()


_FIELDS = {
    How.NAME: "name generateName namespace namespaces uid schedulerName priorityClassName runtimeClassName"
    " claimName storageClassName volumeName volumeAttributesClassName resourceClaimName"
    " resourceClaimTemplateName podGroupName persistentVolumeName handler"
    " topologyKey topologyKeys matchLabelKeys mismatchLabelKeys finalizers managedBy resourceName driver"
    " provisioner attacher volumeID pdName diskName diskURI iqn monitors pool volumeHandle containerName"
    " currentRevision updateRevision volumeClaimName extendedResourceName request deviceClassName device"
    " shareID volumeClaimTemplate ignoredResources ignoredResourceGroups",
    How.IMAGE: "image names reference",
    How.NODE: "nodeName nominatedNodeName",
    How.WORD: "operator effect phase type status protocol restartPolicy preemptionPolicy whenUnsatisfiable"
    " nodeAffinityPolicy nodeTaintsPolicy podManagementPolicy completionMode podReplacementPolicy"
    " unhealthyPodEvictionPolicy volumeMode accessModes persistentVolumeReclaimPolicy reclaimPolicy"
    " volumeBindingMode concurrencyPolicy qosClass resize action scopes scopeName architecture"
    " operatingSystem volumeLifecycleModes pullPolicy defaultingType allocationMode filterVerb preemptVerb"
    " prioritizeVerb bindVerb",
    How.KIND: "kind",
    How.API_VERSION: "apiVersion",
    How.GATE: "declaredFeatures kinds",
    How.VERSION: "kubeletVersion gitVersion",
    How.REASON: "reason",
    How.NUMBER: "resourceVersion maxSurge maxUnavailable minAvailable partition maximumVolumeSize"
    " completedIndexes failedIndexes httpTimeout filterTimeout bindingTimeout",
    How.ADDRESS: "hostIP",
    How.LABELS: "labels matchLabels nodeSelector selector",
    How.AMOUNTS: "requests limits capacity allocatable hard used overhead podFixed allocatedResources min max"
    " default defaultRequest maxLimitRequestRatio",
    How.BY_NAME: "disruptedPods",
    How.ANNOTATIONS: "annotations",
    How.OWNERS: "ownerReferences",
    How.VERDICT: "message",
    How.CONFIGURATIONS: "data",
    How.DROPPED: "env timeZone",
}
_OF_FIELD = {name: how for how, names in _FIELDS.items() for name in names.split()}
_KNOWN_REASONS_TEXT = (
    "Unschedulable SchedulingGated SchedulerError Evicted NodeLost PreemptionByScheduler "
    "DeletionByTaintManager DeletionByPodGC EvictionByEvictionAPI TerminationByKubelet "
    "BackoffLimitExceeded DeadlineExceeded FailedIndexes MaxFailedIndexesExceeded PodFailurePolicy "
    "SuccessPolicy CompletionsReached KubeletReady KubeletNotReady KubeletHasSufficientMemory "
    "KubeletHasNoMemoryPressure KubeletHasNoDiskPressure KubeletHasDiskPressure "
    "KubeletHasSufficientPID KubeletHasNoPIDPressure NodeStatusUnknown NodeStatusNeverUpdated "
    "PodCompleted PodFailed ContainersNotReady MinimumReplicasAvailable MinimumReplicasUnavailable "
    "NewReplicaSetAvailable ReplicaSetUpdated ProgressDeadlineExceeded SufficientPods "
    "InsufficientPods NotEnoughResources NotEnoughPods"
)
KNOWN_REASONS = frozenset(_KNOWN_REASONS_TEXT.split())
"""Reasons of conditions that Kubernetes and schedulers write. Others may write what they want."""


@cache
def how_of(field: str) -> How | None:
    """Return how a field is anonymised, None for one that is not known."""
    for module in data_modules("anonymised"):
        if (how := module.FIELDS.get(field)) is not None:
            return How[how]
    return _OF_FIELD.get(field)


@cache
def known_fields() -> frozenset[str]:
    """Return the names of all fields that an object may have. Another key may be somebody's name."""
    named = {field for kind in types().values() for field in kind.fields}
    for kept in kept_kinds().values():
        _add_fields(kept, named)
    return frozenset(named | _OF_FIELD.keys())


def _add_fields(kept: Fields, named: set[str]) -> None:
    named.update(kept.whole, kept.parts)
    for part in kept.parts.values():
        if isinstance(part, Fields):
            _add_fields(part, named)
