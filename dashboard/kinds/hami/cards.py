"""What HAMi says of the cards of runs and snapshots."""

from collections.abc import Collection

from django.db.models import QuerySet

from dashboard import engine
from dashboard.kinds.cards import Counts, MakeSeries, Pods
from dashboard.kinds.cards_over_time import DEFINITION, cards_over_time
from dashboard.kinds.hami.queries import runs, slots
from dashboard.kinds.policy_runs import policy_runs
from dashboard.models import Run, Snapshot
from scheduler_core.hami.kind import KIND
from scheduler_core.hami.measures.asked_cards import Asked
from scheduler_core.objects.problems import BadInput


class HamiCards:
    """HAMi as a scheduler that shares cards."""

    definition: str = DEFINITION
    title: str = KIND.title
    counts_slots: bool = True
    profiles: Collection[str] = runs.PROFILES

    def takes_part(self, run: Run) -> bool:
        """Return whether HAMi takes part in a run."""
        return runs.plays_hami(run)

    def policies_of(self, run: Run) -> str:
        """Return in words by which policies a run's HAMi chooses nodes and cards."""
        return runs.policies_of(run)

    def policy_runs(self, snapshot: int, among: QuerySet[Run]) -> list[Run]:
        """Return finished runs of HAMi on a snapshot that differ in its settings alone."""
        return policy_runs(snapshot, among, runs.PROFILES, runs.plays_hami)

    def counts_of_run(self, run: Run) -> Counts:
        """Return what the resources count by which the run's HAMi shares cards."""
        return slots.counts_of_run(run)

    def counts_of_snapshot(self, snapshot: Snapshot) -> Counts:
        """Return what the resources count by which HAMi shares the cards that a snapshot's nodes register."""
        return slots.counts_of_snapshot(snapshot)

    def series_of(self, run: Run, pods: Pods | None) -> MakeSeries | None:
        """Return what makes the series of a run's cards, with what its pods ask of them."""
        hami = runs.hami_of(run)
        if hami is None:
            return None
        try:
            asked = Asked(hami, pods() if pods is not None else engine.pods_of(run))
        except BadInput:
            # An older engine took what this one refuses; the log alone still tells what was asked for.
            asked = Asked(hami)
        return cards_over_time(asked)
