"""What an API server fills in of claims and classes: the default class, and when a volume is bound.

Source: kubernetes v1.36 plugin/pkg/admission/storage/storageclass/setdefault, pkg/volume/util
GetDefaultClass; pkg/apis/storage/v1 SetDefaults_StorageClass.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import name_of, spec_of

Object = dict[str, Any]

_IS_DEFAULT = "storageclass.kubernetes.io/is-default-class"


def with_storage_defaults(document: Object, storage_classes: Iterable[Object]) -> Object:
    """Return a new claim with a class, a new class with a volumeBindingMode, anything else as it is."""
    if document.get("kind") == "PersistentVolumeClaim":
        return with_default_class(document, storage_classes)
    if document.get("kind") == "StorageClass" and not document.get("volumeBindingMode"):
        return {**document, "volumeBindingMode": "Immediate"}
    return document


def with_default_class(claim: Object, storage_classes: Iterable[Object]) -> Object:
    """Give a claim that names no class the default one, the newest if there are several."""
    if "storageClassName" in spec_of(claim):
        return claim
    defaults = [found for found in storage_classes if _annotations(found).get(_IS_DEFAULT) == "true"]
    if not defaults:
        return claim
    newest = max(
        defaults, key=lambda found: (found["metadata"].get("creationTimestamp") or "", name_of(found))
    )
    return {**claim, "spec": {**spec_of(claim), "storageClassName": name_of(newest)}}


def _annotations(document: Object) -> dict[str, str]:
    return (document.get("metadata") or {}).get("annotations") or {}
