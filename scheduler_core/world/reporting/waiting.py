"""Why a pod still waits: what would have it tried again, and which events came and did not.

The log doesn't hold what each event meant for each pod that waits; a replay listens for one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import msgspec

from scheduler_core.kube.queueing.cluster_event import TARGET_POD, UNSCHEDULED_POD, ClusterEvent
from scheduler_core.kube.queueing.event_words import sentence_of, words_of
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.kube.queueing.pod_facts import scheduler_of
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.scheduling_queue import SchedulingQueue
from scheduler_core.kube.queueing.worth_requeuing import HintAnswer
from scheduler_core.schedulers.clocked import AttemptingScheduler
from scheduler_core.world.clocked.timed_world import TimedWorld

_MILLISECOND = 10**6
Answers = Mapping[str, Mapping[str, HintAnswer]]
"""What plugins said, by pod and by plugin."""
CANNOT_SAY = "the hint cannot say, which counts as a yes"


class WouldWake(msgspec.Struct, frozen=True):
    """A plugin that rejected the pod, and the events that it listens to, in words."""

    plugin: str
    events: list[str]


class Let(msgspec.Struct, frozen=True):
    """Events of one kind with one answer of one plugin: `count` of them, the last at `last`, in milliseconds.

    `event` is the scheduler's name of it and `happened` the same in words; `reason` says what the answer
    means. `plugin` and `answer` are empty where nobody who rejected the pod listens.
    """

    event: str
    happened: str
    plugin: str
    answer: str
    reason: str
    count: int
    last: int


class Heard(msgspec.Struct, frozen=True):
    """The `events` that came while the pod waited.

    Hints said yes to those that `woke` it, and no to those that are `skipped`; nobody listens to `unheard`.
    """

    events: int
    woke: int
    skipped: int
    unheard: int
    answers: list[Let]


class Place(msgspec.Struct, frozen=True):
    """Where a pod waits, `waiting` being its row in the log, and what would have it tried again."""

    actor: str
    part: str
    waiting: dict[str, object]
    would_wake: list[WouldWake]


def place_of(schedulers: Iterable[AttemptingScheduler], uid: str) -> Place | None:
    """Return where a pod waits; None for one that is in no queue."""
    for scheduler in schedulers:
        queued = scheduler.queue.tables.pods.get(uid)
        if queued is not None:
            wakes = _would_wake(scheduler.queue, queued)
            return Place(scheduler.name, queued.part, scheduler.shown.waiting.rows[uid], wakes)
    return None


def _would_wake(queue: SchedulingQueue, queued: QueuedPod) -> list[WouldWake]:
    """Return what would wake a pod: a gated one hears only what its gate listens to."""
    if queued.part not in ("unschedulable", "gated"):
        return []
    listening = queue.listeners.interests(scheduler_of(queued.pod))
    plugins = [queued.gate] if queued.gate else sorted(queued.rejecters)
    return [
        WouldWake(
            plugin, [f"{one.subject} {one.verb}" for item in listening[plugin] for one in words_of(item)]
        )
        for plugin in plugins
        if plugin in listening
    ]


@dataclass
class _Tally:
    """So many events of one kind with one answer, the last at `last`; `reason` says what it means."""

    count: int = 0
    last: int = 0
    reason: str = ""


class Listening:
    """Counts the events that a pod's queue hears and what they mean for it, from now until `stop`."""

    def __init__(self, world: TimedWorld, uid: str) -> None:
        self._world = world
        self._uid = uid
        self._counts = {"woke": 0, "skipped": 0, "unheard": 0}
        self._tallies: dict[tuple[ClusterEvent, str, str], _Tally] = {}
        for scheduler in world.attempting:
            scheduler.queue.on_heard = partial(self._note, scheduler.queue)

    def stop(self) -> None:
        """Listen no more."""
        for scheduler in self._world.attempting:
            scheduler.queue.on_heard = None

    def heard(self) -> Heard:
        """Return what was counted: first what plugins answered, the most frequent before the others."""
        answers = [
            Let(event.label, sentence_of(event), plugin, answer, tally.reason, tally.count, tally.last)
            for (event, plugin, answer), tally in self._tallies.items()
        ]
        answers.sort(key=lambda one: (not one.plugin, -one.count, one.event, one.plugin, one.answer))
        return Heard(sum(self._counts.values()), **self._counts, answers=answers)

    def _note(self, queue: SchedulingQueue, event: ClusterEvent, asked: Answers, alone: str | None) -> None:
        queued = queue.tables.pods.get(self._uid)
        if queued is None or alone not in (None, queued.key):
            return
        answers = asked.get(queued.key, {})
        waits = alone is not None or queued.part in ("unschedulable", "gated")
        # What nobody listens to is news only if it happened to somebody else than a pod that waits.
        if answers or (waits and event.resource not in (UNSCHEDULED_POD, TARGET_POD)):
            self._count(queue, queued, event, answers)

    def _count(
        self, queue: SchedulingQueue, queued: QueuedPod, event: ClusterEvent, answers: Mapping[str, str]
    ) -> None:
        said = set(answers.values())
        self._counts["unheard" if not said else "skipped" if said == {"QueueSkip"} else "woke"] += 1
        listening = queue.listeners.interests(scheduler_of(queued.pod))
        for plugin, answer in answers.items() or [("", "")]:
            tally = self._tallies.setdefault((event, plugin, answer), _Tally())
            tally.count += 1
            tally.last = self._world.cluster.now // _MILLISECOND
            tally.reason = _reason(listening[plugin], event, answer) if plugin else _nobody(queued)


def _reason(interests: Iterable[Interest], event: ClusterEvent, answer: str) -> str:
    """Return what a plugin's answer means."""
    if answer == "Error":
        return CANNOT_SAY
    heard = [item for item in interests if item.event.covers(event)]
    return "" if not heard else heard[-1].yes if answer == "Queue" else heard[-1].no


def _nobody(queued: QueuedPod) -> str:
    names = [queued.gate] if queued.gate else sorted(queued.rejecters)
    if not names:
        return "no plugin rejected the pod"
    if len(names) == 1:
        return f"{names[0]} does not listen to it"
    return f"none of {', '.join(names)} listens to it"
