"""Is a list of objects a cluster that the engine can work on? Every fault gets object, field and reason.

In comes the flat list that `reading` returns, out go problems; an empty list means that all is well.
Looked at are identity (kind, apiVersion, name, uid, repeats), the number of nodes and pods, and for each
kind that the engine uses its types and values. Unknown kinds, unknown fields and missing fields are never a
fault. The rules are the API server's own validation as far as scheduling depends on it.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.checks.field_rules import MAX_NAME_LENGTH, MAX_NAMESPACE_LENGTH, Findings
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS, KindCheck
from scheduler_core.objects.kind_views import AnyKind
from scheduler_core.objects.kinds import NODE, POD, Kind, kind_of
from scheduler_core.objects.problems import Problem

MAX_PROBLEMS = 200
"""How many problems are listed; more help nobody."""

Object = dict[str, Any]

Identity = str | tuple[str, ...]
"""A uid, or kind, namespace and name."""

_WITHOUT_NAME = ("KubeSchedulerConfiguration",)
_STRICTLY_NAMED = (POD, NODE)


class Limits(msgspec.Struct, frozen=True):
    """How large a cluster may be."""

    nodes: int = 20_000
    pods: int = 200_000


class Faults(NamedTuple):
    """What is wrong with a list of objects. places: of the faulty ones; None if the list is too long."""

    problems: list[Problem]
    places: list[int] | None


def check_objects(objects: list[Object], limits: Limits = Limits()) -> list[Problem]:  # noqa: B008 (frozen)
    """Return every fault of a list of objects, in the objects' order, at most MAX_PROBLEMS and a line."""
    return find_faults(objects, limits).problems


def find_faults(
    objects: Iterable[Object],
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    *,
    kinds: Iterable[Kind] | None = None,
    sound: Iterable[bool] = repeat(False),
) -> Faults:
    """Return the faults as `check_objects` does, and the place of every faulty object.

    kinds: those of the objects, where they are known. sound: of which of them nothing but their identity is
    to be looked at.
    """
    problems = _check_counts(map(kind_of, objects) if kinds is None else kinds, limits)
    if problems:
        return Faults(problems, None)
    identities: set[Identity] = set()
    places = []
    for index, (document, is_sound) in enumerate(zip(objects, sound, strict=False)):
        found = _check_object(document, index, identities, is_sound)
        if found:
            places.append(index)
            problems += found[: MAX_PROBLEMS + 1 - len(problems)]
    if len(problems) > MAX_PROBLEMS:
        rest = Problem("", "", f"more than {MAX_PROBLEMS} problems; the rest is not listed")
        problems = [*problems[:MAX_PROBLEMS], rest]
    return Faults(problems, places)


def object_name(document: Object) -> str:
    """Return how an object is called on screens: `Pod shop/cart-0`, `Node.longhorn.io worker-1`."""
    metadata = document.get("metadata")
    names = metadata if isinstance(metadata, dict) else {}
    name, namespace = names.get("name"), names.get("namespace")
    full_name = f"{namespace}/{name}" if namespace else f"{name or '(unnamed)'}"
    return _storable(f"{str(kind_of(document)) or 'object'} {full_name}"[:600])


