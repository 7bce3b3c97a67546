"""Runs: from a snapshot, edits and a scheduler to the log of decisions."""

from scheduler_core.world.run_input import RunInput
from scheduler_core.world.simulation import Simulation

__all__ = ["RunInput", "Simulation"]
