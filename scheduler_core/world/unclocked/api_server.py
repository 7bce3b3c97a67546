"""What binding and evicting mean where no clock moves: at once, or after a grace period.

With a grace period, victims stay as terminating pods, go on taking room, and are gone together when nothing
else can be tried.

Source: the drivers `instant` and `grace` of the recorded cases, docs/semantics.md "Time".
"""

from __future__ import annotations

from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register
from scheduler_core.world.beginning import RECORDED_EPOCH

_SECOND = 10**9


class InstantApiServer(Checkpointed):
    """Victims are gone at once. `asked_to_go` names the pods of the present decision, in order."""

    remembered = {"counts": "_counts"}

    victims_vanish = True

    def __init__(self, state: ClusterState, epoch: int = RECORDED_EPOCH) -> None:
        self.state = state
        self.asked_to_go: list[int] = []
        self.epoch = epoch
        self._counts: Register[str, int] = Register(state.journal, {"cycles": 0}.items())

    @property
    def cycles(self) -> int:
        """How many attempts there have been; pods that a gate holds count too."""
        return self._counts.values["cycles"]

    @property
    def now(self) -> int:
        """What counts as the present instant, in nanoseconds since 1970."""
        return self.epoch + self.cycles * _SECOND

    def count_cycle(self) -> None:
        """Note that there is one attempt more."""
        self._counts.put("cycles", self.cycles + 1)

    def bind(self, pod: int, node: int) -> None:
        """Put the pod on the node."""
        self.state.bind(pod, node, self.now)

    def evict(self, pod: int) -> None:
        """Let the pod go."""
        self.asked_to_go.append(pod)
        self.state.evict(pod)

    def nominate(self, pod: int, node: str) -> None:
        """Write the node into the pod's status that room is made on for it."""
        self.state.note_nomination(pod, node)

    def is_leaving(self, pod: int) -> bool:
        """Return whether the pod was asked to go earlier and hasn't gone yet: here nobody stays."""
        return False


class GraceApiServer(InstantApiServer):
    """Victims stay until they are let go. `leaving` numbers them in the order in which they were asked."""

    remembered = {"leaving": "leaving"}

    victims_vanish = False

    def __init__(self, state: ClusterState, epoch: int = RECORDED_EPOCH) -> None:
        super().__init__(state, epoch)
        self.leaving: Register[int, int] = Register(state.journal)

    def evict(self, pod: int) -> None:
        self.asked_to_go.append(pod)
        self.leaving.put(pod, len(self.leaving.values))
        self.state.terminate(pod)

    def is_leaving(self, pod: int) -> bool:
        return pod in self.leaving.values

    def let_go(self) -> list[int]:
        """Let all who are leaving go, and return them."""
        gone = sorted(self.leaving.values, key=self.leaving.values.__getitem__)
        for pod in gone:
            self.leaving.drop(pod)
            self.state.remove(pod)
        return gone
