"""When two decisions are the same: which pod, what came of it, which node, at whose cost.

How a message is worded doesn't count, since every version words it in its own way; nor do scores, ties and
the number of nodes that were looked at, nor, where a clock moves, the instant. Only these parts of a decision
are decoded, which is several times quicker than all of it.
"""

from typing import NamedTuple

import msgspec

from dashboard.queries.comparison_pods import TRIED, TRIED_IN_A_SESSION, Correspondence, Key
from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import PodRef


class SeenPreemption(msgspec.Struct, frozen=True):
    """What a preemption came to."""

    nominated: str
    victims: list[PodRef]
    cleared: list[PodRef]


class Seen(msgspec.Struct, frozen=True):
    """What a comparison reads of a decision. `node` is that of an eviction which an edit asks for.

    Of a gang `evicted` and `bound` are the pods, of a session that closes only how many there were.
    """

    seq: int
    kind: str
    pod: PodRef | None
    outcome: str
    changes: list[Change]
    chosen: str | None = None
    best: msgspec.Raw = msgspec.Raw(b"[]")
    node: str = ""
    nominated_after: str = ""
    message: str | None = None
    preemption: SeenPreemption | None = None
    feasible: int = 0
    best_count: int = 0

    object: str = ""
    time: int | None = None
    session: int = 0
    job: str = ""
    queue: str = ""
    evicted: list[PodRef] | int = 0
    bound: list[PodRef] | int = 0

    @property
    def uid(self) -> str:
        """Whom or what the decision is about: a pod's uid, else what it names."""
        return self.pod.uid if self.pod is not None else self.about

    @property
    def is_try(self) -> bool:
        """Whether a node was looked for, for a pod."""
        return self.outcome in (TRIED_IN_A_SESSION if self.kind == "placement" else TRIED)

    @property
    def about(self) -> str:
        """What a decision about no pod names: an object, a job, a queue."""
        return self.object or self.job or self.queue

    @property
    def victims(self) -> list[PodRef]:
        """Whom the decision evicts for the sake of others."""
        if self.preemption is not None:
            return self.preemption.victims
        return self.evicted if isinstance(self.evicted, list) else []

    @property
    def starting(self) -> list[PodRef]:
        """Who is bound all at once."""
        return self.bound if isinstance(self.bound, list) else []

    @property
    def target(self) -> str:
        """The node that the decision is about: where the pod goes, is evicted from, or will be let in."""
        return self.chosen or self.node or (self.preemption.nominated if self.preemption else "")

    def is_equally_good(self, node: str | None) -> bool:
        """Whether the node is known to have been among the best of this decision: a log names the first."""
        return node == self.chosen or node in msgspec.json.decode(self.best, type=list[str])


seen_decoder = msgspec.json.Decoder(Seen)


class Meaning(NamedTuple):
    """The parts of a decision that count; pods by the key that they have in both runs."""

    pod: Key
    outcome: tuple[str, str]
    node: str
    victims: list[Key]
    nominated_node: str
    cleared_nominations: list[Key]


def meaning(seen: Seen, keys: Correspondence) -> Meaning:
    """Return the parts of a decision that count."""
    preemption = seen.preemption
    victims = sorted(keys.key(pod.uid) for pod in seen.victims)
    cleared = sorted(keys.key(pod.uid) for pod in preemption.cleared) if preemption else []
    who = keys.key_of(seen.pod) if seen.pod is not None else ("object", seen.about)
    outcome = (seen.kind, seen.outcome)
    return Meaning(who, outcome, seen.target, victims, seen.nominated_after, cleared)


def differing_parts(a: Meaning, b: Meaning) -> list[str]:
    """Return the names of the parts that differ, in words."""
    return [name.replace("_", " ") for name in Meaning._fields if getattr(a, name) != getattr(b, name)]
