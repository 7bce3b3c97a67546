"""PodFitsResources: room for one more pod, and enough of every resource.

Unlike later releases, a pod that asks for anything at all is refused by a node on which cpu or memory is
overcommitted already, even if it asks for none of it.

Source: kubernetes v1.8 to v1.13 algorithm/predicates PodFitsResources, GetResourceRequest; v1.8 and v1.9
pkg/apis/core/v1/helper IsScalarResourceName.
"""

from dataclasses import dataclass

import numpy as np

from scheduler_core.events.explanation import Figure
from scheduler_core.kube.framework import Cycle, PreFilterAnswer, Reads, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import Wording
from scheduler_core.objects.amounts.requests import counted_by_scheduler
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.resource_figures import Wanted, room_figures, wanted_of
from scheduler_core.predicates.resources import NATIVE
from scheduler_core.state.nodes import IntArray

_NVIDIA_GPU = "alpha.kubernetes.io/nvidia-gpu"
_TOO_MANY_PODS = 1
_FULL = "Insufficient pods"


@dataclass
class _Asked(FilterState):
    """The resources that are looked at, with column and amount; none for a pod without requests."""

    names: list[str]
    columns: list[int]
    amounts: list[int]


def counted_with_native_gpu(name: str) -> bool:
    """Return whether 1.8 and 1.9 count a resource: of those of `kubernetes.io`, only NVIDIA's GPUs."""
    if name in NATIVE or name == _NVIDIA_GPU or name.startswith("hugepages-"):
        return True
    return "/" in name and "kubernetes.io/" not in name


class PodFitsResources(Predicate):
    """A code is a bit set: bit 0 is the pod count, bit i+1 the i-th resource that is looked at.

    `native_gpu`: NVIDIA's GPUs are looked at whenever anything is asked for, as cpu and memory are.
    """

    name = "PodFitsResources"
    reads = Reads.ROOM
    reasons_apart = True

    def __init__(self, wording: Wording, *, native_gpu: bool = False) -> None:
        super().__init__(wording)
        self._always = (*NATIVE, _NVIDIA_GPU) if native_gpu else NATIVE
        self._counted = counted_with_native_gpu if native_gpu else counted_by_scheduler

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        requests = {name: n for name, n in cycle.pod.requests.items() if self._counted(name)}
        others = sorted(set(requests) - set(self._always))
        asks = bool(others) or any(requests.values())
        column = cycle.state.nodes.resources.column
        names = [name for name in (*self._always, *others) if name in column] if asks else []
        return _Asked(names, [column[name] for name in names], [requests.get(name, 0) for name in names])

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        asked = view.states[self.name]
        assert isinstance(asked, _Asked)
        codes = (view.pod_count[nodes] + 1 > view.cluster.nodes.pod_limit[nodes]).astype(np.int64)
        for place, (column, amount) in enumerate(zip(asked.columns, asked.amounts, strict=True)):
            needed = amount + view.requested[nodes, column]
            short = view.cluster.nodes.allocatable[nodes, column] < needed
            codes |= short.astype(np.int64) << (place + 1)
        return codes

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        assert isinstance(state, _Asked)
        failures = [_FULL] if code & _TOO_MANY_PODS else []
        short = [name for place, name in enumerate(state.names) if code >> (place + 1) & 1]
        return failures + [f"Insufficient {name}" for name in short]

    def numbers(self, view: View, node: int) -> list[Figure]:
        asked = view.states[self.name]
        assert isinstance(asked, _Asked)
        allocatable, taken = view.cluster.nodes.allocatable[node], view.requested[node]
        told = (
            (name, column, amount)
            for name, column, amount in zip(asked.names, asked.columns, asked.amounts, strict=True)
            if amount or allocatable[column] < taken[column]
        )
        return room_figures(view.cluster, view.requested, view.pod_count, node, told)

    def wanted(self, view: View) -> list[Wanted]:
        asked = view.states[self.name]
        assert isinstance(asked, _Asked)
        told = (
            (self._worded(f"Insufficient {name}"), (name, column, amount))
            for name, column, amount in zip(asked.names, asked.columns, asked.amounts, strict=True)
        )
        return wanted_of(view.cluster, view.requested, view.pod_count, told, self._worded(_FULL))

    def _worded(self, failure: str) -> str:
        return self.wording.status(self.name, [failure]).reasons[0]
