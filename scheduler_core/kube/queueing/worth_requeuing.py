"""Whether an event is worth another attempt at a pod: what the plugins that rejected it say.

Source: kubernetes v1.36 pkg/scheduler/backend/queue/scheduling_queue.go isPodWorthRequeuing.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Literal, NamedTuple

from scheduler_core.kube.queueing.cluster_event import ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, HintFailed
from scheduler_core.kube.queueing.listening import Listeners
from scheduler_core.kube.queueing.pod_facts import scheduler_of, uid_of
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.objects.types import KubernetesObject, Pod

HintAnswer = Literal["Queue", "QueueSkip", "Error"]
"""As kube-scheduler spells it; an error counts as a yes."""


class Worth(IntEnum):
    """What follows from the answers: wait on, try after the back-off, try at once."""

    NOTHING = 0
    AFTER_BACKOFF = 1
    AT_ONCE = 2


class Verdict(NamedTuple):
    """What follows, and what each plugin said that was asked."""

    worth: Worth
    hints: Mapping[str, HintAnswer]


def ask(
    listeners: Listeners,
    view: ClusterView,
    queued: QueuedPod,
    event: ClusterEvent,
    old: KubernetesObject | None,
    new: KubernetesObject | None,
) -> Verdict:
    """Put an event to every plugin that rejected the pod and listens to it."""
    if not queued.rejecters:
        return Verdict(Worth.AFTER_BACKOFF, {})
    if event.is_for_all:
        concerned = new is None or (isinstance(new, Pod) and uid_of(new) == queued.uid)
        return Verdict(Worth.AFTER_BACKOFF if concerned else Worth.NOTHING, {})
    hints = listeners.hints(scheduler_of(queued.pod), event)
    said = {
        plugin: _answer(hint, queued.pod, old, new, view)
        for plugin, hint in hints.items()
        if plugin in queued.rejecters
    }
    calling = {plugin for plugin, answer in said.items() if answer != "QueueSkip"}
    if calling & queued.pending:
        return Verdict(Worth.AT_ONCE, said)
    return Verdict(Worth.AFTER_BACKOFF if calling else Worth.NOTHING, said)


def _answer(
    hint: Hint | None, pod: Pod, old: KubernetesObject | None, new: KubernetesObject | None, view: ClusterView
) -> HintAnswer:
    if hint is None:
        return "Queue"
    try:
        return "Queue" if hint(pod, old, new, view) else "QueueSkip"
    except HintFailed:
        return "Error"
