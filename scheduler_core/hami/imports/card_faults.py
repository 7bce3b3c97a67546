"""What nodes and pods say of cards that HAMi can't make use of: annotations and names of resources.

Looked at under the configuration that a release installs, and under a run's own settings where there are
some. Of pods nothing is said where no node registers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from scheduler_core.hami.configuration.settings import Configuration, read_configuration
from scheduler_core.hami.devices.all_vendors import reading_vendors
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.imports.registered_cards import (
    count_words,
    installed_vendors,
    uncut_cards,
    unreadable_registrations,
)
from scheduler_core.hami.imports.switches import left_out_cards
from scheduler_core.hami.rules.encoding import Unreadable, read_pod_cards
from scheduler_core.hami.rules.pod_request import (
    Object,
    all_containers,
    amount_of,
    annotations_of,
    resources_of,
)
from scheduler_core.objects.amounts.go_quantity import whole
from scheduler_core.objects.identity import has_ended, name_of, namespace_of
from scheduler_core.objects.suggestions import closest, did_you_mean

_BEGINNING, _WORD = "hami.io/node-", "register"


def card_faults(
    nodes: Sequence[Object], pods: Iterable[Object], hami: Configuration | None = None
) -> list[str]:
    """Return a whole phrase for each kind of fault.

    hami: the settings of a run's HAMi. What they set up is known, and what they leave out is told.
    """
    own = tuple(reading_vendors(hami).values()) if hami is not None else ()
    read = {vendor.register for vendor in own}
    faults = [*unreadable_registrations(nodes), *_unknown_registrations(nodes, read)]
    faults += uncut_cards(nodes)
    faults += left_out_cards(hami, nodes) if hami is not None else []
    if any(map(_registers, nodes)):
        found = _Asked(nodes, own)
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


def _unknown_registrations(nodes: Iterable[Object], read: Collection[str]) -> Iterator[str]:
    """Yield a phrase for each annotation like those of cards that is none of a release's, nor `read`."""
    named: dict[str, list[str]] = {}
    for node in nodes:
        for annotation in annotations_of(node):
            if annotation not in _annotations() and annotation not in read and _is_registration(annotation):
                named.setdefault(annotation, []).append(name_of(node))
    for annotation, names in named.items():
        yield (
            f"annotation {annotation} of {count_words(names, 'Node')} is of no vendor that HAMi's chart sets "
            f"up{_guess_registration(annotation)}: only settings of your own would read it"
        )


class _Asked:
    """What pods ask of vendors that nobody has or in amounts that can't be read, and what they were given."""

    def __init__(self, nodes: Iterable[Object], own: Sequence[Vendor]) -> None:
        self._known = {*_resources(), *(name for vendor in own for name in vendor.names)}
        self._by_count: dict[str, list[Vendor]] = {}
        for vendor in own or installed_vendors():
            self._by_count.setdefault(vendor.count_name, []).append(vendor)
        self._domains = {name.partition("/")[0] for name in self._known}
        for node in nodes:
            status = node.get("status") or {}
            self._known.update(status.get("capacity") or (), status.get("allocatable") or ())
        self._keys = {vendor.key: vendor.allocated for vendor in installed_vendors() if vendor.allocated}
        self._unknown: dict[str, list[str]] = {}
        self._unreadable: dict[str, list[str]] = {}
        self._unread_asks: dict[str, list[str]] = {}

    def take(self, pod: Object) -> None:
        """Note what a pod asks for and what it was given."""
        full_name = f"{namespace_of(pod)}/{name_of(pod)}"
        for resource in dict.fromkeys(self._unknown_of(pod)):
            self._unknown.setdefault(resource, []).append(full_name)
        for amounts in dict.fromkeys(self._unread_of(pod)):
            self._unread_asks.setdefault(amounts, []).append(full_name)
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

    def _unread_of(self, pod: Object) -> Iterator[str]:
        """Yield what containers ask of a vendor where HAMi reads no request from it, though one is meant."""
        for container in all_containers(pod):
            for name in sorted(resources_of(container) & self._by_count.keys()):
                vendors = self._by_count[name]
                read = any(vendor.request(container) is not None for vendor in vendors)
                if not read and whole(amount_of(container, name)):
                    yield _amounts(container, vendors)

    def phrases(self) -> Iterator[str]:
        """Yield a phrase for each resource and each annotation."""
        for resource, pods in self._unknown.items():
            asks = "asks" if len(pods) == 1 else "ask"
            effect = f"which no node has and HAMi's chart doesn't set up{_guess(resource, _resources())}"
            yield f"{count_words(pods, 'pod')} {asks} for {resource}, {effect}"
        for amounts, pods in self._unread_asks.items():
            asks, them = ("asks", "it") if len(pods) == 1 else ("ask", "them")
            yield (
                f"{count_words(pods, 'pod')} {asks} for {amounts}, which HAMi does not read as a request for "
                f"cards: it gives {them} none, and refuses no node"
            )
        for annotation, pods in self._unreadable.items():
            yield (
                f"annotation {annotation} of {count_words(pods, 'pod')} cannot be read: "
                "the cards in it count as free"
            )


def _amounts(container: Object, vendors: Iterable[Vendor]) -> str:
    """Return what a container asks of vendors: "nvidia.com/gpu 1, nvidia.com/gpumem 16Gi"."""
    names = sorted({name for vendor in vendors for name in vendor.names} & resources_of(container))
    return ", ".join(f"{name} {amount_of(container, name)}" for name in names)


def _guess(name: str, known: Iterable[str]) -> str:
    """Return a question within a phrase."""
    question = did_you_mean(name, known).removeprefix("; ")
    return f" ({question})" if question else ""


def _guess_registration(annotation: str) -> str:
    """Return a question about the annotation of the vendor that is nearest by its own word.

    Vendors write `node-register-` before that word or `-register` behind it, which says nothing of them.
    """
    words = {_vendors_word(known): known for known in sorted(_annotations())}
    meant = closest(_vendors_word(annotation), frozenset(words))
    return f" (did you mean {words[meant]}?)" if meant else ""


def _vendors_word(annotation: str) -> str:
    word = annotation.removeprefix(_BEGINNING).removeprefix(f"{_WORD}-").removesuffix(f"-{_WORD}")
    return word.lower()


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
