"""What a run came to: `dashboard/services/results/outcome.py`. Earlier versions lack what may be absent."""

from typing import Any, Literal, NotRequired, TypedDict

from dashboard.shapes.counted import CountedAs
from scheduler_core.schedulers.actor import EndedBy

COMPLETED = "Completed"
"""The phase of a pod group that is done."""


class RefusedEviction(TypedDict):
    """An eviction that budgets did not allow."""

    seq: int
    uid: str
    pod: str
    node: str
    budgets: list[str]
    message: str | None
    lasts: NotRequired[str]


class IncompleteEdit(TypedDict):
    """An edit, by its index, that did not do all that was asked; `seq` names the decision that shows it.

    unreached: the nodes that a drain of several had not come to when the run ended.
    """

    edit: int
    op: str
    title: str
    problems: list[str]
    evictions: int
    refused: list[RefusedEviction]
    seq: NotRequired[int]
    unreached: NotRequired[list[str]]


class Workload(TypedDict):
    """Pods of a workload."""

    workload: str
    namespace: str
    placed: int
    evicted: int
    pending: int


class Queue(TypedDict):
    """Pods of a queue's pod groups; `missing` is true of a queue that these name and that was never there."""

    queue: str
    placed: int
    evicted: int
    pending: int
    missing: NotRequired[bool]


class Group(TypedDict):
    """A pod group and its pods; `phase` and `message` are what the last session wrote.

    seq: the last decision about it before its session's close; null where none was.
    """

    group: str
    queue: str
    phase: str
    min_member: int
    pods: int
    running: int
    completed: NotRequired[int]
    placed: int
    evicted: int
    pending: int
    message: str | None
    deleted: bool
    seq: NotRequired[int | None]


def lacks_pods(row: Group) -> bool:
    """Return whether a pod group has fewer pods than it needs; who is done lacks nothing."""
    if row["deleted"] or row["phase"] == COMPLETED:
        return False
    return row["running"] + row.get("completed", 0) < row["min_member"]


class Scheduler(TypedDict):
    """What a scheduler of the run did."""

    scheduler: str
    attempts: int
    placed: int
    evicted: int
    pending: int


class Namespace(TypedDict):
    """Pods of a namespace."""

    namespace: str
    placed: int
    evicted: int
    pending: int


class BelowReplicas(TypedDict):
    """A workload of which fewer pods run than there were at the start."""

    workload: str
    running: int
    replicas: int


class BudgetViolated(TypedDict):
    """A pod that was evicted for another one against a budget."""

    seq: int
    pod: str
    node: str
    by: str


class EvictionRefused(TypedDict):
    """A pod whose eviction was refused."""

    seq: int
    pod: str
    uid: str
    message: str | None


class FirstEviction(TypedDict):
    """The first decision that evicts, with one of its victims; `by` is null where an edit asked for it."""

    seq: int
    pod: str
    node: str
    by: str | None
    victims: int


class ByChance(TypedDict):
    """How many `decisions` evict pods of which chance takes any in reality, and the first of them.

    There `plugin` lets `chosen` pods go `of` so many, and could choose others of them.
    """

    decisions: int
    seq: int
    time: int | None
    plugin: str
    chosen: int
    of: int


class FirstUnschedulable(TypedDict):
    """The first pod that found no node."""

    seq: int
    pod: str
    uid: str
    message: str | None


class FailedPod(TypedDict):
    """A pod that is pending, and the decision of its last failure; null where no decision says it."""

    pod: str
    uid: str
    seq: int | None


class Failure(TypedDict):
    """Pods that are pending for the same reason: how many, and the first of them.

    `seq` is null where no decision says it: what they name is not there, or gates hold them back.
    """

    message: str
    count: int
    seq: int | None
    pods: list[FailedPod]


class LeftAlone(TypedDict):
    """Pods that wait for a scheduler that is none of the run's."""

    scheduler: str
    pods: int


class Cascades(TypedDict):
    """Chains of evictions, the longest of them by their decisions."""

    count: int
    longest: list[list[int]]


class WorkloadEnd(TypedDict):
    """The pods of a workload that a decision was about, at the end; of one without a controller, itself.

    workload: `Kind/namespace/name`. at_start: pods with a node before the first decision. pods: those that
    are there and aren't leaving; running: those with a node; evicting: of these, those for which others had
    to go.
    seq: the first decision that placed or evicted one.
    """

    workload: str
    at_start: int
    pods: int
    running: int
    evicting: int
    pending: int
    seq: NotRequired[int]


Taker = Literal["taint", "node"]
"""What takes pods beside schedulers and edits: a NoExecute taint, or that their node is gone."""


class Flow(TypedDict):
    """Pods of one workload that were evicted for another one, by an edit or a node, and where they are now.

    by: `Kind/namespace/name`; empty where the eviction API was asked by an edit, or a node takes them.
    taker: what of the node does; absent where none does, and in earlier versions, which know no lost ones.
    free: they, or their copies, have a node again without anybody going for it; evicting: others went for it.
    pending: they wait; gone: nobody came for them, or is to. seq: the first of the decisions.
    """

    by: str
    taker: NotRequired[Taker]
    whom: str
    priority: int
    pods: int
    free: int
    evicting: int
    pending: int
    gone: int
    seq: int


