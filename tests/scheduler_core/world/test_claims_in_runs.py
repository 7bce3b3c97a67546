"""A cluster's run gives pods the devices that their ResourceClaims ask for, and takes them back."""

import json

import msgspec
import pytest

from scheduler_core.events.decisions import Attempt, Completion
from scheduler_core.events.fold import Fold
from scheduler_core.kube.dynamic_resources.binding import unreserve_later
from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.problems import BadInput
from scheduler_core.state.claim_documents import reservations_of
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.headroom.counting import headroom
from scheduler_core.world.headroom.shapes import usual_shapes
from scheduler_core.world.optimum.optimizing import optimum
from scheduler_core.world.traces.history import history
from scheduler_core.world.trials.warm_world import WarmWorld, adding
from tests.builders import manifest, node, pod
from tests.scheduler_core.world.cards_by_claims import (
    DRIVER,
    by_name,
    by_template,
    cards,
    claim,
    device_class,
    replicas,
    slice_of,
    template,
)

PROFILE, CREATED = "kube-1.36", "2026-05-01T00:00:00Z"


def run_of(objects, **settings):
    return Simulation(RunInput(objects=objects, profile=PROFILE, **settings))


def attempts(simulation):
    return [(one.pod.name, one.outcome, one.chosen) for one in simulation if isinstance(one, Attempt)]


def held(simulation):
    """Devices by claim."""
    rows = simulation.state().tables.get("claims", {})
    return {key: [f"{one['pool']}/{one['device']}" for one in row["devices"]] for key, row in rows.items()}


def test_claims_are_made_of_templates_and_given_devices():
    simulation = run_of([*cards(a=1, b=1), *(pod(name, spec=by_template()) for name in "xyz")])
    rows = simulation.state().tables["pods"].values()
    assert [row["devices"] for row in rows] == [["1 device of class gpu"]] * 3
    first, second, third = simulation
    assert [first.outcome, second.outcome, third.outcome] == ["scheduled", "scheduled", "unschedulable"]
    assert third.message.startswith(
        "0/2 nodes are available: 2 cannot allocate all claims. still not schedul"
    )
    (given,) = first.claims
    assert (given.claim, given.new, first.chosen) == ("x-card-00001", True, "a")
    assert msgspec.to_builtins(given.devices) == [
        {"request": "card", "driver": DRIVER, "pool": "a", "device": "gpu-0", "admin": False, "consumed": {}}
    ]
    assert held(simulation) == {
        "default/x-card-00001": ["a/gpu-0"],
        "default/y-card-00001": ["b/gpu-0"],
        "default/z-card-00001": [],
    }


def test_a_pod_without_its_claim_is_held_back_with_the_schedulers_words():
    simulation = run_of(
        [node("a"), pod("lost", spec=by_name("gone")), pod("early", spec=by_template("gone"))]
    )
    said = {one.pod.name: one.preenqueue.reasons for one in simulation}
    assert said == {
        "early": ['pod "default/early": ResourceClaim not created yet'],
        "lost": ['could not find ResourceClaim "default/gone"'],
    }


def test_a_drained_pods_copy_has_a_claim_of_its_own_and_the_old_ones_card_is_free():
    owner, pods = replicas("web", 2)
    begun = run_of([*cards(a=1, b=1, c=1), owner, *pods])
    assert attempts(begun) == [("web-0", "scheduled", "a"), ("web-1", "scheduled", "b")]
    simulation = run_of(begun.objects_at_end(), edits=[{"op": "drain", "node": "a"}])
    assert held(simulation) == held(begun)
    assert attempts(simulation) == [("web-0-r1", "scheduled", "c")]
    assert held(simulation) == {
        "default/web-0-r1-card-00001": ["c/gpu-0"],
        "default/web-1-card-00001": ["b/gpu-0"],
    }


