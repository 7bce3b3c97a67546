"""What plain numbers say of a few nodes is what arrays say of many."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kube.framework import Cycle, Skip
from scheduler_core.kube.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.predicates.resources import FEW
from scheduler_core.state.build import build_state
from scheduler_core.volcano.configuration.scheduler_conf import Arguments, PluginOption
from scheduler_core.volcano.model.nodes import Nodes
from scheduler_core.volcano.model.tasks import make_task
from scheduler_core.volcano.plugins.binpack import Binpack
from tests.builders import container, node, pod
from tests.portions import tries

GPU = "nvidia.com/gpu"
LARGE = ["1", "37", "250", "4Gi", "70Gi", "80Pi", "-5", str(2**63 - 1)]
amounts = st.fixed_dictionaries(
    {},
    optional={
        "cpu": st.sampled_from(["0", "1m", "333m", "1", "7", "4096", "-1", str(2**62)]),
        "memory": st.sampled_from(LARGE),
    },
)
with_gpu = st.builds(
    lambda base, gpus: {**base, **({GPU: gpus} if gpus else {})},
    amounts,
    st.sampled_from(["", "0", "1", "3"]),
)
fleets = st.lists(st.tuples(with_gpu, st.lists(with_gpu, max_size=3)), min_size=FEW + 1, max_size=FEW + 6)


def resources(*weighted):
    return [{"name": name, "weight": weight} for name, weight in weighted]


SCORES = {
    "least": NodeResourcesFit(
        {"scoringStrategy": {"type": "LeastAllocated", "resources": resources(("cpu", 3), (GPU, 1))}}
    ),
    "most": NodeResourcesFit(
        {"scoringStrategy": {"type": "MostAllocated", "resources": resources(("cpu", 1), ("memory", 2))}}
    ),
    "by default": NodeResourcesFit(),
    "balance of two": NodeResourcesBalancedAllocation(),
    "balance of three": NodeResourcesBalancedAllocation(
        {"resources": resources(("cpu", 1), ("memory", 1), (GPU, 1))}
    ),
}


def cluster(fleet, asked):
    objects = []
    for place, (size, pods) in enumerate(fleet):
        made = node(f"n{place}")
        made["status"]["allocatable"] = {"pods": "110", **size}
        objects.append(made)
        objects += [
            pod(f"p{place}-{number}", on=f"n{place}", containers=[container(requests=requests)])
            for number, requests in enumerate(pods)
        ]
    objects.append(pod("new", containers=[container(requests=asked)]))
    return build_state(objects).state


def one_by_one(score, number):
    return np.concatenate([score(np.array([row])) for row in range(number)])


@pytest.mark.parametrize("name", SCORES)
@given(fleets, with_gpu)
@settings(max_examples=tries(30))
def test_a_score_of_one_node_is_that_among_many(name, fleet, asked):
    state, plugin = cluster(fleet, asked), SCORES[name]
    cycle = Cycle(state, state.pods.infos[-1])
    rows = np.arange(len(fleet))
    prepared = plugin.pre_score(cycle, rows)
    if isinstance(prepared, Skip):
        return
    with np.errstate(invalid="ignore", over="ignore"):  # Amounts past int64 wrap around, as in Go.
        many = plugin.score(cycle, prepared, rows)
        few = one_by_one(lambda some: plugin.score(cycle, prepared, some), len(fleet))
    assert few.dtype == many.dtype
    assert few.tolist() == many.tolist()


class OfNodes:
    """As much of a session as binpack looks at."""

    def __init__(self, nodes):
        self.nodes = nodes


@given(fleets, with_gpu, st.sampled_from([0, 1, 5]))
@settings(max_examples=tries(60))
def test_room_and_binpack_of_one_node_are_those_among_many(fleet, asked, weight):
    state = cluster(fleet, asked)
    tasks = [make_task(info.pod, info.row) for info in state.pods.infos]
    nodes = Nodes(state.nodes.objects, [task.request for task in tasks], {})
    for task in tasks[:-1]:
        nodes.add(task, nodes.row[task.node])
    new = tasks[-1]
    arguments = {"binpack.cpu": weight, "binpack.resources": GPU, f"binpack.resources.{GPU}": 2}
    binpack = Binpack(OfNodes(nodes), PluginOption("binpack", {}, Arguments(arguments)))
    for ask in (
        lambda rows: binpack.node_order(new, rows),
        lambda rows: nodes.fits(new.request, rows, future=True),
        lambda rows: nodes.fits(new.request, rows, future=False),
    ):
        assert one_by_one(ask, len(fleet)).tobytes() == ask(nodes.all).tobytes()
