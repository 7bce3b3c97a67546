"""Which pods have which disks, and which pods name which claims."""

from collections.abc import Iterator, Sequence

import numpy as np

from scheduler_core.objects.types import Volume
from scheduler_core.predicates.known_pods import common_start
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.predicates.volumes.disks import disks_of, same_disk
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo, PodTable


class VolumeUsers:
    """Which pods have disks, and which name a claim (in whatever namespace, once for each volume)."""

    def __init__(self) -> None:
        self._infos: list[PodInfo] = []
        self._disks: list[tuple[int, list[Volume]]] = []
        self.of_claim: dict[str, list[int]] = {}

    def extend(self, infos: Sequence[PodInfo]) -> None:
        """Take in the pods that came since; forget those that were taken back."""
        known = common_start(self._infos, infos)
        if known < len(self._infos):
            del self._infos[known:]
            self._disks = [entry for entry in self._disks if entry[0] < known]
            self.of_claim = {
                claim: [pod for pod in pods if pod < known] for claim, pods in self.of_claim.items()
            }
        for info in infos[known:]:
            self._infos.append(info)
            self._take_in(info)

    def _take_in(self, info: PodInfo) -> None:
        disks = disks_of(info.pod)
        if disks:
            self._disks.append((info.row, disks))
        for claim in named_claims(info.pod):
            self.of_claim.setdefault(claim, []).append(info.row)

    def takers(self, wanted: Sequence[Volume]) -> BoolArray:
        """Return which pods hold one of the wanted disks."""
        mask = np.zeros(len(self._infos), dtype=np.bool_)
        mask[list(self._takers(wanted))] = True
        return mask

    def _takers(self, wanted: Sequence[Volume]) -> Iterator[int]:
        for pod, disks in self._disks if wanted else ():
            if any(same_disk(mine, theirs) for mine in wanted for theirs in disks):
                yield pod

    def naming(self, claims: set[str]) -> IntArray:
        """Return how many volumes of each pod name one of the claims."""
        counts = np.zeros(len(self._infos), dtype=np.int64)
        for claim in claims:
            np.add.at(counts, np.array(self.of_claim.get(claim, ()), dtype=np.int64), 1)
        return counts


def volume_users(pods: PodTable) -> VolumeUsers:
    """Return who among the pods uses which volumes."""
    users = pods.companion(VolumeUsers)
    users.extend(pods.infos)
    return users
