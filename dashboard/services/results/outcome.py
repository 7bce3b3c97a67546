"""What a run came to: the figures of its outcome page, computed from its log and what its edits asked for.

In go the state before the first decision, the decisions in order and the edits' results; out comes a JSON
document in which every entry that happened at a decision names its `seq`. The same function
serves a run that is still going. Units are those of the events: milli-CPU, bytes, whole units.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.queries.passed_over import PassedOver
from dashboard.services.results.by_queue import QueueTally
from dashboard.services.results.by_scheduler import SchedulerTally, left_alone
from dashboard.services.results.incomplete import LaterEdits, incomplete_edits, incomplete_later
from dashboard.services.results.requested import ALL, Requested
from dashboard.services.results.taken_down import TakenDown
from dashboard.services.results.wanted import Group, Wanted, group_of
from scheduler_core.events.decisions import Attempt, Completion, Decision, Eviction, PodRef
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
from scheduler_core.events.sessions import Gang, Placement, SessionClosed, SessionDecision, SessionsIdle
from scheduler_core.events.state import GATED, PodRow, RunState, waits_for_session
from scheduler_core.schedulers.actor import EndedBy

HELD = "Not tried: waits until its scheduling gates are removed."
PASSED_OVER = "Passed over, since the first pod of its task was refused: {}"
LISTED_PODS = 20
LISTED_CHAINS = 10
UNITS = {"cpu": "milli-CPU", "memory": "bytes", "ephemeral-storage": "bytes"}


def unserved(figures: Mapping[str, Any] | None) -> int:
    """Return how many pods wait for a scheduler that is none of the run's; nobody decides about them."""
    return sum(row["pods"] for row in (figures or {}).get("left_alone", ()))


def never_tried(figures: dict[str, Any]) -> int:
    """Return how many of the pending pods have not failed: the run stopped before it came to them."""
    failed: int = sum(row["count"] for row in figures["failures"])
    pending: int = figures["pending"]
    return max(0, pending - failed)


class Ending(NamedTuple):
    """How a run ended by itself; `until` is its clock's end in milliseconds, null where none moves."""

    by: EndedBy
    until: int | None


