"""What an API server takes as the value of a single field, whatever stands beside it: a table by type.

Here are choices, ranges, names, and fields that must not be empty. What several fields must be together
is said by the rules in `api_pods`, `api_workloads`, `api_storage`, `api_limits` and `api_devices`.

Source: kubernetes v1.36 pkg/apis/*/validation; a field that is left out has the default of pkg/apis/*/v1.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from scheduler_core.objects.checks.field_rules import MAX_INT32, MAX_INT64, is_subdomain
from scheduler_core.objects.validation.label_rules import key_fault, name_fault

Object = dict[str, Any]
Fault = tuple[str, str]
Check = Callable[[Any], str | None]
"""Says what is wrong with a value that is there and not null."""

NO_SUBDOMAIN = "must be a name: lower-case letters, digits, '-' and '.', at most 253 characters"
_PORT_NAME = re.compile(r"(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_LONGEST_PORT_NAME = 15
_VOLUME_MODES = ("Filesystem", "Block")
_CLAIM_POLICIES = ("Retain", "Delete")
QUOTA_SCOPES = (
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
    "VolumeAttributesClass",
)
REQUIRED_HERE = "is required"


def _one_of(*choices: str, may_be_empty: bool = True) -> Check:
    """Return a check for texts; an empty one is the default unless the API tells it from an absent one."""
    words = f"must be one of {', '.join(choices)}"

    def check(value: Any) -> str | None:
        if not isinstance(value, str) or value in choices or (may_be_empty and not value):
            return None
        return f"{words}, not {value[:80]!r}"

    return check


def _between(low: int, high: int) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, int) or low <= value <= high:
            return None
        return f"must be between {low} and {high}, not {value}"

    return check


def _label(value: Any) -> str | None:
    return name_fault(value) if isinstance(value, str) and value else None


def subdomain_fault(value: Any) -> str | None:
    """Return what is wrong with a text that names an object; nothing for an empty one."""
    return None if not isinstance(value, str) or not value or is_subdomain(value) else NO_SUBDOMAIN


def _key(value: Any) -> str | None:
    return key_fault(value) if isinstance(value, str) and value else None


def _key_in_any_case(value: Any) -> str | None:
    return _key(value.lower()) if isinstance(value, str) else None


def _port_name(value: Any) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    is_one = len(value) <= _LONGEST_PORT_NAME and _PORT_NAME.fullmatch(value)
    return None if is_one else "must be at most 15 lower-case letters, digits and single '-', with a letter"


def _image(value: Any) -> str | None:
    is_padded = isinstance(value, str) and value != value.strip()
    return "must not begin or end with a blank" if is_padded else None


_not_negative = _between(0, MAX_INT32)
_NATURAL: dict[str, Check] = {"minReadySeconds": _not_negative, "revisionHistoryLimit": _not_negative}
_DEVICE_REQUEST: dict[str, Check] = {
    "allocationMode": _one_of("ExactCount", "All"),
    "deviceClassName": subdomain_fault,
}

VALUES: dict[str, dict[str, Check]] = {
    "apps.DaemonSetSpec": _NATURAL,
    "apps.DaemonSetUpdateStrategy": {"type": _one_of("RollingUpdate", "OnDelete")},
    "apps.DeploymentSpec": _NATURAL,
    "apps.DeploymentStrategy": {"type": _one_of("RollingUpdate", "Recreate")},
    "apps.ReplicaSetSpec": {"minReadySeconds": _not_negative},
    "apps.RollingUpdateStatefulSetStrategy": {"partition": _not_negative},
    "apps.StatefulSetPersistentVolumeClaimRetentionPolicy": {
        "whenDeleted": _one_of(*_CLAIM_POLICIES),
        "whenScaled": _one_of(*_CLAIM_POLICIES),
    },
    "apps.StatefulSetSpec": {
        **_NATURAL,
        "podManagementPolicy": _one_of("OrderedReady", "Parallel"),
    },
    "apps.StatefulSetUpdateStrategy": {"type": _one_of("RollingUpdate", "OnDelete")},
    "batch.CronJobSpec": {
        "concurrencyPolicy": _one_of("Allow", "Forbid", "Replace"),
        "failedJobsHistoryLimit": _not_negative,
        "startingDeadlineSeconds": _between(0, MAX_INT64),
        "successfulJobsHistoryLimit": _not_negative,
    },
    "batch.JobSpec": {
        "activeDeadlineSeconds": _between(0, MAX_INT64),
        "backoffLimit": _not_negative,
        "backoffLimitPerIndex": _not_negative,
        "completionMode": _one_of("NonIndexed", "Indexed", may_be_empty=False),
        "maxFailedIndexes": _not_negative,
        "podReplacementPolicy": _one_of("TerminatingOrFailed", "Failed", may_be_empty=False),
        "ttlSecondsAfterFinished": _not_negative,
    },
    "core.Container": {"image": _image, "imagePullPolicy": _one_of("Always", "IfNotPresent", "Never")},
    "core.ContainerPort": {"name": _port_name},
    "core.PersistentVolumeSpec": {
        "persistentVolumeReclaimPolicy": _one_of(*_CLAIM_POLICIES, "Recycle"),
        "storageClassName": subdomain_fault,
        "volumeMode": _one_of(*_VOLUME_MODES, may_be_empty=False),
    },
    "core.PodOS": {"name": _one_of("linux", "windows")},
    "core.PodReadinessGate": {"conditionType": _key},
    "core.PodResourceClaim": {
        "name": _label,
        "resourceClaimName": subdomain_fault,
        "resourceClaimTemplateName": subdomain_fault,
    },
    "core.PodSpec": {
        "activeDeadlineSeconds": _between(1, MAX_INT32),
        "dnsPolicy": _one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
        "hostname": _label,
        "priorityClassName": subdomain_fault,
        "runtimeClassName": subdomain_fault,
        "serviceAccountName": subdomain_fault,
        "subdomain": _label,
    },
    "core.ScopedResourceSelectorRequirement": {
        "operator": _one_of("In", "NotIn", "Exists", "DoesNotExist", may_be_empty=False),
        "scopeName": _one_of(*QUOTA_SCOPES, may_be_empty=False),
    },
    "core.ServiceSpec": {"type": _one_of("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")},
    "core.TopologySelectorLabelRequirement": {"key": _key},
    "node.RuntimeClass": {"handler": _label},
    "policy.PodDisruptionBudgetSpec": {
        "unhealthyPodEvictionPolicy": _one_of("IfHealthyBudget", "AlwaysAllow", may_be_empty=False),
    },
    "resource.Device": {"name": _label},
    "resource.DeviceRequest": {"name": _label, "deviceClassName": subdomain_fault},
    "resource.DeviceSubRequest": {"name": _label, **_DEVICE_REQUEST},
    "resource.DeviceTaint": {"effect": _one_of("NoSchedule", "NoExecute", "None"), "key": _key},
    "resource.DeviceToleration": {
        "effect": _one_of("NoSchedule", "NoExecute"),
        "key": _key,
        "operator": _one_of("Exists", "Equal"),
    },
    "resource.ExactDeviceRequest": _DEVICE_REQUEST,
    "resource.ResourcePool": {
        "generation": _between(0, MAX_INT64),
        "resourceSliceCount": _between(1, MAX_INT64),
    },
    "scheduling.PriorityClass": {
        "preemptionPolicy": _one_of("PreemptLowerPriority", "Never", may_be_empty=False),
    },
    "storage.CSIDriverSpec": {"fsGroupPolicy": _one_of("None", "File", "ReadWriteOnceWithFSType")},
    "storage.CSIStorageCapacity": {"storageClassName": subdomain_fault},
    "storage.StorageClass": {
        "provisioner": _key_in_any_case,
        "reclaimPolicy": _one_of(*_CLAIM_POLICIES, may_be_empty=False),
        "volumeBindingMode": _one_of("Immediate", "WaitForFirstConsumer", may_be_empty=False),
    },
    "storage.VolumeAttachmentSpec": {"nodeName": subdomain_fault},
}
"""By type and field, where a value is given."""

REQUIRED: dict[str, tuple[str, ...]] = {
    "core.AWSElasticBlockStoreVolumeSource": ("volumeID",),
    "core.CSIPersistentVolumeSource": ("driver", "volumeHandle"),
    "core.CSIVolumeSource": ("driver",),
    "core.ConfigMapVolumeSource": ("name",),
    "core.ContainerPort": ("containerPort",),
    "core.EnvVar": ("name",),
    "core.EphemeralVolumeSource": ("volumeClaimTemplate",),
    "core.GCEPersistentDiskVolumeSource": ("pdName",),
    "core.HostPathVolumeSource": ("path",),
    "core.NFSVolumeSource": ("server", "path"),
    "core.PersistentVolumeClaimVolumeSource": ("claimName",),
    "core.PodOS": ("name",),
    "core.PodResourceClaim": ("name",),
    "core.TopologySelectorLabelRequirement": ("key", "values"),
    "core.TopologySpreadConstraint": ("maxSkew", "whenUnsatisfiable"),
    "core.TypedLocalObjectReference": ("kind", "name"),
    "core.VolumeMount": ("mountPath",),
    "node.RuntimeClass": ("handler",),
    "resource.CELDeviceSelector": ("expression",),
    "resource.Device": ("name",),
    "resource.DeviceRequest": ("name",),
    "resource.DeviceSelector": ("cel",),
    "resource.DeviceSubRequest": ("name", "deviceClassName"),
    "resource.DeviceTaint": ("key", "effect"),
    "resource.ExactDeviceRequest": ("deviceClassName",),
    "resource.ResourcePool": ("name", "resourceSliceCount"),
    "resource.ResourceSliceSpec": ("driver", "pool"),
    "storage.CSINodeDriver": ("name",),
    "storage.CSIStorageCapacity": ("storageClassName",),
    "storage.StorageClass": ("provisioner",),
    "storage.VolumeAttachmentSpec": ("attacher", "nodeName"),
}
"""By type, the fields that must be there and not empty."""


def value_faults(name: str) -> Callable[[Object], Iterator[Fault]]:
    """Return the rule of a type's single fields."""
    checks, required = tuple(VALUES.get(name, {}).items()), REQUIRED.get(name, ())

    def rule(holder: Object) -> Iterator[Fault]:
        for field in required:
            if not holder.get(field):
                yield field, REQUIRED_HERE
        for field, check in checks:
            value = holder.get(field)
            if value is not None and (fault := check(value)):
                yield field, fault

    return rule
