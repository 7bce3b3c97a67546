"""What a scheduler of sessions decides: the events of Volcano, beside those of `decisions.py`.

A session is told step by step: it opens, jobs ask to enter their queues, tasks are tried, what was tried is
committed or taken back, it closes. `session` numbers the sessions of an actor from 1, `action` names the one
that takes the step. A job is named `namespace/name`, as its pod group.

Figures of resources: milli-CPU, bytes, `pods` in pods, every other resource in thousandths; null is no limit.
"""

from typing import Literal

from scheduler_core.events.changes import Event
from scheduler_core.events.decided import Decided, PodRef, Victim
from scheduler_core.events.sums import Sum

Figures = dict[str, float | None]


class Share(Event, frozen=True):
    """A job's dominant share, from 0 to 1 as a rule, and the resource of which it has that part."""

    share: float
    resource: str


class InvalidJob(Event, frozen=True):
    """A job that can't take part in the session."""

    job: str
    reason: str
    message: str


class SessionOpened(Decided, frozen=True, tag_field="kind", tag="session"):
    """A session opens. `queues` and each queue's `jobs` are in the order of this moment; it moves later.

    `deciders` names for each job but a queue's last the plugin that puts it before the next, or is empty
    where only their age or name does. `shares` are the jobs' dominant shares, where drf is asked.
    """

    session: int
    actions: list[str]
    queues: list[str]
    jobs: dict[str, list[str]]
    deciders: dict[str, list[str]]
    invalid: list[InvalidJob]
    shares: dict[str, Share]
    outcome: Literal["opened"] = "opened"
    pod: PodRef | None = None


class Enqueueing(Decided, frozen=True, tag_field="kind", tag="enqueue"):
    """A job asks to enter its queue; `lacking` are the plugins that reject it, as they are asked.

    sums: what the first of them has added up at this moment, what is too much before all; empty where it
    adds nothing up, or the queue is not open.
    """

    session: int
    action: str
    job: str
    queue: str
    outcome: Literal["entered", "rejected"]
    lacking: list[str]
    sums: list[Sum] = []
    pod: PodRef | None = None


class Reason(Event, frozen=True):
    """On how many nodes a task was refused for a reason."""

    reason: str
    nodes: int


class Opinion(Event, frozen=True):
    """Whom a plugin of a tier would let go, and who is left after it; pods by uid.

    `or_else` are those that it keeps and that the real scheduler, by chance, may let go instead.
    """

    plugin: str
    chosen: list[str]
    victims: list[str]
    or_else: list[str] = []


class Placement(Decided, frozen=True, tag_field="kind", tag="placement"):
    """One try at a task.

    `outcome`: it holds the node, waits for room there to be freed, was refused by all nodes, or was passed
    over because of `why` (`queue`: it has its share; `role`: one of its role fits nowhere). `best` are the
    first of `best_count` nodes with the highest `total`, null where nothing was scored. `tiers` are the
    plugins' opinions about the victims on the node that was taken.
    """

    session: int
    action: str
    pod: PodRef
    job: str
    queue: str
    role: str
    outcome: Literal["allocated", "pipelined", "refused", "skipped"]
    node: str
    why: str
    message: str
    nodes: int
    feasible: int
    reasons: list[Reason]
    best: list[str]
    best_count: int
    total: float | None
    victims: list[Victim]
    tiers: list[list[Opinion]]


class HyperNodeTried(Event, frozen=True):
    """A try of a job in a hyper node, which is taken back: `placed` of its pods found a node there.

    `ready`, or `pipelined` while room is still to be freed, is enough of them; `short` is not. `score` is
    what decides among those with enough, null where nothing was scored. `parts` are the hyper nodes of the
    job's sub jobs, by their uids.
    """

    hyper_node: str
    outcome: Literal["ready", "pipelined", "short"]
    placed: int
    score: float | None
    parts: dict[str, str]


class HyperNodeSearch(Decided, frozen=True, tag_field="kind", tag="hyper_nodes"):
    """A job is tried in every hyper node of a tier, or in those whose pods could make room for it.

    `hyper_node` is the one that is taken, the first of `best`; the tries in it are told next, as they are
    done again. It is empty where none will do: then a higher tier is tried, and at last those pods are told
    that found no node in the last hyper node. No `tries`: none comes into question.
    """

    session: int
    action: str
    job: str
    queue: str
    outcome: Literal["chosen", "nowhere"]
    tries: list[HyperNodeTried]
    best: list[str]
    hyper_node: str
    pod: PodRef | None = None


class Gang(Decided, frozen=True, tag_field="kind", tag="gang"):
    """What becomes of what was tried for a job.

    committed: binds and evictions are sent out; kept: all of it waits in the session for room to be freed;
    discarded: all of it is taken back. `ready` pods of the job hold a node now, `waiting` were promised one.
    """

    session: int
    action: str
    job: str
    queue: str
    outcome: Literal["committed", "kept", "discarded"]
    bound: list[PodRef]
    evicted: list[PodRef]
    pipelined: list[PodRef]
    ready: int
    waiting: int
    min_available: int
    pods: int
    pod: PodRef | None = None


class QueueOverused(Decided, frozen=True, tag_field="kind", tag="overused"):
    """A queue has its share: its jobs are not looked at any more in this action."""

    session: int
    action: str
    queue: str
    outcome: Literal["overused"] = "overused"
    pod: PodRef | None = None


class GroupStatus(Event, frozen=True):
    """What a session writes into a pod group."""

    job: str
    phase: str
    reason: str
    message: str


class PodMessage(Event, frozen=True):
    """What a session writes into a pod's PodScheduled condition."""

    pod: PodRef
    reason: str
    message: str
    nominated: str


class SessionClosed(Decided, frozen=True, tag_field="kind", tag="close"):
    """A session closes: `active` if it bound or evicted somebody or let a job into its queue, else `idle`.

    `messages` are what pods are told.
    """

    session: int
    outcome: Literal["active", "idle"]
    groups: list[GroupStatus]
    messages: list[PodMessage]
    shares: dict[str, Share]
    bound: int
    evicted: int
    pod: PodRef | None = None


class SessionsIdle(Decided, frozen=True, tag_field="kind", tag="idle"):
    """Sessions from `session` to `last`, told together: each decides nothing and changes nothing.

    Only where a clock moves; it is told when the next session opens, or at the run's end.
    """

    session: int
    last: int
    outcome: Literal["idle"] = "idle"
    pod: PodRef | None = None


SessionDecision = (
    SessionsIdle
    | SessionOpened
    | Enqueueing
    | Placement
    | HyperNodeSearch
    | Gang
    | QueueOverused
    | SessionClosed
)
