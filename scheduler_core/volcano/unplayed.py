"""Objects of the Volcano project that no run plays, and what a cluster with them does that a run does not.

Source: the kinds of volcano v1.16 config/crd; staging/src/volcano.sh/apis.
"""

from __future__ import annotations

from collections import Counter

from scheduler_core.objects.kinds import (
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    Kind,
)

UNPLAYED = {
    VOLCANO_JOB_FLOW: "no jobs are made of them",
    VOLCANO_JOB_TEMPLATE: "no jobs are made of them",
    Kind("batch.volcano.sh", "CronJob"): "no jobs are made at their times",
    Kind("training.volcano.sh", "HyperJob"): "no jobs are made of them",
    Kind("topology.volcano.sh", "HyperNode"): "how near nodes are in the network does not count",
    Kind("nodeinfo.volcano.sh", "Numatopology"): "the NUMA nodes within a node do not count",
    Kind("shard.volcano.sh", "NodeShard"): "every scheduler sees all nodes",
    Kind("config.volcano.sh", "ColocationConfiguration"): "room that is oversubscribed does not count",
}
"""What is missing in a run, by kind."""


def not_played(numbers: Counter[Kind]) -> list[str]:
    """Return a sentence for each kind that is there and not played, in the kinds' order.

    numbers: how many objects there are of each kind.
    """
    return [
        f"Not played: {numbers[kind]:,} {kind}: {what}." for kind, what in UNPLAYED.items() if numbers[kind]
    ]
