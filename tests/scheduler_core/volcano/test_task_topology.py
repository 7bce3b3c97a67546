"""task-topology draws pods that belong together to one node, but to none that lacks what its pods ask for."""

import pytest

from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.volcano.gangs import group, node, pod, priority_classes, queue

JOB = (2, 2, 1, 0, "research", "low", False, False)
TIERS = [["priority", "gang"], ["predicates", {"name": "task-topology"}]]


@pytest.mark.parametrize(("asked", "chosen"), [("nvidia.com/gpu", "node-0"), ("example.com/none", "node-1")])
def test_a_node_that_lacks_what_its_pods_ask_for_draws_nobody(asked, chosen):
    running = pod("old", 0, JOB, "node-0")
    running["spec"]["containers"][0]["resources"]["requests"] = {asked: "1"}
    together, ours = group("new", JOB), [pod("new", index, JOB) for index in range(2)]
    together["metadata"]["annotations"] = {"volcano.sh/task-topology-affinity": "ps,worker"}
    for one, role in zip(ours, ("ps", "worker"), strict=True):
        one["metadata"]["annotations"]["volcano.sh/task-spec"] = role
    run = RunInput(
        objects=[
            *(node(0, (9, 1)), node(1, (9, 1)), queue("research", 1), *priority_classes()),
            group("old", JOB),
            running,
            together,
            *ours,
        ],
        profile="volcano-1.16",
        driver="instant",
        controllers="none",
        config={
            "actions": "allocate",
            "tiers": [
                {"plugins": [{"name": one} if isinstance(one, str) else one for one in tier]}
                for tier in TIERS
            ],
        },
    )
    placed = [one.node for one in Simulation(run) if one.__struct_config__.tag == "placement"]
    assert placed == [chosen, chosen]
