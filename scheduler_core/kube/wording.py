"""How kube-scheduler words a rejection, an error of a plugin, and what is wrong with a pod's volumes.

Source: kubernetes v1.36 framework/runtime framework.go, plugins/nodevolumelimits csi.go;
k8s.io/apimachinery v0.36 errors.NewNotFound; k8s.io/component-helpers v0.36 storage/ephemeral;
k8s.io/csi-translation-lib v0.36 plugins/.
"""

from scheduler_core.events.decisions import Code, Status
from scheduler_core.predicates.volumes.faults import (
    ForeignClaim,
    MigrationFault,
    MissingClaim,
    NoEbsVolume,
    NotOneRegion,
    OddZone,
    UnnamedClaim,
    UnsupportedDiskKind,
    UntranslatableVolume,
    VolumeFault,
)

CLAIM, VOLUME, STORAGE_CLASS = (
    "persistentvolumeclaim",
    "persistentvolume",
    "storageclass.storage.k8s.io",
)
"""How messages name what does not exist."""


def rejection(plugin: str, code: Code, reason: str) -> Status:
    """Return a status with one reason."""
    return Status(plugin, code, [reason])


def pre_filter_error(plugin: str, text: str) -> Status:
    """Return the status of a PreFilter that ends with an error and not with a verdict."""
    return Status(plugin, "Error", [f'running PreFilter plugin "{plugin}": {text}'])


def filter_error(plugin: str, text: str) -> Status:
    """Return the status of a Filter that ends with an error and not with a verdict."""
    return Status(plugin, "Error", [f'running "{plugin}" filter plugin: {text}'])


def not_found(resource: str, name: str) -> str:
    """Return what is said of an object that does not exist."""
    return f'{resource} "{name}" not found'


def volume_fault(fault: VolumeFault) -> str:
    """Return why a pod's volumes cannot be counted."""
    match fault:
        case UnnamedClaim():
            return "PersistentVolumeClaim had no name"
        case MissingClaim(namespace, claim):
            return f"looking up PVC {namespace}/{claim}: {not_found(CLAIM, claim)}"
        case ForeignClaim(claim, pod):
            return f"PVC {claim} was not created for pod {pod} (pod is not owner)"
        case UntranslatableVolume(volume, why):
            return f"converting volume({volume}) from inline to csi: {migration_fault(why)}"


def migration_fault(fault: MigrationFault) -> str:
    """Return why an in-tree volume is none of a CSI driver's."""
    match fault:
        case UnsupportedDiskKind(kind):
            return f"kind({kind}) is not supported in csi migration"
        case NoEbsVolume(identifier):
            reason = f"Invalid format for AWS volume ({identifier})"
            return f"failed to translate Kubernetes ID to EBS Volume ID {reason}"
        case OddZone(zone):
            expected = "expected: {locale}-{region}-{zone}"
            return f"failed to get region from zones: zone in unexpected format, {expected}, got: {zone}"
        case NotOneRegion(regions):
            listed = " ".join(f"{region}:{{}}" for region in regions)
            reason = "multiple or no regions gotten from zones"
            return f"failed to get region from zones: {reason}, got: map[{listed}]"
