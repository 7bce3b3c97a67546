"""What stands around pods and nodes: Services and controllers, namespaces, budgets.

No scheduler's queue hears of them: who waits is not woken when they come, change or go, and the next attempt
reads them as they are then.

Source: kubernetes v1.36 pkg/scheduler/eventhandlers.go addAllEventHandlers (none of these is among the
resources); plugins/helper/spread.go DefaultSelector.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Protocol, TypeVar

from scheduler_core.objects import selectors, types
from scheduler_core.objects.kinds import (
    NAMESPACE,
    POD_DISRUPTION_BUDGET,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    SERVICE,
    STATEFUL_SET,
    Kind,
    kind_of,
)
from scheduler_core.objects.selectors import ANY, Selector
from scheduler_core.state.journal import Journal, Set, Table

V = TypeVar("V")
Document = dict[str, Any]
Key = tuple[Kind, str, str]
"""Kind, namespace (empty for a Namespace) and name."""

KINDS = (SERVICE, REPLICATION_CONTROLLER, REPLICA_SET, STATEFUL_SET, NAMESPACE, POD_DISRUPTION_BUDGET)
_PARTS = {NAMESPACE: "namespaces", POD_DISRUPTION_BUDGET: "budgets"}
"""The part of the state that a kind makes up; all others say which pods belong together."""
_GROUPS = "groups"
_COUNTED = ("allowed", "current_healthy", "desired_healthy", "expected")
"""What a run works out anew of a budget."""


@dataclass
class Budget:
    """A PodDisruptionBudget: `allowed` and `current_healthy` are what its status says by now.

    `selector` is None where the budget covers nobody (an absent, empty or unreadable selector). `expected`:
    how many pods there should be. `is_counted`: whether a controller has ever said what it counts by.
    """

    namespace: str
    name: str
    selector: Selector | None
    allowed: int
    disrupted_pods: frozenset[str]
    desired_healthy: int = 0
    current_healthy: int = 0
    always_allow_unhealthy: bool = False
    expected: int = 0
    is_counted: bool = False


@dataclass(frozen=True)
class Groups:
    """What says which pods belong together.

    `services` maps a namespace to the selectors of its Services, `replication_controllers` and `selectors`
    map (kind, namespace, name) to a controller's selector.
    """

    services: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    replication_controllers: Mapping[Key, Mapping[str, str]] = field(default_factory=dict)
    selectors: Mapping[Key, Selector | None] = field(default_factory=dict)

    def services_of(self, namespace: str, labels: Mapping[str, str]) -> list[Mapping[str, str]]:
        """Return the selectors of a namespace's Services that these labels meet; an empty one they do."""
        some = (self._services_by_label.get((namespace, *label), ()) for label in (ANY, *labels.items()))
        return [one for one in chain.from_iterable(some) if one.items() <= labels.items()]

    @cached_property
    def _services_by_label(self) -> dict[tuple[str, str, str], list[Mapping[str, str]]]:
        """The selectors of Services by their namespace and their first label: a namespace has hundreds."""
        found: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
        for namespace, services in self.services.items():
            for service in services:
                found.setdefault((namespace, *next(iter(service.items()), ANY)), []).append(service)
        return found


class State(Protocol):
    """The parts of a ClusterState that are made up of these objects."""

    journal: Journal
    budgets: list[Budget]
    namespaces: Mapping[str, Mapping[str, str]]
    groups: Groups


