"""Volumes decide where a pod may go: bound ones, late ones, those that are full, taken or elsewhere."""

import pytest

from recorded.decide import play
from scheduler_core.objects import types
from scheduler_core.objects.storage import CSINode
from scheduler_core.predicates.volumes.migration import BY_PROVISIONER, migrated_on
from tests.builders import node, pod
from tests.scheduler_core.storage_objects import (
    attachment,
    claim,
    csi_driver,
    csi_node,
    pod_with,
    pool,
    storage_class,
    volume,
    zonal_nodes,
)

NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity"
NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind"
NO_SPACE = "node(s) did not have enough free storage"
TOO_MANY = "node(s) exceed max volume count"
DISK_TAKEN = "node(s) had no available disk"
OTHER_ZONE = "node(s) had no available volume zone"
IN_USE = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by "
    "another pod"
)


def decided(*objects, profiles=None):
    """Return the cycles of all pending pods, in the order of the objects."""
    flat = [item for part in objects for item in (part if isinstance(part, list) else [part])]
    pending = [
        f"default/{item['metadata']['name']}"
        for item in flat
        if item["kind"] == "Pod" and "nodeName" not in item["spec"]
    ]
    return play(flat, profiles, pending)


def reasons(cycle):
    """Return each visited node's reasons, empty where the pod fits."""
    return {name: verdict["reasons"] if verdict else [] for name, verdict in cycle["filter"].items()}


def chosen(cycles):
    return [cycle["chosen"] for cycle in cycles]


# -- claims that nobody can use ----------------------------------------------------------------------


def rejection(*objects):
    (cycle,) = decided(node("a"), *objects)
    return cycle["prefilter"] and (cycle["prefilter"]["plugin"], cycle["prefilter"]["reasons"][0])


def test_a_missing_claim_is_found_out_by_the_first_plugin_that_looks():
    expected = ("VolumeRestrictions", 'persistentvolumeclaim "data" not found')
    assert rejection(pod_with("p", "data")) == expected


def test_a_lost_claim_names_the_volume_that_is_gone():
    lost = claim("data", volume="gone") | {"status": {"phase": "Lost"}}
    text = 'persistentvolumeclaim "data" bound to non-existent persistentvolume "gone"'
    assert rejection(lost, pod_with("p", "data")) == ("VolumeBinding", text)


def test_a_claim_that_is_being_deleted_takes_no_new_pods():
    leaving = claim("data")
    leaving["metadata"]["deletionTimestamp"] = "2026-05-01T00:00:00Z"
    text = 'persistentvolumeclaim "data" is being deleted'
    assert rejection(leaving, pod_with("p", "data")) == ("VolumeBinding", text)


@pytest.mark.parametrize("of", ["instant", "no-such-class"])
def test_a_claim_that_does_not_wait_should_have_been_bound(of):
    instant = storage_class("instant", mode="Immediate")
    text = "pod has unbound immediate PersistentVolumeClaims"
    assert rejection(instant, claim("data", of=of), pod_with("p", "data")) == ("VolumeBinding", text)


def test_an_ephemeral_volume_waits_for_its_claim():
    text = 'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-tmp"'
    assert rejection(pod_with("p", tmp={"ephemeral": {}})) == ("VolumeBinding", text)


def test_an_ephemeral_volume_must_be_the_pods_own():
    stranger = claim("p-tmp", owner=pod("somebody-else"))
    text = "PVC default/p-tmp was not created for pod default/p (pod is not owner)"
    assert rejection(stranger, pod_with("p", tmp={"ephemeral": {}})) == ("VolumeBinding", text)


def test_an_ephemeral_volume_of_its_own_is_bound_like_any_other():
    owner = pod_with("p", tmp={"ephemeral": {}})
    cycles = decided(node("a"), storage_class("fast"), claim("p-tmp", owner=owner), owner)
    assert chosen(cycles) == ["a"]


# -- bound claims ------------------------------------------------------------------------------------


def test_a_bound_volume_draws_the_pod_to_where_it_can_be_reached():
    local = volume("v", on=["b"], kept_for="data")
    (cycle,) = decided(node("a"), node("b"), local, claim("data", volume="v"), pod_with("p", "data"))
    assert reasons(cycle) == {"a": [NODE_CONFLICT], "b": []}