def test_a_pod_that_an_edit_deletes_gives_its_card_back():
    begun = run_of([*cards(a=1), pod("first", spec=by_template())])
    assert attempts(begun) == [("first", "scheduled", "a")]
    waiting = [*begun.objects_at_end(), pod("second", spec=by_template())]
    assert attempts(run_of(waiting)) == [("second", "unschedulable", None)]
    delete = {"op": "delete", "kind": "Pod", "namespace": "default", "name": "first"}
    assert attempts(run_of(waiting, edits=[delete])) == [("second", "scheduled", "a")]


def test_a_shared_claim_keeps_its_devices_until_its_last_pod_is_gone():
    objects = [*cards(a=1, b=1), claim("both"), *(pod(name, spec=by_name("both")) for name in "xy")]
    begun = run_of(objects)
    assert attempts(begun) == [("x", "scheduled", "a"), ("y", "scheduled", "a")]
    end = begun.objects_at_end()
    one_left = run_of(end, edits=[{"op": "delete", "kind": "Pod", "namespace": "default", "name": "x"}])
    assert held(one_left) == {"default/both": ["a/gpu-0"]}
    gone = [{"op": "delete", "kind": "Pod", "namespace": "default", "name": name} for name in "xy"]
    assert held(run_of(end, edits=gone)) == {"default/both": []}


def test_an_added_deployment_gets_its_cards():
    manifests = [template("own"), *(manifest(name, spec=by_template("own")) for name in "xy")]
    for one in manifests:
        one["metadata"].pop("uid", None)
    simulation = run_of(cards(a=2), edits=[adding(manifests)])
    assert [one.outcome for one in simulation] == ["scheduled", "scheduled"]
    assert sorted(held(simulation).values()) == [["a/gpu-0"], ["a/gpu-1"]]


@pytest.mark.parametrize(
    "edits", [[], [{"op": "drain", "node": "a"}], [adding([manifest("new", spec=by_template())])]]
)
def test_a_trial_says_what_a_whole_run_says(edits):
    owner, pods = replicas("web", 2)
    begun = run_of([*cards(a=1, b=1, c=2), owner, *pods])
    assert len(attempts(begun)) == 2
    objects = begun.objects_at_end()
    objects.append(pod("waiting", spec=by_template()))
    world, log = WarmWorld(RunInput(objects=objects, profile=PROFILE)), []
    before = world.simulation.checkpoint()
    for _ in range(2):
        log.clear()
        world.trial(edits, watch=log.append)
        assert log == list(run_of(objects, edits=edits))
    assert world.simulation.checkpoint() == before


def test_a_node_that_offers_what_a_class_stands_behind_takes_the_pod_itself():
    offering = node("plain")
    offering["status"]["allocatable"]["example.com/gpu"] = "1"
    asks = {"name": "main", "image": "app:1", "resources": {"requests": {"example.com/gpu": "1"}}}
    pods = [pod(name, containers=[asks]) for name in "xyz"]
    others = [one for one in cards(carded=1) if one["kind"] != "DeviceClass"]
    simulation = run_of([*others, offering, device_class(extendedResourceName="example.com/gpu"), *pods])
    first, second, third = simulation
    assert {first.chosen, second.chosen} == {"plain", "carded"}
    on_cards = first if first.chosen == "carded" else second
    assert [one.claim for one in on_cards.claims] == [f"{on_cards.pod.name}-extended-resources-00001"]
    assert third.outcome == "unschedulable"
    assert simulation.trust.not_modelled == []


