"""What a preemption looked at and chose."""

from dataclasses import dataclass, field

import numpy as np

from scheduler_core.kube.preemption.candidates import Contest, Runs
from scheduler_core.kube.preemption.costs import Costs
from scheduler_core.state.nodes import IntArray


@dataclass
class PreemptionResult:
    """What PostFilter looked at. `eligible` is None where DefaultPreemption was never asked.

    `winner` is the run of the `contest` on the node that was taken; `lost`, shape (runs,), says where the
    other candidates dropped out, see `pick`.
    """

    eligible: bool | None = None
    reason: str = ""
    runs: Runs | None = None
    left: Contest | None = None
    costs: Costs | None = None
    lost: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    best: list[str] = field(default_factory=list)
    winner: int | None = None
    victims: list[int] = field(default_factory=list)
    cleared: list[int] = field(default_factory=list)
    status: str = "Unschedulable"

    @property
    def contest(self) -> Contest | None:
        """Among what the choice was: what extenders left of the dry run, or all of it."""
        return self.runs if self.left is None else self.left
