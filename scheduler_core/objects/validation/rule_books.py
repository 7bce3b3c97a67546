"""Which rules an object is looked at with, and what need not be looked at again."""

import re
from collections.abc import Collection
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.validation.object_rules import RULES, RULES_OF_NEW, Rules
from scheduler_core.objects.validation.schema import TIME, types
from scheduler_core.objects.validation.schema_structs import POD_SPEC

_KEPT = 20_000
"""How many specs are remembered."""
TOKEN = re.compile(rb'"kube-api-access-[a-z0-9]{5}"')
"""The name of the volume that an API server gives each pod, another one each time."""


class SoundSpecs:
    """Pod specs in which nothing was found, by their keys."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()

    def __contains__(self, key: bytes) -> bool:
        return key in self._keys

    def add(self, key: bytes) -> None:
        if len(self._keys) >= _KEPT:
            self._keys.clear()
        self._keys.add(key)


class Book(NamedTuple):
    """Rules by type, which fields of a type lead to others that have any, and the specs that keep them.

    inner: fields that hold an object or a list of such. mapped: those that hold a map of them.
    """

    rules: Rules
    inner: dict[str, tuple[tuple[str, str], ...]]
    mapped: dict[str, tuple[tuple[str, str], ...]]
    sound_specs: SoundSpecs


@cache
def book_of(is_new: bool | None) -> Book:
    """Return the rules of objects that are new or stored; None: there are none but the types."""
    rules: Rules = {} if is_new is None else RULES_OF_NEW if is_new else RULES
    ruled = {name for name in types() if _reaches(name, {*rules, POD_SPEC})}

    def leading(fields: dict[str, str]) -> tuple[tuple[str, str], ...]:
        return tuple((field, inner) for field, inner in fields.items() if inner in ruled)

    return Book(
        rules,
        {name: leading(kind.inner) for name, kind in types().items()},
        {name: leading(kind.mapped) for name, kind in types().items()},
        SoundSpecs(),
    )


def _reaches(name: str, ruled: Collection[str]) -> bool:
    """Tell whether a type is one of these, or holds objects of one."""
    waiting, seen = [name], {name}
    while waiting:
        kind = waiting.pop()
        if kind in ruled:
            return True
        inner = {*types()[kind].inner.values(), *types()[kind].mapped.values()} - seen - {TIME}
        seen |= inner
        waiting += inner
    return False


def key_of_spec(spec: dict[str, Any]) -> bytes:
    """Return what specs share that have equal faults: no rule looks at their nodes and tokens' names.

    A token's name counts where the spec has several, since mounts name volumes.
    """
    if isinstance(spec.get("nodeName"), str):
        spec = {**spec, "nodeName": ""}
    text = msgspec.json.encode(spec)
    tokens = set(TOKEN.findall(text))
    if len(tokens) == 1:
        text = text.replace(tokens.pop(), b'"kube-api-access"')
    return blake2b(text, digest_size=16).digest()
