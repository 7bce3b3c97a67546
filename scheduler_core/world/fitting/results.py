"""What would make pods fit, as data: proposals that trials have verified, and what is not enough.

Units are those of the log: milli-CPU, bytes, whole units.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.trials.rests_on import RestsOn

Edit = dict[str, Any]
ChangeKind = Literal[
    "ask_less", "tolerate", "drop_selector", "drop_wish", "drop_affinity", "relax_spread", "drop_spread",
    "ungate", "scheduler", "priority", "preempt", "fewer_pods", "untaint", "uncordon", "add_nodes",
    "scale_down", "remove_pods", "heal_card", "weight", "capability", "deserved", "guarantee", "minimum",
    "promise_less",
]  # fmt: skip
"""ask_less: of resource `what`. tolerate, untaint: taint `what`; drop_selector: label `what`, or the whole
node affinity where that is empty; drop_wish: annotation `what`, `key=value`, which says which cards are
wanted; drop_affinity: `what` is podAffinity or podAntiAffinity; relax_spread, drop_spread: over topology key
`what`. priority: `what` is the class; preempt: let it evict others. fewer_pods: of the workload itself.
add_nodes: like node `of`. scale_down: workload `of`; remove_pods: `names`; heal_card: card `what` of node
`of`. weight, capability, deserved, guarantee: of queue `of`, resource `what`. minimum: so few pods of a gang
are enough; promise_less: its minResources of `what`."""


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change: to whom (`of`: a workload `Kind/namespace/name`, a pod `namespace/name`, a node, a queue).

    before, after: amounts in `unit` (`m`, `bytes`, or empty for whole units); None for none. names: nodes or
    pods that it is done to. new: `what` is an object that the edits make.
    """

    kind: ChangeKind
    of: str = ""
    what: str = ""
    before: int | None = None
    after: int | None = None
    unit: str = ""
    names: list[str] = []
    new: bool = False


class Point(msgspec.Struct, frozen=True):
    """A trial of a change that has a number: `value` as in `after`, and how many pods fit then."""

    value: int
    placed: int
    fits: bool


class Start(msgspec.Struct, frozen=True, omit_defaults=True):
    """When the pods start in a trial that is played by the clock: those that a gang needs, else all of them.

    at: milliseconds from the trial's start until that many have a node; None where that did not happen.
    once: who went last before that by themselves, at `gone`: workloads (`Kind/namespace/name`) or bare pods
    (`namespace/name`). left: how many other pods went by themselves. ended_by: `started`; `until` and `most`
    where the time, or the number of decisions, was up; `quiet` where nothing was left to happen; `untried`
    where there were as many trials as may be, or somebody ended them; `refused` for what a clock can't play,
    with the `reason`.
    """

    at: int | None
    ended_by: Literal["started", "until", "most", "quiet", "untried", "refused"]
    once: list[str] = []
    gone: int | None = None
    left: int = 0
    reason: str = ""


class Proposal(msgspec.Struct, frozen=True):
    """Changes whose own trial made all pods fit that they leave to be placed.

    edits: those of a scenario that tries it. pods: how many there are of what was asked for afterwards, all
    placed, or `placed` where a gang may start with fewer. evicted, violated, lost: by workload
    (`Kind/namespace/name`, empty for bare pods) how many pods of others are evicted, by violating a budget,
    and how many have no node at the end that have one now, or get one without the changes. Evictions that
    happen without the changes, too, are told where they are for these pods. size: the share by which the
    largest change alters what it is about. points: what was tried on the way. start: when the pods start.
    """

    changes: list[Change]
    edits: list[Edit]
    pods: int
    placed: int
    evicted: dict[str, int]
    violated: dict[str, int]
    lost: dict[str, int]
    size: float
    points: list[Point]
    start: Start | None = None

    @property
    def is_partial(self) -> bool:
        """Whether some of the pods still wait."""
        return self.placed < self.pods


class NotEnough(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes, taken as far as they may go, with which only `placed` of `pods` fit.

    refused: why an edit of them can't be made.
    """

    changes: list[Change]
    placed: int
    pods: int
    refused: str = ""


class Fitting(msgspec.Struct, frozen=True):
    """What would make so many `pods` fit, of which `placed` do without any change.

    workload: theirs (`Kind/namespace/name`), if all are of one. causes: why they wait, each once.
    proposals: the best first. not_enough: what was tried in vain. untried: what was left out for want of
    time. trials: how many there were. left_out: so many other pods that wait took no part in them.
    ended_by: `done`, `stopped` where somebody ended it, or `most` where it had as many trials as it may.
    start: when the pods start without any change; None where nothing was tried. until, most: the seconds and
    decisions after which a trial by the clock ends.
    """

    pods: int
    placed: int
    workload: str
    causes: list[Cause]
    proposals: list[Proposal]
    not_enough: list[NotEnough]
    untried: list[Change]
    trials: int
    left_out: int
    ended_by: Literal["done", "stopped", "most"]
    rests_on: RestsOn | None = None
    start: Start | None = None
    until: float = 0.0
    most: int = 0
    unsettled: bool = False