def _storable(text: str) -> str:
    """Return a text without U+0000, which no text of PostgreSQL can hold."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _check_counts(kinds: Iterable[Kind], limits: Limits) -> list[Problem]:
    problems = []
    counts = Counter(kinds)
    for kind, limit in ((NODE, limits.nodes), (POD, limits.pods)):
        count = counts[kind]
        if count > limit:
            problems.append(
                Problem("", "", f"{count:,} {kind.name.lower()}s are more than the limit of {limit:,}")
            )
    return problems


def _check_object(document: Object, index: int, identities: set[Identity], is_sound: bool) -> list[Problem]:
    findings = Findings(_place(document, index))
    if is_sound:
        _check_identity(findings, document, KIND_CHECKS.get(kind_of(document)), identities)
        return findings.problems
    if b"\\u0000" in msgspec.json.encode(document) and (place := _place_of_nul(document, "")) is not None:
        findings.add(_storable(place), "must not contain the character U+0000")
        return findings.problems
    metadata = document.get("metadata")
    kind, version = document.get("kind"), document.get("apiVersion")
    if not isinstance(kind, str) or not kind:
        findings.add("kind", "must be the name of a kind, such as Pod")
    if not isinstance(version, str) or not version:
        findings.add("apiVersion", "must be a version, such as v1 or apps/v1")
    if metadata is not None and not isinstance(metadata, dict):
        findings.add("metadata", "must be an object")
    if findings.problems:
        return findings.problems
    check = KIND_CHECKS.get(kind_of(document))
    _check_identity(findings, document, check, identities)
    if not findings.problems:
        _check_fields(findings, document, check)
    return findings.problems


def _place(document: Object, index: int) -> str:
    """Return an object's name, or its position where it has none."""
    metadata = document.get("metadata")
    named = isinstance(metadata, dict) and isinstance(metadata.get("name"), str) and metadata["name"]
    if named and isinstance(document.get("kind"), str):
        return object_name(document)
    kind = document.get("kind")
    return f"items[{index}]" + (f" ({_storable(kind)})" if isinstance(kind, str) else "")


def _place_of_nul(value: Any, path: str) -> str | None:
    """Return the path of the first text that holds U+0000, or of the object that has it in a key."""
    if isinstance(value, str):
        return path if "\0" in value else None
    children: Iterable[tuple[str, Any]] = ()
    if isinstance(value, list):
        children = ((f"{path}[{index}]", item) for index, item in enumerate(value))
    elif isinstance(value, dict):
        if any("\0" in key for key in value):
            return path
        children = ((f"{path}.{key}" if path else key, item) for key, item in value.items())
    found = (_place_of_nul(item, place) for place, item in children)
    return next((place for place in found if place is not None), None)


def _check_identity(
    findings: Findings, document: Object, check: KindCheck | None, identities: set[Identity]
) -> None:
    metadata: Object = document.get("metadata") or {}
    kind, name, uid = kind_of(document), metadata.get("name"), metadata.get("uid")
    namespace = metadata.get("namespace")
    if kind.name in _WITHOUT_NAME and not name:
        return
    if not isinstance(name, str) or not name or len(name) > MAX_NAME_LENGTH:
        findings.add("metadata.name", f"must be a name of 1 to {MAX_NAME_LENGTH} characters")
    elif kind in _STRICTLY_NAMED:
        findings.subdomain("metadata.name", name)
    for field, value in (("uid", uid), ("namespace", namespace)):
        if value is not None and not isinstance(value, str):
            findings.add(f"metadata.{field}", "must be text")
    if findings.problems:
        return
    if uid and len(uid) > MAX_NAME_LENGTH:
        findings.add("metadata.uid", f"must be at most {MAX_NAME_LENGTH} characters")
    if namespace and len(namespace) > MAX_NAMESPACE_LENGTH:
        findings.add("metadata.namespace", f"must be at most {MAX_NAMESPACE_LENGTH} characters")
    elif check is not None and check.namespaced:
        findings.namespace("metadata.namespace", namespace)
    if check is not None and check.namespaced:
        namespace = namespace or "default"
    if uid and not _is_first(identities, uid):
        findings.add("metadata.uid", f"{uid} is the uid of another object too")
    # Pods are told apart by uid: a name may come again once its first bearer is gone.
    elif (kind != POD or not uid) and not _is_first(identities, ("name", *kind, str(namespace), str(name))):
        findings.add("metadata.name", "another object of this kind has the same name")


def _is_first(identities: set[Identity], identity: Identity) -> bool:
    first = identity not in identities
    identities.add(identity)
    return first


def _check_fields(findings: Findings, document: Object, check: KindCheck | None) -> None:
    if check is None:
        findings.view("", document, AnyKind)
        return
    view: Any = findings.view("", document, check.view)
    if view is not None:
        findings.timestamp("metadata.creationTimestamp", view.metadata.creation_timestamp)
        findings.timestamp("metadata.deletionTimestamp", view.metadata.deletion_timestamp)
        check.check(findings, view)
