"""The pods that are to fit: who they are, and the edits that change what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from scheduler_core.objects.amounts.quantity import counts_bytes, parse_quantity
from scheduler_core.objects.identity import is_active, labels_of, name_of, namespace_of, spec_of, uid_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.schedulers.registry import card_wishes
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo
from scheduler_core.world.edits.new_template import why_kept
from scheduler_core.world.fitting.results import Edit
from scheduler_core.world.trials.trial_result import TriedPod
from scheduler_core.world.trials.warm_world import WarmWorld

Object = dict[str, Any]
_WITH_TEMPLATE = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET)
"""Workloads whose controller makes pods anew of a changed template: at once, or once they are deleted."""
_MEBI = 1024 * 1024


def grain_of(resource: str) -> tuple[int, str]:
    """Return in which steps an amount is changed, in the units of the log, and that unit."""
    if resource == "cpu":
        return 1, "m"
    return (_MEBI, "bytes") if counts_bytes(resource) else (1, "")


def quantity_text(resource: str, amount: int) -> str:
    """Return an amount in the units of the log as Kubernetes writes it."""
    if resource == "cpu":
        return f"{amount}m"
    if counts_bytes(resource) and amount % _MEBI == 0:
        return f"{amount // _MEBI}Mi"
    return str(amount)


def amount_of(resource: str, text: Any) -> int:
    """Return what Kubernetes writes as an amount in the units of the log. Raises QuantityError."""
    quantity = parse_quantity(text)
    return quantity.milli_value() if resource == "cpu" else quantity.value()


class Wanted:
    """Pods, by uid, that are to have a node: those that were asked for, and all of their workload."""

    def __init__(self, world: WarmWorld, uids: Iterable[str]) -> None:
        """Look them up. Raises KeyError for a pod that the world does not have."""
        self.world = world
        asked = list(dict.fromkeys(uids))
        if not asked:
            raise ValueError("no pod is asked for")
        keys = {world.simulation.workload_of(uid) for uid in asked}
        self.workload = keys.pop() if len(keys) == 1 else ""
        of_workload = [] if self.owner is None else world.objects.pods_of(self.owner)
        others = [uid_of(pod) for pod in of_workload if is_active(pod)]
        self.uids = list(dict.fromkeys([*asked, *others]))
        """Of all pods whose places are counted."""
        self.pods = [world.objects.pods_with_uid(uid)[0] for uid in asked]
        self.first = self.pods[0]

    @cached_property
    def owner(self) -> Object | None:
        """The workload that all are of, where it is known."""
        return self.object_of(self.workload)

    def object_of(self, workload: str) -> Object | None:
        """Return a workload by `Kind/namespace/name`, None where it isn't known."""
        if not workload:
            return None
        kind, namespace, name = workload.split("/", 2)
        cluster = self.world.objects
        found = cluster.find(cluster.kind_named(kind), namespace, name)
        return found[-1] if found else None

    @property
    def name(self) -> str:
        """The workload, or the first pod as `namespace/name`."""
        return self.workload or f"{namespace_of(self.first)}/{name_of(self.first)}"

    @property
    def has_template(self) -> bool:
        """Whether their workload's template is known and can be changed."""
        if self.owner is None or kind_of(self.owner) not in _WITH_TEMPLATE:
            return False
        return bool(((spec_of(self.owner).get("template") or {}).get("spec") or {}).get("containers"))

    @property
    def spec(self) -> Object:
        """The spec of one of them."""
        return spec_of(self.first)

    @property
    def labels(self) -> dict[str, str]:
        """The labels of one of them."""
        return labels_of(self.first)

    @property
    def priority(self) -> int:
        """The highest priority among them."""
        simulation = self.world.simulation
        infos, rows = simulation.cluster.pods.infos, simulation.cluster.pods.by_uid
        return max(infos[rows[uid_of(pod)]].priority for pod in self.pods)

    def counts(self, pod: TriedPod) -> bool:
        """Return whether a pod of a trial is one of them, or in the place of one."""
        return self.names(pod.pod.uid, pod.workload)

    def names(self, uid: str, workload: str) -> bool:
        """Return whether a pod of this workload is one of them, or in the place of one."""
        return uid in self._known or (bool(self.workload) and workload == self.workload)

    def near(self, state: ClusterState) -> Iterator[PodInfo]:
        """Yield the pods of a cluster that may be ones, as far as is known without their workloads."""
        rows, namespace = state.pods.by_uid, self.workload.split("/")[1] if self.workload else ""
        if not namespace:
            found = (state.pods.infos[rows[uid]] for uid in self.uids if uid in rows)
            return (one for one in found if one.row not in state.gone.values)
        return (one for one in state.present() if one.namespace == namespace or one.uid in self._known)

    def has_node(self, uid: str) -> bool:
        """Return whether one of them has a node before any change."""
        state = self.world.simulation.cluster
        return bool(state.node_of(state.pods.by_uid[uid]))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.uids)

    # -- what changes ----------------------------------------------------------------------------------

    @cached_property
    def card_wishes(self) -> dict[str, str]:
        """The annotations that all of them have, and that say which cards they want."""
        known = [pod["metadata"].get("annotations") or {} for pod in self.pods]
        return {
            key: text
            for key, text in sorted(known[0].items())
            if key in card_wishes() and all(one.get(key) == text for one in known)
        }

    def patched(self, patch: Object) -> list[Edit]:
        """Return the edits that merge this into the specs of all of them.

        Pods that are made anew of the template want the same cards, also where it lacks their annotations.
        """
        if self.has_template:
            assert self.owner is not None
            own = {key: text for key, text in self.card_wishes.items() if self._of_template.get(key) != text}
            template = {"metadata": {"annotations": own}, "spec": patch} if own else {"spec": patch}
            return [self.patched_object(self.owner, {"spec": {"template": template}}), *self._deleted()]
        return [self.patched_object(pod, {"spec": patch}) for pod in self.pods]

    def without_wish(self, key: str) -> list[Edit]:
        """Return the edits that take an annotation from all of them.

        Pods that have it and not of their template are changed as they stand.
        """
        patch: Object = {"metadata": {"annotations": {key: None}}}
        if self.has_template and key in self._of_template:
            assert self.owner is not None
            return [self.patched_object(self.owner, {"spec": {"template": patch}}), *self._deleted()]
        return [self.patched_object(pod, patch) for pod in self.pods]

    def _deleted(self) -> list[Edit]:
        """Return the edit that deletes all without a node, where only that gives them a new template."""
        if self.owner is None or not why_kept(self.owner):
            return []
        waiting = (uid for uid in self.uids if not self.has_node(uid))
        names = [name_of(self.world.objects.pods_with_uid(uid)[0]) for uid in waiting]
        given = {"kind": "Pod", "namespace": namespace_of(self.owner), "names": names}
        return [{"op": "delete", **given}] if names else []

    @property
    def _of_template(self) -> dict[str, str]:
        """The annotations of their workload's template."""
        template = spec_of(self.owner or {}).get("template") or {}
        return (template.get("metadata") or {}).get("annotations") or {}

    @staticmethod
    def patched_object(document: Object, patch: Object) -> Edit:
        """Return the edit that merges a patch into an object."""
        metadata = document["metadata"]
        edit = {"op": "patch", "kind": str(kind_of(document)), "name": metadata["name"], "patch": patch}
        return {**edit, "namespace": namespace_of(document)} if metadata.get("namespace") else edit

    def asking(self, resource: str, amount: int) -> list[Edit]:
        """Return the edits with which the container that asks for most asks for this much.

        Of whatever can't be overcommitted the limit is the same.
        """
        container = self.container_of(resource)
        assert container is not None
        if not self.has_template:
            return [
                self.patched_object(
                    pod, {"spec": {"containers": _asking(pod["spec"], container, resource, amount)}}
                )
                for pod in self.pods
            ]
        assert self.owner is not None
        template = spec_of(self.owner)["template"]["spec"]
        return self.patched({"containers": _asking(template, container, resource, amount)})

    def container_of(self, resource: str) -> str | None:
        """Return the container that asks for most of a resource, None where nobody asks for any."""
        asked = {one["name"]: _asked(one, resource) for one in self.spec.get("containers") or ()}
        most = max(asked.values(), default=0)
        return next((name for name, amount in asked.items() if amount == most), None) if most else None

    def asked(self, resource: str) -> int:
        """Return how much the container asks for that asks for most."""
        return max((_asked(one, resource) for one in self.spec.get("containers") or ()), default=0)

    def resources(self) -> list[str]:
        """Return what their containers ask for, by name."""
        parts = (one.get("resources") or {} for one in self.spec.get("containers") or ())
        names = {name for part in parts for kind in ("requests", "limits") for name in part.get(kind) or {}}
        return sorted(names)


def _asked(container: Object, resource: str) -> int:
    resources = container.get("resources") or {}
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    return amount_of(resource, requests.get(resource, limits.get(resource)))


def _asking(spec: Object, container: str, resource: str, amount: int) -> list[Object]:
    return [
        _with_amount(one, resource, amount) if one["name"] == container else one
        for one in spec.get("containers") or ()
    ]


def _with_amount(container: Object, resource: str, amount: int) -> Object:
    resources = container.get("resources") or {}
    requests, limits = dict(resources.get("requests") or {}), dict(resources.get("limits") or {})
    text = quantity_text(resource, amount)
    is_counted_alike = resource in limits and resource not in ("cpu", "memory", "ephemeral-storage")
    if is_counted_alike:
        limits[resource] = text
    if resource in requests or not is_counted_alike:
        requests[resource] = text
    changed = {**resources, "requests": requests, "limits": limits}
    return {**container, "resources": {key: value for key, value in changed.items() if value}}
