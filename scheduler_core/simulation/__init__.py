"""Runs: from a snapshot, edits and a scheduler to the log of decisions."""

from scheduler_core.simulation.run_input import RunInput
from scheduler_core.simulation.simulation import Simulation

__all__ = ["RunInput", "Simulation"]
