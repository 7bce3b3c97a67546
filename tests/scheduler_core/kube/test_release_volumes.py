"""Volumes under the releases before the framework: what their predicates say, and what is kept for whom."""

import pytest

from scheduler_core.kube.releases.predicates.max_csi_volume_count import limit_of_driver
from scheduler_core.world import RunInput, Simulation
from tests.builders import node, pod
from tests.scheduler_core.storage_objects import (
    DRIVER,
    claim,
    csi_driver,
    csi_node,
    pod_with,
    pool,
    storage_class,
    volume,
)

ZONE = "failure-domain.beta.kubernetes.io/zone"
NO_PROVISIONER = "kubernetes.io/no-provisioner"
TOO_MANY = "node(s) exceed max volume count"
NOT_REACHED = "node(s) had volume node affinity conflict"
NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind"
OTHER_ZONE = "node(s) had no available volume zone"
NOT_BOUND = "pod has unbound immediate PersistentVolumeClaims"


def attempts(release, *objects):
    flat = [item for part in objects for item in (part if isinstance(part, list) else [part])]
    return list(Simulation(RunInput(objects=flat, profile=f"kube-{release}", controllers="none")))


def said(release, *objects):
    """Return what is said of the one pod that waits, and how its attempt ends."""
    (attempt,) = attempts(release, *objects)
    return attempt.outcome, attempt.message


def none_of(number, *reasons):
    return "unschedulable", f"0/{number} nodes are available: {', '.join(reasons)}."


def ebs(name):
    return {"awsElasticBlockStore": {"volumeID": name}}


def limited(name, **limits):
    """A node that says how many volumes can be attached to it."""
    made = node(name)
    allocatable = {key.replace("_", "-"): str(limit) for key, limit in limits.items()}
    made["status"]["allocatable"] |= {
        f"attachable-volumes-{key}": limit for key, limit in allocatable.items()
    }
    return made


# -- claims ------------------------------------------------------------------------------------------


def test_a_missing_claim_ends_the_attempt_before_any_node_is_asked():
    (attempt,) = attempts("1.13", node("a"), pod_with("p", "data"))
    assert (attempt.outcome, attempt.message) == ("error", 'persistentvolumeclaim "data" not found')
    assert (attempt.prefilter, attempt.visited) == (None, 0)


def test_a_claim_that_is_being_deleted_takes_no_new_pods():
    leaving = claim("data", volume="pv")
    leaving["metadata"]["deletionTimestamp"] = "2026-05-01T00:00:00Z"
    found = said("1.13", node("a"), leaving, volume("pv", kept_for="data"), pod_with("p", "data"))
    assert found == ("error", 'persistentvolumeclaim "data" is being deleted')


@pytest.mark.parametrize(
    "waiting",
    [claim("data", of="instant"), claim("data", annotations={"volume.kubernetes.io/selected-node": "a"})],
)
def test_a_claim_that_should_be_bound_by_now_is_an_error_that_counts_nodes(waiting):
    classes = [storage_class("instant", mode="Immediate"), storage_class("fast")]
    nodes = [node("a"), node("b"), node("c", pods="0")]
    found = said("1.13", nodes, classes, waiting, pod_with("p", "data"))
    # The full node fails before its volumes are looked at.
    assert found == ("error", f"{NOT_BOUND} (repeated 2 times)")


def test_a_volume_that_is_gone_is_an_error_where_it_is_looked_at():
    gone = [
        claim("one", volume="gone"),
        volume("there", on=["a"], kept_for="two"),
        claim("two", volume="there"),
    ]
    alone = said("1.13", [node("a"), node("b")], gone, pod_with("p", "two", "one"))
    # On b the first claim's volume can't be reached, so that the second is not looked at.
    assert alone == ("error", 'could not find v1.PersistentVolume "gone"')


def test_a_bound_volume_is_reached_from_some_nodes():
    local = [volume("pv", on=["b"], kept_for="data"), claim("data", volume="pv")]
    assert said("1.13", [node("a"), node("c")], local, pod_with("p", "data")) == none_of(
        2, f"2 {NOT_REACHED}"
    )
    (attempt,) = attempts("1.13", [node("a"), node("b")], local, pod_with("p", "data"))
    assert attempt.chosen == "b"


