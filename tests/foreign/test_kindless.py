"""Objects that say no kind, or are written with the names of Go's fields: read as what they are, or told."""

import json

import pytest

from dashboard.services.imports.uploaded_cluster import Faulty, read_picture
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_list import take_items
from tests.dashboard.packing import tar_gz, zipped
from tests.foreign.test_foreign_forms import file, names, told

DEPLOYMENT = {
    "spec": {
        "replicas": 1,
        "selector": {"matchLabels": {"app": "cart"}},
        "template": {
            "metadata": {"labels": {"app": "cart"}},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        },
    }
}


def test_a_dump_with_the_names_of_gos_fields_is_read_as_the_api_has_it() -> None:
    objects = read_picture([file("cluster-info-dump-2018.txt")]).objects
    found = {document["kind"]: document for document in objects}
    node, pod = found["Node"], found["Pod"]
    assert node["metadata"]["labels"] == {"Zone": "a"}
    assert node["spec"]["unschedulable"] is True
    assert node["spec"]["taints"] == [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]
    assert node["status"]["allocatable"] == {"cpu": "4", "memory": "8Gi", "pods": "110"}
    spec = pod["spec"]
    assert (spec["nodeName"], spec["hostNetwork"], spec["nodeSelector"]) == ("one", True, {"Zone": "a"})
    assert spec["tolerations"] == [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]
    assert spec["volumes"] == [
        {"name": "data", "persistentVolumeClaim": {"claimName": "data", "readOnly": False}}
    ]
    terms = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert terms == {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "Zone", "operator": "In", "values": ["a"]}]}]
    }
    [container] = spec["containers"]
    assert container["resources"] == {"requests": {"cpu": "100m", "memory": "70Mi"}}
    assert container["ports"][0]["hostPort"] == 53
    assert found["ReplicaSet"]["spec"]["template"]["metadata"]["labels"] == {"k8s-app": "dns"}
    assert "hidden" not in str(found)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("sonobuoy/resources/ns/shop/Services.json", "Service shop/cart"),
        ("insights/config/node/cart.json", "Node cart"),
        ("bundle/cluster-resources/priority-classes.json", "PriorityClass cart"),
        ("dump/core_v1_limitranges.json", "LimitRange shop/cart"),
        ("backup/resources/deployments.apps/namespaces/shop/cart.json", "Deployment shop/cart"),
        ("backup/resources/secrets/namespaces/shop/cart.json", ""),
    ],
)
def test_the_names_of_file_and_folders_tell_what_objects_are(path: str, kind: str) -> None:
    space = {} if kind in ("Node cart", "PriorityClass cart") else {"namespace": "shop"}
    body = {"PriorityClass cart": {"value": 9}, "Deployment shop/cart": DEPLOYMENT}.get(kind, {})
    text = json.dumps([{"metadata": {"name": "cart", **space}, **body}]).encode()
    picture = read_picture([("dump.zip", zipped([file("lines.json"), (path, text)]))])
    others = ("Node one", "Pod shop/cart-1", "Pod shop/cart-2")
    assert [name for name in names(picture) if name not in others] == ([kind] if kind else [])
    assert picture.dropped == ([] if kind else ["1 Secret"])


def test_what_says_no_kind_and_nobody_reads_is_left_out_of_a_bundle_with_a_word() -> None:
    definitions = json.dumps(
        [{"metadata": {"name": "widgets.shop.io"}, "spec": {"group": "shop.io"}}]
    ).encode()
    reports = json.dumps([{"metadata": {"name": "x"}, "passed": 7}]).encode()
    files = [("cluster-resources/custom-resource-definitions.json", definitions), ("reports.json", reports)]
    picture = read_picture([("bundle.zip", zipped([file("lines.json"), *files]))])
    assert len(picture.objects) == 3
    assert told(picture) == [
        "1 object that says no kind was left out, since nothing reads them (CustomResourceDefinition):"
        " bundle.zip/cluster-resources/custom-resource-definitions.json.",
        "1 file was left out, since nothing tells of which kind the objects are: bundle.zip/reports.json.",
    ]


def test_a_large_list_without_kinds_is_read_item_by_item() -> None:
    for name in ("kindless-items.json", "kindless-list.json"):
        found = take_items(
            file(name)[1], [], lambda document, _: document["kind"], lambda done, total: None, name=name
        )
        assert found == (["Pod", "Pod"] if "items" in name else ["Node"])


def test_an_object_that_says_no_kind_and_that_nothing_tells_is_a_fault_of_a_plain_file() -> None:
    with pytest.raises(BadInput, match=r"items\[0\]: kind: must be the name of a kind"):
        read_picture([("x.json", b'[{"metadata": {"name": "a"}}]')])


NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "one"}}
FAULTY_NODE = {**NODE, "status": {"allocatable": {"cpu": "lots"}}}
SPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}


@pytest.mark.parametrize(
    "files",
    [
        [("all.json", json.dumps([SPACE, FAULTY_NODE]).encode())],
        [("all.json", json.dumps([SPACE, {"metadata": {"name": "a"}}]).encode())],
        [("spaces.json", json.dumps(SPACE).encode()), ("nodes.json", b'{"items": [')],
        [("spaces.json", json.dumps(SPACE).encode()), ("all.yaml", b"kind: Pod\nmetadata: {")],
    ],
)
def test_all_nodes_and_pods_are_never_left_out_as_faulty(files: list[tuple[str, bytes]]) -> None:
    with pytest.raises(BadInput) as refused:
        read_picture(files)
    assert not isinstance(refused.value, Faulty)
    with pytest.raises(BadInput, match="all nodes and pods are among what is faulty"):
        read_picture(files, without_faulty=True)
    sound = ("sound.json", json.dumps({**NODE, "metadata": {"name": "two"}}).encode())
    assert "Node two" in names(read_picture([*files, sound], without_faulty=True))


def test_a_velero_backup_is_read_each_object_once() -> None:
    pod = json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "cart-1", "namespace": "shop", "uid": "p1", "resourceVersion": "7"},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        }
    ).encode()
    backup = tar_gz(
        [
            ("metadata/version", b"1.1.0"),
            ("resources/pods/namespaces/shop/cart-1.json", pod),
            ("resources/pods/v1-preferredversion/namespaces/shop/cart-1.json", pod),
        ]
    )
    assert names(read_picture([("backup.tar.gz", backup)])) == ["Pod shop/cart-1"]