class Surroundings(Table):
    """Puts new values in the place of parts of the state; `documents` are those of the start."""

    def __init__(self, state: State, documents: Iterable[Document]) -> None:
        self._state = state
        self._start = {key_of(document): document for document in documents}
        self._documents = dict(self._start)
        self._parts = {name: getattr(state, name) for name in (_GROUPS, *_PARTS.values())}

    def put(self, document: Document) -> None:
        """Let an object come, or take the place of its older self."""
        self._change(key_of(document), document)

    def drop(self, key: Key) -> bool:
        """Let an object go; False if it isn't there."""
        if key not in self._documents:
            return False
        self._change(key, None)
        return True

    def write(self, key: Any, field: str, value: Any) -> None:
        document, part = value
        if document is None:
            self._documents.pop(key, None)
        else:
            self._documents[key] = document
        setattr(self._state, field, part)

    def _change(self, key: Key, document: Document | None) -> None:
        part = _PARTS.get(key[0], _GROUPS)
        old = self._documents.get(key), getattr(self._state, part)
        self._state.journal.do(Set(self, key, part, old, (document, self._with(key, document))))

    def _with(self, key: Key, document: Document | None) -> Any:
        """Return the part of the state that the object belongs to, with it in its new version."""
        if key[0] == POD_DISRUPTION_BUDGET:
            return self._budgets_with(key[1:], document)
        documents = dict(self._documents)
        if document is None:
            documents.pop(key, None)
        else:
            documents[key] = document
        if key[0] == NAMESPACE:
            return {name: labels_of(item) for (kind, _, name), item in documents.items() if kind == NAMESPACE}
        return _with(self._state.groups, key, document, documents)

    def _budgets_with(self, key: tuple[str, str], document: Document | None) -> list[Budget]:
        """Return the budgets with one in its new version, in its place, or behind all others."""
        budgets = self._state.budgets
        place = next((place for place, one in enumerate(budgets) if (one.namespace, one.name) == key), None)
        before, after = (budgets, []) if place is None else (budgets[:place], budgets[place + 1 :])
        return [*before, *(() if document is None else [budget_of(document)]), *after]

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return as plain data what has changed since the start, and what the budgets allow."""
        keys = {**self._start, **self._documents}
        changed = [key for key in keys if self._documents.get(key) is not self._start.get(key)]
        return {
            "documents": [[list(key), self._documents.get(key)] for key in changed],
            "budgets": [[getattr(budget, name) for name in _COUNTED] for budget in self._state.budgets],
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._documents = dict(self._start)
        for name, part in self._parts.items():
            setattr(self._state, name, part)
        for key, document in data["documents"]:
            (group, kind), namespace, name = key
            found = (Kind(group, kind), namespace, name)
            self.write(found, _PARTS.get(found[0], _GROUPS), (document, self._with(found, document)))
        for budget, counts in zip(self._state.budgets, data["budgets"], strict=True):
            for name, count in zip(_COUNTED, counts, strict=True):
                setattr(budget, name, count)


def key_of(document: Mapping[str, Any]) -> Key:
    """Return what an object is known by."""
    kind, metadata = kind_of(document), document["metadata"]
    namespace = "" if kind == NAMESPACE else metadata.get("namespace") or "default"
    return kind, namespace, metadata["name"]


def labels_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return an object's labels."""
    return document["metadata"].get("labels") or {}


def budget_of(document: Document) -> Budget:
    """Return a budget with what its status says."""
    item = types.convert(document, types.PodDisruptionBudget)
    by_number = isinstance(item.spec.min_available, int)
    return Budget(
        item.metadata.namespace or "default",
        item.metadata.name,
        selectors.from_label_selector(item.spec.selector),
        item.status.disruptions_allowed,
        frozenset(item.status.disrupted_pods or ()),
        item.status.desired_healthy,
        item.status.current_healthy,
        item.spec.unhealthy_pod_eviction_policy == "AlwaysAllow",
        item.status.expected_pods,
        by_number or item.status.expected_pods > 0 or item.status.observed_generation > 0,
    )


def _with(groups: Groups, key: Key, document: Document | None, documents: Mapping[Key, Document]) -> Groups:
    """Return the groups of all these documents, given those of before this one came, changed or went."""
    kind, namespace, _ = key
    if kind == SERVICE:
        there = (one for known, one in documents.items() if known[:2] == (SERVICE, namespace))
        others = {space: found for space, found in groups.services.items() if space != namespace}
        return replace(groups, services={**others, **groups_of(there).services})
    new = groups_of([] if document is None else [document])
    if kind == REPLICATION_CONTROLLER:
        known = groups.replication_controllers
        return replace(groups, replication_controllers=_in_place_of(known, key, new.replication_controllers))
    return replace(groups, selectors=_in_place_of(groups.selectors, key, new.selectors))


def _in_place_of(known: Mapping[Key, V], key: Key, new: Mapping[Key, V]) -> dict[Key, V]:
    """Return what is known with what is new of a key; where nothing is, the key is left out."""
    return {one: value for one, value in {**known, **new}.items() if one != key or new}


def groups_of(documents: Iterable[Document]) -> Groups:
    """Return what these Services and controllers say; objects of other kinds say nothing."""
    services: dict[str, list[Mapping[str, str]]] = {}
    controllers: dict[Key, Mapping[str, str]] = {}
    compiled: dict[Key, Selector | None] = {}
    for item in documents:
        key, selector = key_of(item), (item.get("spec") or {}).get("selector")
        if key[0] == SERVICE and selector is not None:
            services.setdefault(key[1], []).append(selector)
        elif key[0] == REPLICATION_CONTROLLER:
            controllers[key] = selector or {}
        elif key[0] in (REPLICA_SET, STATEFUL_SET):
            typed = types.convert(selector or {}, types.LabelSelector)
            compiled[key] = selectors.from_label_selector(typed)
    return Groups(services, controllers, compiled)
