"""The rules that an API server has for the names, labels, annotations and owners of objects.

Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/api/validation ValidateObjectMeta,
ValidateAnnotations, ValidateOwnerReferences; the names of kinds: pkg/apis/*/validation.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from scheduler_core.objects.kinds import NAMESPACE, NODE, POD, SERVICE, Kind
from scheduler_core.objects.own_kinds import OWN_KINDS
from scheduler_core.objects.privacy.dropped import shown_name
from scheduler_core.objects.validation.label_rules import EMPTY, key_fault, label_faults, name_fault
from scheduler_core.objects.validation.parts_of_objects import (
    Fault,
    Object,
    Rule,
    dict_in,
    objects_in,
    texts_in,
)
from scheduler_core.objects.validation.schema import root_type
from scheduler_core.objects.validation.value_rules import subdomain_fault

_LABELS = (NAMESPACE, SERVICE)
"""Kinds whose names are parts of host names."""
_MAX_ANNOTATIONS = 256 * 1024
"""Bytes of all annotations of an object."""
_LAST_DASH = re.compile(r".-\Z")
_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")


def names(document: Object, kind: Kind) -> Iterator[Fault]:
    """Yield what is wrong with the name of an object of a kind that is known."""
    metadata = dict_in(document, "metadata")
    name, beginning = metadata.get("name"), metadata.get("generateName")
    is_checked = kind in (POD, NODE)  # without a right name they cannot be read
    if not is_checked and root_type(kind) and (fault := _name_fault(name, is_label=kind in _LABELS)):
        yield "metadata.name", fault
    # What is generated follows; a '-' at the end is none.
    if isinstance(beginning, str) and (fault := subdomain_fault(_LAST_DASH.sub("a", beginning))):
        yield "metadata.generateName", fault
    if metadata.get("finalizers") and kind not in OWN_KINDS:
        for place, finalizer in enumerate(texts_in(metadata, "finalizers")):
            if "/" not in finalizer and finalizer not in _FINALIZERS:
                yield f"metadata.finalizers[{place}]", "must be domain/name"


def _name_fault(name: Any, *, is_label: bool) -> str | None:
    if is_label and isinstance(name, str) and name:
        return name_fault(name)
    return subdomain_fault(name)


def metadata(holder: Object) -> Iterator[Fault]:
    """Yield what is wrong with labels, annotations and owners taken together."""
    if labels := holder.get("labels"):
        yield from label_faults(labels, "labels")
    annotations = holder.get("annotations")
    if isinstance(annotations, dict) and annotations:
        yield from _annotations(annotations)
    if holder.get("ownerReferences"):
        owners = objects_in(holder, "ownerReferences")
        if sum(owner.get("controller") is True for owner in owners) > 1:
            yield "ownerReferences", "must not have more than one controller"


def _annotations(annotations: Object) -> Iterator[Fault]:
    for key in annotations:
        if fault := _annotation_fault(key):
            yield f"annotations.{shown_name(key)}", fault
    size = sum(len(key) + len(text) for key, text in annotations.items() if isinstance(text, str))
    # A character is at most four bytes.
    if size * 4 > _MAX_ANNOTATIONS:
        texts = [text for pair in annotations.items() for text in pair if isinstance(text, str)]
        if sum(len(text.encode(errors="surrogatepass")) for text in texts) > _MAX_ANNOTATIONS:
            yield "annotations", f"must be at most {_MAX_ANNOTATIONS:,} bytes together"


@lru_cache(maxsize=16_384)
def _annotation_fault(key: str) -> str | None:
    return key_fault(key.lower())


def owner(reference: Object) -> Iterator[Fault]:
    """Yield what an owner reference lacks."""
    for field in ("apiVersion", "kind", "name", "uid"):
        if not reference.get(field):
            yield field, EMPTY
    version = reference.get("apiVersion")
    if isinstance(version, str) and version.count("/") > 1:
        yield "apiVersion", "must be group/version, or v1"
    if (version, reference.get("kind")) == ("v1", "Event"):
        yield "kind", "must not be Event: these own nothing"


RULES: dict[str, tuple[Rule, ...]] = {"meta.ObjectMeta": (metadata,), "meta.OwnerReference": (owner,)}
"""By the name of a type in `schema`."""
