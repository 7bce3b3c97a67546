"""What nodes and pods say of cards that HAMi can't make use of: annotations and names of resources.

Looked at under the configuration that a release installs. Of pods nothing is said where no node registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from scheduler_core.hami.asking import Object, all_containers, annotations_of
from scheduler_core.hami.configuration import read_configuration
from scheduler_core.hami.counting import installed_vendors, listed, unreadable_registrations
from scheduler_core.hami.encoding import Unreadable, read_pod_cards
from scheduler_core.objects.identity import has_ended, name_of, namespace_of
from scheduler_core.objects.suggestions import did_you_mean

_BEGINNING, _WORD = "hami.io/node-", "register"


def card_faults(nodes: Sequence[Object], pods: Iterable[Object]) -> list[str]:
    """Return a whole phrase for each kind of fault."""
    faults = [*unreadable_registrations(nodes), *_unknown_registrations(nodes)]
    if any(map(_registers, nodes)):
        found = _Asked(nodes)
        for pod in pods:
            if not has_ended(pod):
                found.take(pod)
        faults += found.phrases()
    return faults


def _registers(node: Object) -> bool:
    return any(_is_registration(name) for name in annotations_of(node))


@cache
def _annotations() -> frozenset[str]:
    """Return by which annotations of nodes vendors register their cards."""
    return frozenset(vendor.register for vendor in installed_vendors() if vendor.register)


def _is_registration(annotation: str) -> bool:
    return annotation in _annotations() or (annotation.startswith(_BEGINNING) and _WORD in annotation)


def _unknown_registrations(nodes: Iterable[Object]) -> Iterator[str]:
    named: dict[str, list[str]] = {}
    for node in nodes:
        for annotation in annotations_of(node):
            if annotation not in _annotations() and _is_registration(annotation):
                named.setdefault(annotation, []).append(name_of(node))
    for annotation, names in named.items():
        yield (
            f"annotation {annotation} of {_count(names, 'Node')} is of no vendor that HAMi's chart sets up"
            f"{_guess(annotation, _annotations())}: only settings of your own would read it"
        )


class _Asked:
    """What pods ask of vendors that nobody has, and what they were given that can't be read."""

    def __init__(self, nodes: Iterable[Object]) -> None:
        self._known = set(_resources())
        self._domains = {name.partition("/")[0] for name in self._known}
        for node in nodes:
            status = node.get("status") or {}
            self._known.update(status.get("capacity") or (), status.get("allocatable") or ())
        self._keys = {vendor.key: vendor.allocated for vendor in installed_vendors() if vendor.allocated}
        self._unknown: dict[str, list[str]] = {}
        self._unreadable: dict[str, list[str]] = {}

    def take(self, pod: Object) -> None:
        """Note what a pod asks for and what it was given."""
        full_name = f"{namespace_of(pod)}/{name_of(pod)}"
        for resource in dict.fromkeys(self._unknown_of(pod)):
            self._unknown.setdefault(resource, []).append(full_name)
        annotations = annotations_of(pod)
        for vendor, key in self._keys.items():
            if key in annotations:
                try:
                    read_pod_cards(annotations, {vendor: key})
                except Unreadable:
                    self._unreadable.setdefault(key, []).append(full_name)

    def _unknown_of(self, pod: Object) -> Iterator[str]:
        for container in all_containers(pod):
            resources = container.get("resources") or {}
            for side in ("limits", "requests"):
                for name in resources.get(side) or ():
                    if name not in self._known and name.partition("/")[0] in self._domains:
                        yield name

    def phrases(self) -> Iterator[str]:
        """Yield a phrase for each resource and each annotation."""
        for resource, pods in self._unknown.items():
            asks = "asks" if len(pods) == 1 else "ask"
            effect = f"which no node has and HAMi's chart doesn't set up{_guess(resource, _resources())}"
            yield f"{_count(pods, 'pod')} {asks} for {resource}, {effect}"
        for annotation, pods in self._unreadable.items():
            yield (
                f"annotation {annotation} of {_count(pods, 'pod')} cannot be read: "
                "the cards in it count as free"
            )


def _guess(name: str, known: Iterable[str]) -> str:
    """Return a question within a phrase."""
    question = did_you_mean(name, known).removeprefix("; ")
    return f" ({question})" if question else ""


def _count(names: list[str], noun: str) -> str:
    return f"{len(names):,} {noun}{'' if len(names) == 1 else 's'} ({listed(names)})"


@cache
def _resources() -> tuple[str, ...]:
    """Return the names of all resources by which vendors are asked for cards."""
    settings = msgspec.to_builtins(read_configuration({}).device_config)
    return tuple(dict.fromkeys(text for text in _texts(settings) if "/" in text))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
