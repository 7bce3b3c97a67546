"""The ready samples, in the order in which they are loaded: each a cluster with scenarios to run on it."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from typing import Any

from samples.devices.sample import devices_files, devices_scenarios
from samples.gang.sample import gang_files, gang_scenarios
from samples.hami.sample import hami_files, hami_scenarios
from samples.openb.sample import (
    openb_arrivals,
    openb_empty_files,
    openb_files,
    openb_hami_arrivals,
    openb_hami_empty_files,
    openb_hami_files,
    openb_seconds,
)
from samples.stolen_room.sample import stolen_room_files, stolen_room_scenarios
from samples.teaching.sample import teaching_files, teaching_scenarios
from samples.volcano.sample import volcano_files, volcano_scenarios

Files = list[tuple[str, bytes]]
Edits = list[dict[str, Any]]

TRACE_SIZE = "1,523 nodes and 8,152 tasks; loading and running it takes up to a few minutes"
NO_SINGLE_CARDS = (
    "kube-scheduler sees no single cards: it counts a node's cards as one number, so that shares of a card "
    "add up over all cards of a node. A node offers either whole cards or shares; so none is sold twice."
)
STAND_IN_MEMORY = (
    "The trace tells neither a card's memory nor what the models G2 and G3 are: 20,000 and 30,000 MiB stand "
    "for theirs. Tasks ask for shares of a card, of its cores and of its memory alike."
)


VOLCANO_CLUSTERS = {
    "Gang deadlock on four GPUs": "gang",
    "Two queues and their shares": "queues",
    "An urgent job in its queue": "priority",
    "A job that fails and starts again": "restart",
    "Two queues over four hours": "hours",
    "Cards shared by Volcano": "vgpu",
    "Jobs near each other in the network": "hyper_nodes",
    "Replicas that each need a rack": "sub_groups",
}


@dataclass(frozen=True)
class SampleScenario:
    """A scenario of a sample: its name, its edits, what decides, and whether loading the sample plays it.

    What takes long, and shows nothing else than what is played, waits for somebody to press "Run it".
    Edits and an end that are read out of a large file are functions: a page that names samples needs neither.
    """

    name: str
    edits: Edits | Callable[[], Edits] = field(default_factory=list)
    profile: str = "kube-1.37"
    driver: str = "instant"
    controllers: str = "recreate"
    until: float | Callable[[], float] | None = None
    config: dict[str, Any] | None = None
    plays: bool = True

    def fields(self) -> dict[str, Any]:
        """Return the fields of the scenario to make, all read."""
        found = {name: value() if callable(value) else value for name, value in asdict(self).items()}
        del found["plays"]
        return found


@dataclass(frozen=True)
class Sample:
    """A cluster to begin with. `files` makes its files of Kubernetes objects when they are asked for.

    large: how large it is, in words, if it takes long to load and play: it waits for somebody to ask for it.
    """

    name: str
    files: Callable[[], Files]
    scenarios: list[SampleScenario]
    notes: tuple[str, ...] = ()
    large: str = ""


@cache
def gallery() -> list[Sample]:
    """Return the samples, the small ones first."""
    return [
        Sample(
            "Teaching cluster",
            teaching_files,
            [SampleScenario(name, edits) for name, edits in teaching_scenarios()],
        ),
        Sample(
            "Stolen room",
            stolen_room_files,
            [SampleScenario(**scenario) for scenario in stolen_room_scenarios()],
        ),
        *(
            Sample(
                title,
                partial(volcano_files, cluster),
                [SampleScenario(**scenario) for scenario in volcano_scenarios(cluster)],
            )
            for title, cluster in VOLCANO_CLUSTERS.items()
        ),
        Sample(
            "Shared GPUs under four policies",
            hami_files,
            [SampleScenario(**scenario) for scenario in hami_scenarios()],
        ),
        Sample(
            "Cards by ResourceClaims",
            devices_files,
            [SampleScenario(**scenario) for scenario in devices_scenarios()],
        ),
        Sample(
            "A gang of eight",
            gang_files,
            [SampleScenario(**scenario) for scenario in gang_scenarios()],
        ),
        Sample(
            "Alibaba GPU trace 2023",
            openb_files,
            [SampleScenario("All tasks in the order of their arrival")],
            notes=(NO_SINGLE_CARDS,),
            large=TRACE_SIZE,
        ),
        Sample(
            "Alibaba GPU trace 2023, in time",
            openb_empty_files,
            [
                SampleScenario(
                    "All tasks as they came and went in 149 days",
                    openb_arrivals,
                    driver="timed",
                    until=openb_seconds,
                )
            ],
            notes=(NO_SINGLE_CARDS,),
            large=TRACE_SIZE,
        ),
        Sample(
            "Alibaba GPU trace 2023, shared by HAMi",
            openb_hami_files,
            [SampleScenario(**scenario, plays=place == 0) for place, scenario in enumerate(hami_scenarios())],
            notes=(STAND_IN_MEMORY,),
            large=TRACE_SIZE,
        ),
        Sample(
            "Alibaba GPU trace 2023, shared by HAMi, in time",
            openb_hami_empty_files,
            [
                SampleScenario(
                    "All tasks as they came and went, cards shared by HAMi",
                    openb_hami_arrivals,
                    profile="hami-2.10",
                    driver="timed",
                    until=openb_seconds,
                    plays=False,
                )
            ],
            notes=(STAND_IN_MEMORY,),
            large=TRACE_SIZE,
        ),
    ]
