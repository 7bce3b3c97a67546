"""A run over time, its cards among it: `dashboard/services/results/over_time.py`, `cards_over_time.py`."""

from typing import Literal, NotRequired, TypedDict


class LongestQueue(TypedDict):
    """The most pods that waited, and after which decision."""

    seq: int
    time: int | None
    pods: int


class Queue(TypedDict):
    """How many pods were in each part of the queue, by decision."""

    seq: list[int]
    time: list[int | None]
    parts: dict[str, list[int]]
    longest: LongestQueue
    mean: float | None


class Series(TypedDict):
    """What of a resource was requested of a pool's nodes, and what these had."""

    pool: str
    resource: str
    requested: list[int]
    allocatable: list[int]


class Requested(TypedDict):
    """All pools and resources, by decision."""

    seq: list[int]
    time: list[int | None]
    series: list[Series]


class Pool(TypedDict):
    """A resource of a pool at the end, and its shares in percent; `most` was after the decision `seq`."""

    pool: str
    nodes: int
    resource: str
    requested: int
    allocatable: int
    start: float | None
    mean: float | None
    most: float | None
    seq: int | None
    time: int | None
    end: float | None


class Evictions(TypedDict):
    """Pods evicted in a part of the axis, at its first decision that evicts."""

    seq: int
    time: int | None
    pods: int


class Edit(TypedDict):
    """The first decision of an edit, by its index."""

    edit: int
    seq: int
    time: int | None


class LongestWait(TypedDict):
    """Who waited longest."""

    wait: int
    pod: str
    uid: str
    seq: int


class Spread(TypedDict):
    """Waits of so many pods."""

    count: int
    median: int | None
    p90: int | None
    longest: LongestWait | None


class Group(TypedDict):
    """Those that found a node, those that wait, and how many left without one."""

    placed: Spread
    waiting: Spread
    left: int


class Priority(Group):
    """Those of a priority."""

    priority: int


class Workload(Group):
    """Those of a workload."""

    namespace: str
    workload: str


class Waits(TypedDict):
    """How long pods waited."""

    all: Group
    by_priority: list[Priority]
    by_workload: list[Workload]
    workloads_left_out: int


class UsualTask(TypedDict):
    """A usual shape of a vendor's tasks, and its part among them."""

    vendor: str
    cpu: int
    number: int
    milli: int
    memory: int
    part: float


class Cards(TypedDict):
    """The cards by decision, shares in percent of all of them.

    arrived: what pods have asked for until then. allocated: what is given out; fragmentation: what is free
    and lost. nodes: those with a pod on a card; idle: cards without. waiting: pods that have arrived and have
    no node. cards: how many there were at most. shapes: the usual ones of each vendor's tasks.
    """

    seq: list[int]
    time: list[int | None]
    arrived: list[float]
    allocated: list[float]
    fragmentation: list[float]
    nodes: list[int]
    idle: list[int]
    waiting: list[int]
    cards: int
    shapes: list[UsualTask]


class Published(TypedDict):
    """What others published of this cluster, by policy for 0 to 130 percent arrived."""

    source: str
    allocated: dict[str, list[float]]
    fragmentation: dict[str, list[float]]


class CardsAnswer(Cards):
    """The cards of a run, by which policies they were chosen, and what counts as lost."""

    policies: str
    definition: str
    published: Published | None


class Answer(TypedDict):
    """A run over time; runs of earlier versions lack what may be absent."""

    axis: Literal["time", "decision"]
    start: int
    end: int
    queue: Queue
    requested: Requested
    pools: list[Pool]
    evictions: list[Evictions]
    edits: list[Edit]
    waits: Waits
    cards: NotRequired[Cards | None]