def test_no_eviction_makes_a_volume_reachable():
    local = [volume("pv", on=["b"], kept_for="data"), claim("data", volume="pv")]
    low = pod("low", on="a", spec={"priority": 0})
    (attempt,) = attempts("1.13", node("a"), local, low, pod_with("p", "data", priority=9))
    assert attempt.outcome == "unschedulable"


def test_a_late_claim_takes_a_volume_and_the_next_pod_another():
    late = [
        storage_class("fast", provisioner=NO_PROVISIONER),
        volume("one", on=["a"]),
        volume("two", on=["b"]),
    ]
    nodes, claims = [node("a"), node("b")], [claim(name) for name in "xyz"]
    found = attempts("1.13", nodes, late, claims, [pod_with(f"p-{name}", name) for name in "xyz"])
    assert {attempt.chosen for attempt in found[:2]} == {"a", "b"}
    assert (found[2].outcome, found[2].message) == none_of(2, f"2 {NOTHING_TO_BIND}")


def test_a_second_pod_of_a_claim_goes_where_its_volume_was_found():
    late = [storage_class("fast", provisioner=NO_PROVISIONER), volume("one", on=["b"]), claim("x")]
    found = attempts("1.13", [node("a"), node("b")], late, pod_with("p", "x"), pod_with("q", "x"))
    assert [attempt.chosen for attempt in found] == ["b", "b"]


def test_a_second_pod_of_a_claim_whose_volume_is_being_made_gets_an_error():
    made = [storage_class("fast"), claim("x")]
    objects = [node("a"), *made, pod_with("p", "x"), pod_with("q", "x")]
    found = attempts("1.13", objects)
    assert [attempt.outcome for attempt in found] == ["scheduled", "error"]
    assert found[1].message == NOT_BOUND
    assert Simulation(RunInput(objects=objects, profile="kube-1.13")).trust.not_modelled == [
        "how a volume is made in 1.13 (1 claim of several waiting pods: after one, an error)"
    ]


def test_what_was_kept_is_in_a_checkpoint():
    late = [storage_class("fast", provisioner=NO_PROVISIONER), volume("one"), claim("x"), claim("y")]
    objects = [node("a"), *late, pod_with("p", "x"), pod_with("q", "y")]
    run = RunInput(objects=objects, profile="kube-1.13")
    stopped, resumed = Simulation(run), Simulation(run)
    stopped.step()
    resumed.restore(stopped.checkpoint())
    assert [attempt.outcome for attempt in resumed] == ["unschedulable"]


def test_volumes_are_listed_by_the_field_of_their_class_and_not_by_the_old_annotation():
    old = claim("x", of=None, annotations={"volume.beta.kubernetes.io/storage-class": "fast"})
    late = [storage_class("fast", provisioner=NO_PROVISIONER), volume("one"), old]
    assert said("1.13", node("a"), late, pod_with("p", "x")) == none_of(1, f"1 {NOTHING_TO_BIND}")


def test_storage_capacity_came_later():
    full = [csi_driver(counts_capacity=True), pool("none", "0", "east"), storage_class("fast"), claim("x")]
    assert said("1.13", node("a"), full, pod_with("p", "x"))[0] == "scheduled"


def test_an_ephemeral_volume_is_reported_and_not_placed_by_guess():
    objects = [node("a"), pod_with("p", tmp={"ephemeral": {}})]
    simulation = Simulation(RunInput(objects=objects, profile="kube-1.13"))
    assert [attempt.outcome for attempt in simulation] == ["error"]
    assert simulation.trust.not_modelled == [
        "ephemeral volumes in 1.13 (1 waiting pod: an error instead of a guess)"
    ]


# -- zones -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "fits"), [("east", True), ("west", False), ("west__east", True), ("", True)]
)
def test_a_volumes_zone_is_the_nodes(zone, fits):
    bound = [volume("pv", kept_for="data", labels={ZONE: zone} if zone else {}), claim("data", volume="pv")]
    found = said("1.13", node("a", labels={ZONE: "east"}), bound, pod_with("p", "data"))
    assert found[0] == "scheduled" if fits else found == none_of(1, f"1 {OTHER_ZONE}")


