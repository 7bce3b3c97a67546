"""A queue among its ancestors, siblings and descendants: what it says must fit into what they say.

Where several resources or queues are at fault the first by name is told (cpu and memory before others);
Volcano picks one of them by chance. Imported queues may form a circle, which ends the search here.

Source: volcano v1.16 pkg/webhooks/admission/queues/validate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler_core.objects.amounts.quantity import Quantity
from scheduler_core.volcano.admission.answers import Denied
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.custom_resources import Queue
from scheduler_core.volcano.model.queues import ROOT
from scheduler_core.volcano.model.resource import CPU, MEMORY, Resource


@dataclass(frozen=True)
class QueueAmongOthers:
    """A queue as it is to be, and the others as they are."""

    queue: Queue
    around: Surroundings

    @property
    def _name(self) -> str:
        return self.queue.metadata.name

    @property
    def _has_limiting_parent(self) -> bool:
        return self.queue.spec.parent not in ("", ROOT)

    def check_parent(self) -> None:
        """Raise Denied for a parent that can't be one: itself, too deep, missing, or one with pods."""
        name = self.queue.spec.parent
        if not self._has_limiting_parent:
            return
        if name == self._name:
            raise Denied(f"queue {name} cannot use itself as parent", "spec.parent")
        self._check_depth()
        parent = self.around.queue(name)
        pods = allocated_pods(parent)
        if pods and not self.around.children(name):
            raise Denied(
                f"queue {name} cannot be the parent queue of queue {self._name}"
                f" because it has allocated Pods: {pods}",
                "spec.parent",
            )

    def _check_depth(self) -> None:
        depth, most, parent = 1, self.around.max_queue_depth, self.queue.spec.parent
        while parent not in ("", ROOT):
            depth += 1
            if depth > most:
                reason = f"queue {self._name} exceeds the maximum allowed depth of {most}"
                raise Denied(reason, "spec.parent")
            try:
                parent = self.around.queue(parent).spec.parent
            except Denied as missing:
                reason = f"failed to get parent queue {parent} of queue {self._name}: {missing}"
                raise Denied(reason, "spec.parent") from None

    def check_amounts(self) -> None:
        """Raise Denied where guarantee, deserved or capability don't fit among the others."""
        if self._has_limiting_parent:
            self._check_in_parent()
        children = self.around.children(self._name)
        if children:
            self._check_descendants(children)
            _check_sums(self.queue, children, f"queue {self._name}")

    def _check_in_parent(self) -> None:
        name = self.queue.spec.parent
        try:
            parent = self.around.queue(name)
        except Denied as missing:
            raise Denied(f"parent queue {name} not found: {missing}", "spec.parent") from None
        capability = Resource.of(self.queue.spec.capability)
        for resource in capability.names():
            mine, most = capability.get(resource), self._capability_above(resource)
            if most is not None and mine > most:
                raise Denied(
                    f"queue {self._name} capability[{resource}]={_shown(resource, mine)}"
                    f" exceeds its ancestor's capability={_shown(resource, most)}",
                    f"spec.capability.{resource}",
                )
        siblings = [one for one in self.around.children(name) if one.metadata.name != self._name]
        _check_sums(parent, [*siblings, self.queue], f"parent queue {name}")

    def _capability_above(self, resource: str) -> float | None:
        """Return what the nearest ancestor that says something says of a resource; root isn't asked."""
        for ancestor in self._ancestors():
            amount = Resource.of(ancestor.spec.capability).get(resource)
            if amount > 0:
                return amount
        return None

    def _ancestors(self) -> Iterator[Queue]:
        parent, passed = self.queue.spec.parent, set[str]()
        while parent not in ("", ROOT) and parent not in passed and parent in self.around.queues:
            passed.add(parent)
            yield self.around.queues[parent]
            parent = self.around.queues[parent].spec.parent

    def _check_descendants(self, children: list[Queue]) -> None:
        capability = Resource.of(self.queue.spec.capability)
        for resource in capability.names():
            mine = capability.get(resource)
            largest = max(self._largest_below(child, resource) for child in children)
            if mine < largest:
                raise Denied(
                    f"queue {self._name} capability[{resource}]={_shown(resource, mine)}"
                    f" is smaller than its descendants' max capability={_shown(resource, largest)}",
                    f"spec.capability.{resource}",
                )

    def _largest_below(self, child: Queue, resource: str) -> float:
        """Return the largest capability in a subtree, of each branch the topmost that says something."""
        largest, waiting, seen = 0.0, [child], set[str]()
        while waiting:
            queue = waiting.pop()
            if queue.metadata.name in seen:
                continue
            seen.add(queue.metadata.name)
            amount = Resource.of(queue.spec.capability).get(resource)
            if amount > 0:
                largest = max(largest, amount)
            else:
                waiting += self.around.children(queue.metadata.name)
        return largest


def allocated_pods(queue: Queue) -> int:
    """Return how many pods the queue's status says that it holds."""
    return int(Resource.of(queue.status.allocated).get("pods"))


def _check_sums(parent: Queue, children: list[Queue], whose: str) -> None:
    """Raise Denied where the guarantees or deserved shares of children are more than their parent's."""
    limits = {
        "guarantee": Resource.of(parent.spec.guarantee.resource),
        "deserved": Resource.of(parent.spec.deserved),
    }
    sums = {"guarantee": Resource(), "deserved": Resource()}
    for child in children:
        sums["guarantee"].add(Resource.of(child.spec.guarantee.resource))
        _check_sum("guarantee", sums["guarantee"], limits["guarantee"], whose)
        sums["deserved"].add(Resource.of(child.spec.deserved))
        _check_sum("deserved", sums["deserved"], limits["deserved"], whose)


def _check_sum(what: str, amount: Resource, limit: Resource, whose: str) -> None:
    if _exceeds(amount, limit):
        raise Denied(
            f"{whose} validation failed: sum of children's {what} ({_listed(amount)})"
            f" exceeds parent's {what} limit ({_listed(limit)})",
            f"spec.{what}",
        )


def _exceeds(amount: Resource, limit: Resource) -> bool:
    """Return whether a resource is above the limit, or one is named that the limit doesn't name."""
    if amount.cpu > limit.cpu or amount.memory > limit.memory:
        return True
    most = limit.scalars or {}
    return any(name not in most or value > most[name] for name, value in (amount.scalars or {}).items())


def _listed(amounts: Resource) -> str:
    named = [(CPU, amounts.cpu), (MEMORY, amounts.memory), *sorted((amounts.scalars or {}).items())]
    return ", ".join(f"{name} {value:.2f}" for name, value in named)


def _shown(resource: str, amount: float) -> str:
    if resource == CPU:
        return str(Quantity(int(amount) * 10**6, "DecimalSI"))
    if resource == MEMORY:
        return str(Quantity(int(amount) * 10**9, "BinarySI"))
    return f"{amount:.2f}"