class AskedOfNode(TypedDict):
    """Evictions that edits asked for on a node: how many were granted, and how many are refused still."""

    node: str
    evicted: int
    refused: int
    seq: int


class Cause(TypedDict):
    """Pods of a workload that are pending for the same reason, by the last decision about each.

    cause: what most nodes said, else the whole message. nodes: of how many nodes at the first of these pods,
    of so many `of`; both 0 where no node was asked.
    """

    cause: str
    workload: str
    pods: int
    nodes: int
    of: int
    seq: int | None


class WhyAtEnd(TypedDict):
    """Pods that are pending and that no scheduler can tell apart, and why: asked of the engine at the end.

    cause: a Cause of `scheduler_core/schedulers/cause.py` as a document, without its list of nodes; of the
    kind "untried" where the time was up. workloads: how many pods of each, by `Kind/namespace/name`. uid: the
    pod that was asked about. seq: the last decision about one of them that failed. group: their pod group,
    `namespace/name`, empty for none. Of a group that waits without a pod as yet, workloads and uid are empty.
    asks: what they ask for together, by resource, in the log's units.
    """

    cause: dict[str, Any]
    workloads: dict[str, int]
    uid: str
    seq: int | None
    group: NotRequired[str]
    asks: NotRequired[dict[str, int]]


class NewNodes(TypedDict):
    """What an edit's new nodes got: how many nodes there are, and the pods that they have at the end."""

    edit: int
    nodes: int
    pods: int


class Packing(TypedDict):
    """How the nodes are packed at the end.

    nodes: how many there are. over: nodes of which more than 90 percent of a resource is asked for, by
    resource. stranded: what is free on nodes that are over 90 percent in another resource, cpu or memory, by
    resource. largest: the most milli-CPU that are free on one open node with 1 GiB of memory beside,
    null where no open node has that; open is a node without a taint that keeps pods away. by_cpu: nodes by
    tenths of their CPU that are asked for.
    """

    nodes: int
    over: dict[str, int]
    stranded: dict[str, int]
    largest: int | None
    by_cpu: list[int]


class Emptiable(TypedDict):
    """How many nodes could be emptied of the first `tried` ones, of so many `of` in the cluster."""

    nodes: int
    tried: int
    of: int


class Utilisation(TypedDict):
    """What is requested of a resource before and after, and what nodes have of it.

    `counts` is there where cards are shared by it: slots of cards, or what each container asks of one card.
    """

    resource: str
    unit: str
    allocatable: int
    allocatable_after: NotRequired[int]
    before: int
    after: int
    counts: NotRequired[CountedAs]


class Figures(TypedDict):
    """What a run came to.

    deleted: pods with a node, evicted ones aside, that Volcano's controllers deleted, since their jobs
    restarted or ended.
    placement: a digest of which pod has which node at the end, the same for two runs that end alike.
    pending: pods that wait for one of the run's schedulers; unserved: those that name none of them; left_out:
    those that name one and that it never sees, since what they ask for is not modelled.
    emptiable: there once it is counted, which a worker does after a run has finished; null where it can't be
    asked of one pod whether it fits (Volcano, extenders), and of a point of a sweep.
    """

    left_alone: NotRequired[list[LeftAlone]]
    unserved: NotRequired[int]
    left_out: NotRequired[int]
    decisions: int
    time: NotRequired[int | None]
    ended_by: NotRequired[EndedBy | None]
    until: NotRequired[int | None]
    limit_reached: bool
    incomplete: NotRequired[list[IncompleteEdit]]
    counts: dict[str, int]
    tries: NotRequired[dict[str, int]]
    sessions: NotRequired[int]
    placed: int
    evicted: int
    deleted: NotRequired[int]
    pending: int
    by_workload: list[Workload]
    by_queue: NotRequired[list[Queue]]
    by_group: NotRequired[list[Group]]
    by_scheduler: NotRequired[list[Scheduler]]
    by_namespace: list[Namespace]
    below_replicas: list[BelowReplicas]
    budgets_violated: list[BudgetViolated]
    evictions_refused: list[EvictionRefused]
    first_eviction: FirstEviction | None
    by_chance: NotRequired[ByChance | None]
    first_unschedulable: FirstUnschedulable | None
    failures: list[Failure]
    cascades: Cascades
    utilisation: list[Utilisation]
    ends: NotRequired[list[WorkloadEnd]]
    flows: NotRequired[list[Flow]]
    asked_of_nodes: NotRequired[list[AskedOfNode]]
    causes: NotRequired[list[Cause]]
    whys: NotRequired[list[WhyAtEnd]]
    new_nodes: NotRequired[list[NewNodes]]
    placement: NotRequired[str]
    packing: NotRequired[Packing]
    emptiable: NotRequired[Emptiable | None]
