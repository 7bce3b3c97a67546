"""What is kept of searches for devices is what a search anew finds, and what is in use what claims have."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from scheduler_core.kube.dynamic_resources.claims_state import claims_in
from scheduler_core.state.devices_in_use import DevicesInUse
from tests.scheduler_core.kube.test_device_claims import CASES, world_of


def anew(found):
    """The same claims, of which nothing is kept."""
    return replace(found, allocations={}, unavailable=set(), faults=[], kept=None, extended=None, _codes={})


def assert_counted(claims):
    every = (document.get("status") or {} for document in claims.documents.values.values())
    counted = DevicesInUse(status.get("allocation") for status in every)
    in_use = claims.in_use
    assert in_use.devices == counted.devices
    assert in_use.shared.keys() == counted.shared.keys()
    for device, taken in counted.shared.items():
        assert +Counter(in_use.shared[device]) == +Counter(taken)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_is_kept_is_what_a_search_anew_finds(case):
    world = world_of(case)
    claims, nodes = world.state.device_claims, world.state.nodes.all
    while (turn := world.look()) is not None:
        found = claims_in(turn.look.result.cycle) if hasattr(turn.look, "result") else None
        if found is not None and found.kept is not None:
            plain = anew(found)
            codes = plain.codes(nodes)
            assert np.array_equal(found.codes(nodes), codes)
            fitting = nodes[codes == 0]
            assert found.points(fitting).tolist() == plain.points(fitting).tolist()
            assert [found.given_on(node) for node in fitting.tolist()] == [
                plain.allocations[node] for node in fitting.tolist()
            ]
        mark = world.state.mark()
        world.step()
        assert_counted(claims)
        world.state.undo_to(mark)
        assert_counted(claims)
        world.step()


def test_pods_that_ask_for_the_same_are_told_the_same_after_devices_were_taken_and_given_back():
    """Nothing is asked anew but on the nodes whose devices changed, and a loaded checkpoint starts anew."""
    world = world_of(alike())
    claims, kept = world.state.device_claims, set()
    for left in (2, 2, 2, 1):
        turn = world.look()
        found = claims_in(turn.look.result.cycle)
        kept.add(id(found.kept))
        assert int((found.codes(world.state.nodes.all) == 0).sum()) == left
        mark = world.state.mark()
        world.apply(turn)
        assert sum(claims.in_use.devices.values()) > 0
        if left == 2:
            world.state.undo_to(mark)
            again = claims_in(world.look().look.result.cycle)
            assert again.codes(world.state.nodes.all).tolist() == [0, 0]
            world.step()
    assert len(kept) == 1
    last = world.look().look.result
    assert last.outcome == "unschedulable"
    assert claims_in(last.cycle).kept.codes.tolist() == [1, 1]
    world.load(world.dump())
    assert claims_in(world.look().look.result.cycle).kept.codes.tolist() == [1, 1]


def alike():
    """Two nodes of two devices each, and five pods that ask for one."""
    items = [{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}]
    for name in ("a", "b"):
        items += [
            {
                "apiVersion": "v1", "kind": "Node", "metadata": {"name": name},
                "status": {"allocatable": {"cpu": "8", "pods": "10"}},
            },
            {
                "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": name},
                "spec": {
                    "driver": "gpu.example", "nodeName": name,
                    "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
                    "devices": [{"name": "0"}, {"name": "1"}],
                },
            },
        ]  # fmt: skip
    for number in range(5):
        items += [
            {
                "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                "metadata": {"name": f"c{number}", "namespace": "default"},
                "spec": {"devices": {"requests": [{"name": "r", "exactly": {
                    "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1,
                }}]}},
            },
            {
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": f"p{number}", "namespace": "default", "uid": f"u{number}"},
                "spec": {
                    "containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}],
                    "resourceClaims": [{"name": "r", "resourceClaimName": f"c{number}"}],
                },
                "status": {"phase": "Pending"},
            },
        ]  # fmt: skip
    schedule = [f"default/p{number}" for number in range(5)]
    return {"id": "alike", "cluster": {"items": items}, "config": None, "schedule": schedule}
