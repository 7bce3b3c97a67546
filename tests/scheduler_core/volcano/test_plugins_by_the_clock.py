"""Plugins that look at the clock are asked again when time alone changes what they say."""

import pytest

from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.beginning import epoch_of
from tests.scheduler_core.volcano.gangs import group, node, pod, priority_classes, queue

START = epoch_of(0)
JOB = (1, 1, 1, 0, "research", "low", False, True)


def config(plugin, actions="enqueue, allocate", **arguments):
    mine = {"name": plugin, "arguments": arguments}
    plugins = [mine, {"name": "gang"}]
    return {
        "actions": actions,
        "tiers": [
            {"plugins": plugins},
            {"plugins": [{"name": "overcommit"}, {"name": "predicates"}]},
        ],
    }


def bound_at(objects, given):
    """When pods are bound, by name, in milliseconds since the run's start."""
    run = RunInput(
        objects=[queue("research", 1), *priority_classes(), *objects],
        profile="volcano-1.16",
        driver="timed",
        controllers="none",
        config=given,
        until=4000,
    )
    found = {}
    for decision in Simulation(run):
        if decision.__struct_config__.tag == "gang":
            found |= {one.name: decision.time for one in decision.bound}
    return found


def test_a_job_enters_its_queue_once_it_has_waited_for_long_enough():
    """overcommit lets in what the cluster has room for, times 1.2; the wait lets in more."""
    large, small = group("large", (1, 1, 9, 0, "research", "low", False, True)), group("small", JOB)
    large["metadata"]["creationTimestamp"] = format_timestamp(START - 30 * 10**9)
    held = (large, pod("large", 0, (1, 1, 1, 0, "research", "low", False, True), None))
    waits = config("sla", **{"sla-waiting-time": "1m40s"})
    objects = [node(0, (4, 0)), *held]
    assert bound_at(objects, waits) == {"large-worker-0": 70_000}
    assert bound_at(objects, config("priority")) == {}
    assert bound_at([*objects, small, pod("small", 0, JOB, None)], waits)["small-worker-0"] == 0


@pytest.mark.parametrize("minutes", [3, 61])
def test_a_node_of_a_zone_is_lent_when_the_zone_opens(minutes):
    opens = format_timestamp(START + minutes * 60 * 10**9)[11:16]
    shuts = format_timestamp(START + (minutes + 30) * 60 * 10**9)[11:16]
    lent = node(0, (4, 0))
    lent["metadata"]["labels"]["volcano.sh/revocable-zone"] = "night"
    asking = pod("batch", 0, JOB, None)
    asking["metadata"]["annotations"]["volcano.sh/revocable-zone"] = "*"
    zone = {"tdm.revocable-zone.night": f"{opens}-{shuts}"}
    given = config("tdm", actions="allocate", **zone)
    assert bound_at([lent, group("batch", JOB), asking], given) == {"batch-worker-0": minutes * 60_000}


def test_a_pod_that_has_not_cooled_down_is_evicted_when_it_has():
    """It is spared for two minutes after its binding, of which half a minute is over."""
    low, high = (1, 1, 4, 0, "research", "low", False, False), (1, 1, 4, 0, "research", "high", False, False)
    running = pod("old", 0, low, "node-0")
    running["metadata"].setdefault("labels", {})["volcano.sh/cooldown-time"] = "2m"
    running["spec"]["terminationGracePeriodSeconds"] = 0
    since = format_timestamp(START - 30 * 10**9)
    running["status"] = {
        "phase": "Running",
        "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": since}],
    }
    plugins = [{"name": "priority"}, {"name": "gang", "enablePreemptable": False}, {"name": "cdp"}]
    given = {
        "actions": "allocate, preempt",
        "tiers": [{"plugins": plugins}, {"plugins": [{"name": "predicates"}]}],
    }
    objects = [node(0, (4, 0)), group("old", low), running, group("new", high), pod("new", 0, high, None)]
    assert bound_at(objects, given) == {"new-worker-0": 91_000}
