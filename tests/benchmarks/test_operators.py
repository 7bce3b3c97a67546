"""The clusters that are written as operators have them hang together, and come in without a word."""

from collections import Counter
from functools import cache

import pytest

from benchmarks.operators.__main__ import text_of
from benchmarks.operators.cloud import EKS, GKE, cloud_cluster
from benchmarks.operators.hami import hami_cluster
from benchmarks.operators.volcano import volcano_cluster
from dashboard.services.imports.uploaded_cluster import read_picture
from scheduler_core.objects.imports.references import gaps
from scheduler_core.state.build import build_state
from tests.scheduler_core.hami.cards import Cluster

CLUSTERS = {
    "volcano": volcano_cluster,
    "hami": hami_cluster,
    "eks": lambda seed: cloud_cluster(seed, EKS, 40, 800),
    "gke": lambda seed: cloud_cluster(seed, GKE, 40, 800),
}
each = pytest.mark.parametrize("name", CLUSTERS)


@cache
def items(name):
    return CLUSTERS[name]("1")["items"]


def of_kind(name, kind):
    return [item for item in items(name) if item["kind"] == kind]


@each
def test_an_import_has_nothing_to_say(name):
    picture = read_picture(
        [("cluster.json", text_of({"apiVersion": "v1", "kind": "List", "items": items(name)}))]
    )
    assert (len(picture.objects), picture.faults, picture.left_out) == (len(items(name)), [], [])
    assert gaps(picture.objects) == []


@each
def test_every_object_is_itself_and_its_owner_is_there(name):
    by_uid = {item["metadata"]["uid"]: item for item in items(name)}
    assert len(by_uid) == len(items(name))
    for item in items(name):
        for owner in item["metadata"].get("ownerReferences", ()):
            found = by_uid[owner["uid"]]
            assert (found["kind"], found["metadata"]["name"]) == (owner["kind"], owner["name"])


@each
def test_no_node_has_more_than_it_has_room_for(name):
    state = build_state([item for item in items(name) if item["kind"] in ("Node", "Pod")]).state
    offered = state.nodes.allocatable.any(axis=0)
    assert (state.requested <= state.nodes.allocatable)[:, offered].all()
    assert (state.pod_count <= state.nodes.pod_limit).all()


def test_no_card_has_more_than_it_has_room_for():
    pods = [pod for pod in of_kind("hami", "Pod") if "nodeName" in pod["spec"]]
    cluster = Cluster(*of_kind("hami", "Node"), pods=pods)
    for pod in pods:
        cluster.hami.pod_added(pod)
    usages = [one for name in cluster.names for one in cluster.hami.inventory.usage(name).cards]
    assert sum(one.used for one in usages) > 250
    for one in usages:
        assert (one.used <= one.card.count, one.memory <= one.card.memory, one.cores <= one.card.cores) == (
            True,
        ) * 3


def test_seeds_make_the_clusters():
    assert hami_cluster("1") == hami_cluster("1") != hami_cluster("2")


def test_gangs_run_wait_and_are_over():
    phases = Counter(group["status"]["phase"] for group in of_kind("volcano", "PodGroup"))
    assert phases == {"Running": 41, "Completed": 14, "Inqueue": 88, "Pending": 7}
    waiting = [pod for pod in of_kind("volcano", "Pod") if pod["status"]["phase"] == "Pending"]
    assert len(waiting) == 1782
    assert len(of_kind("volcano", "Node")) == 400


def test_a_cloud_has_the_size_that_was_asked_for():
    assert (len(of_kind("eks", "Node")), len(of_kind("eks", "Pod"))) == (40, 800)
    waiting = [pod for pod in of_kind("eks", "Pod") if pod["status"]["phase"] == "Pending"]
    assert 130 <= len(waiting) <= 150


def test_few_pods_on_many_nodes_are_agents_and_what_waits():
    listed = cloud_cluster("1", EKS, 40, 300)["items"]
    workloads = [item for item in listed if item["kind"] in ("Deployment", "ReplicaSet", "StatefulSet")]
    assert min(item["spec"]["replicas"] for item in workloads) == 0
    assert sum(item["kind"] == "Pod" for item in listed) > 300
