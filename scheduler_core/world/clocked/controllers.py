"""The cluster's controllers as actors of a clocked world."""

from __future__ import annotations

from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.controllers.controller import ClusterController


class Controlling(ClockedActor):
    """One of the cluster's controllers, in its turn."""

    def __init__(self, controller: ClusterController) -> None:
        self.controller = controller
        self.urgent = controller.urgent

    def due(self) -> int | None:
        return self.controller.due()

    @property
    def is_settled(self) -> bool:
        return self.controller.is_settled

    def act(self) -> Happening | None:
        acted = self.controller.act()
        return None if acted is None else Happening("controller", acted.report, acted=acted)
