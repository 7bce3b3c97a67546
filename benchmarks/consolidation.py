"""CPU time of finding the nodes that can be given back, on the clusters that `benchmarks.operators` makes."""

import time
from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.operators.__main__ import CLUSTERS
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world import RunInput
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.trials.warm_world import WarmWorld

SECONDS = 120.0
"""As long as a worker tries."""
PROFILES = {"cloud-300": "kube-1.36", "volcano": "volcano-1.16", "hami": "hami-2.10"}


def measure() -> Iterator[Figure]:
    """Try all nodes of each cluster, as they come, for as long as a worker would."""
    for name, profile in PROFILES.items():
        objects = withhold_private(CLUSTERS[name]("1")["items"])[0]
        world = WarmWorld(RunInput(objects=objects, profile=profile))
        begun = time.process_time()

        def is_late(begun: float = begun) -> bool:
            return time.process_time() - begun > SECONDS

        found = consolidation(world, is_late=is_late)
        took = time.process_time() - begun
        what = f"{name}: {len(found.freed)} of {found.looked_at} nodes, {len(found.untried)} untried"
        yield Figure("Nodes to give back", f"{what}, {found.trials} trials", took, "s")
