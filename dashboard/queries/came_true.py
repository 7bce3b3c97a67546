"""What came of a run's prediction, as figures: made by `dashboard/services/results/came_true.py`."""

from typing import Literal

import msgspec

from dashboard.queries.came_true_applied import Applied
from dashboard.queries.came_true_between import Between
from dashboard.queries.came_true_drift import Drift, Emptied, Landed

Verdict = Literal["came true", "differs", "can’t be told"]


class CameTrue(msgspec.Struct, frozen=True):
    """A run's prediction held against a later snapshot of its cluster.

    run, snapshot: primary keys, of the run and of the later snapshot; snapshot_name. profile: the run's
    scheduler. seconds: from the run's snapshot to the later one. applied: each edit, whether it was made.
    drift: by workload. emptied: null where nothing is drained. is_chosen: somebody chose the later snapshot.
    is_connected: both are readings of one connected cluster. lacks: the later one is in part. is_cut_short:
    the run ended at a limit, before its natural end.
    """

    run: int
    profile: str
    snapshot: int
    snapshot_name: str
    seconds: int
    applied: list[Applied]
    drift: list[Drift]
    emptied: Emptied | None
    landed: Landed
    between: Between
    is_chosen: bool = False
    is_connected: bool = True
    lacks: bool = False
    is_cut_short: bool = False

    @property
    def judged(self) -> list[Drift]:
        """The workloads that the prediction is about."""
        return [row for row in self.drift if row.is_judged]

    @property
    def is_applied(self) -> bool:
        """Whether all edits were seen to be made."""
        return all(one.state == "applied" for one in self.applied)

    @property
    def verdict(self) -> Verdict:
        """Whether as many pods of each judged workload have a node, and as many nodes are empty.

        Without tolerance. Where an edit wasn't made, or a run didn't come to its end, that can't be told.
        """
        if not self.is_applied or self.is_cut_short or not self.drift or not self.judged:
            return "can’t be told"
        is_emptied = self.emptied is None or self.emptied.predicted == self.emptied.found
        return "came true" if is_emptied and not any(row.differs for row in self.judged) else "differs"
