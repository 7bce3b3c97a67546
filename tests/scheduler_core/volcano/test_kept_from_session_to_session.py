"""What a session hands out beside room is taken in the next one: cards of vGPUs, cpus of NUMA nodes."""

from collections import Counter

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import encoder
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.volcano.gangs import CREATED, group, node, pod, priority_classes, queue
from tests.scheduler_core.volcano.timed_gangs import written

VGPU = {
    "actions": "allocate",
    "tiers": [
        {
            "plugins": [
                {"name": "gang"},
                {"name": "predicates"},
                {
                    "name": "deviceshare",
                    "arguments": {
                        "deviceshare.VGPUEnable": True,
                        "deviceshare.SchedulePolicy": "spread",
                        "deviceshare.ScheduleWeight": 1,
                    },
                },
            ]
        }
    ],
}
NUMA = {
    "actions": "allocate",
    "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}, {"name": "numa-aware"}]}],
}
REGISTER, HELD = "volcano.sh/node-vgpu-register", "volcano.sh/vgpu-ids-new"


def node_of_cards(number, memories):
    made = node(number, (64, 0))
    entries = (
        f"GPU-{number}-{place},4,{memory},NVIDIA-A100,true,hami-core:"
        for place, memory in enumerate(memories)
    )
    made["metadata"]["annotations"] = {REGISTER: "".join(entries)}
    made["status"]["allocatable"] |= {
        "pods": "110",
        "volcano.sh/vgpu-number": str(4 * len(memories)),
        "volcano.sh/vgpu-memory": str(sum(memories)),
        "volcano.sh/vgpu-cores": str(100 * len(memories)),
    }
    return made


def slice_of(name, memory, cores):
    """A pod that asks for a share of one card, in a group of its own."""
    job = (1, 1, 1, 0, "research", "low", False, False)
    made = pod(name, 0, job, None)
    made["spec"]["containers"][0]["resources"] = {
        "requests": {"cpu": "1"},
        "limits": {
            "volcano.sh/vgpu-number": "1",
            "volcano.sh/vgpu-memory": memory,
            "volcano.sh/vgpu-cores": cores,
        },
    }
    return [group(name, job), made]


def added(item):
    """The edit that adds an object after three sessions."""
    return {"op": "add", "at": 3, "manifest": written(item) if item["kind"] == "Pod" else item}


def run_of(objects, config, *edits, driver="timed"):
    usual = {"profile": "volcano-1.16", "controllers": "none", "driver": driver}
    around = [queue("research", 1), *priority_classes()]
    return RunInput(objects=[*around, *objects], config=config, edits=list(edits), **usual)


def cards_in(simulation):
    """What the pods of the run hold, by card: MiB."""
    world = msgspec.msgpack.decode(simulation.checkpoint())["world"]
    held = Counter()
    for _, annotations in world["schedulers"]["volcano"]["cluster"]["bound_with"]:
        for share in annotations[HELD].rstrip(":").split(":"):
            card, _, memory, _ = share.split(",")
            held[card] += int(memory)
    return held


slices = st.lists(
    st.tuples(st.sampled_from([1000, 4000, 7000]), st.sampled_from([0, 30, 60])), min_size=1, max_size=9
)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from([8000, 16000]), min_size=1, max_size=3), slices, st.data())
def test_no_card_is_ever_promised_twice_and_a_resumed_run_hands_out_the_same(memories, asked, data):
    pods = [slice_of(f"s-{place}", memory, cores) for place, (memory, cores) in enumerate(asked)]
    late = [added(item) for one in pods[1::2] for item in one]
    objects = [node_of_cards(0, memories), *(item for one in pods[::2] for item in one)]
    whole = Simulation(run_of(objects, VGPU, *late))
    told = [encoder.encode(decision) for decision in whole]
    held = cards_in(whole)
    assert all(held[f"GPU-0-{place}"] <= memory for place, memory in enumerate(memories))
    stop = data.draw(st.integers(0, len(told)))
    first = Simulation(run_of(objects, VGPU, *late))
    begun = [encoder.encode(first.step()) for _ in range(stop)]
    resumed = Simulation(run_of(objects, VGPU, *late), first.checkpoint())
    assert begun + [encoder.encode(decision) for decision in resumed] == told


def numatopology(name):
    cpus = {str(cpu): {"numa": cpu // 4, "socket": cpu // 4, "core": cpu // 2} for cpu in range(8)}
    return {
        "apiVersion": "nodeinfo.volcano.sh/v1alpha1",
        "kind": "Numatopology",
        "metadata": {"name": name, "creationTimestamp": CREATED},
        "spec": {
            "policies": {"CPUManagerPolicy": "static", "TopologyManagerPolicy": "single-numa-node"},
            "numares": {"cpu": {"allocatable": "0-7", "capacity": 8}},
            "cpuDetail": cpus,
        },
    }


def guaranteed(name):
    """A pod of three whole cpus that wants them on one NUMA node."""
    job = (1, 1, 3, 0, "research", "low", False, False)
    made = pod(name, 0, job, None)
    made["metadata"].setdefault("annotations", {})["volcano.sh/numa-topology-policy"] = "single-numa-node"
    amounts = {"cpu": "3", "memory": "1Gi"}
    made["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
    return [group(name, job), made]


def test_cpus_that_an_earlier_session_gave_are_taken():
    edits = [added(item) for item in guaranteed("c")]
    objects = [node(0, (8, 0)), numatopology("node-0"), *guaranteed("a"), *guaranteed("b")]
    simulation = Simulation(run_of(objects, NUMA, *edits))
    for _ in simulation:
        pass
    placed = {one.name: one.node for one in simulation.state().pods()}
    # Each NUMA node has one cpu left: two cpus are idle, and no NUMA node has three.
    assert (placed["a-worker-0"], placed["b-worker-0"]) == ("node-0", "node-0")
    assert not placed["c-worker-0"]
