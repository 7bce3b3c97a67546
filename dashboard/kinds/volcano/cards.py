"""What Volcano says of the cards of runs that its plugin deviceshare divides."""

from collections.abc import Collection, Iterator

from django.db.models import QuerySet

from dashboard import engine
from dashboard.kinds.cards import Counts, MakeSeries, Pods
from dashboard.kinds.cards_over_time import DEFINITION, cards_over_time
from dashboard.kinds.policy_runs import policy_runs
from dashboard.models import Run, Snapshot
from dashboard.queries.configurations import config_maps_of
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import kinds
from scheduler_core.volcano.configuration.scheduler_conf import Configuration, read_configuration
from scheduler_core.volcano.configuration.vgpu_config_map import config_map_of
from scheduler_core.volcano.devices.asked_vgpus import AskedVgpus
from scheduler_core.volcano.devices.of_configuration import device_sharing
from scheduler_core.volcano.devices.vgpu_settings import vgpu_settings


class VolcanoCards:
    """Volcano as a scheduler that shares cards; of GPUs that it shares in other ways nothing is told here."""

    definition: str = DEFINITION
    title: str = "Volcano"
    counts_slots: bool = False
    profiles: Collection[str] = list(kinds()["volcano"].versions)

    def takes_part(self, run: Run) -> bool:
        """Return whether a run's Volcano divides cards."""
        return _dividing(run) is not None

    def policies_of(self, run: Run) -> str:
        """Return in words by which policy a run's Volcano hands out cards."""
        dividing = _dividing(run)
        if dividing is None:
            return ""
        return f"deviceshare {device_sharing(dividing).policy or 'without a policy'}"

    def policy_runs(self, snapshot: int, among: QuerySet[Run]) -> list[Run]:
        """Return finished runs on a snapshot in which cards are divided, under other settings each."""
        return policy_runs(snapshot, among, self.profiles, self.takes_part)

    def counts_of_run(self, run: Run) -> Counts:
        """Return nothing: nodes register what of their cards is asked for, in amounts of it."""
        return {}

    def counts_of_snapshot(self, snapshot: Snapshot) -> Counts:
        """Return nothing, as of a run."""
        return {}

    def series_of(self, run: Run, pods: Pods | None) -> MakeSeries | None:
        """Return what makes the series of a run's cards, with what its pods ask of them."""
        dividing = _dividing(run)
        if dividing is None:
            return None
        settings = vgpu_settings(config_maps_of(run.snapshot), config_map_of(dividing))
        try:
            asked = AskedVgpus(settings, pods() if pods is not None else engine.pods_of(run))
        except BadInput:
            # An older engine took what this one refuses; the log alone still tells what was asked for.
            asked = AskedVgpus(settings)
        return cards_over_time(asked)


def _dividing(run: Run) -> Configuration | None:
    """Return the configuration of the run's Volcano if it divides cards."""
    return next((one for one in _configurations(run) if device_sharing(one).vgpu), None)


def _configurations(run: Run) -> Iterator[Configuration]:
    if run.profile in VolcanoCards.profiles:
        yield read_configuration(run.config)
    for entry in run.beside:
        if entry.get("scheduler") in VolcanoCards.profiles or entry.get("scheduler") == "volcano":
            yield read_configuration(entry.get("config"))
