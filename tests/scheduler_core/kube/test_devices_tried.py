"""Why devices of a node were passed over: the notes of the search itself, for each request of a claim."""

import json

import pytest

from scheduler_core.kube.attempt_explanation import each_filter
from scheduler_core.kube.dynamic_resources.claims_state import NOT_ALLOCATED, ClaimsOfPod
from scheduler_core.kube.framework import Cycle, View
from scheduler_core.world import RunInput, Simulation
from tests.builders import node, pod
from tests.scheduler_core.kube.test_device_claims import CASES, world_of
from tests.scheduler_core.world.cards_by_claims import DRIVER, by_name, by_template, cards, claim, slice_of

PROFILE = "kube-1.36"


def played(objects):
    """The objects at the end of a run."""
    begun = Simulation(RunInput(objects=objects, profile=PROFILE))
    assert list(begun)
    return begun.objects_at_end()


def tried(objects, name="asks", on="a"):
    simulation = Simulation(RunInput(objects=objects, profile=PROFILE))
    return simulation.devices_on(f"uid-default-{name}", on)


def groups(told, request=0):
    """Of a request's devices: (verdict, what it is about, names)."""
    found = told.requests[request].devices
    return [
        (one.verdict, one.about, [each.device.rpartition("/")[2] for each in one.devices]) for one in found
    ]


