"""The rules that an API server has for claims, volumes, their classes and what CSI drivers declare.

Source: kubernetes v1.36 pkg/apis/core/validation ValidatePersistentVolumeClaimSpec,
ValidatePersistentVolumeSpec, validateVolumeSource, ValidateTopologySelectorTerm; pkg/apis/storage/validation.
"""

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.amounts.pod_resources import nanos_of
from scheduler_core.objects.validation.label_rules import key_fault
from scheduler_core.objects.validation.parts_of_objects import (
    Fault,
    Object,
    Rule,
    dict_in,
    objects_in,
    texts_in,
)
from scheduler_core.objects.validation.schema import types
from scheduler_core.objects.validation.value_rules import REQUIRED_HERE, subdomain_fault

_ALONE = "ReadWriteOncePod"
_ACCESS_MODES = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", _ALONE)
_VOLUME_MODES = ("Filesystem", "Block")
_NO_SOURCES = ("nodeAffinity", "claimRef")
_LIFECYCLES = ("Persistent", "Ephemeral")


def claim(holder: Object) -> Iterator[Fault]:
    """Yield what is wrong with the spec of a claim, or of a template of one."""
    spec = dict_in(holder, "spec")
    for field, message in (*_access_modes(spec), *_size(spec)):
        yield f"spec.{field}", message
    mode, name = spec.get("volumeMode"), spec.get("storageClassName")
    if isinstance(mode, str) and mode not in _VOLUME_MODES:
        yield "spec.volumeMode", f"must be one of {', '.join(_VOLUME_MODES)}, not {mode[:80]!r}"
    if fault := subdomain_fault(name):
        yield "spec.storageClassName", fault


def _access_modes(spec: Object) -> Iterator[Fault]:
    modes = texts_in(spec, "accessModes")
    if not spec.get("accessModes"):
        yield "accessModes", REQUIRED_HERE
    if unknown := [mode for mode in modes if mode not in _ACCESS_MODES]:
        yield "accessModes", f"must be of {', '.join(_ACCESS_MODES)}, not {unknown[0][:80]!r}"
    if _ALONE in modes and any(mode != _ALONE for mode in modes):
        yield "accessModes", f"must have no other mode beside {_ALONE}"


def _size(spec: Object) -> Iterator[Fault]:
    requests = dict_in(dict_in(spec, "resources"), "requests")
    if "storage" not in requests:
        yield "resources.requests.storage", REQUIRED_HERE
    elif _is_none(requests["storage"]):
        yield "resources.requests.storage", "must be greater than 0"


def _is_none(text: Any) -> bool:
    """Tell whether an amount is zero; what is no amount or negative others tell."""
    return nanos_of(text) == 0


def volume(document: Object) -> Iterator[Fault]:
    """Yield what is wrong with a persistent volume; it has one source, of which most are not stored."""
    spec = dict_in(document, "spec")
    for field, message in (*_access_modes(spec), *_capacity(spec), *_affinity(spec)):
        yield f"spec.{field}", message
    sources = _sources(spec, "core.PersistentVolumeSpec")
    for field in sources[1:]:
        yield f"spec.{field}", f"must be absent where there is {sources[0]}"


def _capacity(spec: Object) -> Iterator[Fault]:
    capacity = dict_in(spec, "capacity")
    if set(capacity) != {"storage"}:
        yield "capacity", "must have storage and nothing else"
    elif _is_none(capacity["storage"]):
        yield "capacity.storage", "must be greater than 0"


def _affinity(spec: Object) -> Iterator[Fault]:
    affinity = spec.get("nodeAffinity")
    if spec.get("local") is not None and affinity is None:
        yield "nodeAffinity", "is required with a local disk"
    if isinstance(affinity, dict) and affinity.get("required") is None:
        yield "nodeAffinity.required", REQUIRED_HERE


def pod_volume(item: Object) -> Iterator[Fault]:
    """Yield the sources of a pod's volume beyond the first; one without any is an emptyDir."""
    sources = _sources(item, "core.Volume") if len(item) > 2 else []
    for field in sources[1:]:
        yield field, f"must be absent where there is {sources[0]}"


def _sources(holder: Object, name: str) -> list[str]:
    """Return the fields of an object that say what the volume is."""
    of_type = types()[name].inner
    given = [field for field, value in holder.items() if value is not None and field in of_type]
    return [field for field in given if field not in _NO_SOURCES]


def empty_dir(source: Object) -> Iterator[Fault]:
    """Yield a size below zero."""
    if (nanos_of(source.get("sizeLimit")) or 0) < 0:
        yield "sizeLimit", "must not be negative"


def storage_class(document: Object) -> Iterator[Fault]:
    """Yield topologies that are said twice."""
    known: set[tuple[Any, ...]] = set()
    for place, term in enumerate(objects_in(document, "allowedTopologies")):
        path = f"allowedTopologies[{place}].matchLabelExpressions"
        requirements = objects_in(term, "matchLabelExpressions")
        parts = [(str(item.get("key")), tuple(sorted(texts_in(item, "values")))) for item in requirements]
        if tuple(sorted(parts)) in known:
            yield path, "is that of another term too"
        known.add(tuple(sorted(parts)))
        keys = [key for key, _ in parts]
        for index, (key, values) in enumerate(parts):
            if key in keys[:index]:
                yield f"{path}[{index}].key", "is the key of another expression too"
            if len(set(values)) < len(values):
                yield f"{path}[{index}].values", "must not have a value twice"


def csi_drivers(spec: Object) -> Iterator[Fault]:
    """Yield drivers that a node has twice, and keys that they have twice or that are none."""
    known = set()
    for place, driver in enumerate(objects_in(spec, "drivers")):
        name, keys = driver.get("name"), texts_in(driver, "topologyKeys")
        if name in known:
            yield f"drivers[{place}].name", "is the name of another driver too"
        known.add(name if isinstance(name, str) and name else None)
        for index, key in enumerate(keys):
            if fault := key_fault(key):
                yield f"drivers[{place}].topologyKeys[{index}]", fault
            elif key in keys[:index]:
                yield f"drivers[{place}].topologyKeys[{index}]", "is there twice"


def csi_driver(spec: Object) -> Iterator[Fault]:
    """Yield kinds of volumes that there are not."""
    for place, mode in enumerate(texts_in(spec, "volumeLifecycleModes")):
        if mode not in _LIFECYCLES:
            yield (
                f"volumeLifecycleModes[{place}]",
                f"must be one of {', '.join(_LIFECYCLES)}",
            )


def attachment(spec: Object) -> Iterator[Fault]:
    """Yield an attachment of nothing."""
    source = dict_in(spec, "source")
    if not source.get("persistentVolumeName") and source.get("inlineVolumeSpec") is None:
        yield "source.persistentVolumeName", REQUIRED_HERE


RULES: dict[str, tuple[Rule, ...]] = {
    "core.EmptyDirVolumeSource": (empty_dir,),
    "core.PersistentVolume": (volume,),
    "core.PersistentVolumeClaim": (claim,),
    "core.PersistentVolumeClaimTemplate": (claim,),
    "core.Volume": (pod_volume,),
    "storage.CSIDriverSpec": (csi_driver,),
    "storage.CSINodeSpec": (csi_drivers,),
    "storage.StorageClass": (storage_class,),
    "storage.VolumeAttachmentSpec": (attachment,),
}
"""By the name of a type in `schema`."""