@pytest.mark.parametrize("nodes", [("carded", "more"), ("carded",)])
def test_a_balance_of_devices_that_selectors_tell_is_not_answered_where_nodes_are_scored(nodes):
    asks = {"name": "main", "image": "app:1", "resources": {"requests": {"example.com/gpu": "1"}}}
    balance = {"resources": [{"name": "cpu", "weight": 1}, {"name": "example.com/gpu", "weight": 1}]}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"pluginConfig": [{"name": "NodeResourcesBalancedAllocation", "args": balance}]}],
    }
    others = [one for one in cards(**dict.fromkeys(nodes, 1)) if one["kind"] != "DeviceClass"]
    of_class = device_class(extendedResourceName="example.com/gpu")
    [attempt] = run_of([*others, of_class, pod("x", containers=[asks])], config=config)
    if len(nodes) == 1:
        assert attempt.outcome == "scheduled"
    else:
        said = "the balance of example.com/gpu: kube-scheduler panics over its class's selectors"
        assert (attempt.outcome, attempt.message) == ("error", f"not modelled: {said}")


@pytest.mark.parametrize("profile", ["kube-1.35", "kube-1.28", "kube-1.13"])
def test_releases_without_the_gate_take_such_a_resource_as_any_other(profile):
    offering = node("plain")
    offering["status"]["allocatable"]["example.com/gpu"] = "1"
    asks = {"name": "main", "image": "app:1", "resources": {"requests": {"example.com/gpu": "1"}}}
    objects = [offering, device_class(extendedResourceName="example.com/gpu"), pod("x", containers=[asks])]
    simulation = Simulation(RunInput(objects=objects, profile=profile))
    assert attempts(simulation) == [("x", "scheduled", "plain")]
    assert simulation.trust.not_modelled == []


def timed(objects, **settings):
    return run_of(objects, driver="timed", **settings)


def waits_its_turn():
    """Two pods for one card, of which the first runs for a while."""
    lasts = {"sandtable/duration": "20"}
    return [
        *cards(a=1),
        pod("first", annotations=lasts, spec=by_template()),
        pod("second", spec=by_template()),
    ]


def test_by_the_clock_a_card_goes_from_a_pod_that_ends_to_the_one_that_waits():
    simulation = timed(waits_its_turn())
    told = [(type(one).__name__, one.pod and one.pod.name, one.outcome, one.time) for one in simulation]
    assert ("Completion", "first", "bound", 10) in told
    assert ("Attempt", "second", "unschedulable", 10) in told
    assert [one for one in told if one[0] == "Completion"][-1][1:3] == ("second", "bound")
    assert held(simulation) == {"default/second-card-00001": ["a/gpu-0"]}


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_a_run_goes_on_from_any_checkpoint_to_the_same_end_and_folds(driver):
    owner, pods = replicas("web", 3)
    objects = [*cards(a=1, b=1, c=1), owner, *pods, *waits_its_turn()[-2:]]
    edits = [{"op": "drain", "node": "b", **({"at": 3} if driver == "timed" else {})}]
    whole = run_of(objects, driver=driver, edits=edits)
    fold, points, log = Fold(whole.base), [whole.checkpoint()], []
    for decision in whole:
        fold.apply(decision)
        log.append(decision)
        points.append(whole.checkpoint())
    assert len(log) > 4
    assert fold.state() == whole.state()
    for place, point in enumerate(points[::3]):
        other = run_of(objects, driver=driver, edits=edits)
        other.restore(point)
        assert list(other) == log[3 * place :]
        assert json.dumps(held(other)) == json.dumps(held(whole))
    for decision in reversed(log):
        fold.revert(decision)
    assert fold.state() == whole.base


def test_a_binding_that_fails_gives_the_reservation_back_and_keeps_the_devices():
    simulation = run_of([*cards(a=1), pod("x", spec=by_template())])
    attempts(simulation)
    claims, key = simulation.cluster.device_claims, ("default", "x-card-00001")
    info = simulation.cluster.pods.infos[0]
    writes = [["status", list(key), claims.documents.values[key]]]
    assert reservations_of(claims.documents.values[key]) != []
    unreserve_later(info.pod, writes, claims)
    assert reservations_of(claims.documents.values[key]) == []
    assert held(simulation) == {"default/x-card-00001": ["a/gpu-0"]}
    unreserve_later(info.pod, [["create", list(key), {}], *writes], claims)
    assert held(simulation) == {}, "one that was made for the attempt goes"


