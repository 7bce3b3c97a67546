"""What is kept of each kind: what the engine, its checks or a page reads, and what planned schedulers will.

Of a kind that is not named here, only the metadata stay. A field that a typed view names (`types`, `storage`,
`kind_views`) must be kept here; a test holds the two together.
"""

from typing import Any

from scheduler_core.objects.kinds import KIND_GROUPS
from scheduler_core.objects.privacy.configurations import CONFIGURATION, GROUP, keep_configurations
from scheduler_core.objects.privacy.fields import Fields, Keep
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


def _kind(whole: str = "", **parts: Keep) -> Fields:
    return Fields(f"apiVersion kind {whole}", metadata=METADATA, **parts)


OTHER_KIND = _kind()

_WORKLOAD_SPEC = Fields(
    "replicas parallelism completions completionMode suspend selector ordinals",
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
_KUBERNETES: dict[str, Fields] = {
    "Pod": _kind(spec=POD_SPEC, status=POD_STATUS),
    "Node": _kind(
        spec=Fields("unschedulable taints"),
        status=Fields(
            "capacity allocatable images declaredFeatures",
            conditions=CONDITION,
            nodeInfo=Fields("architecture operatingSystem kubeletVersion"),
        ),
    ),
    "Namespace": _kind(spec=Fields("finalizers"), status=_PHASE),
    "Service": _kind(spec=Fields("selector"), status=Fields()),
    **dict.fromkeys(
        ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"), _WORKLOAD
    ),
    "CronJob": _kind(
        spec=Fields("suspend", jobTemplate=Fields(metadata=METADATA, spec=_WORKLOAD_SPEC)), status=Fields()
    ),
    "PodDisruptionBudget": _kind(
        spec=Fields("selector minAvailable maxUnavailable unhealthyPodEvictionPolicy"),
        status=Fields(
            "disruptionsAllowed desiredHealthy currentHealthy expectedPods disruptedPods observedGeneration",
            conditions=CONDITION,
        ),
    ),
    "PriorityClass": _kind("value globalDefault preemptionPolicy"),
    "LimitRange": _kind(spec=Fields("limits")),
    "ResourceQuota": _kind(spec=Fields("hard scopes scopeSelector"), status=Fields("hard used")),
    "RuntimeClass": _kind("handler overhead scheduling"),
    "DeviceClass": _kind(spec=Fields("extendedResourceName selectors")),
    "PersistentVolumeClaim": _kind(spec=CLAIM_SPEC, status=_PHASE),
    "PersistentVolume": _kind(
        spec=Fields(
            "capacity accessModes claimRef storageClassName volumeMode volumeAttributesClassName nodeAffinity"
            " persistentVolumeReclaimPolicy",
            csi=Fields("driver volumeHandle readOnly"),
            **DISKS,
        ),
        status=_PHASE,
    ),
    "StorageClass": _kind(
        "provisioner volumeBindingMode allowedTopologies reclaimPolicy allowVolumeExpansion"
    ),
    "CSINode": _kind(spec=Fields(drivers=Fields("name allocatable topologyKeys"))),
    "CSIDriver": _kind(spec=Fields("storageCapacity attachRequired volumeLifecycleModes")),
    "CSIStorageCapacity": _kind("nodeTopology storageClassName capacity maximumVolumeSize"),
    "VolumeAttachment": _kind(
        spec=Fields("attacher nodeName", source=Fields("persistentVolumeName")), status=Fields("attached")
    ),
}
"""The kinds that the engine asks for; their groups are those of `KIND_GROUPS`."""

_DEVICE_CLAIM = Fields(devices=Fields("requests constraints"))
_TASK = Fields(
    "name replicas minAvailable policies maxRetry dependsOn topologyPolicy partitionPolicy", template=TEMPLATE
)
_JOB_PLUGINS = ("env", "svc", "ssh", "tensorflow", "pytorch", "mpi", "ray", "hcclrank")
_VOLCANO_JOB = _kind(
    spec=Fields(
        "schedulerName minAvailable minSuccess queue priorityClassName policies maxRetry runningEstimate"
        " ttlSecondsAfterFinished networkTopology",
        tasks=_TASK,
        # Their arguments are command lines, a private key among them; that they are there counts.
        plugins=Fields(**dict.fromkeys(_JOB_PLUGINS, Fields())),
        volumes=Fields("volumeClaimName", volumeClaim=CLAIM_SPEC),
    ),
    status=Fields(
        "state minAvailable taskStatusCount pending running succeeded failed terminating unknown version"
        " retryCount",
        conditions=Fields("status lastTransitionTime"),
    ),
)
_OTHERS: dict[tuple[str, str], Fields] = {
    ("", "ConfigMap"): _kind(data=keep_configurations),
    ("", "PodTemplate"): _kind(template=TEMPLATE),
    (GROUP, "KubeSchedulerConfiguration"): CONFIGURATION,
    ("resource.k8s.io", "ResourceClaim"): _kind(
        spec=_DEVICE_CLAIM,
        status=Fields(
            "reservedFor",
            allocation=Fields("nodeSelector allocationTimestamp", devices=Fields("results")),
            devices=Fields("driver pool device shareID", conditions=CONDITION),
        ),
    ),
    ("resource.k8s.io", "ResourceClaimTemplate"): _kind(spec=Fields(metadata=METADATA, spec=_DEVICE_CLAIM)),
    ("resource.k8s.io", "ResourceSlice"): _kind("spec"),
    ("scheduling.k8s.io", "PodGroup"): _kind("spec", status=Fields("phase", conditions=CONDITION)),
    ("scheduling.k8s.io", "Workload"): _kind("spec"),
    ("scheduling.volcano.sh", "PodGroup"): _kind(
        "spec", status=Fields("phase running succeeded failed", conditions=CONDITION)
    ),
    ("scheduling.volcano.sh", "Queue"): _kind("spec status"),
    ("topology.volcano.sh", "HyperNode"): _kind("spec"),
    ("batch.volcano.sh", "Job"): _VOLCANO_JOB,
    ("bus.volcano.sh", "Command"): _kind("action target reason"),
}
_BY_GROUP = _OTHERS | {
    (group, kind): fields for kind, fields in _KUBERNETES.items() for group in KIND_GROUPS[kind]
}
_WITHOUT_GROUP = {kind: fields for (_, kind), fields in _OTHERS.items()} | _KUBERNETES


def fields_of(document: Object) -> Fields:
    """Return what is kept of an object; by its kind alone where no group is given, as in a patch."""
    kind, version = document.get("kind"), document.get("apiVersion")
    if not isinstance(kind, str):
        return OTHER_KIND
    group = version.rpartition("/")[0] if isinstance(version, str) else ""
    return _BY_GROUP.get((group, kind), OTHER_KIND) if group else _WITHOUT_GROUP.get(kind, OTHER_KIND)
