"""More than a hundred nodes in a mixture, of which the scheduler looks at some only.

Copies of the case's nodes come before or after them, and the configuration says what share of feasible nodes
is enough. One worker searches, since several would end their search by chance. Cases with devices are left
out: of them all nodes are recorded, whatever the scheduler looks at.
"""

import copy
import random
from collections.abc import Iterable, Iterator

from tests.mixtures.mixing import Case

COPIES = (98, 110, 125)
PERCENTAGES = (0, 5, 50, 90)
_DEVICES = {"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"}
_HOST_NAME = "kubernetes.io/hostname"
_CONFIGURATION = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def with_many_nodes(cases: Iterable[Case], seed: int) -> Iterator[Case]:
    """Yield the cases, each with copies of its nodes, and searched in part."""
    dice = random.Random(seed)
    for case in cases:
        items = case["cluster"]["items"]
        nodes = [item for item in items if item["kind"] == "Node"]
        if not nodes or any(item["kind"] in _DEVICES for item in items):
            continue
        copies = [_copy_of(dice.choice(nodes), number) for number in range(dice.choice(COPIES))]
        case["cluster"]["items"] = copies + items if dice.random() < 0.5 else items + copies
        config = case.get("config") or _CONFIGURATION
        profiles = [
            {**profile, "percentageOfNodesToScore": dice.choice(PERCENTAGES)}
            for profile in config.get("profiles") or [{"schedulerName": "default-scheduler"}]
        ]
        case["config"] = {**config, "parallelism": 1, "profiles": profiles}
        yield case


def _copy_of(node: Case, number: int) -> Case:
    made, name = copy.deepcopy(node), f"extra-{number:03}"
    made["metadata"]["name"] = made["metadata"]["uid"] = name
    labels = made["metadata"].get("labels") or {}
    if _HOST_NAME in labels:
        labels[_HOST_NAME] = name
    return made
