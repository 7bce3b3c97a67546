"""One walk through objects, made twice: at first to find all names, then to put others in their place."""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from scheduler_core.objects.anonymising.annotations import changed_annotation
from scheduler_core.objects.anonymising.api_words import (
    CONFIGURATION_KEYS,
    has_only_api_words,
    is_api_version,
    is_api_word,
    is_component,
    is_gate,
    is_known_kind,
)
from scheduler_core.objects.anonymising.configurations import changed_entries
from scheduler_core.objects.anonymising.fields import KNOWN_REASONS, How, how_of, known_fields
from scheduler_core.objects.anonymising.known_names import is_public_group
from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.objects.anonymising.verdicts import changed_verdict
from scheduler_core.objects.kinds import SCHEDULER_CONFIGURATION, kind_of
from scheduler_core.objects.privacy.dropped import Counts, Dropped

Object = dict[str, Any]
_GIVEN = re.compile(r"[A-Za-z][A-Za-z0-9.]{0,80}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,-]*(?:[eE][+-]?[0-9]+|[numkKMGTPE]i?|%|[hms])?")
_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9]+){1,2}(?![0-9.])")
_SHARED = 1
"""How deep in an object the parts are that others may have too: `Pod.spec` is."""
_MOST_KNOWN = 20_000
DROPPED: Any = object()
"""What stands for a value that doesn't stay."""


