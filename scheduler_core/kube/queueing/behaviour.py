"""How the scheduling queue of a release behaves, apart from what its plugins' hints say."""

from dataclasses import dataclass

from scheduler_core.kube.queueing.cluster_event import NOTHING, Action


@dataclass(frozen=True)
class Queueing:
    """How a release's queue behaves by default.

    pops_early: a pod may be popped from the back-off queue when the active one is empty.
    counts_attempts: the back-off grows with all attempts, and not with rejections and errors apart.
    ends_at_expiry: at the very end of its back-off a pod may be tried.
    unheard: the parts of an update that are no events of their own.
    """

    pops_early: bool = True
    counts_attempts: bool = False
    ends_at_expiry: bool = False
    unheard: Action = NOTHING


DEFAULT_QUEUEING = Queueing()
"""That of the newest releases."""
