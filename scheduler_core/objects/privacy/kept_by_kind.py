"""What is kept of each kind: what the engine, its checks or a page reads, and what planned schedulers will.

Of a kind that is not named here, only the metadata stay. A field that a typed view names (`types`, `storage`,
`kind_views`) must be kept here; a test holds the two together.
"""

from functools import cache
from typing import Any

from scheduler_core.objects import kinds
from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.privacy.configurations import CONFIGURATION, keep_configurations
from scheduler_core.objects.privacy.fields import Fields
from scheduler_core.objects.privacy.pod_fields import (
    CLAIM_SPEC,
    CLAIM_TEMPLATE,
    CONDITION,
    DISKS,
    METADATA,
    POD_SPEC,
    POD_STATUS,
    TEMPLATE,
    object_fields,
)
from scheduler_core.objects.server_version import SERVER_VERSION
from scheduler_core.objects.whole_lists import WHOLE_LISTS
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER

Object = dict[str, Any]

CONFIG_MAP = Kind("", "ConfigMap")
POD_TEMPLATE = Kind("", "PodTemplate")


OTHER_KIND = object_fields()

_STRATEGY = Fields("type", rollingUpdate=Fields("maxSurge maxUnavailable partition"))
_WORKLOAD_SPEC = Fields(
    "replicas parallelism completions completionMode suspend selector manualSelector ordinals minReadySeconds"
    " paused podManagementPolicy activeDeadlineSeconds backoffLimit backoffLimitPerIndex maxFailedIndexes"
    " podReplacementPolicy managedBy",
    podFailurePolicy=Fields(
        rules=Fields(
            "action",
            onExitCodes=Fields("containerName operator values"),
            onPodConditions=Fields("type status"),
        )
    ),
    strategy=_STRATEGY,
    updateStrategy=_STRATEGY,
    template=TEMPLATE,
    volumeClaimTemplates=CLAIM_TEMPLATE,
)
_WORKLOAD = object_fields(
    spec=_WORKLOAD_SPEC,
    status=Fields(
        "replicas readyReplicas availableReplicas unavailableReplicas updatedReplicas desiredNumberScheduled"
        " currentNumberScheduled numberReady numberAvailable ready active succeeded failed startTime"
        " completedIndexes failedIndexes currentRevision updateRevision currentReplicas terminating",
        conditions=CONDITION,
    ),
)
_PHASE = Fields("phase")
_DEVICE_CONFIG = Fields("requests source", opaque=Fields("driver"))
"""What drivers are told to do to a device: no scheduler reads the parameters."""
_DEVICE_CLAIM = Fields(devices=Fields("requests constraints", config=_DEVICE_CONFIG))
_READ: dict[Kind, Fields] = {
    kinds.POD: object_fields(spec=POD_SPEC, status=POD_STATUS),
    kinds.NODE: object_fields(
        spec=Fields("unschedulable taints"),
        status=Fields(
            "capacity allocatable images declaredFeatures",
            conditions=CONDITION,
            nodeInfo=Fields("architecture operatingSystem kubeletVersion"),
        ),
    ),
    kinds.NAMESPACE: object_fields(spec=Fields("finalizers"), status=_PHASE),
    kinds.SERVICE: object_fields(spec=Fields("selector"), status=Fields()),
    **dict.fromkeys((set(kinds.WORKLOAD_KINDS) - {kinds.CRON_JOB}), _WORKLOAD),
    kinds.CRON_JOB: object_fields(
        spec=Fields(
            "suspend schedule timeZone concurrencyPolicy startingDeadlineSeconds",
            jobTemplate=Fields(metadata=METADATA, spec=_WORKLOAD_SPEC),
        ),
        status=Fields("lastScheduleTime"),
    ),
    kinds.POD_DISRUPTION_BUDGET: object_fields(
        spec=Fields("selector minAvailable maxUnavailable unhealthyPodEvictionPolicy"),
        status=Fields(
            "disruptionsAllowed desiredHealthy currentHealthy expectedPods disruptedPods observedGeneration",
            conditions=CONDITION,
        ),
    ),
    kinds.PRIORITY_CLASS: object_fields("value globalDefault preemptionPolicy"),
    kinds.LIMIT_RANGE: object_fields(spec=Fields("limits")),
    kinds.RESOURCE_QUOTA: object_fields(spec=Fields("hard scopes scopeSelector"), status=Fields("hard used")),
    kinds.RUNTIME_CLASS: object_fields("handler overhead scheduling"),
    kinds.DEVICE_CLASS: object_fields(spec=Fields("extendedResourceName selectors", config=_DEVICE_CONFIG)),
    kinds.RESOURCE_CLAIM: object_fields(
        spec=_DEVICE_CLAIM,
        status=Fields(
            "reservedFor",
            allocation=Fields(
                "nodeSelector allocationTimestamp", devices=Fields("results", config=_DEVICE_CONFIG)
            ),
            devices=Fields("driver pool device shareID", conditions=CONDITION),
        ),
    ),
    kinds.RESOURCE_CLAIM_TEMPLATE: object_fields(spec=Fields(metadata=METADATA, spec=_DEVICE_CLAIM)),
    kinds.RESOURCE_SLICE: object_fields("spec"),
    kinds.PERSISTENT_VOLUME_CLAIM: object_fields(spec=CLAIM_SPEC, status=_PHASE),
    kinds.PERSISTENT_VOLUME: object_fields(
        spec=Fields(
            "capacity accessModes claimRef storageClassName volumeMode volumeAttributesClassName nodeAffinity"
            " persistentVolumeReclaimPolicy",
            csi=Fields("driver volumeHandle readOnly"),
            **DISKS,
        ),
        status=_PHASE,
    ),
    kinds.STORAGE_CLASS: object_fields(
        "provisioner volumeBindingMode allowedTopologies reclaimPolicy allowVolumeExpansion"
    ),
    kinds.CSI_NODE: object_fields(spec=Fields(drivers=Fields("name allocatable topologyKeys"))),
    kinds.CSI_DRIVER: object_fields(
        spec=Fields("storageCapacity attachRequired volumeLifecycleModes preventPodSchedulingIfMissing")
    ),
    kinds.CSI_STORAGE_CAPACITY: object_fields("nodeTopology storageClassName capacity maximumVolumeSize"),
    kinds.POD_GROUP: object_fields("spec", status=Fields("phase", conditions=CONDITION)),
    kinds.VOLUME_ATTACHMENT: object_fields(
        spec=Fields("attacher nodeName", source=Fields("persistentVolumeName")), status=Fields("attached")
    ),
}

