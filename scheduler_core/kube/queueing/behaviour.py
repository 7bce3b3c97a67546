"""How the scheduling queue of a release behaves, apart from what its plugins' hints say."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler_core.kube.queueing.cluster_event import UNSCHEDULED_POD, Action


@dataclass(frozen=True)
class Queueing:
    """How a release's queue behaves by default.

    pops_early: a pod may be popped from the back-off queue when the active one is empty.
    counts_attempts: the back-off grows with all attempts, and not with rejections and errors apart.
    ends_at_expiry: at the very end of its back-off a pod may be tried.
    unheard: the parts of an update that are no events of their own.
    registered: what plugins listen to, by plugin and resource, where it is not what they say themselves.
    own_changes: the resource of which an event is that tells of a waiting pod's own change.
    """

    pops_early: bool = True
    counts_attempts: bool = False
    ends_at_expiry: bool = False
    unheard: Action = Action.UPDATE_POD_SCALE_UP
    registered: Mapping[str, Mapping[str, Action]] = field(default_factory=dict)
    own_changes: str = UNSCHEDULED_POD


DEFAULT_QUEUEING = Queueing()
"""That of 1.36."""