def cluster(*devices, requests=None, constraints=(), slices=1, counters=(), selector="true"):
    """A node whose driver offers these devices, and a pod with a claim for some."""
    pool = {"name": "a", "generation": 1, "resourceSliceCount": slices}
    one = slice_of("a", 0)
    one["spec"].update(
        pool=pool, devices=[{"name": f"d{place}", **each} for place, each in enumerate(devices)]
    )
    shared = slice_of("a", 0)
    shared["metadata"].update(name="counters", uid="counters")
    shared["spec"] = {**shared["spec"], "pool": pool, "sharedCounters": list(counters)}
    del shared["spec"]["devices"]
    asks = claim("own")
    exactly = {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": selector}}]}
    asks["spec"]["devices"] = {
        "requests": requests or [{"name": "card", "exactly": exactly}],
        "constraints": list(constraints),
    }
    others = [each for each in cards(a=0, b=1) if each["kind"] != "ResourceSlice"]
    offered = [slice_of("b", 1), one, *([shared] if counters else [])]
    return [*others, *offered, asks, pod("asks", spec=by_name("own"))]


def numa(value):
    return {"attributes": {"numa": {"int": value}}}


def test_devices_that_others_hold_are_named_with_their_claim_and_its_pod():
    end = played([*cards(a=2), pod("first", spec=by_template())])
    objects = [*end, claim("both", 2), pod("asks", spec=by_name("both"))]
    told = tried(objects)
    assert not told.fits
    held, left = told.requests[0].devices
    assert (held.verdict, held.reason, held.number) == ("in-use", "held by other claims", 1)
    assert held.devices[0].claims == ["default/first-card-00001"]
    assert held.devices[0].pods == ["default/first"]
    assert (left.verdict, left.devices[0].device) == ("fits", f"{DRIVER}/a/gpu-1")
    assert (told.requests[0].request, told.requests[0].number, told.requests[0].device_class) == (
        "card",
        2,
        "gpu",
    )


def test_what_is_taken_and_what_nobody_looked_at():
    told = tried([*cards(a=2, b=1), claim("own"), pod("asks", spec=by_name("own"))])
    assert told.fits
    assert groups(told) == [("taken", "", ["gpu-0"]), ("unseen", "", ["gpu-1"])]
    assert told.elsewhere == 1


def test_selectors_of_class_and_request_and_their_errors():
    model = "device.attributes['gpu.example.com'].model == 'L40S'"
    a100, l40s = ({"attributes": {"model": {"string": name}}} for name in ("A100", "L40S"))
    told = tried(cluster(a100, l40s, {}, selector=model))
    assert groups(told)[0] == ("request", model, ["d0"])
    assert told.fits
    told = tried(cluster(a100, {}, l40s, selector=model))
    assert not told.fits
    assert [one[0] for one in groups(told)] == ["request", "error", "unseen"]
    assert told.error == groups(told)[1][1]
    assert "no such key: model" in told.error
    other = cluster({})
    gpu = next(one for one in other if one["kind"] == "DeviceClass")
    gpu["spec"]["selectors"][0]["cel"]["expression"] = "device.driver == 'nic.example.com'"
    assert groups(tried(other)) == [("class", "device.driver == 'nic.example.com'", ["d0"])]
    assert tried(other).requests[0].devices[0].reason == "not of class gpu"


def test_a_taint_and_a_node_of_its_own():
    tainted = {"taints": [{"key": "broken", "value": "yes", "effect": "NoSchedule"}]}
    assert groups(tried(cluster(tainted))) == [("tainted", "broken=yes:NoSchedule", ["d0"])]
    objects = cluster({"nodeName": "b"}, {"nodeName": "a", **tainted})
    one = next(one for one in objects if one["metadata"]["name"] == "a-gpus" and one["spec"].get("devices"))
    one["spec"] = {**one["spec"], "perDeviceNodeSelection": True}
    del one["spec"]["nodeName"]
    assert [each[0] for each in groups(tried(objects))] == ["node", "tainted"]


def test_constraints_say_the_values_of_the_devices():
    two = [{"name": "card", "exactly": {"deviceClassName": "gpu", "count": 2}}]
    same = [{"matchAttribute": f"{DRIVER}/numa"}]
    told = tried(cluster(numa(0), numa(1), {}, requests=two, constraints=same))
    (fits, against) = told.requests[0].devices
    assert (fits.verdict, against.verdict, against.about) == (
        "fits", "constraint", f"matchAttribute {DRIVER}/numa",
    )  # fmt: skip
    assert [(one.device[-2:], one.said) for one in against.devices] == [("d1", "1"), ("d2", "")]


def test_counters_that_are_used_up():
    part = {"consumesCounters": [{"counterSet": "card", "counters": {"slices": {"value": "5"}}}]}
    counters = [{"name": "card", "counters": {"slices": {"value": "8"}}}]
    two = [{"name": "part", "exactly": {"deviceClassName": "gpu", "count": 2}}]
    told = tried(cluster(part, part, requests=two, counters=counters, slices=2))
    assert groups(told) == [("fits", "", ["d0"]), ("counters", "card/slices", ["d1"])]


def test_a_capacity_that_a_device_never_gives_is_told_from_one_that_others_consume():
    def shared(size, **policy):
        memory = {"value": size, **({"requestPolicy": policy} if policy else {})}
        return {"allowMultipleAllocations": True, "capacity": {"memory": memory}}

    asked = {"deviceClassName": "gpu", "capacity": {"requests": {"memory": "60Gi"}}}
    both = [{"name": name, "exactly": asked} for name in ("one", "two")]
    limited = shared("80Gi", default="10Gi", validRange={"min": "10Gi", "max": "40Gi"})
    told = tried(cluster(shared("80Gi"), shared("40Gi"), limited, requests=both))
    assert not told.fits
    _, second = told.requests
    assert [(one.verdict, one.reason, one.number) for one in second.devices] == [
        ("capacity", "with too little capacity left", 1),
        ("too-small", "that never give the capacity that is asked for", 2),
    ]


def test_a_pool_of_which_slices_are_missing_and_one_that_contradicts_itself():
    told = tried(cluster({}, {}, slices=3))
    assert [(one.verdict, one.number) for one in told.unusable] == [("incomplete", 2)]
    assert told.unusable[0].about == f"{DRIVER}/a: 1 of 3 there"
    objects = cluster({}, {})
    one = next(one for one in objects if one["metadata"]["name"] == "a-gpus")
    one["spec"]["devices"][1]["name"] = "d0"
    assert [one.verdict for one in tried(objects).unusable] == ["invalid"]


def test_requests_that_the_search_never_came_to():
    asked = [
        {"name": "none", "exactly": {"deviceClassName": "gpu", "count": 3}},
        {"name": "other", "exactly": {"deviceClassName": "gpu"}},
    ]
    told = tried(cluster({}, {}, requests=asked))
    assert [(one.request, one.tried) for one in told.requests] == [("none", True), ("other", False)]


def test_a_claim_that_has_its_devices_elsewhere():
    end = played([*cards(a=1), node("b"), claim("both"), pod("x", spec=by_name("both"))])
    objects = [*end, pod("asks", spec=by_name("both"))]
    assert [(one.claim, one.usable) for one in tried(objects, on="a").held] == [("default/both", True)]
    assert [(one.claim, one.usable) for one in tried(objects, on="b").held] == [("default/both", False)]


def test_why_counts_the_devices_of_the_nearest_nodes():
    end = played([*cards(a=2, b=1), *(pod(one, spec=by_template()) for one in "xyz")])
    simulation = Simulation(RunInput(objects=[*end, pod("asks", spec=by_template())], profile=PROFILE))
    held = simulation.why("uid-default-asks").cause.held[0]
    assert (held.plugin, held.cards, held.looked_at) == ("DynamicResources", {"held by other claims": 3}, 2)


@pytest.mark.parametrize("case", CASES[::3], ids=[case["id"] for case in CASES[::3]])
def test_what_is_told_is_what_the_filter_says_and_changes_nothing(case):
    world = world_of(case)
    state, profiles = world.state, world.schedulers[0].profiles
    while world.step() is not None:
        before = json.dumps(world.dump())
        for info in state.pods.infos:
            profile = profiles[info.scheduler_name]
            cycle = Cycle(state, info)
            profile.prepare_each(cycle)
            view = View(cycle)
            for plugin in (one for one in each_filter(profile) if one.looks_for_devices):
                if not isinstance(known := view.states.get(plugin.name), ClaimsOfPod):
                    continue
                codes = view.ask(plugin, state.nodes.all).tolist()
                for node_row, code in enumerate(codes):
                    told = plugin.devices(view, node_row)
                    assert told is None or told.fits == (code == 0)
                    if code == NOT_ALLOCATED:
                        assert told is not None
                        assert told.requests or known.extended is not None
        assert json.dumps(world.dump()) == before