def outcome(
    base: RunState,
    decisions: Iterable[Decision],
    ending: Ending | None = None,
    edit_results: Iterable[dict[str, Any]] = (),
    edits: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return the figures of a run; `ending` is null of one that goes on or was cut short."""
    tally = Tally(base, Requested(base))
    for decision in decisions:
        happened = list(effects(decision.changes))
        tally.requested.take(decision.changes)
        tally.add(decision, happened)
    return outcome_document(tally, ending, edit_results, edits)


def outcome_document(
    tally: "Tally",
    ending: Ending | None,
    edit_results: Iterable[dict[str, Any]],
    edits: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return the figures as one document; see the tally's methods for what each part holds."""
    results = list(edit_results)
    left_alone = tally.left_alone()
    return {
        "left_alone": left_alone,
        "unserved": unserved({"left_alone": left_alone}),
        "left_out": tally.left_out(),
        "decisions": tally.last_seq,
        "time": tally.last_time,
        "ended_by": ending.by if ending is not None else None,
        "until": ending.until if ending is not None else None,
        "limit_reached": ending is not None and ending.by == "limit",
        "incomplete": [
            *incomplete_edits(results, tally.refused_at(), tally.later.edits),
            *incomplete_later(results, edits, tally.later, ending.until if ending is not None else None),
        ],
        "counts": dict(tally.counts),
        "tries": dict(tally.tries),
        "sessions": tally.sessions,
        "placed": sum(tally.placed.values()),
        "evicted": sum(tally.evicted.values()),
        "deleted": len(tally.taken_down.pods),
        "pending": len(tally.pending_pods()),
        "by_workload": tally.by_workload(),
        "by_queue": tally.queues.by_queue(tally.pending_pods()),
        "by_group": tally.queues.by_group(tally.pending_pods()),
        "by_scheduler": tally.schedulers.rows(tally.pending_pods()),
        "by_namespace": tally.by_namespace(),
        "below_replicas": tally.below_replicas(),
        "budgets_violated": tally.budgets_violated,
        "evictions_refused": list(tally.evictions_refused.values()),
        "first_eviction": tally.first_eviction,
        "first_unschedulable": tally.first_unschedulable,
        "failures": tally.failures(),
        "cascades": tally.cascades(),
        "utilisation": tally.utilisation(),
    }


class Tally:
    """The counts while the decisions go by, by namespace and workload.

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
        self.wanted = Wanted(pods)
        self.schedulers = SchedulerTally(base)
        self.queues = QueueTally(base)
        self.of_sessions = base.of_sessions()
        self.requested = requested
        self.before = self._amounts()
        self.later = LaterEdits()
        self.leaving: set[str] = set()
        self.taken_down = TakenDown()
        self.counts: Counter[str] = Counter()
        self.tries: Counter[str] = Counter()
        self.sessions = 0
        self.placed: Counter[Group] = Counter()
        self.evicted: Counter[Group] = Counter()
        self.budgets_violated: list[dict[str, Any]] = []
        self.evictions_refused: dict[str, dict[str, Any]] = {}
        self.first_eviction: dict[str, Any] | None = None
        self.first_unschedulable: dict[str, Any] | None = None
        self.last_failure: dict[str, tuple[int, str]] = {}
        self.passed_over = PassedOver()
        self.chain_of: dict[str, list[int]] = {}
        self.chains: list[list[int]] = []

    def add(self, decision: Decision, happened: Sequence[Effect]) -> None:
        """Count a decision and carry out its changes; `happened` is what they mean."""
        self.last_seq, self.last_time = decision.seq, decision.time
        self.later.follow(decision, self.leaving)
        (self.tries if isinstance(decision, Placement) else self.counts)[decision.outcome] += 1
        if isinstance(decision, Attempt):
            self._add_attempt(decision)
        elif isinstance(decision, SessionDecision):
            self._add_step(decision)
        elif isinstance(decision, Completion) and decision.outcome == "returned" and decision.exchanges:
            self.last_failure[decision.pod.uid] = decision.seq, decision.exchanges[-1].error or ""
        elif isinstance(decision, Eviction) and decision.outcome == "refused":
            self.evictions_refused[decision.pod.uid] = {**_named(decision), "message": decision.message}
        elif isinstance(decision, Eviction) and decision.outcome == "evicted":
            self.evictions_refused.pop(decision.pod.uid, None)
        self.schedulers.add(decision, happened)
        self.queues.add(decision, happened)
        self.taken_down.add(decision, self.nodes, self.leaving)
        victims = [effect.pod for effect in happened if isinstance(effect, Evicted)]
        if victims:
            self._add_evictions(decision, victims)
        for effect in happened:
            self._carry_out(effect)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Arrived(row):
                self.rows[row.uid] = row
                self.present[row.uid] = None
                if row.node:
                    self.nodes[row.uid] = row.node
                if waits_for_session(row, self.of_sessions):
                    self.queued.add(row.uid)
                self.wanted.arrive(row, self.rows)
                self._take_over_chain(row)
            case Entered(pod, part):
                self.queued.add(pod)
                self.gated |= {pod} if part == GATED else set()
            case Dequeued(pod, part) if part == GATED:
                self.gated.discard(pod)
            case Placed(pod, node, _):
                self.nodes[pod] = node
                self.placed[group_of(self.rows[pod])] += 1
                self.last_failure.pop(pod, None)
            case Unplaced(pod):
                self.nodes.pop(pod, None)
                self.placed[group_of(self.rows[pod])] -= 1
            case Evicted(pod):
                self.evicted[group_of(self.rows[pod])] += 1
                self.leaving.add(pod)
                self.later.forget(pod)
            case Left(pod):
                self.later.forget(pod)
                self.nodes.pop(pod, None)
                self.present.pop(pod, None)
                self.wanted.leave(self.rows[pod], pod in self.leaving or pod in self.taken_down.missed)

    def _add_attempt(self, attempt: Attempt) -> None:
        if attempt.outcome != "scheduled":
            self.last_failure[attempt.pod.uid] = (attempt.seq, attempt.message or "")
        if attempt.outcome == "unschedulable" and self.first_unschedulable is None:
            self.first_unschedulable = {**_named(attempt), "message": attempt.message}
        if attempt.preemption is None or not attempt.preemption.nominated:
            return
        for candidate in attempt.preemption.candidates:
            if candidate.node != attempt.preemption.nominated:
                continue
            for victim in candidate.victims:
                # Later attempts may name a victim that is terminating already: that evicts nobody again.
                if victim.violates_budget and victim.uid not in self.leaving:
                    name = f"{victim.namespace}/{victim.name}"
                    by = f"{attempt.pod.namespace}/{attempt.pod.name}"
                    self.budgets_violated.append(
                        {"seq": attempt.seq, "pod": name, "node": candidate.node, "by": by}
                    )

    def _add_step(self, step: SessionDecision) -> None:
        """Note a refused try at a pod, and what a session tells the pods that go on waiting."""
        self.passed_over.add(step)
        if isinstance(step, Placement) and step.outcome == "refused":
            self.last_failure[step.pod.uid] = step.seq, step.message or ""
            if self.first_unschedulable is None:
                self.first_unschedulable = {**_named(step), "message": step.message}
        elif isinstance(step, SessionsIdle):
            self.sessions = max(self.sessions, step.last)
        elif isinstance(step, SessionClosed):
            self.sessions = max(self.sessions, step.session)
            for told in step.messages:
                self.last_failure[told.pod.uid] = step.seq, told.message

    def _add_evictions(self, decision: Decision, victims: list[str]) -> None:
        """Note the first eviction, and the chain of evictions that led to this one.

        A chain grows when a copy of an evicted pod evicts others in its turn.
        """
        if self.first_eviction is None:
            first = self.rows[victims[0]]
            self.first_eviction = {
                "seq": decision.seq,
                "pod": f"{first.namespace}/{first.name}",
                "node": self.nodes.get(first.uid, ""),
                "by": _for_whom(decision),
                "victims": len(victims),
            }
        earlier = [self.chain_of.get(pod.uid, []) for pod in _evictors(decision)]
        chain = [*max(earlier, key=len, default=[]), decision.seq]
        self.chain_of.update(dict.fromkeys(victims, chain))
        if len(chain) > 1:
            self.chains = [known for known in self.chains if known != chain[:-1]]
            self.chains.append(chain)

    def _take_over_chain(self, copy: PodRow) -> None:
        """Let the copy of an evicted pod go on with the chain that led to it."""
        if copy.replaces in self.chain_of:
            self.chain_of[copy.uid] = self.chain_of[copy.replaces]

    def refused_at(self) -> dict[str, int]:
        """Return the decision that refused a pod's eviction, by uid."""
        return {uid: row["seq"] for uid, row in self.evictions_refused.items()}

    def pending_pods(self) -> list[PodRow]:
        """Return the pods that wait for a node of one of the run's schedulers."""
        return [
            self.rows[uid]
            for uid in self.present
            if uid not in self.nodes and (uid in self.queued or uid in self.last_failure)
        ]

    def left_alone(self) -> list[dict[str, Any]]:
        """Return how many pods wait for each scheduler that the run does not play."""
        return left_alone(Counter(pod.scheduler for pod in self._waiting()), self.schedulers.owners)

    def left_out(self) -> int:
        """Return how many pods wait that a scheduler of the run would take, and that it never sees."""
        served = sum(pod.scheduler in self.schedulers.owners for pod in self._waiting())
        return max(0, served - len(self.pending_pods()))

    def _waiting(self) -> list[PodRow]:
        waiting = self.present.keys() - self.nodes.keys() - self.leaving
        return [row for uid in waiting if not (row := self.rows[uid]).terminating]

    def by_workload(self) -> list[dict[str, Any]]:
        """Return placed, evicted and pending pods of each workload that had any, the busiest first."""
        pending = Counter(group_of(pod) for pod in self.pending_pods())
        rows = [
            {
                "workload": group[1],
                "namespace": group[0],
                "placed": self.placed[group],
                "evicted": self.evicted[group],
                "pending": pending[group],
            }
            for group in {**self.placed, **self.evicted, **pending}
        ]
        return sorted(
            rows, key=lambda row: (-row["evicted"], -row["pending"], -row["placed"], row["workload"])
        )

    def by_namespace(self) -> list[dict[str, Any]]:
        """Return placed, evicted and pending pods by namespace, in name order."""
        sums: dict[str, Counter[str]] = {}
        for row in self.by_workload():
            counts = sums.setdefault(row["namespace"], Counter())
            counts.update({key: row[key] for key in ("placed", "evicted", "pending")})
        keys = ("placed", "evicted", "pending")
        return [{"namespace": name, **{key: sums[name][key] for key in keys}} for name in sorted(sums)]

    def below_replicas(self) -> list[dict[str, Any]]:
        """Return the workloads of which fewer pods run at the end than there were pods at the start."""
        running = Counter(group_of(self.rows[uid]) for uid in self.nodes if uid not in self.leaving)
        return self.wanted.below(running, self.queues.is_over)

    def failures(self) -> list[dict[str, Any]]:
        """Return why pods are pending at the end, equal messages folded, the most frequent first.

        `seq` is null of those that nobody looks at: what they name is not there, or gates hold them.
        """
        folded: dict[str, dict[str, Any]] = {}
        reasons: list[tuple[PodRow, int | None, str]] = []
        for pod in self.pending_pods():
            if unasked := self.queues.why_unasked(pod):
                reasons.append((pod, None, f"{unasked[:1].upper()}{unasked[1:]}."))
            elif pod.uid in self.last_failure:
                reasons.append((pod, *self._told(pod)))
            elif pod.uid in self.gated:
                reasons.append((pod, None, HELD))
        for pod, seq, message in sorted(reasons, key=lambda reason: (reason[1] or 0, reason[2])):
            row = folded.setdefault(message, {"message": message, "count": 0, "seq": seq, "pods": []})
            row["count"] += 1
            if len(row["pods"]) < LISTED_PODS:
                row["pods"].append({"pod": f"{pod.namespace}/{pod.name}", "uid": pod.uid, "seq": seq})
        return sorted(folded.values(), key=lambda row: (-row["count"], row["seq"] or 0))

    def _told(self, pod: PodRow) -> tuple[int, str]:
        """Return what a pod was last told, and by which decision; of one passed over, what the first was."""
        seq, message = self.last_failure[pod.uid]
        first = self.passed_over.first(pod.uid, message)
        return seq, PASSED_OVER.format(first.message) if first is not None else message

    def cascades(self) -> dict[str, Any]:
        """Return how many chains of evictions there were and the longest of them, by decisions."""
        longest = sorted(self.chains, key=lambda chain: (-len(chain), chain))[:LISTED_CHAINS]
        return {"count": len(self.chains), "longest": longest}

    def utilisation(self) -> list[dict[str, Any]]:
        """Return what is requested before and after, and allocatable then, by resource, pods included.

        Nodes may come and go where a clock moves: `allocatable` is that of the beginning.
        """
        after = self._amounts()
        return [
            {
                "resource": name,
                "unit": _unit(name),
                "allocatable": self.before.get(name, (0, 0))[1],
                "allocatable_after": after[name][1],
                "before": self.before.get(name, (0, 0))[0],
                "after": after[name][0],
            }
            for name in _resource_order(after)
        ]

    def _amounts(self) -> dict[str, tuple[int, int]]:
        """Return (requested, allocatable) of all nodes by resource."""
        pool = self.requested.pools[ALL]
        return {name: pool.amounts(name) for name in {**pool.allocatable, **pool.requested}}


def _evictors(decision: Decision) -> list[PodRef]:
    """Return the pods for which others are evicted."""
    if isinstance(decision, Gang):
        return [*decision.pipelined, *decision.bound]
    return [decision.pod] if decision.pod is not None else []


def _for_whom(decision: Decision) -> str | None:
    """Return the pod or the pod group for which others are evicted; None where an edit asks for it."""
    if isinstance(decision, Gang):
        return decision.job
    return _named(decision)["pod"] if isinstance(decision, Attempt | Completion) else None


def _named(decision: Attempt | Completion | Eviction | Placement) -> dict[str, Any]:
    return {
        "seq": decision.seq,
        "pod": f"{decision.pod.namespace}/{decision.pod.name}",
        "uid": decision.pod.uid,
    }


def _unit(resource: str) -> str:
    return UNITS.get(resource, "bytes" if resource.startswith("hugepages-") else "")


def _resource_order(names: Iterable[str]) -> list[str]:
    first = ["cpu", "memory", "pods"]
    return sorted(names, key=lambda name: (first.index(name) if name in first else len(first), name))
