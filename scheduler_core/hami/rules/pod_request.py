"""What a pod asks for, read once per attempt.

Source: HAMi v2.10.0 pkg/device/devices.go Resourcereqs, CheckUUID, CheckType.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from scheduler_core.hami.rules.cards import Card, Requests
from scheduler_core.hami.rules.constants import GPU_POLICY, MUTEX, NODE_POLICY, TOPOLOGY
from scheduler_core.hami.rules.scheduling_policies import binds_numa, names_policy

Object = dict[str, Any]


class Ask(msgspec.Struct, frozen=True):
    """A pod's requests, its init containers first, and what it wishes by annotation."""

    pod: Object
    requests: list[Requests]
    init_count: int
    annotations: Mapping[str, str]
    gpu_policy: str
    node_policy: str
    mutex: bool
    topology: bool
    numa_bind: bool

    @property
    def name(self) -> str:
        return str(self.pod["metadata"]["name"])

    @property
    def namespace(self) -> str:
        return namespace_of(self.pod)

    @property
    def uid(self) -> str:
        return uid_of(self.pod)

    @property
    def asks_for_cards(self) -> bool:
        """Whether any container asks for any card."""
        return any(self.requests)


class NodeInfo(msgspec.Struct, frozen=True):
    """A node as it was when it last registered: its annotations, and its cards by vendor key."""

    name: str
    annotations: Mapping[str, str]
    cards: Mapping[str, tuple[Card, ...]]


def make_ask(pod: Object, requests: list[Requests], gpu_policy: str, node_policy: str) -> Ask:
    """Return what a pod asks; the policies are the configuration's, which its annotations override."""
    annotations = annotations_of(pod)
    policy = annotations.get(GPU_POLICY, gpu_policy)
    return Ask(
        pod,
        requests,
        len(init_containers_of(pod)),
        annotations,
        policy,
        annotations.get(NODE_POLICY, node_policy),
        names_policy(policy, MUTEX),
        names_policy(policy, TOPOLOGY),
        binds_numa(annotations),
    )


# -- objects as they come from the API server --------------------------------------------------------


def annotations_of(item: Object) -> Mapping[str, str]:
    """Return an object's annotations, empty where it has none."""
    return item["metadata"].get("annotations") or {}


def namespace_of(pod: Object) -> str:
    """Return a pod's namespace."""
    return pod["metadata"].get("namespace") or "default"


def key_of(pod: Object) -> str:
    """Return `namespace/name`."""
    return f"{namespace_of(pod)}/{pod['metadata']['name']}"


def uid_of(pod: Object) -> str:
    """Return a pod's UID, or its key where it has none."""
    return pod["metadata"].get("uid") or key_of(pod)


def init_containers_of(pod: Object) -> list[Object]:
    return (pod.get("spec") or {}).get("initContainers") or []


def containers_of(pod: Object) -> list[Object]:
    """Return the containers that are no init containers."""
    return (pod.get("spec") or {}).get("containers") or []


def all_containers(pod: Object) -> Iterator[Object]:
    """Yield init containers, then the others."""
    yield from init_containers_of(pod)
    yield from containers_of(pod)


def resources_of(container: Object) -> frozenset[str]:
    """Return the names of the resources that a container has limits or requests of."""
    resources = container.get("resources") or {}
    return frozenset((*(resources.get("limits") or ()), *(resources.get("requests") or ())))


def limit_of(container: Object, name: str) -> Any:
    """Return a resource's limit, None where there is none."""
    return ((container.get("resources") or {}).get("limits") or {}).get(name)


def amount_of(container: Object, name: str) -> Any:
    """Return a resource's limit, or else its request, None where there is neither."""
    limit = limit_of(container, name)
    if limit is not None:
        return limit
    return ((container.get("resources") or {}).get("requests") or {}).get(name)


# -- wishes for cards --------------------------------------------------------------------------------

_Accepts = Callable[[str], bool]


def accepts_ids(annotations: Mapping[str, str], use_key: str, avoid_key: str) -> _Accepts | None:
    """Return whether a card's id is on the list to use and not on the one to avoid; None without lists."""
    use, avoid = _listed(annotations, use_key), _listed(annotations, avoid_key)
    if use is None and avoid is None:
        return None
    return lambda card: (use is None or card in use) and (avoid is None or card not in avoid)


def accepts_types(annotations: Mapping[str, str], use_key: str, avoid_key: str) -> _Accepts | None:
    """Return whether a card's type has a wanted word in it and no unwanted one; None without lists."""
    use, avoid = _listed(annotations, use_key), _listed(annotations, avoid_key)
    if use is None and avoid is None:
        return None
    wanted = None if use is None else [word.upper() for word in use if word]
    unwanted = [word.upper() for word in avoid or () if word]

    def accepts(card_type: str) -> bool:
        name = card_type.upper()
        if wanted is not None and not any(word in name for word in wanted):
            return False
        return not any(word in name for word in unwanted)

    return accepts


def _listed(annotations: Mapping[str, str], key: str) -> list[str] | None:
    text = annotations.get(key)
    if not text:
        return None
    return [part.strip() for part in text.split(",")] if text.strip() else None
