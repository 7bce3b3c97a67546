"""Pods that ask for the same are worked out once, and each of them asks for what it asks alone."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from scheduler_core.objects import types
from scheduler_core.objects.amounts import requests
from scheduler_core.objects.problems import BadInput
from scheduler_core.state.build import build_state
from scheduler_core.state.pods import PodTable
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.simulation import Simulation

Object = dict[str, Any]

CONTAINER = {"name": "main", "resources": {"requests": {"cpu": "1"}}, "ports": [{"hostPort": 80}]}
LARGER = {"name": "main", "resources": {"requests": {"cpu": "2"}}}
GROWN = [{"name": "main", "resources": {"requests": {"cpu": "3"}}, "allocatedResources": {"cpu": "3"}}]
SPECS: list[Object] = [
    {"containers": [CONTAINER]},
    {"containers": [LARGER]},
    {"containers": [{"name": "main"}]},
    {"containers": [CONTAINER], "initContainers": [LARGER]},
    {"containers": [CONTAINER], "initContainers": [{**LARGER, "restartPolicy": "Always"}]},
    {"containers": [CONTAINER], "overhead": {"memory": "1Gi"}},
    {"containers": [CONTAINER], "resources": {"requests": {"cpu": "4"}}},
]
INFEASIBLE = {"type": "PodResizePending", "status": "True", "reason": "Infeasible"}
STATUSES: list[Object] = [
    {},
    {"containerStatuses": GROWN},
    {"containerStatuses": GROWN, "conditions": [INFEASIBLE]},
    {"containerStatuses": GROWN, "conditions": [{"type": "Ready", "status": "True"}]},
    {"initContainerStatuses": GROWN},
    {"resources": {"requests": {"cpu": "5"}}, "allocatedResources": {"cpu": "6"}},
]


def pods() -> Iterator[Object]:
    """Yield each mixture twice, once without a node."""
    for number, (spec, status, node) in enumerate(product(SPECS, STATUSES, ("node-1", ""))):
        own = {"nodeName": node} if node else {}
        metadata = {"name": f"pod-{number}", "namespace": "shop", "uid": f"uid-{number}"}
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec | own, "status": status}


def test_a_pod_counts_what_it_counts_where_none_is_like_it():
    objects = list(pods())
    table = build_state(objects).state.pods
    alone = PodTable(table.resources)
    for document in objects:
        alone.append(types.convert(document, types.Pod))
    for column in ("requests", "non_zero_cpu", "non_zero_memory"):
        assert (getattr(table, column) == getattr(alone, column)).all()
    for info, other in zip(table.infos, alone.infos, strict=True):
        for amounts in ("host_ports", "requests", "running_requests", "non_zero_requests", "scored_requests"):
            assert getattr(info, amounts) == getattr(other, amounts), info.name
    assert table.port_holders == alone.port_holders


def test_pods_that_are_alike_are_worked_out_once(monkeypatch):
    worked_out = []
    plain = requests._requests

    def counted(pod, *rest, **more):
        worked_out.append(pod.metadata.name)
        return plain(pod, *rest, **more)

    monkeypatch.setattr(requests, "_requests", counted)
    build_state([one for one in pods() if one["spec"].get("containers") == [CONTAINER]][:2])
    assert set(worked_out) == {"pod-0"}


@pytest.mark.parametrize("amount", [10**30, "a lot"])
def test_an_amount_that_is_none_is_refused_with_the_pod_s_name(amount):
    container = {"name": "main", "resources": {"requests": {"cpu": amount}}}
    metadata = {"name": "odd", "namespace": "shop", "uid": "odd"}
    odd = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container]}}
    with pytest.raises(BadInput) as refused:
        build_state([*pods(), odd])
    assert refused.value.problems[0].object == "Pod shop/odd"


def test_no_column_is_read_as_a_whole_for_each_pod(monkeypatch):
    whole = PodTable.terminating.fget
    read = []
    monkeypatch.setattr(PodTable, "terminating", property(lambda table: read.append(1) or whole(table)))
    objects = list(pods())
    Simulation(RunInput(objects=objects[:10]))
    few = len(read)
    Simulation(RunInput(objects=objects))
    assert len(read) == 2 * few
