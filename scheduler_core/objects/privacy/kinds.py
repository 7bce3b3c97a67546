"""What is kept of each kind: what the engine, its checks or a page reads, and what planned schedulers will.

Of a kind that is not named here, only the metadata stay. A field that a typed view names (`types`, `storage`,
`kind_views`) must be kept here; a test holds the two together.
"""

from typing import Any

from scheduler_core.objects import kinds
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.privacy.configurations import CONFIGURATION, keep_configurations
from scheduler_core.objects.privacy.fields import Fields, Keep
from scheduler_core.objects.privacy.flags import keep_flags
from scheduler_core.objects.privacy.pod_fields import (
    CLAIM_SPEC,
    CLAIM_TEMPLATE,
    CONDITION,
    DISKS,
    METADATA,
    POD_SPEC,
    POD_STATUS,
    TEMPLATE,
)

Object = dict[str, Any]

CONFIG_MAP = Kind("", "ConfigMap")
POD_TEMPLATE = Kind("", "PodTemplate")


def _kind(whole: str = "", **parts: Keep) -> Fields:
    return Fields(f"apiVersion kind {whole}", metadata=METADATA, **parts)


OTHER_KIND = _kind()

_WORKLOAD_SPEC = Fields(
    "replicas parallelism completions completionMode suspend selector manualSelector ordinals",
    strategy=Fields("type", rollingUpdate=Fields("maxSurge")),
    template=TEMPLATE,
    volumeClaimTemplates=CLAIM_TEMPLATE,
)
_WORKLOAD = _kind(
    spec=_WORKLOAD_SPEC,
    status=Fields(
        "replicas readyReplicas availableReplicas updatedReplicas desiredNumberScheduled"
        " currentNumberScheduled numberReady numberAvailable ready active succeeded failed"
    ),
)
_PHASE = Fields("phase")
_READ: dict[Kind, Fields] = {
    kinds.POD: _kind(spec=POD_SPEC, status=POD_STATUS),
    kinds.NODE: _kind(
        spec=Fields("unschedulable taints"),
        status=Fields(
            "capacity allocatable images declaredFeatures",
            conditions=CONDITION,
            nodeInfo=Fields("architecture operatingSystem kubeletVersion"),
        ),
    ),
    kinds.NAMESPACE: _kind(spec=Fields("finalizers"), status=_PHASE),
    kinds.SERVICE: _kind(spec=Fields("selector"), status=Fields()),
    **dict.fromkeys((set(kinds.WORKLOAD_KINDS) - {kinds.CRON_JOB}), _WORKLOAD),
    kinds.CRON_JOB: _kind(
        spec=Fields("suspend", jobTemplate=Fields(metadata=METADATA, spec=_WORKLOAD_SPEC)), status=Fields()
    ),
    kinds.POD_DISRUPTION_BUDGET: _kind(
        spec=Fields("selector minAvailable maxUnavailable unhealthyPodEvictionPolicy"),
        status=Fields(
            "disruptionsAllowed desiredHealthy currentHealthy expectedPods disruptedPods observedGeneration",
            conditions=CONDITION,
        ),
    ),
    kinds.PRIORITY_CLASS: _kind("value globalDefault preemptionPolicy"),
    kinds.LIMIT_RANGE: _kind(spec=Fields("limits")),
    kinds.RESOURCE_QUOTA: _kind(spec=Fields("hard scopes scopeSelector"), status=Fields("hard used")),
    kinds.RUNTIME_CLASS: _kind("handler overhead scheduling"),
    kinds.DEVICE_CLASS: _kind(spec=Fields("extendedResourceName selectors")),
    kinds.PERSISTENT_VOLUME_CLAIM: _kind(spec=CLAIM_SPEC, status=_PHASE),
    kinds.PERSISTENT_VOLUME: _kind(
        spec=Fields(
            "capacity accessModes claimRef storageClassName volumeMode volumeAttributesClassName nodeAffinity"
            " persistentVolumeReclaimPolicy",
            csi=Fields("driver volumeHandle readOnly"),
            **DISKS,
        ),
        status=_PHASE,
    ),
    kinds.STORAGE_CLASS: _kind(
        "provisioner volumeBindingMode allowedTopologies reclaimPolicy allowVolumeExpansion"
    ),
    kinds.CSI_NODE: _kind(spec=Fields(drivers=Fields("name allocatable topologyKeys"))),
    kinds.CSI_DRIVER: _kind(spec=Fields("storageCapacity attachRequired volumeLifecycleModes")),
    kinds.CSI_STORAGE_CAPACITY: _kind("nodeTopology storageClassName capacity maximumVolumeSize"),
    kinds.VOLUME_ATTACHMENT: _kind(
        spec=Fields("attacher nodeName", source=Fields("persistentVolumeName")), status=Fields("attached")
    ),
}

