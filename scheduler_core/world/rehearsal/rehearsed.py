"""What a rehearsal says: of each node, of each budget, of the time between. Instants are milliseconds."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from scheduler_core.world.trials.rests_on import RestsOn

Verdict = Literal["now", "later", "late", "never", "unreached"]
"""Of a node or a budget. now: nothing was refused. later: something was refused at first and went within the
run. late: given up, though not for ever. never: even with all pods healthy the budget allows nothing.
unreached: its turn did not come."""
Step = tuple[int, int]
"""An instant, and a value from then on."""


class Block(msgspec.Struct, frozen=True):
    """A pod whose eviction was refused on a node from `since` on, `until` it was granted (None: never).

    budgets: those that cover the pod, `namespace/name`. workload: as a pod's. message: what the eviction API
    said. tries: how often it was refused. verdict: `later`, or `never` or `late` where the pod stays.
    """

    pod: str
    workload: str
    budgets: list[str]
    since: int
    until: int | None
    tries: int
    message: str
    verdict: Verdict


class RehearsedNode(msgspec.Struct, frozen=True):
    """What became of a node; instants are None where that did not happen.

    pods: how many had to leave; left: how many did. waited: how long it was held up by refusals, in ms.
    """

    node: str
    zone: str
    verdict: Verdict
    cordoned: int | None
    empty: int | None
    back: int | None
    given_up: int | None
    pods: int
    left: int
    waited: int
    blocks: list[Block] = []


class RehearsedBudget(msgspec.Struct, frozen=True):
    """A PodDisruptionBudget that watches pods of the nodes.

    pods: how many of them; allowed, needed, healthy: what it allowed, needed and had before; refused: how
    many tries; longest: the longest wait for it, in ms. steps: what it allowed over time.
    """

    budget: str
    verdict: Verdict
    pods: int
    allowed: int
    needed: int
    healthy: int
    refused: int
    longest: int
    steps: list[Step] = []


class Waited(msgspec.Struct, frozen=True):
    """Pods of a workload that waited for a node: how many, at once at most, for how long, and at the end."""

    workload: str
    pods: int
    most: int
    longest: int
    at_end: int


class Rehearsed(msgspec.Struct, frozen=True):
    """What a rehearsal came to.

    edits: those that a scenario needs to make the same run. nodes: in their order. open: nodes open to pods
    over time; open_before: before the first cordon. waiting: pods that waited for a second at least, beside
    those that waited before. time: when the last node got empty, or was given up where none did; end: when
    the last one was back or given up. pending, pending_before: pods without a node at the end, with the
    upgrade and without. ended_by: `over` where it ended ten minutes after the
    last node, `stopped` where it was cut short. preempted: pods that others had evicted for their room.
    lost: pods that left and that nothing makes again. cordoned_before: those of the nodes that were cordoned
    before their turn. left_down: of workloads, how many more pods wait at the end than without the upgrade;
    bare pods have an empty one.
    """

    edits: list[dict[str, Any]]
    nodes: list[RehearsedNode]
    budgets: list[RehearsedBudget]
    waited: list[Waited]
    open: list[Step]
    open_before: int
    waiting: list[Step]
    time: int
    end: int
    pending: int
    pending_before: int
    decisions: int
    ended_by: str
    preempted: int = 0
    lost: int = 0
    cordoned_before: list[str] = []
    left_down: dict[str, int] = {}

    @property
    def empty(self) -> int:
        """How many nodes got empty."""
        return sum(node.empty is not None for node in self.nodes)

    @property
    def left(self) -> int:
        """How many pods left."""
        return sum(node.left for node in self.nodes)

    @property
    def down(self) -> int:
        """How many pods the upgrade leaves down: those that wait at the end because of it, and those lost."""
        return sum(self.left_down.values()) + self.lost

    @property
    def most_waiting(self) -> int:
        """How many more pods waited at once than before, at the most."""
        return max((value for _, value in self.waiting), default=0)

    @property
    def longest_wait(self) -> int:
        """How long a pod waited at the longest, in milliseconds."""
        return max((one.longest for one in self.waited), default=0)

    @property
    def never(self) -> list[str]:
        """The budgets that never let a pod go."""
        return [one.budget for one in self.budgets if one.verdict == "never"]


class Changed(msgspec.Struct, frozen=True):
    """A change that was played to its end: the plan with it, and what it came to.

    kind: `replicas`, `budget`, `surge`, `order`, `timeout`, `skip` or `together`. costs: what it costs, as
    words. down: how many pods it leaves down. helps: all of its nodes got empty and no pod stays down, which
    was not so before, or with less that waits or is refused; two at a time: sooner.
    """

    kind: str
    title: str
    costs: str
    plan: dict[str, Any]
    empty: int
    of: int
    time: int
    refused: int
    most_waiting: int
    longest_wait: int
    pending: int
    down: int
    helps: bool


class SafestOrder(msgspec.Struct, frozen=True):
    """An order in which nothing is refused, or the best one that was found and why there is none.

    refused: tries that budgets refuse in it. most_waiting: how many pods wait at once, at the most.
    preempted: pods that have to go for others. tried: the orders that were played, as words. reason: empty
    where nothing is refused, nobody waits, and nobody goes for others.
    """

    nodes: list[str]
    refused: int
    tried: list[str]
    reason: str
    most_waiting: int = 0
    preempted: int = 0


class Rehearsal(msgspec.Struct, frozen=True):
    """A rehearsal with what would change it. untried: how many changes were not played for want of time."""

    plan: dict[str, Any]
    ready_seconds: float
    rehearsed: Rehearsed
    changes: list[Changed]
    safest: SafestOrder | None
    untried: int = 0
    rests_on: RestsOn | None = None
