"""What the webhooks look up, and the settings of the webhook manager.

Source: volcano v1.16 pkg/webhooks/router/interface.go, indexer.go; cmd/webhook-manager/app/options.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile

import msgspec
from msgspec import structs

from scheduler_core.objects import types
from scheduler_core.objects.kinds import NAMESPACE, kind_of
from scheduler_core.objects.types import Labels, ObjectMeta
from scheduler_core.volcano.admission.answers import Denied, Object
from scheduler_core.volcano.admission.resource_groups import ResourceGroup
from scheduler_core.volcano.api_kinds import VOLCANO_QUEUE
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE, Queue, QueueSpec, QueueStatus
from scheduler_core.volcano.model.queues import ROOT

HIERARCHY = "volcano.sh/hierarchy"
"""The annotation with a queue's place in a hierarchy of weights."""
_MADE_BY_VOLCANO = {
    ROOT: Queue(ObjectMeta(name=ROOT), QueueSpec(weight=1), QueueStatus(state="Open")),
    DEFAULT_QUEUE: Queue(
        ObjectMeta(name=DEFAULT_QUEUE), QueueSpec(weight=1, parent=ROOT), QueueStatus(state="Open")
    ),
}


@dataclass(frozen=True)
class Surroundings:
    """The queues by name and the namespaces' annotations.

    `resource_groups` is None where the webhook manager has no file of them.
    """

    queues: Mapping[str, Queue] = field(default_factory=dict)
    namespaces: Mapping[str, Labels] = field(default_factory=dict)
    scheduler_names: tuple[str, ...] = ("volcano",)
    max_queue_depth: int = 5
    protects_root: bool = True
    counts_pods_of_deleted: bool = False
    gates_pods: bool = False
    resource_groups: tuple[ResourceGroup, ...] | None = None

    @classmethod
    def of(cls, documents: Iterable[Object]) -> Surroundings:
        """Return a cluster's queues and namespaces; what can't be read as such isn't there.

        Volcano makes the queues root and default itself, so they are there in any case.
        """
        queues, namespaces = dict(_MADE_BY_VOLCANO), dict[str, Labels]()
        for document in documents:
            kind = kind_of(document)
            try:
                if kind == VOLCANO_QUEUE:
                    queue = types.convert(document, Queue)
                    queues[queue.metadata.name] = queue
                elif kind == NAMESPACE:
                    metadata = types.convert(document, types.Namespace).metadata
                    namespaces[metadata.name] = metadata.annotations or {}
            except msgspec.ValidationError:
                continue
        return cls(queues=queues, namespaces=namespaces)

    def with_open_queues(self, opens: Callable[[Queue], bool]) -> Surroundings:
        """Return the same with the queues open for which this holds."""
        queues = {
            name: structs.replace(queue, status=structs.replace(queue.status, state="Open"))
            if opens(queue)
            else queue
            for name, queue in self.queues.items()
        }
        return replace(self, queues=queues)

    def queue(self, name: str) -> Queue:
        """Return a queue. Raises Denied where there is none."""
        found = self.queues.get(name)
        if found is None:
            raise Denied(f'queue.scheduling.volcano.sh "{name}" not found', "spec.queue")
        return found

    def children(self, name: str) -> list[Queue]:
        """Return the queues whose parent is so called, in name order."""
        return self._children.get(name, [])

    def queues_below(self, path: str) -> dict[str, str]:
        """Return by name the hierarchy paths that begin with a path."""
        first = bisect_left(self._paths, (path, ""))
        below = takewhile(lambda one: one[0].startswith(path), islice(self._paths, first, None))
        return {name: found for found, name in below}

    @cached_property
    def _paths(self) -> list[tuple[str, str]]:
        annotations = ((name, queue.metadata.annotations or {}) for name, queue in self.queues.items())
        return sorted((found[HIERARCHY], name) for name, found in annotations if found.get(HIERARCHY))

    @cached_property
    def _children(self) -> dict[str, list[Queue]]:
        found: dict[str, list[Queue]] = {}
        for _, queue in sorted(self.queues.items()):
            if queue.spec.parent:
                found.setdefault(queue.spec.parent, []).append(queue)
        return found