def test_a_template_that_comes_later_lets_its_pods_be_tried():
    late = template("late")
    del late["metadata"]["uid"]
    edits = [{**adding([late]), "at": 5}]
    simulation = timed([*cards(a=1), pod("early", spec=by_template("late"))], edits=edits)
    assert held(simulation) == {}
    assert [one.outcome for one in simulation if isinstance(one, Completion)] == ["bound"]
    assert list(held(simulation)) == ["default/early-card-00001"]


def test_other_schedulers_leave_such_pods_out_and_say_so():
    objects = [*cards(a=1), pod("x", spec=by_template())]
    for profile in ("kube-1.34", "kube-1.37", "volcano-1.16", "hami-2.10"):
        simulation = Simulation(RunInput(objects=objects, profile=profile))
        assert "1 pod with resource claims" in "".join(simulation.trust.not_modelled)


def test_kinds_that_an_import_lacks_are_named_with_what_they_spoil():
    simulation = run_of(
        [node("a"), pod("waiting", spec=by_template()), pod("there", on="a", spec=by_name("x"))]
    )
    said = " ".join(simulation.trust.missing)
    for kind in ("ResourceClaims", "ResourceClaimTemplates", "ResourceSlices", "DeviceClasses"):
        assert f"no {kind} in the import" in said
    others = Simulation(RunInput(objects=[node("a"), pod("x", spec=by_name("x"))], profile="kube-1.34"))
    assert "Resource" not in " ".join(others.trust.missing)


def test_a_node_is_not_called_empty_where_a_pod_on_it_is_held():
    owner, pods = replicas("web", 1)
    simulation = run_of([*cards(a=1, b=1), owner, *pods])
    assert attempts(simulation) == [("web-0", "scheduled", "a")]
    assert simulation.emptied() == (1, 1, 2)  # b, which has no pod; a was not tried


@pytest.mark.parametrize(("spare", "freed"), [(1, ["a"]), (0, [])])
def test_a_node_is_given_back_if_its_pods_find_devices_elsewhere(spare, freed):
    owner, pods = replicas("web", 2)
    begun = run_of([*cards(a=1, b=1 + spare), owner, *pods])
    attempts(begun)
    found = consolidation(WarmWorld(RunInput(objects=begun.objects_at_end(), profile=PROFILE)))
    assert [one.node for one in found.freed] == freed


def test_no_solver_is_asked_about_devices():
    world = WarmWorld(RunInput(objects=[*cards(a=1), pod("x", spec=by_template())], profile=PROFILE))
    with pytest.raises(BadInput, match="ResourceClaims"):
        optimum(world)


def test_what_happened_begins_with_free_devices():
    begun = run_of([*cards(a=1), claim("named"), pod("x", spec=by_template(), creationTimestamp=CREATED)])
    assert attempts(begun) == [("x", "scheduled", "a")]
    replayed = history(begun.objects_at_end())
    simulation = timed(replayed.objects, edits=replayed.edits)
    assert held(simulation) == {"default/named": []}
    assert ("x", "scheduled", "a") in attempts(simulation)
    assert held(simulation) == {"default/named": [], "default/x-card-00001": ["a/gpu-0"]}


def test_an_old_form_of_a_request_is_refused_by_its_place():
    old = claim("old")
    old["spec"] = {"devices": {"requests": [{"name": "card", "deviceClassName": "gpu"}]}}
    offered = slice_of("a", 1)
    offered["spec"]["devices"][0]["basic"] = {}
    faults = [(one.object, one.field) for one in check_objects([*cards(a=1)[:1], old, offered])]
    assert faults == [
        ("ResourceClaim default/old", "spec.devices.requests[0]"),
        ("ResourceSlice a-gpus", "spec.devices[0].basic"),
    ]


