"""Where Volcano itself leaves it to chance which pods go, the decision names those that may go instead."""

import pytest

from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.reporting.unplayed import unplayed_parts
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.volcano.gangs import group, node, pod, priority_classes, queue

LOW = (3, 2, 1, 0, "research", "low", False, False)
HIGH = (1, 1, 1, 0, "research", "high", False, False)


def budget(allowed, **labels):
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "ml"},
        "spec": {"selector": {"matchLabels": labels}},
        "status": {"disruptionsAllowed": allowed},
    }


def preempting(*plugins, minimum=2, cpus=(3, 0), more=()):
    """A job of three pods on a full node, and a pod of higher priority."""
    low = (3, minimum, *LOW[2:])
    running = [pod("old", index, low, "node-0") for index in range(3)]
    for one in running:
        one["metadata"].setdefault("labels", {})["app"] = "old"
    names = [{"name": "priority"}, *({"name": name} for name in plugins)]
    tiers = [{"plugins": names}, {"plugins": [{"name": "predicates"}]}]
    run = RunInput(
        objects=[
            *(queue("research", 1), *priority_classes(), node(0, cpus)),
            *(group("old", low), *running, group("new", HIGH), pod("new", 0, HIGH, None), *more),
        ],
        profile="volcano-1.16",
        driver="instant",
        controllers="none",
        config={"actions": "allocate, preempt", "tiers": tiers},
    )
    return list(Simulation(run))


def opinions(decisions):
    """By plugin of the deciding tier: whom it lets go, and who might go instead."""
    placements = (one for one in decisions if one.__struct_config__.tag == "placement" and one.victims)
    tiers = next(placements).tiers
    return {one.plugin: (len(one.chosen), len(one.or_else)) for one in tiers[-1]}


def test_which_pod_of_a_gang_is_protected():
    assert opinions(preempting("gang")) == {"priority": (3, 0), "gang": (1, 2)}


def test_of_a_gang_that_may_go_wholly_nobody_goes_instead():
    assert opinions(preempting("gang", minimum=0)) == {"priority": (3, 0), "gang": (3, 0)}


@pytest.mark.parametrize(("allowed", "said"), [(1, (1, 2)), (2, (2, 1)), (3, (3, 0))])
def test_a_budget_that_candidates_use_up(allowed, said):
    assert opinions(preempting("pdb", more=[budget(allowed, app="old")]))["pdb"] == said


def told(objects, *plugins):
    given = {"actions": "allocate", "tiers": [{"plugins": list(plugins)}]}
    return unplayed_parts(read_configuration(given), objects).matter


def test_which_cards_a_pod_gets_by_their_number():
    sharing = {"name": "deviceshare", "arguments": {"deviceshare.GPUNumberEnable": True}}
    asking = pod("j", 0, HIGH)
    assert told([asking], sharing) == []
    asking["spec"]["containers"][0]["resources"] = {"limits": {"volcano.sh/gpu-number": "1"}}
    [said] = told([asking], sharing)
    assert said.startswith(
        "plugin deviceshare in part: which idle cards a pod gets for volcano.sh/gpu-number"
    )


def test_nodes_that_divide_cards_into_mig_instances():
    sharing = {"name": "deviceshare", "arguments": {"deviceshare.VGPUEnable": True}}
    at = {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n", "annotations": {}}}
    at["metadata"]["annotations"]["volcano.sh/node-vgpu-register"] = "GPU-a,10,40960,A100,true,hami-core:"
    assert told([at], sharing) == []
    at["metadata"]["annotations"]["volcano.sh/node-vgpu-register"] = "GPU-a,10,40960,A100,true,mig:"
    [said] = told([at], sharing)
    assert said.startswith("plugin deviceshare in part: 1 node divides its cards in the mode mig")
    assert told([at], {"name": "deviceshare"}) == []
    there = {"name": "volcano-vgpu-device-config", "namespace": "kube-system"}
    known = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": there}
    assert told([at, known], sharing) == []
    sharing["arguments"]["deviceshare.KnownGeometriesCMName"] = "ours"
    [said] = told([at, known], sharing)
    assert "without the geometries of ConfigMap kube-system/ours" in said


def test_which_queues_have_figures_where_a_parent_is_missing():
    orphan = queue("research", 1)
    tree = {"name": "capacity", "enableHierarchy": True}
    assert told([orphan], tree) == []
    orphan["spec"]["parent"] = "gone"
    [said] = told([orphan], tree)
    assert said.startswith("plugin capacity in part: without the parent of queue research it is by chance")
    assert told([orphan], {"name": "capacity"}) == []
