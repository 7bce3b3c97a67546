"""What is kept of a pod's spec, wherever one stands: in a Pod, in the template of a workload, in a task's."""

from operator import is_
from typing import Any

from scheduler_core.objects.privacy.annotations import keep_public_annotations
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields, Keep
from scheduler_core.objects.privacy.pod_verdict import fit_part

METADATA = Fields(
    "name generateName namespace uid labels ownerReferences finalizers creationTimestamp deletionTimestamp"
    " deletionGracePeriodSeconds generation resourceVersion",
    "metadata",
    annotations=keep_public_annotations,
)

RESOURCES = Fields("requests limits claims")
CLAIM_SPEC = Fields(
    "accessModes selector storageClassName volumeName volumeMode volumeAttributesClassName",
    resources=RESOURCES,
)
CLAIM_TEMPLATE = Fields("apiVersion kind", metadata=METADATA, spec=CLAIM_SPEC)

DISK = Fields("readOnly kind volumeID pdName diskName diskURI iqn monitors pool image")
"""By these disks are told apart; the rest are paths, users and the names of secrets."""
DISKS = dict.fromkeys(
    (
        "awsElasticBlockStore",
        "azureDisk",
        "azureFile",
        "cinder",
        "gcePersistentDisk",
        "iscsi",
        "portworxVolume",
        "rbd",
        "vsphereVolume",
    ),
    DISK,
)

_PROBE = Fields("initialDelaySeconds")
_CONTAINER = Fields(
    "name image ports restartPolicy restartPolicyRules resizePolicy",
    "pod spec.containers[]",
    resources=RESOURCES,
    env=Fields("name"),
    securityContext=Fields("privileged"),  # HAMi leaves privileged containers alone
    readinessProbe=_PROBE,
    startupProbe=_PROBE,
)
_VOLUME = Fields(
    "name",
    persistentVolumeClaim=Fields("claimName readOnly"),
    ephemeral=Fields(volumeClaimTemplate=CLAIM_TEMPLATE),
    image=Fields("reference pullPolicy"),
    csi=Fields("driver readOnly"),
    emptyDir=Fields("medium"),  # a drain asks for it
    **DISKS,
)
POD_SPEC = Fields(
    "nodeName nodeSelector affinity tolerations topologySpreadConstraints schedulerName schedulingGates"
    " schedulingGroup priority priorityClassName preemptionPolicy runtimeClassName overhead resourceClaims"
    " hostNetwork hostUsers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds",
    "pod spec",
    containers=_CONTAINER,
    initContainers=_CONTAINER,
    ephemeralContainers=_CONTAINER,
    resources=RESOURCES,
    volumes=_VOLUME,
)
TEMPLATE = Fields(metadata=METADATA, spec=POD_SPEC)

_CONDITION = "type status reason lastProbeTime lastHeartbeatTime lastTransitionTime observedGeneration"
CONDITION = Fields(_CONDITION)
"""Without the message: whoever sets a condition may write anything there."""
_WITH_MESSAGE = Fields(f"{_CONDITION} message")


def keep_pod_conditions(conditions: Any, place: str, dropped: Dropped) -> Any:
    """Return a pod's conditions, with the scheduler's verdict on its nodes and no other message."""
    if not isinstance(conditions, list):
        return CONDITION(conditions, place, dropped)
    kept = [_keep_pod_condition(condition, f"{place}[]", dropped) for condition in conditions]
    return conditions if all(map(is_, kept, conditions)) else kept


def _keep_pod_condition(condition: Any, place: str, dropped: Dropped) -> Any:
    verdict = None
    if isinstance(condition, dict) and condition.get("type") == "PodScheduled":
        verdict = fit_part(condition.get("message"))
        if verdict is not None and verdict == condition["message"]:
            return _WITH_MESSAGE(condition, place, dropped)
    kept = CONDITION(condition, place, dropped)
    return kept if verdict is None else {**kept, "message": verdict}


_CONTAINER_STATUS = Fields("name ready started restartCount allocatedResources", resources=RESOURCES)
POD_STATUS = Fields(
    "phase reason startTime nominatedNodeName qosClass resize allocatedResources observedGeneration"
    " resourceClaimStatuses extendedResourceClaimStatus",
    conditions=keep_pod_conditions,
    resources=RESOURCES,
    containerStatuses=_CONTAINER_STATUS,
    initContainerStatuses=_CONTAINER_STATUS,
    ephemeralContainerStatuses=_CONTAINER_STATUS,
)


def object_fields(whole: str = "", **parts: Keep) -> Fields:
    """Return the fields of objects of a kind: these, and what every object has."""
    return Fields(f"apiVersion kind {whole}", metadata=METADATA, **parts)
