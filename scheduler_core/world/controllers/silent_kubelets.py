"""Kubelets that say and do nothing, and what they have to do once they speak again.

A silent kubelet starts and ends no pod, and no pod of its becomes ready. When it speaks again it lets
terminating pods have their whole grace period, and reports runs that ended meanwhile.

Source: kubernetes v1.36 pkg/kubelet/pod_workers.go calculateEffectiveGracePeriod.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

STOPPED, TAINTED, NO_NODE = "stopped", "tainted", "no node"
"""Why a kubelet is silent: it stopped; its node has the taint that says so; its node isn't there."""


class Silence(NamedTuple):
    """Why a kubelet is silent, and until when its node still counts as ready, in nanoseconds."""

    why: str
    until: int


class SilentKubelets(Checkpointed):
    """Which kubelets are silent, by their nodes' names, and what is put off until they speak."""

    remembered = {"silent": "silent", "put_off": "put_off", "unready": "unready"}

    def __init__(self, journal: Journal) -> None:
        self.silent: Register[str, Silence] = Register(journal, read=lambda value: Silence(*value))
        self.put_off: Register[int, tuple[int, int, str]] = Register(journal, read=tuple)
        """When pods would have left, their turns, and why."""
        self.unready: Register[int, int] = Register(journal)
        """Since when pods would be ready that do not count as ready any more."""

    def __contains__(self, node: str) -> bool:
        return node in self.silent.values

    def forget(self, pod: int) -> None:
        """Forget a pod that is no more."""
        for register in (self.put_off, self.unready):
            if pod in register.values:
                register.drop(pod)
