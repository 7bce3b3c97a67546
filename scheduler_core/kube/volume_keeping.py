"""What those have in common that keep volumes for a pod's claims once a node is chosen."""

from __future__ import annotations

from typing import Any

from scheduler_core.kube.framework import Cycle, FilterPlugin
from scheduler_core.predicates.volumes.binder import PodVolumes
from scheduler_core.state.volumes import BinderView


class VolumeKeeper(FilterPlugin):
    """Its cycle's state is what was found on each node; `binder` remembers what was kept."""

    binder: BinderView

    def reserve(self, cycle: Cycle, node: int) -> None:
        """Keep the matched volumes for the pod's claims, and have the others provisioned for the node."""
        found = cycle.states.get(self.name)
        if isinstance(found, PodVolumes):
            found.keep(self.binder, node, cycle.state.journal)

    def dump(self) -> dict[str, Any]:
        """Return what was reserved so far as plain data."""
        return self.binder.dump()

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `dump` returned."""
        self.binder.load(data)