def test_an_in_tree_volume_is_its_drivers_where_the_plugin_is_migrated():
    zone, migrated = "topology.ebs.csi.aws.com/zone", csi_node("a", migrated="kubernetes.io/aws-ebs")
    disk = volume(
        "v", zones=["z1"], kept_for="data", labels={}, awsElasticBlockStore={"volumeID": "aws://z1/vol-1"}
    )
    nodes = [node("a", labels={zone: "z1"}), node("b", labels={zone: "z1"})]
    (cycle,) = decided(nodes, migrated, disk, claim("data", volume="v"), pod_with("p", "data"))
    assert reasons(cycle) == {"a": [], "b": [NODE_CONFLICT]}


@pytest.mark.parametrize(
    ("announced", "answer"),
    [
        ("kubernetes.io/gce-pd,kubernetes.io/aws-ebs", True),
        ("kubernetes.io/aws-ebs-next", False),
        ("next.kubernetes.io/aws-ebs,kubernetes.io/gce-pd", False),
        ("", False),
    ],
)
def test_a_plugin_is_migrated_where_its_whole_name_is_announced(announced, answer):
    node_of_driver = types.convert(csi_node("a", migrated=announced), CSINode)
    assert migrated_on(BY_PROVISIONER["kubernetes.io/aws-ebs"], node_of_driver) is answer


def test_a_zone_label_of_the_volume_binds_labelled_nodes_only():
    labelled = volume("v", kept_for="data", labels={"failure-domain.beta.kubernetes.io/zone": "z1__z2"})
    nodes = [*zonal_nodes(a="z1", b="z2", c="z3"), node("nowhere")]
    (cycle,) = decided(nodes, labelled, claim("data", volume="v"), pod_with("p", "data"))
    assert reasons(cycle) == {"a": [], "b": [], "c": [OTHER_ZONE], "nowhere": []}


# -- late binding ------------------------------------------------------------------------------------

LOCAL = storage_class("local", provisioner="kubernetes.io/no-provisioner")


def test_the_smallest_volume_that_fits_is_taken_and_the_next_pod_gets_the_next_one():
    volumes = [volume("large", "local", "9Gi", on=["a"]), volume("small", "local", "3Gi", on=["b"])]
    claims = [claim("c1", "local", "2Gi"), claim("c2", "local", "2Gi"), claim("c3", "local", "2Gi")]
    pods = [pod_with("p1", "c1"), pod_with("p2", "c2"), pod_with("p3", "c3")]
    cycles = decided(node("a"), node("b"), LOCAL, volumes, claims, pods)
    assert chosen(cycles) == ["a", "b", None]
    assert reasons(cycles[2]) == {"a": [NOTHING_TO_BIND], "b": [NOTHING_TO_BIND]}


def test_the_smaller_claim_of_a_pod_chooses_first():
    volumes = [volume("small", "local", "3Gi", on=["a"]), volume("large", "local", "9Gi", on=["a"])]
    claims = [claim("big", "local", "8Gi"), claim("little", "local", "2Gi")]
    assert chosen(decided(node("a"), LOCAL, volumes, claims, pod_with("p", "big", "little"))) == ["a"]


def test_two_claims_never_share_a_volume():
    only = volume("v", "local", "9Gi", on=["a"])
    claims = [claim("c1", "local"), claim("c2", "local", "2Gi")]
    assert chosen(decided(node("a"), LOCAL, only, claims, pod_with("p", "c1", "c2"))) == [None]


def test_a_volume_kept_for_the_claim_is_the_only_choice():
    kept, other = volume("kept", "local", on=["b"], kept_for="data"), volume("other", "local", on=["a"])
    (cycle,) = decided(
        node("a"), node("b"), LOCAL, kept, other, claim("data", "local"), pod_with("p", "data")
    )
    assert reasons(cycle) == {"a": [NOTHING_TO_BIND], "b": []}


def test_a_claim_without_a_volume_is_provisioned_where_its_class_allows():
    only_z2 = storage_class("fast", zones=["z2"])
    (cycle,) = decided(zonal_nodes(a="z1", b="z2"), only_z2, claim("data"), pod_with("p", "data"))
    assert reasons(cycle) == {"a": [NOTHING_TO_BIND], "b": []}


def test_two_pods_with_one_claim_to_provision_go_to_the_same_node():
    cycles = decided(
        node("a"),
        node("b"),
        storage_class("fast"),
        claim("data"),
        pod_with("p1", "data"),
        pod_with("p2", "data"),
    )
    assert chosen(cycles) == ["a", "a"]
    assert reasons(cycles[1]) == {"a": [], "b": [NOTHING_TO_BIND]}


