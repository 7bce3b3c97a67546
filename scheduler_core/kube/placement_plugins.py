"""What a profile has for the placements of pod groups."""

from typing import NamedTuple

from scheduler_core.predicates.resources import weighted_resources

GENERATOR = "TopologyPlacementGenerator"
COUNT = "PodGroupPodsCount"
FIT = "NodeResourcesFit"


class PlacementPlugins(NamedTuple):
    """generates: whether there are placements by topology. weights: of the plugins that score them.

    resources: those by which it is scored how full nodes become, with their weights.
    """

    generates: bool
    weights: dict[str, int]
    resources: list[tuple[str, int]]


USUAL = PlacementPlugins(True, {FIT: 1, COUNT: 1}, weighted_resources(None))