_DEVICE_CLAIM = Fields(devices=Fields("requests constraints"))
_TASK = Fields(
    "name replicas minAvailable policies maxRetry dependsOn topologyPolicy partitionPolicy", template=TEMPLATE
)
_JOB_PLUGINS = ("env", "svc", "ssh", "tensorflow", "pytorch", "mpi", "ray", "hcclrank")
# Their arguments are command lines, a private key among them; that they are there counts, and that mpi's
# tasks are among the job's.
_PLUGINS: dict[str, Keep] = {
    **dict.fromkeys(_JOB_PLUGINS, Fields()),
    "mpi": keep_flags("master", "worker", "port"),
}
_VOLCANO_JOB_SPEC = Fields(
    "schedulerName minAvailable minSuccess queue priorityClassName policies maxRetry runningEstimate"
    " ttlSecondsAfterFinished networkTopology",
    tasks=_TASK,
    plugins=Fields(**_PLUGINS),
    volumes=Fields("mountPath volumeClaimName", volumeClaim=CLAIM_SPEC),
)
_VOLCANO_JOB = _kind(
    spec=_VOLCANO_JOB_SPEC,
    status=Fields(
        "state minAvailable taskStatusCount pending running succeeded failed terminating unknown version"
        " retryCount controlledResources",
        conditions=Fields("status lastTransitionTime"),
    ),
)
_PROBE = Fields("taskStatusList")
_OTHERS: dict[Kind, Fields] = {
    CONFIG_MAP: _kind(data=keep_configurations),
    POD_TEMPLATE: _kind(template=TEMPLATE),
    kinds.SCHEDULER_CONFIGURATION: CONFIGURATION,
    kinds.RESOURCE_CLAIM: _kind(
        spec=_DEVICE_CLAIM,
        status=Fields(
            "reservedFor",
            allocation=Fields("nodeSelector allocationTimestamp", devices=Fields("results")),
            devices=Fields("driver pool device shareID", conditions=CONDITION),
        ),
    ),
    kinds.RESOURCE_CLAIM_TEMPLATE: _kind(spec=Fields(metadata=METADATA, spec=_DEVICE_CLAIM)),
    kinds.RESOURCE_SLICE: _kind("spec"),
    Kind("scheduling.k8s.io", "PodGroup"): _kind("spec", status=Fields("phase", conditions=CONDITION)),
    Kind("scheduling.k8s.io", "Workload"): _kind("spec"),
    kinds.VOLCANO_POD_GROUP: _kind(
        "spec", status=Fields("phase running succeeded failed", conditions=CONDITION)
    ),
    kinds.VOLCANO_QUEUE: _kind("spec status"),
    Kind("topology.volcano.sh", "HyperNode"): _kind("spec"),
    kinds.VOLCANO_JOB: _VOLCANO_JOB,
    kinds.VOLCANO_COMMAND: _kind("action target reason"),
    kinds.VOLCANO_JOB_FLOW: _kind(
        spec=Fields("jobRetainPolicy", flows=Fields("name", dependsOn=Fields("targets", probe=_PROBE)))
    ),
    kinds.VOLCANO_JOB_TEMPLATE: _kind(spec=_VOLCANO_JOB_SPEC),
}
KEPT = _READ | _OTHERS
"""Of these kinds more than the metadata stays."""
_BY_NAME = {kind.name: fields for kind, fields in (_OTHERS | _READ).items()}


def fields_of(document: Object) -> Fields:
    """Return what is kept of an object; by its name alone where no group is given, as in a patch."""
    kind = kind_of(document)
    return KEPT.get(kind) or (_BY_NAME.get(kind.name) if not kind.group else None) or OTHER_KIND