def test_a_node_without_a_zone_is_in_every_zone_and_todays_labels_are_not_read():
    bound = [volume("pv", kept_for="data", labels={ZONE: "west"}), claim("data", volume="pv")]
    of_today = node("a", labels={"topology.kubernetes.io/zone": "east"})
    assert said("1.13", of_today, bound, pod_with("p", "data"))[0] == "scheduled"


# -- counts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "fits"), [(1, False), (2, True)])
def test_a_node_says_how_many_disks_it_takes(limit, fits):
    held = pod_with("held", on="a", disk=ebs("one"))
    found = said("1.13", limited("a", aws_ebs=limit), held, pod_with("p", disk=ebs("two")))
    assert found[0] == "scheduled" if fits else found == none_of(1, f"1 {TOO_MANY}")


@pytest.mark.parametrize(("instance", "fits"), [("m5.large", False), ("t2.micro", True)])
def test_without_that_an_instances_type_says_it(instance, fits):
    held = [pod_with(f"held-{i}", on="a", disk=ebs(f"disk-{i}")) for i in range(25)]
    for one in held:
        one["spec"]["containers"][0]["resources"] = {}
    server = node("a", labels={"beta.kubernetes.io/instance-type": instance})
    assert (said("1.13", server, held, pod_with("p", disk=ebs("one-more")))[0] == "scheduled") == fits


def test_an_eviction_frees_a_disk():
    low = pod_with("low", on="a", disk=ebs("one"))
    found = attempts("1.13", limited("a", aws_ebs=1), low, pod_with("p", disk=ebs("two"), priority=9))
    assert [attempt.outcome for attempt in found] == ["nominated", "scheduled"]


def test_a_claim_without_a_volume_counts_for_every_cloud():
    late = [storage_class("fast"), claim("x")]
    found = said("1.13", limited("a", azure_disk=0), late, pod_with("p", "x"))
    assert found == none_of(1, f"1 {TOO_MANY}")


def test_csi_volumes_count_by_what_the_node_announces_and_csi_nodes_are_not_read():
    bound = [volume("pv", kept_for="x"), claim("x", volume="pv"), csi_node("b", limit=0)]
    nodes = [limited("a", **{f"csi_{DRIVER}": 0}), node("b")]
    simulation = Simulation(RunInput(objects=[*nodes, *bound, pod_with("p", "x")], profile="kube-1.13"))
    assert [attempt.chosen for attempt in simulation] == ["b"]
    assert "limits of CSI volumes in 1 CSINode" in simulation.trust.unknown


def test_the_limit_of_a_driver_with_a_long_name_is_shortened():
    assert limit_of_driver("d" * 39) == "attachable-volumes-csi-" + "d" * 39
    shortened = limit_of_driver("d" * 40)
    assert shortened == "attachable-volumes-csi-" + "d" * 23 + "4e99f0e6374ba7bf"
    assert len(shortened) == 62


# -- older ones --------------------------------------------------------------------------------------


BOUND = [volume("pv", on=["b"], kept_for="data", labels={ZONE: "west"}), claim("data", volume="pv")]
TWO_ZONES = [node("a", labels={ZONE: "east"}), node("b", labels={ZONE: "west"})]


@pytest.mark.parametrize("release", ["1.8", "1.9", "1.11", "1.13"])
def test_every_release_takes_a_bound_claim_to_its_zone(release):
    (attempt,) = attempts(release, TWO_ZONES, BOUND, pod_with("p", "data"))
    assert attempt.chosen == "b"


@pytest.mark.parametrize(
    ("release", "chosen"), [("1.8", ["a", "b"]), ("1.9", ["a", "b"]), ("1.11", ["b"]), ("1.13", ["b"])]
)
def test_a_local_volume_binds_to_its_node_since_late_binding_is_on(release, chosen):
    local = [volume("pv", on=["b"], kept_for="data"), claim("data", volume="pv")]
    (attempt,) = attempts(release, node("a"), node("b"), local, pod_with("p", "data"))
    assert attempt.best == chosen


