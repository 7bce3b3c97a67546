"""What a preemption looked at and chose."""

from dataclasses import dataclass, field

from scheduler_core.events.decisions import Criterion
from scheduler_core.kube.preemption.candidates import Costs
from scheduler_core.kube.preemption.dry_run import DryRuns


@dataclass
class PreemptionResult:
    """What PostFilter looked at. `eligible` is None where DefaultPreemption was never asked.

    `winner` is the run on the node that was taken, `lost` says at which criterion others dropped out.
    """

    eligible: bool | None = None
    reason: str = ""
    runs: DryRuns | None = None
    costs: Costs | None = None
    lost: dict[int, Criterion] = field(default_factory=dict)
    best: list[str] = field(default_factory=list)
    winner: int | None = None
    victims: list[int] = field(default_factory=list)
    cleared: list[int] = field(default_factory=list)
    status: str = "Unschedulable"
