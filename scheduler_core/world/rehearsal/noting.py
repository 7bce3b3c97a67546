"""Notes what a rolling drain comes to while its run goes by, decision by decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scheduler_core.events.decisions import ClusterChange, Decision, Eviction
from scheduler_core.events.effects import Arrived, Left, Placed, Unplaced, effects
from scheduler_core.objects.identity import Object, comes_back, has_ended, is_recreated
from scheduler_core.state.cluster import Budget
from scheduler_core.world.clocked.eviction_requests import RETRY_DELAY
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.evictions import name_of
from scheduler_core.world.controllers.lasting_refusals import LastingRefusals
from scheduler_core.world.rehearsal.plan import PlannedNode
from scheduler_core.world.rehearsal.rehearsed import Block, RehearsedNode, Step, Verdict
from scheduler_core.world.simulation import Simulation

RETRY_MS = RETRY_DELAY // 10**6


@dataclass
class Refused:
    """An eviction that was refused, and how often, with the budgets that cover the pod."""

    pod: int
    budgets: list[str]
    since: int
    message: str
    until: int | None = None


@dataclass
class Noted:
    """What is known of a node by now.

    pods: the rows of those that have to leave it; bare: those of them that nothing makes again.
    """

    node: PlannedNode
    cordoned: int | None = None
    empty: int | None = None
    back: int | None = None
    last_left: int = 0
    gone: int = 0
    pods: list[int] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)
    refused: dict[int, Refused] = field(default_factory=dict)


class Notes:
    """Watches a run: give `watch` to whoever plays it, then read."""

    def __init__(
        self,
        simulation: Simulation,
        nodes: Sequence[PlannedNode],
        drain: int,
        timeout: int,
        *,
        for_good: bool = False,
    ) -> None:
        """`drain` is the number of the edit that drains the nodes; `timeout` of each is in milliseconds.

        `for_good`: emptied nodes do not come back.
        """
        self._for_good = for_good
        self._simulation = simulation
        self._state = simulation.cluster
        self._drain = drain
        self.nodes = {node.name: Noted(node) for node in nodes}
        self._under_way: set[str] = set()
        self._closed = {one.metadata.name for one in self._state.nodes.objects if one.spec.unschedulable}
        self.cordoned_before = [name for name in self.nodes if name in self._closed]
        self.open_before = self._count_open()
        self.open: list[Step] = [(0, self.open_before)]
        self.allowed: dict[str, list[Step]] = {
            name_of(budget): [(0, budget.allowed)] for budget in self._state.budgets
        }
        self._budgets: tuple[list[Budget], list[str]] = (self._state.budgets, list(self.allowed))
        self._writes = self._state.budget_changes.writes
        self._timeout = timeout
        self._over: int | None = None
        self._now = 0
        simulation.watch_untold(lambda instant: self._look_at_budgets(instant // 10**6))
        self.waits: dict[str, int] = {}
        """Since when pods wait that did not wait before, by uid."""
        self.waited: list[tuple[str, int, int | None]] = []
        """Whose wait has ended: a uid, from when, until when."""

    def watch(self, decision: Decision) -> None:
        """Note what a decision has changed."""
        now = self._now = decision.time or 0
        if isinstance(decision, ClusterChange) and decision.edit == self._drain:
            self._hear_of_node(decision, now)
        elif isinstance(decision, Eviction):
            self._hear_of_eviction(decision, now)
        self._look_for_empty(now)
        self._look_at_budgets(now)
        self._look_for_waiting(decision, now)
        if self._over is None and all(self._has_ended(noted) for noted in self.nodes.values()):
            self._over = now

    def is_over(self, after: int) -> bool:
        """Return whether the last node's turn ended more than so many milliseconds ago."""
        return self._over is not None and self._now > self._over + after

    def _has_ended(self, noted: Noted) -> bool:
        """Return whether a node is back, or has been given up for certain."""
        if noted.cordoned is None:
            return False
        late = noted.cordoned + self._timeout + RETRY_MS
        if noted.empty is None:
            return self._now > late
        return self._for_good or noted.back is not None

    def _hear_of_node(self, decision: ClusterChange, now: int) -> None:
        name = decision.object.removeprefix("Node ")
        noted = self.nodes.get(name)
        if noted is None or decision.outcome == "nothing":
            return
        if decision.outcome == "updated":
            noted.back = now
            self._closed.discard(name)
        else:
            noted.cordoned = now
            documents = self._simulation.ground.documents.values
            there = self._state.placement.members(name)
            by_row = {pod: documents[self._state.pods.infos[pod].uid] for pod in there}
            noted.pods = [pod for pod, document in by_row.items() if not comes_back(document)]
            noted.bare = [pod for pod in noted.pods if _is_bare(by_row[pod])]
            self._under_way.add(name)
            self._closed.add(name)
        _step(self.open, now, self._count_open())

    def _count_open(self) -> int:
        there = self._state.nodes.index
        return len(there) - sum(name in there for name in self._closed)

    def _hear_of_eviction(self, decision: Eviction, now: int) -> None:
        noted = self.nodes.get(decision.node)
        if noted is None:
            return
        pod = self._state.pods.by_uid[decision.pod.uid]
        if decision.outcome == "refused":
            budgets = [name_of(one) for one in covering(self._state, self._state.pods.infos[pod])]
            noted.refused.setdefault(pod, Refused(pod, budgets, now, decision.message or ""))
        elif decision.outcome == "evicted" and pod in noted.refused:
            noted.refused[pod].until = now

    def _look_for_empty(self, now: int) -> None:
        gone = self._state.gone.values
        for name in tuple(self._under_way):
            noted = self.nodes[name]
            left = sum(pod in gone for pod in noted.pods)
            if left > noted.gone:
                noted.gone, noted.last_left = left, now
            if left == len(noted.pods):
                noted.empty = now
                self._under_way.discard(name)

    def _look_at_budgets(self, now: int) -> None:
        budgets, writes = self._state.budgets, self._state.budget_changes.writes
        if budgets is not self._budgets[0]:
            self._budgets = budgets, list(map(name_of, budgets))
        elif writes == self._writes:
            return
        self._writes = writes
        for budget, name in zip(*self._budgets, strict=True):
            _step(self.allowed.setdefault(name, [(0, 0)]), now, budget.allowed)

    def _look_for_waiting(self, decision: Decision, now: int) -> None:
        for effect in effects(decision.changes):
            if isinstance(effect, Arrived):
                if not effect.row.node:
                    self.waits[effect.row.uid] = now
            elif isinstance(effect, Placed | Left):
                since = self.waits.pop(effect.pod, None)
                if since is not None:
                    self.waited.append((effect.pod, since, now))
            elif isinstance(effect, Unplaced):
                self.waits[effect.pod] = now

    # -- at the end ----------------------------------------------------------------------------------

    def spans(self) -> list[tuple[str, int, int | None]]:
        """Return who waited from when until when; None: until the end."""
        return [*self.waited, *((uid, since, None) for uid, since in self.waits.items())]

    def lost(self) -> int:
        """Return how many pods left that nothing makes again."""
        gone = self._state.gone.values
        return sum(pod in gone for noted in self.nodes.values() for pod in noted.bare)

    def told(self) -> list[RehearsedNode]:
        """Return what became of each node."""
        lasting = LastingRefusals(self._state)
        return [self._told(noted, self._timeout, lasting) for noted in self.nodes.values()]

    def _told(self, noted: Noted, timeout: int, lasting: LastingRefusals) -> RehearsedNode:
        gone = self._state.gone.values
        given_up = self._given_up(noted, timeout)
        blocks = list(self._blocks(noted, given_up, lasting))
        return RehearsedNode(
            noted.node.name,
            noted.node.zone,
            _verdict(noted, blocks, given_up),
            noted.cordoned,
            noted.empty if given_up is None else None,
            noted.back,
            given_up,
            len(noted.pods),
            sum(pod in gone for pod in noted.pods),
            max((_length(block, given_up) for block in blocks), default=0),
            blocks,
        )

    def _given_up(self, noted: Noted, timeout: int) -> int | None:
        """Return when a drain's turn at a node ended without it being empty; None where it did not."""
        if noted.cordoned is None or noted.back is not None:
            return None
        if noted.empty is not None:
            # Pods that took longer than the drain waits left a node that was given up before.
            return noted.cordoned + timeout if noted.empty > noted.cordoned + timeout else None
        gone = self._state.gone.values
        staying = [pod for pod in noted.pods if pod not in gone]
        asked_again = [one for pod in staying if (one := noted.refused.get(pod)) and len(one.budgets) == 1]
        if any(one.until is None for one in asked_again):
            return noted.cordoned + -(-timeout // RETRY_MS) * RETRY_MS
        if any(self._state.pods.is_terminating(pod) for pod in staying):
            return noted.cordoned + timeout
        return max(noted.cordoned, noted.last_left)

    def _blocks(self, noted: Noted, given_up: int | None, lasting: LastingRefusals) -> Iterator[Block]:
        by_name = {name_of(budget): budget for budget in self._state.budgets}
        for one in noted.refused.values():
            info = self._state.pods.infos[one.pod]
            verdict: Verdict = "later"
            if one.until is None and one.pod not in self._state.gone.values:
                budgets = [by_name[name] for name in one.budgets if name in by_name]
                verdict = "never" if lasting.lasts(budgets) == "ever" else "late"
            until = one.until if one.until is not None else (given_up or one.since)
            tries = 1 if len(one.budgets) != 1 else max(1, -(-(until - one.since) // RETRY_MS))
            workload = self._simulation.workload_of(info.uid)
            yield Block(info.key, workload, one.budgets, one.since, one.until, tries, one.message, verdict)


def _is_bare(pod: Object) -> bool:
    """Tell whether a pod is lost when it is evicted; one that is ending anyhow, or has ended, is not."""
    return not (is_recreated(pod) or has_ended(pod) or (pod.get("metadata") or {}).get("deletionTimestamp"))


def _length(block: Block, given_up: int | None) -> int:
    until = block.until if block.until is not None else given_up
    return 0 if until is None else max(0, until - block.since)


def _verdict(noted: Noted, blocks: Sequence[Block], given_up: int | None) -> Verdict:
    if noted.cordoned is None:
        return "unreached"
    if any(block.verdict == "never" for block in blocks):
        return "never"
    if noted.empty is None or given_up is not None:
        return "late"
    return "later" if blocks else "now"


def _step(steps: list[Step], now: int, value: int) -> None:
    """Note a value from now on; of several at one instant the last counts."""
    if steps[-1][1] == value:
        return
    if steps[-1][0] == now:
        steps.pop()
        if steps and steps[-1][1] == value:
            return
    steps.append((now, value))
