"""First fit as a kind of scheduler: no configuration, no clock, no preemption."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scheduler_core.events.decisions import Attempt, Rejection
from scheduler_core.events.state import QUEUE, ActorRow
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.queueing.queue_parts import ACTIVE, UNSCHEDULABLE, QueueParts, by_entry
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.actor import ApiServer
from scheduler_core.schedulers.kind import Config, Made, Play, SchedulerKind, Version
from scheduler_core.schedulers.unclocked import Scheduler
from scheduler_core.state.register import Register

PROFILE, SCHEDULER_NAME = "first-fit-1", "first-fit"
NO_ROOM = "no room"


class Look(NamedTuple):
    """The pod that is tried and the first node with room, by row, after so many full ones."""

    pod: int
    attempt: int
    node: int | None
    full: int


class FirstFit(Scheduler):
    """Tries each pod once, in the order of their creation."""

    def __init__(self, name: str, play: Play, api: ApiServer) -> None:
        self.name, self.state, self._api = name, play.state, api
        infos = play.state.pods.infos
        self._queue: QueueParts[int] = QueueParts(
            play.state.journal, {ACTIVE: by_entry}, f"{QUEUE}{name}", name_of=lambda pod: infos[pod].uid
        )
        self._tried: Register[int, int] = Register(play.state.journal)

    def row(self) -> ActorRow:
        return ActorRow(self.name, PROFILE, [SCHEDULER_NAME])

    def lists(self) -> list[Any]:
        return [self._queue]

    def is_ours(self, pod: int) -> bool:
        return self.state.pods.infos[pod].scheduler_name == SCHEDULER_NAME

    def admit(self, pending: Any, schedule: Any) -> None:
        for pod in filter(self.is_ours, schedule):
            self._queue.enter(pod, ACTIVE)

    def notice_pod(self, pod: int) -> None:
        if self.is_ours(pod):
            self._queue.enter(pod, ACTIVE)

    def has_work(self) -> bool:
        return self._queue.first(ACTIVE) is not None

    def look(self) -> Look | None:
        pod = self._queue.first(ACTIVE)
        if pod is None:
            return None
        state, attempt = self.state, (self._tried.get(pod) or 0) + 1
        wanted = state.nodes.resources.row(state.pods.infos[pod].requests)
        has_room = (wanted <= state.nodes.allocatable - state.requested).all(axis=1)[state.nodes.by_name]
        if not has_room.any():
            return Look(pod, attempt, None, len(has_room))
        place = int(has_room.argmax())
        return Look(pod, attempt, int(state.nodes.by_name[place]), place)

    def apply(self, look: Look) -> None:
        self._tried.put(look.pod, look.attempt)
        if look.node is None:
            self._queue.enter(look.pod, UNSCHEDULABLE)
        else:
            self._queue.exit(look.pod)
            self._api.bind(look.pod, look.node)

    def tell(self, look: Look, stamp: Any, changes: Any) -> Attempt:
        names = self.state.nodes.names
        node = None if look.node is None else names[look.node]
        full = Rejection("FirstFit", "Unschedulable", [NO_ROOM], look.full)
        return Attempt(
            seq=stamp.seq,
            time=stamp.time,
            actor=self.name,
            cause=stamp.cause,
            changes=changes,
            pod=pod_ref(self.state, look.pod),
            attempt=look.attempt,
            profile=SCHEDULER_NAME,
            outcome="unschedulable" if node is None else "scheduled",
            nominated_before="",
            nominated_after="",
            nodes=len(names),
            visited=look.full + (node is not None),
            feasible=int(node is not None),
            preenqueue=None,
            prefilter=None,
            rejections=[full] if look.full else [],
            best=[] if node is None else [node],
            best_count=int(node is not None),
            chosen=node,
            total=None,
            message=None if node else f"0/{len(names)} nodes are available: {len(names)} {NO_ROOM}.",
            preemption=None,
        )

    def dump(self) -> dict[str, Any]:
        return {"queue": self._queue.dump(), "tried": self._tried.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        self._queue.load(data["queue"])
        self._tried.load(data["tried"])


def build(config: Config) -> list[str]:
    """Return the `schedulerName`s that it serves. Raises BadInput for any setting: it has none."""
    if config:
        raise BadInput([Problem(PROFILE, name, "is no setting of this scheduler") for name in sorted(config)])
    return [SCHEDULER_NAME]


class FirstFitKind(SchedulerKind):
    """First fit."""

    name = actor = SCHEDULER_NAME
    title = "First fit"
    versions: Mapping[str, Version] = {PROFILE: Version(("instant",), build)}

    def names_in(self, config: Config) -> list[str]:
        return [SCHEDULER_NAME]

    def make(self, play: Play, name: str, made: Made, api: ApiServer) -> FirstFit:
        return FirstFit(name, play, api)


KIND = FirstFitKind()
