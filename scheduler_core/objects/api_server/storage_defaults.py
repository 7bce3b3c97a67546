"""What an API server fills in of claims and classes: the default class, and when a volume is bound.

Source: kubernetes v1.36 plugin/pkg/admission/storage/storageclass/setdefault, pkg/volume/util
GetDefaultClass, IsDefaultAnnotation; pkg/apis/core/v1/helper PersistentVolumeClaimHasClass;
pkg/apis/storage/v1 SetDefaults_StorageClass.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, STORAGE_CLASS, kind_of

Object = dict[str, Any]

_IS_DEFAULT = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)
_CLASS_OF_CLAIM = "volume.beta.kubernetes.io/storage-class"


def with_storage_defaults(document: Object, storage_classes: Iterable[Object]) -> Object:
    """Return a new claim with a class, a new class with a volumeBindingMode, anything else as it is."""
    if kind_of(document) == PERSISTENT_VOLUME_CLAIM:
        return with_default_class(document, storage_classes)
    if kind_of(document) == STORAGE_CLASS and not document.get("volumeBindingMode"):
        return {**document, "volumeBindingMode": "Immediate"}
    return document


def with_phase(document: Object) -> Object:
    """Return a new volume as its controller soon has it: available, unless a claim has it.

    Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go syncVolume.
    """
    status = document.get("status") or {}
    if kind_of(document) != PERSISTENT_VOLUME or status.get("phase"):
        return document
    if (spec_of(document).get("claimRef") or {}).get("uid"):
        return document
    return {**document, "status": {**status, "phase": "Available"}}


def with_default_class(claim: Object, storage_classes: Iterable[Object]) -> Object:
    """Give a claim that names no class the default one: of several the newest, then the first by name."""
    if spec_of(claim).get("storageClassName") is not None or _CLASS_OF_CLAIM in _annotations(claim):
        return claim
    defaults = sorted(filter(_is_default, storage_classes), key=name_of)
    if not defaults:
        return claim
    newest = max(defaults, key=lambda found: found["metadata"].get("creationTimestamp") or "")
    return {**claim, "spec": {**spec_of(claim), "storageClassName": name_of(newest)}}


def _is_default(storage_class: Object) -> bool:
    return any(_annotations(storage_class).get(mark) == "true" for mark in _IS_DEFAULT)


def _annotations(document: Object) -> dict[str, str]:
    return (document.get("metadata") or {}).get("annotations") or {}
