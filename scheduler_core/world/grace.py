"""The grace driver: victims stay as terminating pods until nothing else can be tried.

They go on taking room. When the queue is empty, all of them are gone together and everybody set aside enters
again; the preemptor itself enters at once.

Source: the driver `grace` of the recorded cases, docs/semantics.md "Time". When a controller replaces a
terminating pod: kubernetes pkg/controller/controller_utils.go IsPodActive, pkg/controller/statefulset.
"""

from dataclasses import dataclass, field

from scheduler_core.events import decisions as events
from scheduler_core.events.decisions import Change
from scheduler_core.kube import attempt_event
from scheduler_core.kube.driver import Looked
from scheduler_core.objects.identity import is_recreated, keeps_name
from scheduler_core.world.controllers import RecreatingDriver


@dataclass
class GraceDriver(RecreatingDriver):
    """`leaving` are the victims that have not gone yet, in the order in which they were evicted first."""

    leaving: list[int] = field(default_factory=list)

    def is_leaving(self, pod: int) -> bool:
        return pod in self.leaving

    def evict(self, pod: int) -> Change:
        """Give the pod a deletion timestamp."""
        node, was = self._node_name(pod), bool(self.state.pods.terminating[pod])
        self.leaving.append(pod)
        self.state.record(lambda: self.leaving.remove(pod))
        return events.Terminate(self._uid(pod), node, self.state.terminate(pod), was)

    def recreate(self, pod: int) -> list[Change]:
        return [] if self._is_replaced_when_gone(pod) else super().recreate(pod)

    def _woken(self) -> list[int]:
        return []

    def _consequences(self, look: Looked) -> list[Change]:
        return [*super()._consequences(look), *self.settle()]

    def settle(self) -> list[Change]:
        """Let the victims go if nothing else can be tried and somebody waits for it, pod or controller."""
        if not self.leaving or self.queue.first() is not None or self.limit_reached:
            return []
        awaited = self.queue.unschedulable() or any(map(self._is_replaced_when_gone, self.leaving))
        return self._let_victims_go() if awaited else []

    def _let_victims_go(self) -> list[Change]:
        waiting, leaving = self.queue.unschedulable(), list(self.leaving)
        changes: list[Change] = [self._delete(pod) for pod in leaving]
        changes += [self._enter(pod, "active") for pod in waiting]
        for pod in leaving:
            if self._is_replaced_when_gone(pod):
                changes += super().recreate(pod)
        self.leaving.clear()
        self.state.record(lambda: self.leaving.extend(leaving))
        return changes

    def _delete(self, pod: int) -> events.Delete:
        node, start = self._node_name(pod), attempt_event.start_time(self.state, pod)
        return events.Delete(self._uid(pod), node, self.state.evict(pod), start)

    def _is_replaced_when_gone(self, pod: int) -> bool:
        """Return whether a controller waits for the pod's name to be free."""
        if self.cards is None:
            return False
        document = self.documents[self._uid(pod)]
        return is_recreated(document) and keeps_name(document)