class Walk:
    """A walk through objects. `texts` says what is put in place of names; `dropped` counts what goes."""

    def __init__(self, texts: Texts, dropped: Dropped) -> None:
        self.texts = texts
        self.dropped = dropped
        self._configuration = False
        self._known: dict[tuple[str, str, bytes], tuple[Any, Counts]] = {}
        self._steps: dict[How, Callable[[Any, str, str], Any]] = {
            How.NAME: self._each(self._name),
            How.NODE: self._each(texts.node),
            How.FLAGS: self._each(self._flag),
            How.IMAGE: self._each(texts.names.name),
            How.WORD: self._each(self._word),
            How.API_VERSION: self._each(self._api_version),
            How.GATE: self._each(lambda text: text if _GIVEN.fullmatch(text) else None),
            How.VERSION: self._each(_numbers_of_version),
            How.REASON: self._each(_known_reason),
            How.NUMBER: self._each(_number),
            How.ADDRESS: self._each(texts.address),
            How.VERDICT: self._each(lambda text: changed_verdict(text, texts)),
            How.DROPPED: lambda value, place, field: DROPPED,
            How.LABELS: self._labels,
            How.AMOUNTS: self._amounts,
            How.BY_NAME: self._by_name,
            How.ANNOTATIONS: self._annotations,
            How.OWNERS: lambda value, place, field: [self._owner(one, place) for one in value],
            How.MEMBERS: lambda value, place, field: [self._member(one, f"{place}[]") for one in value],
            How.CONFIGURATIONS: self._entries,
            How.PLAIN: self._plain,
        }

    def whole(self, document: Object) -> Object:
        """Return an object with other names. The one that comes in stays as it is."""
        kind = kind_of(document)
        self._configuration = kind == SCHEDULER_CONFIGURATION
        changed: Object = self.inside(document, kind.name)
        metadata = document.get("metadata")
        if self.texts.is_named_as_node(kind.name) and isinstance(metadata, dict) and "name" in metadata:
            changed["metadata"] = {**changed["metadata"], "name": self.texts.node(str(metadata["name"]))}
        return changed

    def configuration(self, document: Object) -> Object:
        """Return a configuration with other names; names of its plugins stay."""
        self._configuration = True
        return self.inside(document, "configuration")

    def inside(self, value: Object, place: str) -> Object:
        """Return an object, or a part of one, with other names."""
        changed: Object = {}
        for field, inner in value.items():
            if not self._is_known(field, place):
                self.dropped.count_field(place, "others")
                continue
            kept = self._field(field, inner, place, value)
            if kept is DROPPED:
                self.dropped.count_field(place, field)
            else:
                changed[field] = kept
        return changed

    def _is_known(self, field: str, place: str) -> bool:
        if field in known_fields():
            return True
        if not self._configuration:
            return False
        return is_gate(field) if place.endswith("featureGates") else field in CONFIGURATION_KEYS

    def _field(self, field: str, inner: Any, place: str, around: Object) -> Any:
        if place.count(".") == _SHARED and isinstance(inner, dict | list) and not self._configuration:
            return self._shared(field, inner, place)
        return self._changed(field, inner, place, around)

    def _shared(self, field: str, inner: Any, place: str) -> Any:
        """Return a part as one like it was changed before: pods of a workload have most parts in common."""
        key = place, field, msgspec.json.encode(inner)
        if key not in self._known:
            before, self.dropped = self.dropped, Dropped()
            changed = self._changed(field, inner, place, {})
            counts, self.dropped = self.dropped.counts(), before
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = changed, counts
        changed, counts = self._known[key]
        self.dropped.add(counts)
        return changed

    def _changed(self, field: str, inner: Any, place: str, around: Object) -> Any:
        if inner is None or isinstance(inner, bool | int | float) or inner in ("", [], {}):
            return inner
        if isinstance(inner, str) and _INSTANT.fullmatch(inner):
            return inner
        if field in ("key", "value", "values") and not isinstance(inner, dict):
            return self._requirement(field, inner, around)
        how = how_of(field)
        if how is How.KIND:
            return self._kind(inner, around, f"{place}.{field}")
        if how is not None:
            return self._steps[how](inner, f"{place}.{field}", field)
        return self.value(inner, f"{place}.{field}")

    def value(self, value: Any, place: str) -> Any:
        """Return a value of a field that is not known by its name: texts in it are dropped."""
        if isinstance(value, dict):
            return self.inside(value, place)
        if isinstance(value, list):
            kept = [self.value(item, f"{place}[]") for item in value]
            return DROPPED if DROPPED in kept else kept
        return DROPPED if isinstance(value, str) and value else value

    def _each(self, change: Callable[[str], str | None]) -> Callable[[Any, str, str], Any]:
        """Return a step that changes a text or all of a list, and drops them where one cannot be changed."""

        def step(value: Any, place: str, field: str) -> Any:
            if isinstance(value, dict):
                return self.inside(value, place)
            if isinstance(value, list):
                kept = [step(item, place, field) for item in value]
                return DROPPED if DROPPED in kept else kept
            if not isinstance(value, str) or not value:
                return value
            changed = change(value)
            return DROPPED if changed is None else changed

        return step

    def _name(self, text: str) -> str:
        return text if self._configuration and is_component(text) else self.texts.name(text)

    def _entries(self, value: Any, place: str, field: str) -> Any:
        return changed_entries(value, self.texts, self.configuration, place, self.dropped)

    def _plain(self, value: Any, place: str, field: str) -> Any:
        """Return a part with nothing of somebody's in it; a list is one of objects like any other."""
        return value if isinstance(value, dict) and _is_plain(value) else self.value(value, place)

    def _flag(self, text: str) -> str:
        flag, equals, value = text.rpartition("=")
        if not equals and text.startswith("-"):
            return text
        return f"{flag}{equals}{value if _number(value) else self.texts.name(value)}"

    def _word(self, text: str) -> str:
        return text if is_api_word(text) else self.texts.name(text)

    def _api_version(self, text: str) -> str:
        group, slash, version = text.rpartition("/")
        if not is_api_version(version):
            return self.texts.names.name(text)
        return text if is_public_group(group) else f"{self.texts.names.name(group)}{slash}{version}"

    def _kind(self, kind: Any, around: Object, place: str) -> Any:
        """Return the name of a kind; of one that nobody knows it has another name too."""
        if not isinstance(kind, str):
            return self.value(kind, place)
        group = str(around.get("apiGroup") or around.get("apiVersion") or "").rpartition("/")[0]
        return kind if is_api_word(kind) or is_known_kind(kind, group) else self.texts.name(kind)

    def _requirement(self, field: str, inner: Any, around: Object) -> Any:
        """Return the key or the values of a taint, a toleration, or a selector's requirement."""
        if field == "key":
            return self.texts.name(inner)
        key = around.get("key") or ""
        if isinstance(inner, list):
            return [self.texts.value(key, item) if isinstance(item, str) else item for item in inner]
        return self.texts.value(key, inner)

    def _labels(self, value: Any, place: str, field: str) -> Any:
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            return self.value(value, place)
        return {self.texts.name(key): self.texts.value(key, text) for key, text in value.items()}

    def _amounts(self, value: Any, place: str, field: str) -> Any:
        if not isinstance(value, dict):
            return self._each(_number)(value, place, field)
        if any(isinstance(amount, dict | list) for amount in value.values()):
            return self.inside(value, place)
        kept = {}
        for resource, amount in value.items():
            if isinstance(amount, str) and _number(amount) is None:
                self.dropped.count_field(place, "amounts")
            else:
                kept[self.texts.name(resource)] = amount
        return kept

    def _by_name(self, value: Any, place: str, field: str) -> Any:
        if not isinstance(value, dict):
            return self.value(value, place)
        found = {self.texts.name(key): self._field(field, one, place, {}) for key, one in value.items()}
        return {key: one for key, one in found.items() if one is not DROPPED}

    def _annotations(self, value: Any, place: str, field: str) -> Any:
        kept = {}
        for key, text in value.items() if isinstance(value, dict) else ():
            changed = changed_annotation(key, text, self.texts)
            if changed is None:
                self.dropped.count_field(place, key if self.texts.is_public(key) else "others")
            else:
                kept[key] = changed
        return kept

    def _owner(self, reference: Any, place: str) -> Any:
        """Return a reference to an owner, whose name may be that of a node."""
        if not isinstance(reference, dict):
            return self.value(reference, place)
        changed = self.inside(reference, place)
        kind, name = reference.get("kind"), reference.get("name")
        if kind == "Node" and isinstance(name, str):
            changed["name"] = self.texts.node(name)
        return changed

    def _member(self, member: Any, place: str) -> Any:
        """Return a member of a group; a node's name is the one that the node has by now."""
        changed = self.value(member, place)
        if isinstance(member, dict) and member.get("type") == "Node":
            exact = (member.get("selector") or {}).get("exactMatch")
            if isinstance(exact, dict) and exact.get("name") and isinstance(exact["name"], str):
                changed["selector"]["exactMatch"]["name"] = self.texts.node(exact["name"])
        return changed


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(one) for one in (*value, *value.values()))
    return not isinstance(value, str) or (has_only_api_words(value) and not _ADDRESS.search(value))


def _numbers_of_version(text: str) -> str | None:
    """Return v1.29.4 of v1.29.4-eks-036c24b; None for what is no version."""
    found = _VERSION.match(text)
    return found[0] if found else None


def _known_reason(text: str) -> str | None:
    """Return a reason if it is one that Kubernetes or a scheduler writes."""
    return text if text in KNOWN_REASONS else None


def _number(text: str) -> str | None:
    return text if _NUMBER.fullmatch(text) and not _ADDRESS.search(text) else None
