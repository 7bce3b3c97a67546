"""How kube-scheduler words a rejection, an error of a plugin, and what is wrong with a pod's volumes.

Source: kubernetes v1.36 framework/runtime framework.go, plugins/nodevolumelimits csi.go;
k8s.io/apimachinery v0.36 labels.NewRequirement, util/errors Aggregate, api/validate/content IsLabelValue;
k8s.io/apimachinery v0.36 errors.NewNotFound; k8s.io/component-helpers v0.36 storage/ephemeral;
k8s.io/csi-translation-lib v0.36 plugins/.
"""

import json
from collections.abc import Iterable

from scheduler_core.events.decisions import Code, Status
from scheduler_core.objects.selectors import MAX_LABEL_VALUE, is_made_of_label_characters
from scheduler_core.predicates.node_term_faults import Flaw, TermFault
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

_LABEL_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
_FLAWS = {
    Flaw.UNKNOWN_OPERATOR: 'supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"',
    Flaw.NO_VALUES: "for 'in', 'notin' operators, values set can't be empty",
    Flaw.VALUES: "values set must be empty for exists and does not exist",
    Flaw.NOT_ONE_VALUE: "for 'Gt', 'Lt' operators, exactly one value is required",
    Flaw.NO_INTEGER: "for 'Gt', 'Lt' operators, the value must be an integer",
    Flaw.UNKNOWN_FIELD_OPERATOR: 'supported values: "In", "NotIn"',
    Flaw.NOT_ONE_FIELD_VALUE: "must have one element",
}


def rejection(plugin: str, code: Code, reason: str) -> Status:
    """Return a status with one reason."""
    return Status(plugin, code, [reason])


def pre_filter_error(plugin: str, text: str) -> Status:
    """Return the status of a PreFilter that ends with an error and not with a verdict."""
    return Status(plugin, "Error", [f'running PreFilter plugin "{plugin}": {text}'])


def filter_error(plugin: str, text: str) -> Status:
    """Return the status of a Filter that ends with an error and not with a verdict."""
    return Status(plugin, "Error", [f'running "{plugin}" filter plugin: {text}'])


def pre_score_error(plugin: str, text: str) -> Status:
    """Return the status of a PreScore that ends with an error."""
    return Status(plugin, "Error", [f'running PreScore plugin "{plugin}": {text}'])


def score_error(plugin: str, text: str) -> Status:
    """Return the status of a Score that ends with an error."""
    return Status(plugin, "Error", [f'running Score plugins: plugin "{plugin}" failed with: {text}'])


def score_range_error(plugin: str, score: int) -> Status:
    """Return the status of a Score that is out of range, which amounts beyond 64 bits lead to."""
    said = f'plugin "{plugin}" returns an invalid score {score}, it should in the range of [0, 100]'
    text = f"applying score defaultWeights on Score plugins: {said} after normalizing"
    return Status(plugin, "Error", [text])


def reserve_error(plugin: str, text: str) -> Status:
    """Return the status of a Reserve that ends with an error; kube-scheduler names no plugin in it."""
    return Status("", "Error", [f'running Reserve plugin "{plugin}": {text}'])


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


def term_faults(faults: Iterable[TermFault]) -> str:
    """Return why node selector terms cannot be read; each reason is said once."""
    reasons = list(dict.fromkeys(f"{fault.place}: {term_flaw(fault)}" for fault in faults))
    return reasons[0] if len(reasons) == 1 else f"[{', '.join(reasons)}]"


def term_flaw(fault: TermFault) -> str:
    """Return what is wrong with a field of a node selector term."""
    unknown = fault.flaw in (Flaw.UNKNOWN_OPERATOR, Flaw.UNKNOWN_FIELD_OPERATOR)
    kind = "Unsupported value" if unknown else "Invalid value"
    value = json.dumps(fault.value, ensure_ascii=False, separators=(",", ":"))
    reason = _no_label_value(fault.value) if fault.flaw is Flaw.NO_LABEL_VALUE else _FLAWS[fault.flaw]
    return f"{kind}: {value}: {reason}"


def _no_label_value(value: str | list[str] | None) -> str:
    """Return what is wrong with a label's value: too long, or made of the wrong characters, or both."""
    text = str(value)
    reasons = []
    if len(text.encode()) > MAX_LABEL_VALUE:
        reasons.append(f"must be no more than {MAX_LABEL_VALUE} bytes")
    if not is_made_of_label_characters(text):
        reasons.append(_LABEL_VALUE)
    return "; ".join(reasons)
