"""Evictions in which the real scheduler leaves it to chance which pods go."""

from dashboard.shapes.outcome import ByChance
from scheduler_core.events.decisions import Decision
from scheduler_core.events.sessions import Placement


class ByChanceTally:
    """`found` is None as long as there was none."""

    def __init__(self) -> None:
        self.found: ByChance | None = None

    def add(self, decision: Decision) -> None:
        """Count a decision that evicts pods beside which a plugin could have let others go."""
        if not isinstance(decision, Placement) or not decision.victims or not decision.tiers:
            return
        drawing = next((one for one in decision.tiers[-1] if one.or_else), None)
        if drawing is None:
            return
        if self.found is None:
            of = len(drawing.chosen) + len(drawing.or_else)
            self.found = {
                "decisions": 0,
                "seq": decision.seq,
                "time": decision.time,
                "plugin": drawing.plugin,
                "chosen": len(drawing.chosen),
                "of": of,
            }
        self.found["decisions"] += 1
