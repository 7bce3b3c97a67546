"""HAMi with a cluster of its own, for kube-schedulers elsewhere: API server and device plugins included.

Pods come with the questions of who asks; what HAMi writes to them stays here. Questions count once they are
accepted (`accept`); until then each can be taken back (`undo_to`), and `written` is what somebody else must
hear to be in the same state. A device plugin hands the cards over as soon as a pod is bound, and answers
every handshake.

Source: HAMi v2.10.0 pkg/scheduler/scheduler.go; kubernetes v1.36 pkg/registry/core/pod/storage assignPod.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.go.quote import quote
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.extender.api_client import StoredObjects, patched
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.extender.extender_answers import BindAnswer, FilterAnswer
from scheduler_core.hami.rules.constants import ASSIGNED_NODE, BIND_PHASE, SUCCESS
from scheduler_core.hami.rules.pod_request import Object, annotations_of, key_of, uid_of
from scheduler_core.hami.rules.scheduling_policies import WrongWeights
from scheduler_core.hami.rules.times import Clock
from scheduler_core.state.journal import Journal

NODE, POD, MEMORY = "Node", "Pod", "Memory"
_ACCEPTED_KINDS = (NODE, POD, "ResourceQuota")
BEST = 10
"""The points of a prioritized node, of which kube-scheduler takes 0 to 10."""


class Written(NamedTuple):
    """What a question has changed: a node, a pod, or what a vendor remembers; None for what is gone."""

    kind: str
    key: str
    document: Any


class ServedHami:
    """One HAMi and its cluster. `clock` is in nanoseconds since 1970; handshakes are judged at `start`."""

    def __init__(
        self, items: Iterable[Object], configuration: Configuration, clock: Clock, start: int
    ) -> None:
        found = [item for item in items if item.get("kind") in _ACCEPTED_KINDS]
        self._journal = Journal()
        self.objects = StoredObjects(self._journal, found)
        self.hami = Hami(self._journal, configuration, self.objects, clock)
        for item in found:
            if item["kind"] == "ResourceQuota":
                self.hami.quota_added(item)
        self._register(start)
        for pod in self.objects.pods():
            self.hami.pod_added(pod)
        self._nodes: dict[str, Object | None] = {
            node["metadata"]["name"]: node for node in self.objects.nodes()
        }
        """The nodes as of the last question that counted: a lock that was given back is no change."""
        self.accept()

    # -- being one of several ------------------------------------------------------------------------

    def hear(self, written: Iterable[Written]) -> None:
        """Take over what was written elsewhere, in its order."""
        for kind, key, document in written:
            if kind == POD:
                self._replace(key, document)
            elif kind == NODE:
                self.objects.put_node(document)
            elif document is None:
                self.hami.memory.forget(key)
            else:
                self.hami.memory.keep(key, document)
        self.accept()

    def written(self) -> list[Written]:
        """Return what has changed since the last question that counted."""
        nodes, memory = self.objects.changed_nodes(), self.hami.memory
        return [
            *(Written(NODE, key, item) for key, item in nodes.items() if item != self._nodes.get(key)),
            *(Written(POD, key, item) for key, item in self.objects.changed_pods().items()),
            *(Written(MEMORY, key, memory.get(key)) for key in self._journal.touched(memory)),
        ]

    def accept(self) -> None:
        """Let what has changed count."""
        self._nodes.update(self.objects.changed_nodes())
        self._journal.forget()

    def mark(self) -> int:
        """Return the present point, for `undo_to`; none is left of it once something is accepted."""
        return self._journal.mark()

    def undo_to(self, mark: int) -> None:
        """Take back what has changed since the mark."""
        self._journal.undo_to(mark)

    def undo(self) -> None:
        """Take back what has changed since the last question that counted."""
        self._journal.undo_to(0)

    @property
    def pod_count(self) -> int:
        """How many pods the cluster has."""
        return self.objects.pod_count

    # -- questions that change something ---------------------------------------------------------------

    def filter(self, pod: Object, node_names: Sequence[str]) -> FilterAnswer:
        """Choose a node and cards for a pod as its sender has it now: of an earlier try nothing is left."""
        key = key_of(pod)
        self._replace(key, pod)
        answer = self.hami.filter(pod, node_names)
        self._replace(key, self.objects.pod(key))
        return answer

    def bind(self, pod_key: str, uid: str, node_name: str) -> BindAnswer:
        """Bind a pod that was filtered: lock the node, assign the pod, hand the cards over, unlock."""
        answer = self.hami.bind(pod_key, uid, node_name)
        if answer.error:
            return answer
        pod = self.objects.pod(pod_key)
        assert pod is not None, "HAMi binds only pods that it finds"
        refusal = _refusal(pod, uid)
        if refusal:
            return self.hami.bind_failed(pod_key, node_name, refusal)
        running = {**(pod.get("status") or {}), "phase": "Running"}
        bound = {**pod, "spec": {**pod["spec"], "nodeName": node_name}, "status": running}
        self._replace(pod_key, patched(bound, {BIND_PHASE: SUCCESS}))
        self.hami.allocated(bound, node_name)
        return answer

    def delete(self, pod_key: str) -> None:
        """Hear that a pod is no more."""
        if self.objects.pod(pod_key) is not None:
            self._replace(pod_key, None)

    # -- questions that change nothing -----------------------------------------------------------------

    def prioritize(self, pod: Object, node_names: Sequence[str]) -> list[dict[str, Any]]:
        """Return the HostPriorityList: all points for the node that the filter has chosen."""
        known = self.objects.pod(key_of(pod))
        chosen = annotations_of(known).get(ASSIGNED_NODE) if known is not None else None
        return [{"Host": name, "Score": BEST if name == chosen else 0} for name in node_names]

    def preempt(self, pod: Object, candidates: Mapping[str, Sequence[str]]) -> list[str]:
        """Return the nodes on which the pod fits once the victims, given by UID, have left."""
        if not self.hami.ask(pod).asks_for_cards:
            return list(candidates)
        wanted = {uid for uids in candidates.values() for uid in uids} | {uid_of(pod)}
        known = {uid: other for other in self.objects.pods() if (uid := uid_of(other)) in wanted}
        return [node for node, uids in candidates.items() if self._fits_without(pod, node, uids, known)]

    def _fits_without(self, pod: Object, node: str, uids: Sequence[str], known: Mapping[str, Object]) -> bool:
        mark = self._journal.mark()
        try:
            for uid in (*uids, uid_of(pod)):
                if uid in known:
                    self.hami.pod_deleted(known[uid])
            placement = self.hami.preview(pod, node)
            return placement is not None and placement.devices is not None
        except WrongWeights:
            return False
        finally:
            self._journal.undo_to(mark)

    # -- the cluster ---------------------------------------------------------------------------------

    def _replace(self, key: str, document: Object | None) -> None:
        """Let a pod be this document; HAMi hears that the one before is gone, and of the new one."""
        before = self.objects.pod(key)
        if document is None:
            self.objects.delete_pod(key)
        elif document is not before:
            self.objects.put_pod(document)
        if before is not None and document is not None:
            self.hami.pod_replaced(before, document)
        elif before is not None:
            self.hami.pod_deleted(before)
        elif document is not None:
            self.hami.pod_added(document)

    def _register(self, start: int) -> None:
        for node in self.objects.nodes():
            answers = self.hami.answers_to_handshakes(node, start)
            self.objects.patch_node(node["metadata"]["name"], answers)
        self.hami.register()


def _refusal(pod: Object, uid: str) -> str:
    """Return why an API server doesn't bind the pod, empty if it does."""
    name, node = pod["metadata"]["name"], pod["spec"].get("nodeName")
    reason = ""
    if uid and uid != uid_of(pod):
        reason = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {uid_of(pod)}"
    elif pod["metadata"].get("deletionTimestamp") is not None:
        reason = f"pod {name} is being deleted, cannot be assigned to a host"
    elif node:
        reason = f"pod {name} is already assigned to node {quote(node)}"
    return f"Operation cannot be fulfilled on pods/binding {quote(name)}: {reason}" if reason else ""
