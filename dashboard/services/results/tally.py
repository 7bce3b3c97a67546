"""Where the pods of a run are while its decisions go by, and all that its outcome counts of them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from dashboard.services.results.by_chance import ByChanceTally
from dashboard.services.results.by_queue import QueueTally
from dashboard.services.results.by_scheduler import SchedulerTally, left_alone
from dashboard.services.results.by_workload import WorkloadTally
from dashboard.services.results.causes import Causes
from dashboard.services.results.evictions import EvictionTally
from dashboard.services.results.failures import Failures
from dashboard.services.results.incomplete import LaterEdits
from dashboard.services.results.moves import Moves, own_workload
from dashboard.services.results.requested import Requested
from dashboard.services.results.taken_down import TakenDown
from dashboard.services.results.utilisation import UtilisationTally
from dashboard.services.results.wanted import Wanted, group_of
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import BelowReplicas, Failure, LeftAlone, NewNodes
from scheduler_core.events.decisions import Decision
from scheduler_core.events.effects import (
    Arrived,
    Dequeued,
    Effect,
    Entered,
    Evicted,
    Left,
    Placed,
    Unplaced,
    effects,
)
from scheduler_core.events.sessions import Placement, SessionClosed, SessionsIdle
from scheduler_core.events.state import GATED, PodRow, RunState, waits_for_session

ADDING_NODES = ("clone-node", "add-nodes")
"""Edits whose `nodes` are nodes that they added."""


class Tally:
    """The pods by uid, and the counts.

    `requested` is what is asked of nodes, to which somebody else tells the same decisions.
    """

    def __init__(self, base: RunState, requested: Requested) -> None:
        pods = base.pods()
        self.last_seq, self.last_time = base.at, base.time
        self.rows: dict[str, PodRow] = {pod.uid: pod for pod in pods}
        self.nodes: dict[str, str] = {pod.uid: pod.node for pod in pods if pod.node}
        self.present: dict[str, None] = dict.fromkeys(self.rows)
        self.queued = {uid for uid, _ in base.waiting()}
        self.gated = {uid for uid, part in base.waiting() if part == GATED}
        self.leaving: set[str] = set()
        self.wanted = Wanted(pods)
        self.schedulers = SchedulerTally(base)
        self.queues = QueueTally(base)
        self.of_sessions = base.of_sessions()
        self.requested = requested
        self.utilisation = UtilisationTally(requested)
        self.later = LaterEdits()
        self.taken_down = TakenDown()
        self.counts: Counter[str] = Counter()
        self.tries: Counter[str] = Counter()
        self.sessions = 0
        self.workloads = WorkloadTally()
        self.evictions = EvictionTally()
        self.by_chance = ByChanceTally()
        self.failures = Failures()
        self.moves = Moves(pods)
        self.causes = Causes()

    def follow(self, decision: Decision) -> None:
        """Count a decision of which nobody else tells `requested`."""
        self.requested.take(decision.changes)
        self.add(decision, list(effects(decision.changes)))

    def add(self, decision: Decision, happened: Sequence[Effect]) -> None:
        """Count a decision and carry out its changes; `happened` is what they mean."""
        self.last_seq, self.last_time = decision.seq, decision.time
        self.later.follow(decision, self.leaving)
        (self.tries if isinstance(decision, Placement) else self.counts)[decision.outcome] += 1
        if isinstance(decision, SessionsIdle):
            self.sessions = max(self.sessions, decision.last)
        elif isinstance(decision, SessionClosed):
            self.sessions = max(self.sessions, decision.session)
        self.failures.add(decision)
        self.by_chance.add(decision)
        self.causes.add(decision)
        self.moves.add(decision, happened)
        self.schedulers.add(decision, happened)
        self.queues.add(decision, happened)
        self.taken_down.add(decision, self.nodes, self.leaving)
        victims = [effect.pod for effect in happened if isinstance(effect, Evicted)]
        self.evictions.add(decision, victims, self.rows, self.nodes, self.leaving)
        for effect in happened:
            self._carry_out(effect)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Arrived(row):
                self._arrive(row)
            case Entered(pod, part):
                self.queued.add(pod)
                self.gated |= {pod} if part == GATED else set()
            case Dequeued(pod, part) if part == GATED:
                self.gated.discard(pod)
            case Placed(pod, node, _):
                self.nodes[pod] = node
                self.workloads.place(self.rows[pod])
                self.failures.forget(pod)
            case Unplaced(pod):
                self.nodes.pop(pod, None)
                self.workloads.place(self.rows[pod], -1)
            case Evicted(pod):
                self.workloads.evict(self.rows[pod])
                self.leaving.add(pod)
                self.later.forget(pod)
            case Left(pod):
                self.later.forget(pod)
                self.nodes.pop(pod, None)
                self.present.pop(pod, None)
                self.wanted.leave(self.rows[pod], pod in self.leaving or pod in self.taken_down.missed)

    def _arrive(self, row: PodRow) -> None:
        self.rows[row.uid] = row
        self.present[row.uid] = None
        if row.node:
            self.nodes[row.uid] = row.node
        if waits_for_session(row, self.of_sessions):
            self.queued.add(row.uid)
        self.wanted.arrive(row, self.rows)
        self.evictions.arrive(row)

    def pending_pods(self) -> list[PodRow]:
        """Return the pods that wait for a node of one of the run's schedulers."""
        return [
            self.rows[uid]
            for uid in self.present
            if uid not in self.nodes and (uid in self.queued or uid in self.failures)
        ]

    def left_alone(self) -> list[LeftAlone]:
        """Return how many pods wait for each scheduler that the run does not play."""
        return left_alone(Counter(pod.scheduler for pod in self._waiting()), self.schedulers.owners)

    def left_out(self) -> int:
        """Return how many pods wait that a scheduler of the run would take, and that it never sees."""
        served = sum(pod.scheduler in self.schedulers.owners for pod in self._waiting())
        return max(0, served - len(self.pending_pods()))

    def unplayed(self) -> Counter[str]:
        """Return how many pods of each workload these are."""
        pending = {pod.uid for pod in self.pending_pods()}
        served = (pod for pod in self._waiting() if pod.scheduler in self.schedulers.owners)
        return Counter(own_workload(pod) for pod in served if pod.uid not in pending)

    def unserved(self) -> list[PodRow]:
        """Return the pods that wait for a scheduler that the run does not play."""
        return [pod for pod in self._waiting() if pod.scheduler not in self.schedulers.owners]

    def _waiting(self) -> list[PodRow]:
        waiting = self.present.keys() - self.nodes.keys() - self.leaving
        return [row for uid in waiting if not (row := self.rows[uid]).terminating]

    def staying(self) -> list[str]:
        """Return the uids of the pods that are there and aren't on their way out."""
        return [uid for uid in self.present if uid not in self.leaving and not self.rows[uid].terminating]

    def new_nodes(self, results: Iterable[EditResult]) -> list[NewNodes]:
        """Return how many pods the nodes have got that edits added; those of DaemonSets aren't counted."""
        pods = Counter(self.nodes[uid] for uid in self.nodes if not self.rows[uid].comes_back)
        return [
            {
                "edit": result["index"],
                "nodes": len(names),
                "pods": sum(pods[name] for name in names),
            }
            for result in results
            if result["op"] in ADDING_NODES and (names := result.get("nodes"))
        ]

    def below_replicas(self) -> list[BelowReplicas]:
        """Return the workloads of which fewer pods run at the end than there were pods at the start."""
        running = Counter(group_of(self.rows[uid]) for uid in self.nodes if uid not in self.leaving)
        return self.wanted.below(running, self.queues.is_over)

    def why_pending(self) -> list[Failure]:
        """Return why pods are pending; `seq` is null of those that nobody looks at."""
        return self.failures.folded(self.pending_pods(), self.gated, self.queues.why_unasked)