def test_each_profile_has_a_view_of_its_own():
    config = {"profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "second"}]}
    pods = [pod_with("p1", "data"), pod_with("p2", "data", scheduler="second")]
    cycles = decided(node("a"), node("b"), storage_class("fast"), claim("data"), pods, profiles=config)
    assert reasons(cycles[1]) == {"a": [], "b": []}


@pytest.mark.parametrize(("size", "fits"), [("10Gi", True), ("10241Mi", False)])
def test_a_new_volume_must_fit_into_a_pool_that_the_node_reaches(size, fits):
    pools = [pool("near", "10Gi", "z1"), pool("other-class", "99Gi", "z1", of="slow")]
    (cycle,) = decided(
        zonal_nodes(a="z1", b="z2"),
        storage_class("fast"),
        csi_driver(counts_capacity=True),
        pools,
        claim("data", size=size),
        pod_with("p", "data"),
    )
    assert reasons(cycle) == {"a": [] if fits else [NO_SPACE], "b": [NO_SPACE]}


def test_a_driver_that_does_not_count_provisions_anything_anywhere():
    driver = csi_driver(counts_capacity=False)
    cycles = decided(
        node("a"), storage_class("fast"), driver, claim("data", size="1Pi"), pod_with("p", "data")
    )
    assert chosen(cycles) == ["a"]


def test_reasons_stand_in_the_binders_order():
    local = volume("v", on=["b"], kept_for="old")
    claims = [claim("old", volume="v"), claim("new", "local")]
    (cycle,) = decided(node("a"), node("b"), LOCAL, local, claims, pod_with("p", "new", "old"))
    assert reasons(cycle) == {"a": [NODE_CONFLICT, NOTHING_TO_BIND], "b": [NOTHING_TO_BIND]}


# -- limits ------------------------------------------------------------------------------------------


def mounted(number, on):
    """A pod on a node with a volume of its own."""
    name = f"v{number}"
    return [
        volume(name, kept_for=f"c{number}"),
        claim(f"c{number}", volume=name),
        pod_with(f"b{number}", f"c{number}", on=on),
    ]


@pytest.mark.parametrize(("limit", "expected"), [(2, [TOO_MANY]), (3, []), (None, [])])
def test_a_node_holds_so_many_volumes_of_a_driver(limit, expected):
    full = [*mounted(1, "a"), *mounted(2, "a")]
    (cycle,) = decided(
        node("a"), csi_node("a", limit), storage_class("fast"), full, claim("new"), pod_with("p", "new")
    )
    assert reasons(cycle) == {"a": expected}


def test_a_volume_that_the_node_mounts_already_costs_nothing():
    (cycle,) = decided(node("a"), csi_node("a", 1), mounted(1, "a"), pod_with("p", "c1"))
    assert reasons(cycle) == {"a": []}


def test_a_volume_of_a_pod_that_is_attached_too_counts_once():
    attached = attachment("at-1", of="v1", to="a")
    (cycle,) = decided(
        node("a"),
        csi_node("a", 2),
        storage_class("fast"),
        mounted(1, "a"),
        attached,
        claim("new"),
        pod_with("p", "new"),
    )
    assert reasons(cycle) == {"a": []}


def test_an_attached_volume_that_no_pod_mounts_takes_a_place():
    lonely = [volume("v", kept_for="c"), claim("c", volume="v"), attachment("at", of="v", to="a")]
    (cycle,) = decided(
        node("a"), csi_node("a", 1), storage_class("fast"), lonely, claim("new"), pod_with("p", "new")
    )
    assert reasons(cycle) == {"a": [TOO_MANY]}


def test_in_tree_disks_count_as_their_drivers_volumes():
    registered = csi_node("a")
    registered["spec"]["drivers"] = [{"name": "pd.csi.storage.gke.io", "allocatable": {"count": 1}}]
    disks = [{"gcePersistentDisk": {"pdName": name, "readOnly": True}} for name in ("d1", "d2")]
    running, waiting = pod_with("b", on="a", disk=disks[0]), pod_with("p", disk=disks[1])
    (cycle,) = decided(node("a"), registered, running, waiting)
    assert reasons(cycle) == {"a": [TOO_MANY]}


def test_a_pod_is_evicted_to_make_room_for_a_volume():
    lowly = mounted(1, "a")
    lowly[2]["spec"]["priority"] = -5
    new = [storage_class("fast"), claim("new"), pod_with("p", "new", priority=10)]
    first, second = decided(node("a"), csi_node("a", 1), lowly, new)
    assert first["preemption"]["victims"] == ["default/b1"]
    assert (second["result"], second["chosen"]) == ("scheduled", "a")


# -- disks and claims for one pod only ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "conflict"),
    [
        ({"gcePersistentDisk": {"pdName": "d"}}, {"gcePersistentDisk": {"pdName": "d"}}, True),
        (
            {"gcePersistentDisk": {"pdName": "d", "readOnly": True}},
            {"gcePersistentDisk": {"pdName": "d", "readOnly": True}},
            False,
        ),
        (
            {"awsElasticBlockStore": {"volumeID": "v", "readOnly": True}},
            {"awsElasticBlockStore": {"volumeID": "v", "readOnly": True}},
            True,
        ),
        ({"iscsi": {"iqn": "i", "readOnly": True}}, {"iscsi": {"iqn": "i"}}, True),
        ({"iscsi": {"iqn": "i"}}, {"iscsi": {"iqn": "other"}}, False),
        (
            {"rbd": {"monitors": ["m1", "m2"], "pool": "p", "image": "i"}},
            {"rbd": {"monitors": ["m2", "m3"], "pool": "p", "image": "i"}},
            True,
        ),
        (
            {"rbd": {"monitors": ["m1"], "pool": "p", "image": "i"}},
            {"rbd": {"monitors": ["m3"], "pool": "p", "image": "i"}},
            False,
        ),
        ({"gcePersistentDisk": {"pdName": "d"}}, {"awsElasticBlockStore": {"volumeID": "d"}}, False),
    ],
)
def test_a_disk_is_mounted_by_one_writer(mine, theirs, conflict):
    (cycle,) = decided(node("a"), node("b"), pod_with("b1", on="a", disk=theirs), pod_with("p", disk=mine))
    assert reasons(cycle) == {"a": [DISK_TAKEN] if conflict else [], "b": []}


