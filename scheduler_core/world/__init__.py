"""Runs: from a snapshot, edits and a scheduler to the log of decisions."""

from typing import TYPE_CHECKING, Any

from scheduler_core.world.run_input import RunInput

if TYPE_CHECKING:
    from scheduler_core.world.simulation import Simulation

__all__ = ["RunInput", "Simulation"]


def __getattr__(name: str) -> Any:
    """Load the engine when it is first asked for: many processes need only what a run is a function of."""
    if name == "Simulation":
        from scheduler_core.world.simulation import Simulation

        return Simulation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
