"""HAMi's scheduler in process: webhook, filter and bind, and what it hears of pods, nodes and quotas.

It never asks who calls: a kube-scheduler of ours, an HTTP request, or a recording.

Source: HAMi v2.10.0 pkg/scheduler/scheduler.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.devices.all_vendors import make_vendors
from scheduler_core.hami.extender.api_client import Objects, patched
from scheduler_core.hami.extender.device_requests import pod_requests
from scheduler_core.hami.extender.extender_answers import (
    BINDING_FAILED,
    BINDING_SUCCEEDED,
    NORMAL,
    WARNING,
    BindAnswer,
    DryRunAnswer,
    FilterAnswer,
    Told,
)
from scheduler_core.hami.extender.lock import LockError, NodeLocks, wanting_lock
from scheduler_core.hami.extender.placement_cache import UNREGISTERED, Kept, Question
from scheduler_core.hami.extender.placing import Placement, place
from scheduler_core.hami.extender.pod_manager import Pods
from scheduler_core.hami.extender.registration import idle_node, register_node
from scheduler_core.hami.rules.cards import Allocated
from scheduler_core.hami.rules.charging import count_usage
from scheduler_core.hami.rules.constants import (
    ALLOCATING,
    ASSIGNED_NODE,
    ASSIGNED_TIME,
    BIND_PHASE,
    BIND_TIME,
    SPREAD,
)
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.holdings import collapse
from scheduler_core.hami.rules.pod_request import Ask, Object, key_of, make_ask, namespace_of, uid_of
from scheduler_core.hami.rules.quota import Quotas
from scheduler_core.hami.rules.scheduling_policies import WrongWeights, read_weights
from scheduler_core.hami.rules.times import Clock, date_time, unix
from scheduler_core.hami.rules.usage import Inventory
from scheduler_core.hami.rules.vendor_memory import Memory
from scheduler_core.hami.webhook.webhook import Answer, answer
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal

_REPORTED = "Reported"


class Hami(Checkpointed):
    """A HAMi scheduler. All its changes go through the journal; `clock` is in nanoseconds since 1970."""

    remembered = {"inventory": "inventory", "quotas": "quotas", "memory": "memory"}

    def __init__(
        self, journal: Journal, configuration: Configuration, objects: Objects, clock: Clock
    ) -> None:
        self.configuration = configuration
        self.objects = objects
        self.quotas = Quotas(journal)
        self.memory = Memory(journal)
        self.vendors = make_vendors(configuration, self.quotas, self.memory)
        self.inventory = Inventory(journal)
        self._clock = clock
        self.kept = Kept(self.inventory, self.vendors, self.quotas, self.memory)
        self._locks = NodeLocks(objects, configuration.node_lock_timeout)
        self._by_key = [vendor for _, vendor in sorted(self.vendors.items())]
        self._pods = Pods(self.inventory, self.quotas, self.vendors)

    # -- webhook, filter and bind --------------------------------------------------------------------

    def webhook(self, pod: Object) -> Answer:
        """Return what the webhook answers to a pod that is created."""
        return answer(pod, self.vendors.values(), self.quotas, self.configuration)

    def ask(self, pod: Object) -> Ask:
        """Return what a pod asks for."""
        configuration = self.configuration
        requests = pod_requests(pod, self.vendors)
        return make_ask(
            pod, requests, configuration.gpu_scheduler_policy, configuration.node_scheduler_policy
        )

    def filter(self, pod: Object, node_names: Sequence[str]) -> FilterAnswer:
        """Choose a node and cards for a pod, among equals the first by name, and note them on the pod."""
        ask = self.ask(pod)
        if not ask.asks_for_cards:
            return FilterAnswer(node_names)
        self._pods.release(ask.uid, ask.namespace)
        try:
            question = self.kept.question(ask, read_weights(ask.annotations))
        except WrongWeights as error:
            fault = f"calcScore failed {error} for pod {ask.name}"
            answered = FilterAnswer(None, fault, str(error))
        else:
            answered = self._choose(question, node_names)
        self.inventory.tell()
        return answered

    def preview(self, pod: Object, node_name: str) -> Placement | None:
        """Return how a pod would be placed on a node; None if it asks for no cards.

        What it was given before is given back, as in a filter; nothing else changes. Raises WrongWeights.
        """
        ask = self.ask(pod)
        if not ask.asks_for_cards:
            return None
        self._pods.release(ask.uid, ask.namespace)
        return self.kept.exactly(self.kept.question(ask, read_weights(ask.annotations)), node_name)

    def fitting(self, pod: Object, node_names: Sequence[str]) -> Sequence[str]:
        """Return on which of the nodes a pod that holds no cards would get some; note nothing."""
        ask = self.ask(pod)
        if not ask.asks_for_cards:
            return node_names
        try:
            question = self.kept.question(ask, read_weights(ask.annotations))
        except WrongWeights:
            return []
        return self.kept.judged(question, node_names).fitting()

    def judge(self, pod: Object, node_names: Sequence[str]) -> tuple[Question, Mapping[str, str]] | None:
        """Return what a pod asks and why it fits on some of the nodes not; None if it asks for no cards.

        What it was given before is given back, as in a filter; nothing else changes. Raises WrongWeights.
        """
        ask = self.ask(pod)
        if not ask.asks_for_cards:
            return None
        self._pods.release(ask.uid, ask.namespace)
        question = self.kept.question(ask, read_weights(ask.annotations))
        return question, self.kept.judged(question, node_names).reasons

    def let_go(self, pod: Object) -> None:
        """Take the cards that a pod holds away from it."""
        self._pods.release(uid_of(pod), namespace_of(pod))
        self.inventory.tell()

    def dry_run(self, pod: Object, nodes: Sequence[Object]) -> DryRunAnswer:
        """Choose among nodes that are given as objects, as if all their cards were idle; nothing is noted."""
        ask = self.ask(pod)
        if not ask.asks_for_cards:
            return DryRunAnswer()
        try:
            weights = read_weights(ask.annotations)
        except WrongWeights as error:
            return DryRunAnswer(error=f"calcScore failed {error} for pod {ask.name}")
        failed: dict[str, str] = {}
        fitting: list[tuple[float, Object]] = []
        for item in sorted(nodes, key=lambda item: str(item["metadata"]["name"])):
            node = idle_node(item, self.vendors.values(), self._clock())
            found = UNREGISTERED
            if node is not None:
                found = place(ask, node, count_usage(node.cards, ()), self.vendors, weights)
            if found.devices is None:
                failed[item["metadata"]["name"]] = found.reason
            else:
                fitting.append((found.score, item))
        choose = min if ask.node_policy == SPREAD else max
        best = choose(fitting, key=lambda pair: pair[0])[1] if fitting else None
        return DryRunAnswer(best, failed)

    def bind(self, pod_key: str, uid: str, node_name: str) -> BindAnswer:
        """Lock the node for a pod and note on the pod that it is bound; who asks then binds it."""
        pod, node = self.objects.pod(pod_key), self.objects.node(node_name)
        if pod is None:
            self._pods.release(uid, pod_key.partition("/")[0])
            self.inventory.tell()
            return BindAnswer(f'pod "{pod_key.partition("/")[2]}" not found')
        if node is None:
            self._pods.release(uid_of(pod), namespace_of(pod))
            self.inventory.tell()
            told = _bind_warning(f"failed to get node {node_name}")
            return BindAnswer(f'node "{node_name}" not found', events=[told])
        now = self._clock()
        try:
            self._locks.acquire(node_name, pod, self._by_key, now)
        except LockError as error:
            self._locks.release(node_name, pod, self._by_key)
            return BindAnswer(str(error), events=[_bind_warning(str(error))])
        annotations = {BIND_PHASE: ALLOCATING, BIND_TIME: unix(now)}
        self.objects.patch_pod(pod_key, annotations)
        message = f"Successfully binding node [{node_name}] to {pod_key}"
        return BindAnswer("", annotations, [Told(NORMAL, BINDING_SUCCEEDED, message)])

    def bind_failed(self, pod_key: str, node_name: str, message: str) -> BindAnswer:
        """Give the node's locks back because the API server didn't take the binding."""
        pod = self.objects.pod(pod_key)
        if pod is not None:
            self._locks.release(node_name, pod, self._by_key)
        return BindAnswer(message, events=[_bind_warning(message)])

    # -- what it hears -------------------------------------------------------------------------------

    def register(self) -> None:
        """Look at all nodes, as HAMi does every 15 seconds and when nodes come or go."""
        for node in list(self.objects.nodes()):
            self._register(node)
        self.inventory.tell()

    def register_one(self, name: str) -> None:
        """Look at one node."""
        node = self.objects.node(name)
        if node is not None:
            self._register(node)
        self.inventory.tell()

    def node_deleted(self, name: str) -> None:
        """Forget a node that is gone; pods keep what they hold of it."""
        self.inventory.remove_node(name)
        for vendor in self.vendors.values():
            vendor.forget_node(name)
        self.inventory.tell()

    def pod_added(self, pod: Object) -> None:
        """Hear of a pod: what its annotations say it was given is counted."""
        self._pods.added(pod)
        self.inventory.tell()

    def pod_updated(self, pod: Object) -> None:
        """Hear of a pod that has changed: it may be over, or through with its init containers."""
        self._pods.updated(pod)
        self.inventory.tell()

    def pod_replaced(self, before: Object, after: Object) -> None:
        """Hear that a pod is no more, and that there is another or the same anew."""
        self._pods.replaced(before, after)
        self.inventory.tell()

    def pod_deleted(self, pod: Object) -> None:
        """Hear of a pod that is no more: what it held is free."""
        self._pods.deleted(pod)
        self.inventory.tell()

    def quota_added(self, item: Object) -> None:
        """Hear of a ResourceQuota."""
        self.quotas.add_object(item)

    def quota_updated(self, old: Object, new: Object) -> None:
        """Hear of a ResourceQuota that has changed."""
        self.quotas.remove_object(old)
        self.quotas.add_object(new)

    def quota_deleted(self, item: Object) -> None:
        """Hear of a ResourceQuota that is no more."""
        self.quotas.remove_object(item)

    # -- the other side ------------------------------------------------------------------------------

    def answers_to_handshakes(self, node: Object, start: int) -> dict[str, str | None]:
        """Return what a node's device plugins write: all answer but those that were given up at `start`."""
        check, now = NodeCheck(node, start), date_time(self._clock())
        keys = {vendor.handshake: vendor.count_name for vendor in self._by_key if vendor.handshake}
        return {
            key: f"{_REPORTED}_{now}"
            for key, count_name in keys.items()
            if key in check.annotations and check.shake_hands(key, count_name).healthy
        }

    def allocated(self, pod: Object, node_name: str) -> None:
        """Release what a pod's bind has locked: its device plugin has handed the cards over."""
        self._locks.release(node_name, pod, wanting_lock(pod, self._by_key))

    # -- checkpoints ---------------------------------------------------------------------------------

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        super().load(data)
        self.kept.clear()

    # -- parts of a filter ---------------------------------------------------------------------------

    def _choose(self, question: Question, node_names: Sequence[str]) -> FilterAnswer:
        ask = question.ask
        judged = self.kept.judged(question, node_names)
        if not judged.fit_count:
            return FilterAnswer(judged=judged)
        score, best = judged.best(lowest=ask.node_policy == SPREAD)
        chosen = best[0]
        given = self.kept.given(question, chosen)
        annotations = self._annotations(ask, chosen, given)
        labels = {ASSIGNED_NODE: chosen}
        self._pods.hold(ask.pod, chosen, collapse(given, ask.init_count))
        self.objects.patch_pod(key_of(ask.pod), annotations, labels)
        self._pods.updated(patched(ask.pod, annotations, labels))
        return FilterAnswer(
            [chosen],
            judged=judged,
            best=best,
            score=score,
            chosen=chosen,
            devices={key: pieces for key, pieces in given.items() if key in self.vendors},
            annotations=annotations,
            labels=labels,
        )

    def _annotations(self, ask: Ask, node: str, devices: Allocated) -> dict[str, str]:
        now = self._clock()
        annotations = {ASSIGNED_NODE: node, ASSIGNED_TIME: unix(now)}
        for key, pieces in devices.items():
            vendor = self.vendors.get(key)
            if vendor is not None and pieces:
                vendor.annotate(ask, annotations, pieces, now)
        return annotations

    def _register(self, node: Object) -> None:
        patch = register_node(node, self.vendors.values(), self.inventory, self._clock())
        self.objects.patch_node(node["metadata"]["name"], patch)


def _bind_warning(message: str) -> Told:
    return Told(WARNING, BINDING_FAILED, message)