def exclusive(name):
    return claim(name, volume="v", modes=["ReadWriteOncePod"])


def test_a_claim_for_one_pod_is_in_use_on_every_node():
    bound = [volume("v", kept_for="data"), exclusive("data"), pod_with("b", "data", on="a")]
    (cycle,) = decided(node("a"), node("b"), bound, pod_with("p", "data"))
    assert reasons(cycle) == {"a": [IN_USE], "b": [IN_USE]}


def test_evicting_the_only_user_frees_the_claim():
    bound = [volume("v", kept_for="data"), exclusive("data"), pod_with("b", "data", on="a", priority=-1)]
    first, second = decided(node("a"), node("b"), bound, pod_with("p", "data", priority=1))
    assert first["preemption"]["victims"] == ["default/b"]
    assert list(first["preemption"]["candidates"]) == ["a"]
    assert second["result"] == "scheduled"


# -- errors and features -----------------------------------------------------------------------------


def test_a_class_without_a_binding_mode_is_an_error():
    broken = storage_class("fast")
    del broken["volumeBindingMode"]
    (cycle,) = decided(node("a"), broken, claim("data"), pod_with("p", "data"))
    text = 'running PreFilter plugin "VolumeBinding": VolumeBindingMode not set for StorageClass "fast"'
    assert (cycle["result"], cycle["message"]) == ("error", text)


def test_a_disk_that_cannot_be_translated_is_an_error():
    shared = {"azureDisk": {"diskURI": "/d", "kind": "Shared"}}
    (cycle,) = decided(node("a"), csi_node("a"), pod_with("p", disk=shared))
    text = "converting volume(disk) from inline to csi: kind(Shared) is not supported in csi migration"
    expected = f'running "NodeVolumeLimits" filter plugin: {text}'
    assert (cycle["result"], cycle["message"]) == ("error", expected)


def test_a_pod_goes_where_the_kubelet_declares_what_it_needs():
    able, plain = node("able"), node("plain")
    able["status"]["declaredFeatures"] = ["UserNamespacesHostNetworkSupport"]
    needy = pod("p", spec={"hostNetwork": True, "hostUsers": False})
    (cycle,) = decided(able, plain, needy)
    assert reasons(cycle) == {"able": [], "plain": ["node(s) didn't match Pod's required features"]}
