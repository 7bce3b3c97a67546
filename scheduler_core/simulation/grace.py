"""The grace driver: victims stay as terminating pods until nothing else can be tried.

They go on taking room. When the queue is empty, all of them vanish together and everybody set aside enters
again; the preemptor itself enters at once.

Source: the driver `grace` of the recorded cases, docs/semantics.md "Time".
"""

from dataclasses import dataclass, field

from scheduler_core import events
from scheduler_core.events import Change
from scheduler_core.simulation.driver import InstantDriver, Look, Looked


@dataclass
class GraceDriver(InstantDriver):
    """`leaving` are the victims that have not vanished, in the order in which they were marked first."""

    leaving: list[int] = field(default_factory=list)

    def apply(self, look: Look, seq: int) -> events.Attempt:
        decision = super().apply(look, seq)
        if self.queue.first() is None and not self.limit_reached:
            self._let_victims_go()
        return decision

    def _preempt(self, look: Looked) -> list[Change]:
        preemption = look.result.preemption
        assert preemption is not None
        for pod in preemption.victims:
            self._mark(pod)
        changes: list[Change] = []
        for pod in preemption.cleared:
            changes += self._nominate(pod, "")
        changes += self._nominate(look.pod, look.result.nominate or "")
        return [*changes, self._enter(look.pod, "active")]

    def _mark(self, pod: int) -> None:
        if pod not in self.leaving:
            self.state.terminate(pod)
            self.leaving.append(pod)
            self.state.record(lambda: self.leaving.remove(pod))

    def _let_victims_go(self) -> None:
        waiting, leaving = self.queue.unschedulable(), list(self.leaving)
        if not waiting or not leaving:
            return
        for pod in leaving:
            self.evict(pod)
        for pod in waiting:
            self._enter(pod, "active")
        self.leaving.clear()
        self.state.record(lambda: self.leaving.extend(leaving))
