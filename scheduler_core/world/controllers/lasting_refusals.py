"""Whether a budget that refuses an eviction will ever grant it: no retry helps where no replacement does.

A budget allows as many evictions as pods are healthy above those that it needs. If all pods that it may ever
cover were healthy and still none were above, the refusal is for ever. So it is where several budgets cover
the pod, and where pods that nobody replaces have gone.

Source: kubernetes v1.36 pkg/controller/disruption getExpectedPodCount, updatePdbStatus;
pkg/registry/core/pod/storage/eviction.go.
"""

from collections.abc import Sequence
from typing import Literal

from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.world.controllers.covering import covers

Lasts = Literal["now", "ever", ""]
"""For how long an eviction is refused: until others are healthy again, for ever, or not known."""

_ENDED = ("Succeeded", "Failed")


class LastingRefusals:
    """Looks at the pods of a state that doesn't change meanwhile, apart from those that `lose` tells of."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._lost: set[int] = set()
        self._covered: dict[tuple[str, str], list[int]] = {}

    def lose(self, pod: int) -> None:
        """Note that a pod's eviction is granted: unless it has a controller, nobody comes for it."""
        if not _has_controller(self._state.pods.infos[pod].pod):
            self._lost.add(pod)

    def lasts(self, budgets: Sequence[Budget]) -> Lasts:
        """Return for how long these budgets, which cover one pod, refuse its eviction."""
        if len(budgets) > 1:
            return "ever"
        if not budgets:
            return ""
        budget = budgets[0]
        covered = self._pods_of(budget)
        kept = len(covered) - len(self._lost.intersection(covered))
        infos = self._state.pods.infos
        replaced = any(_has_controller(infos[pod].pod) for pod in covered)
        if not replaced and not budget.expected:
            return "ever"  # a share of pods that no controller counts
        if budget.expected == 0 or not budget.desired_healthy:
            return ""  # its status says nothing that could be counted by
        to_come = max(0, budget.expected - len(covered)) if replaced else 0
        return "now" if kept + to_come > budget.desired_healthy else "ever"

    def _pods_of(self, budget: Budget) -> list[int]:
        """Return the pods that the budget counts, or may count once they are healthy."""
        key = budget.namespace, budget.name
        if key not in self._covered:
            self._covered[key] = [pod for pod in range(len(self._state.pods)) if self._counts(budget, pod)]
        return self._covered[key]

    def _counts(self, budget: Budget, pod: int) -> bool:
        info = self._state.pods.infos[pod]
        is_there = pod not in self._state.gone.values and info.pod.status.phase not in _ENDED
        return is_there and covers(budget, info)


def _has_controller(pod: Pod) -> bool:
    return any(reference.controller for reference in pod.metadata.owner_references or ())