def test_templates_of_claims_are_shapes_of_which_as_many_fit_as_there_are_cards():
    world = WarmWorld(RunInput(objects=cards(a=2, b=1), profile=PROFILE))
    [room] = headroom(world, usual_shapes(world)).rooms
    assert (room.shape, room.fit, room.pools[0].taking) == (
        "ResourceClaimTemplate/default/card",
        3,
        {"a": 2, "b": 1},
    )
    assert [stop.plugin for stop in room.stops] == ["DynamicResources"]


@pytest.mark.parametrize("own", ["kube-1.36", "kube-1.37"])
@pytest.mark.parametrize("asked", ["kube-1.36", "kube-1.37"])
@pytest.mark.parametrize("begun", [[node("a")], [*cards(a=1), pod("there", spec=by_template())]])
def test_what_a_scenario_begins_with_is_foretold_whichever_release_is_warm(own, asked, begun):
    world = WarmWorld(RunInput(objects=begun, profile=own))
    added = [template("own"), manifest("new", spec=by_template("own"))]
    for one in added:
        one["metadata"].pop("uid", None)
    for edits in ([], [adding(added)]):
        run_input = RunInput(objects=begun, profile=asked, edits=edits)
        with world.foretold(run_input) as simulation:
            assert simulation.base == Simulation(run_input, foretells=True).base
            assert simulation.trust == Simulation(run_input, foretells=True).trust


@pytest.mark.parametrize(
    ("status", "field", "message"),
    [
        ({"allocation": {"devices": {"results": [{"driver": "d", "pool": "p"}]}}},
         "status.allocation.devices.results[0].device", "must not be empty"),
        ({"allocation": {"devices": {"results": [5]}}},
         "status.allocation.devices.results[0]", "must be an object, not a whole number"),
        ({"allocation": {"devices": {"results": [{"driver": "d", "pool": "p", "device": "x",
                                                  "shareID": "1", "consumedCapacity": {"memory": "much"}}]}}},
         "status.allocation.devices.results[0].consumedCapacity.memory", "'much' is no quantity"),
        ({"allocation": {"allocationTimestamp": "soon"}}, "status.allocation.allocationTimestamp", "soon"),
        ({"devices": [{"conditions": [{"status": "True"}]}]},
         "status.devices[0].conditions[0].type", "must not be empty"),
    ],
)  # fmt: skip
def test_what_a_claim_was_given_is_checked_field_by_field(status, field, message):
    [problem] = check_objects([{**claim("x"), "status": status}])
    assert (problem.object, problem.field) == ("ResourceClaim default/x", field)
    assert message in problem.message


def test_under_1_35_claims_are_played_and_what_came_later_is_named():
    def play(objects):
        return list(Simulation(RunInput(objects=objects, profile="kube-1.35")))

    objects = [*cards(a=1, b=1), *(pod(name, spec=by_template()) for name in "xyz")]
    assert [(one.outcome, one.chosen) for one in play(objects)] == [
        ("scheduled", "a"),
        ("scheduled", "b"),
        ("unschedulable", None),
    ]
    tainted = next(one for one in objects if one["metadata"]["name"] == "b-gpus")
    tainted["spec"]["devices"][0]["taints"] = [{"key": "broken", "effect": "NoSchedule"}]
    said = {one.message for one in play(objects)}
    assert said == {
        "not modelled: taints of devices, which API servers of this release do not keep",
    }


def test_devices_that_must_be_made_ready_are_counted_in_the_trust_line():
    objects = [*cards(a=2), pod("x", spec=by_template())]
    assert run_of(objects).trust.not_modelled == []
    offered = next(one for one in objects if one["kind"] == "ResourceSlice")
    for number, device in enumerate(offered["spec"]["devices"], start=1):
        device.update(bindingConditions=["attached"], bindingFailureConditions=["failed"])
        said = "1 device takes" if number == 1 else f"{number} devices take"
        told = run_of(objects).trust.not_modelled
        assert told == [f"the time that {said} to meet binding conditions"]
