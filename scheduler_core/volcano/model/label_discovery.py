"""HyperNodes that Volcano's controller makes of the labels of nodes, where its configuration says so.

Each topology type has labels, the lowest tier first. Nodes of a value are a hyper node of tier 1, hyper nodes
whose nodes share the next label's value are one of tier 2, and so on. A node without a label ends there.

The real controller draws five letters for the end of a new name, where this takes the label's value; one that
is there keeps its name. With two types that share a label it is by chance whose hyper nodes are made: here of
the first by name.

Source: volcano v1.16 pkg/controllers/hypernode/discovery/label/label.go, hypernode_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.objects import types
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.privacy.configurations import configurations_in
from scheduler_core.objects.types import Node
from scheduler_core.volcano.model.custom_resources import HyperNode

SOURCES, TYPES = "networkTopologyDiscovery", "networkTopologyTypes"
OWNER = "volcano-controller"
"""How its configuration is told apart from a scheduler's."""
SOURCE = "volcano.sh/network-topology-source"
_LABEL = "label"
CONFIG_MAP = Kind("", "ConfigMap")
_NAME_END, _ENTRY = "-controller-configmap", "volcano-controller.conf"
_LONGEST_TYPE = 20

Object = Mapping[str, Any]
Labels = tuple[str, ...]


class Discovery(NamedTuple):
    """The labels of each topology type, the lowest tier first, and the ConfigMap that says so."""

    types: dict[str, Labels]
    config_map: str

    def hyper_nodes(self, nodes: Iterable[Node], known: Sequence[HyperNode]) -> list[HyperNode]:
        """Return the hyper nodes of a cluster: those of other sources, and those that the labels make."""
        others = [one for one in known if (one.metadata.labels or {}).get(SOURCE) != _LABEL]
        return [*others, *_Found(self.types, known).of(nodes)]


def discovery_in(objects: Iterable[Object]) -> Discovery | None:
    """Return what the objects' ConfigMap of Volcano's controllers says of labels, None if nothing."""
    for document, config_map in _configurations_in(objects):
        if by_type := dict(_types_in(document)):
            return Discovery(by_type, config_map)
    return None


def other_sources(objects: Iterable[Object]) -> list[tuple[str, str]]:
    """Return the enabled sources of hyper nodes that ask a server outside, each with its ConfigMap."""
    return [
        (str(one.get("source")), config_map)
        for document, config_map in _configurations_in(objects)
        for one in document[SOURCES]
        if isinstance(one, dict) and one.get("enabled") is True and one.get("source") != _LABEL
    ]


def _configurations_in(objects: Iterable[Object]) -> Iterator[tuple[Object, str]]:
    """Yield the configurations of Volcano's controllers, each with the ConfigMap that has it."""
    for item in objects:
        if kind_of(item) == CONFIG_MAP and item["metadata"]["name"].endswith(_NAME_END):
            config_map = f"{item['metadata'].get('namespace')}/{item['metadata']['name']}"
            for owner, document in configurations_in((item.get("data") or {}).get(_ENTRY)):
                if owner == OWNER:
                    yield document, config_map


def _types_in(document: Object) -> Iterator[tuple[str, Labels]]:
    """Yield the types of the first source of labels that is enabled; one that can't be read has none."""
    sources = (one for one in document[SOURCES] if isinstance(one, dict))
    first = next((one for one in sources if one.get("source") == _LABEL and one.get("enabled") is True), {})
    told = first.get("config")
    by_type = told.get(TYPES) if isinstance(told, dict) else None
    for name, tiers in sorted(by_type.items()) if isinstance(by_type, dict) else ():
        labels = [str(one.get("nodeLabel") or "") for one in tiers or () if isinstance(one, dict)]
        if len(str(name)) <= _LONGEST_TYPE and len(labels) == len(set(labels)):
            # The last of the list, which is each node's own name, makes no hyper node.
            yield str(name), tuple(reversed(labels[:-1]))


class _Found:
    """Hyper nodes by name while nodes are gone through: tier, label with its value, members."""

    def __init__(self, by_type: Mapping[str, Labels], known: Sequence[HyperNode]) -> None:
        self._types = by_type
        self._known = known
        self._names: dict[tuple[str, str], str] = {}
        self._tiers: dict[str, tuple[int, str, str]] = {}
        self._members: dict[str, set[str]] = {}

    def of(self, nodes: Iterable[Node]) -> list[HyperNode]:
        """Return the hyper nodes of these nodes, by name."""
        for node in nodes:
            for name in sorted(self._types):
                self._take(node, name)
        return [self._made(name) for name in sorted(self._tiers)]

    def _take(self, node: Node, topology: str) -> None:
        member, labels = node.metadata.name, node.metadata.labels or {}
        for tier, label in enumerate(self._types[topology], 1):
            if label not in labels:
                return
            name = self._name(topology, label, labels[label], tier)
            self._members.setdefault(name, set()).add(member)
            member = name

    def _name(self, topology: str, label: str, value: str, tier: int) -> str:
        if (label, value) not in self._names:
            start = f"hypernode-{_cleaned(topology)}-tier{tier}"
            name = self._known_name(start, label, value) or self._new_name(f"{start}-{_cleaned(value)}")
            self._names[label, value] = name
            self._tiers.setdefault(name, (tier, label, value))
        return self._names[label, value]

    def _known_name(self, start: str, label: str, value: str) -> str | None:
        """Return the name of the first hyper node that was made of this label's value before."""
        marks = {SOURCE: _LABEL, label: value}
        return next(
            (
                one.metadata.name
                for one in sorted(self._known, key=lambda one: one.metadata.name)
                if marks.items() <= (one.metadata.labels or {}).items()
                and one.metadata.name.startswith(start)
            ),
            None,
        )

    def _new_name(self, wanted: str) -> str:
        taken = {one.metadata.name for one in self._known} | self._tiers.keys()
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        return name

    def _made(self, name: str) -> HyperNode:
        tier, label, value = self._tiers[name]
        kind = "Node" if tier == 1 else "HyperNode"
        members = [
            {"type": kind, "selector": {"exactMatch": {"name": member}}}
            for member in sorted(self._members[name])
        ]
        metadata = {"name": name, "labels": {SOURCE: _LABEL, label: value}}
        spec = {"tier": tier, "tierName": label, "members": members}
        return types.convert({"metadata": metadata, "spec": spec}, HyperNode)


def _cleaned(text: str) -> str:
    """Return a text as a part of a name: small letters, digits, dots and hyphens."""
    return "".join(one.lower() if one.isalnum() or one in ".-" else "-" for one in text)