def test_1_8_and_1_9_name_what_failed_and_ask_every_predicate():
    full = [node("a", pods="0", labels={ZONE: "east"}), *BOUND, pod_with("p", "data")]
    reasons = "Insufficient pods (1), NoVolumeZoneConflict (1)."
    words = f"No nodes are available that match all of the predicates: {reasons}"
    assert said("1.8", full) == ("unschedulable", words)
    assert said("1.9", full) == none_of(1, "1 Insufficient pods", "1 NoVolumeZoneConflict")


@pytest.mark.parametrize(("release", "evicts"), [("1.8", True), ("1.9", False), ("1.11", False)])
def test_1_8_evicts_pods_for_a_zone_in_vain(release, evicts):
    low = pod("low", on="a", spec={"priority": 0})
    (attempt,) = attempts(release, TWO_ZONES[0], BOUND, low, pod_with("p", "data", priority=9))
    assert attempt.outcome == "unschedulable"
    assert bool(attempt.preemption.potential) is evicts


def test_in_1_9_an_unbound_claim_is_an_error_where_nodes_have_zones():
    waiting = [storage_class("fast"), claim("data"), pod_with("p", "data")]
    text = 'PersistentVolumeClaim is not bound: "data"'
    assert said("1.9", TWO_ZONES, node("c", pods="0"), waiting) == ("error", f"{text} (repeated 2 times)")
    assert said("1.9", node("c"), waiting)[0] == "scheduled"


def test_1_9_looks_for_a_claim_only_where_it_compares_zones():
    text = 'persistentvolumeclaim "data" not found'
    assert said("1.9", TWO_ZONES[0], pod_with("p", "data")) == ("error", text)
    assert said("1.9", node("c"), pod_with("p", "data"))[0] == "scheduled"


@pytest.mark.parametrize(
    ("release", "what"), [("1.8", "claims without a volume"), ("1.11", "claims that are bound late")]
)
def test_unbound_claims_are_reported_where_they_are_not_modelled(release, what):
    objects = [node("a"), storage_class("fast"), volume("pv"), claim("data"), pod_with("p", "data")]
    simulation = Simulation(RunInput(objects=objects, profile=f"kube-{release}"))
    assert [attempt.outcome for attempt in simulation] == ["error"]
    assert simulation.trust.not_modelled == [
        f"{what} in {release} (1 waiting pod: an error instead of a guess)"
    ]


@pytest.mark.parametrize(("release", "fits"), [("1.8", True), ("1.9", True), ("1.11", True), ("1.13", False)])
def test_what_nodes_say_of_their_limit_counts_since_1_12(release, fits):
    objects = limited("a", aws_ebs=0), pod_with("p", disk=ebs("one"))
    assert (said(release, *objects)[0] == "scheduled") == fits


# -- 1.11's late binding -----------------------------------------------------------------------------


def test_1_11_makes_no_volume_late():
    nothing = none_of(1, f"1 {NOTHING_TO_BIND}")
    late = node("a"), storage_class("fast"), pod_with("p", "data")
    assert said("1.11", *late, claim("data")) == nothing
    selected = claim("data", annotations={"volume.kubernetes.io/selected-node": "b"})
    assert said("1.11", *late, selected, volume("pv", on=["b"])) == nothing
    assert said("1.11", *late, selected, volume("pv"))[0] == "error"


def test_1_11_takes_a_volume_of_any_phase_and_mode_and_one_that_a_claim_names_for_bound():
    released = volume("pv") | {"status": {"phase": "Released"}}
    released["spec"]["volumeMode"] = "Block"
    late = [storage_class("fast"), claim("data"), pod_with("p", "data")]
    assert said("1.11", node("a"), released, late)[0] == "error"
    assert said("1.13", node("a"), released, late)[0] == "scheduled"
    named = claim("data", volume="pv")
    del named["metadata"]["annotations"]
    elsewhere = [volume("pv", on=["b"]), named, pod_with("p", "data")]
    assert said("1.11", node("a"), elsewhere) == none_of(1, f"1 {NOT_REACHED}")


def test_1_11_words_an_unbound_claim_otherwise():
    instant = [storage_class("instant", mode="Immediate"), claim("data", of="instant")]
    found = said("1.11", node("a"), instant, pod_with("p", "data"))
    assert found == ("error", "pod has unbound PersistentVolumeClaims")
