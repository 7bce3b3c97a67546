"""Runs of made-up clusters that may go on for very long, cut off after their first decisions."""

from scheduler_core.events.decisions import Decision
from scheduler_core.world import Simulation

MOST = 600


class FirstDecisions(Simulation):
    """A run of at most `MOST` decisions.

    Longer ones are of a pod that preempts again and again what its controller makes anew at once: with
    SchedulerPopFromBackoffQ it doesn't wait in between.
    """

    def step(self) -> Decision | None:
        """Take the next decision and return it; None after the last one."""
        return None if self.seq >= MOST else super().step()