_OTHERS: dict[Kind, Fields] = {
    SERVER_VERSION: object_fields("gitVersion"),
    WHOLE_LISTS: object_fields("kinds readTime"),
    CONFIG_MAP: object_fields(data=keep_configurations),
    POD_TEMPLATE: object_fields(template=TEMPLATE),
    kinds.SCHEDULER_CONFIGURATION: CONFIGURATION,
    Kind("scheduling.k8s.io", "Workload"): object_fields("spec"),
    AUTOSCALER: object_fields(
        spec=Fields("minReplicas maxReplicas", scaleTargetRef=Fields("apiVersion kind name"))
    ),
}


@cache
def kept_kinds() -> dict[Kind, Fields]:
    """Return the kinds of which more than the metadata stays: Kubernetes' own, and those of schedulers."""
    own = (module.KEPT for module in data_modules("stored"))
    return _READ | _OTHERS | {kind: fields for kept in own for kind, fields in kept.items()}


@cache
def _by_name() -> dict[str, Fields]:
    """Return the same by name: of two kinds of one name the one that the engine reads."""
    return {kind.name: fields for kind, fields in (kept_kinds() | _READ).items()}


def fields_of(document: Object) -> Fields:
    """Return what is kept of an object; by its name alone where no group is given, as in a patch."""
    kind = kind_of(document)
    return kept_kinds().get(kind) or (_by_name().get(kind.name) if not kind.group else None) or OTHER_KIND
