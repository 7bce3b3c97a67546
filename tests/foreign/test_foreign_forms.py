"""Files as other tools write them, each with what becomes of it: read, left out and named, or refused.

The manifests are made up, small, and each of the form that its name says.
"""

from pathlib import Path
from typing import Any

import pytest

from dashboard.services.imports.uploaded_cluster import Faulty, Picture, read_picture
from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.problems import BadInput
from tests.dashboard.packing import tar_gz, zipped

FOLDER = Path(__file__).parent
SIMKUBE = (
    "this is a SimKube trace, which tells how workloads came and went and holds no nodes: send the cluster"
    " itself (kubectl get -o json), and add the workloads by edits"
)
JSON = "print it again with -o json"


def file(name: str) -> tuple[str, bytes]:
    return name, (FOLDER / name).read_bytes()


def names(picture: Picture) -> list[str]:
    return [object_name(document) for document in picture.objects]


def told(picture: Picture) -> list[str]:
    """What was left out and made up, with plain spaces."""
    return [sentence.replace("\u00a0", " ") for sentence in [*picture.left_out, *picture.notes]]


def taken(kinds: str, name: str) -> str:
    return f"Taken for what list, fields or file tell, since no kind is said: {kinds} ({name})."


@pytest.mark.parametrize(
    ("name", "objects", "sentences"),
    [
        ("appended.json", ["Node one", "Pod shop/cart-1"], []),
        ("lines.json", ["Node one", "Pod shop/cart-1", "Pod shop/cart-2"], []),
        (
            "cluster-info-dump.txt",
            ["Node one", "Pod kube-system/dns-1", "Pod default/cart-1"],
            ["The logs of 2 containers were left out of cluster-info-dump.txt."],
        ),
        (
            "cluster-info-dump-as-yaml.txt",
            ["Node one", "Pod kube-system/dns-1"],
            ["The logs of 1 container were left out of cluster-info-dump-as-yaml.txt."],
        ),
        ("powershell.json", ["Node one"], []),
        ("big-endian.yaml", ["Node one"], []),
        (
            "generate-name.yaml",
            ["Job shop/load-2", "Job shop/load-3", "Job shop/load-1"],
            ["Named by their generateName: Job shop/load-2, Job shop/load-3."],
        ),
        ("dashboards.yaml", ["ConfigMap shop/alerts"], []),
        (
            "simulator.json",
            [
                "Namespace default",
                "PriorityClass high",
                "Node one",
                "Pod default/cart-1",
                "KubeSchedulerConfiguration (unnamed)",
            ],
            [],
        ),
        ("simulator.yaml", ["PersistentVolumeClaim default/data", "Node one"], []),
        (
            "kai-snapshot.json",
            ["Node one", "Pod shop/train-1", "PriorityClass high", "Queue.scheduling.run.ai team"],
            [],
        ),
        (
            "cluster-info-dump-2018.txt",
            ["Node one", "Event kube-system/dns.1", "ReplicaSet kube-system/dns", "Pod kube-system/dns-1"],
            ["The logs of 1 container were left out of cluster-info-dump-2018.txt."],
        ),
        (
            "kindless-items.json",
            ["Pod shop/cart-1", "Pod shop/cart-2"],
            [taken("2 Pod", "kindless-items.json")],
        ),
        ("kindless-list.json", ["Node one"], [taken("1 Node", "kindless-list.json")]),
        (
            "kindless-mixed.json",
            ["Node one", "Pod shop/cart-1"],
            [taken("1 Node, 1 Pod", "kindless-mixed.json")],
        ),
        ("untyped-list.json", ["Pod shop/cart-1"], []),
        (
            "linked-list.json",
            ["PodDisruptionBudget shop/cart"],
            [taken("1 PodDisruptionBudget", "linked-list.json")],
        ),
        (
            "warnings.json",
            ["Node one"],
            [
                "What kubectl said beside the objects was left out of warnings.json:"
                " Warning: v1 ComponentStatus is deprecated in v1.19+;"
                " W1123 10:00:00.123456 1 loader.go:221] Config not found: x; Error from server (Forbidden):"
                ' pods is forbidden: User "reader" cannot list resource "pods".'
            ],
        ),
    ],
)
def test_what_can_be_read_is_read(name: str, objects: list[str], sentences: list[str]) -> None:
    picture = read_picture([file(name)])
    assert names(picture) == objects
    assert told(picture) == sentences


def test_umlauts_of_utf_16_arrive() -> None:
    for name in ("powershell.json", "big-endian.yaml"):
        assert read_picture([file(name)]).objects[0]["metadata"]["labels"] == {"room": "Größe"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("helm-deployment.yaml", "this is a Helm template: make objects of it first, with helm template"),
        ("helm-range.yaml", "this is a Helm template: make objects of it first, with helm template"),
        ("table.json", f"this is a Table, which kubectl draws on the screen: {JSON}"),
        (
            "status.json",
            'this is no object but an answer of the API server: nodes is forbidden: User "reader" cannot list'
            ' resource "nodes" in API group "" at the cluster scope',
        ),
        ("kubectl-get.txt", f"this is a table that kubectl get prints for people: {JSON}"),
        ("kubectl-get-wide.txt", f"this is a table that kubectl get prints for people: {JSON}"),
        (
            "kubectl-describe.txt",
            "this is what kubectl describe prints for people: print it again with kubectl get -o json",
        ),
        ("go-list.txt", f"this is written in Go's own syntax, which cannot be read back: {JSON}"),
        ("go-map.txt", f"this is written in Go's own syntax, which cannot be read back: {JSON}"),
        ("go-value.txt", f"this is written in Go's own syntax, which cannot be read back: {JSON}"),
        (
            "kustomization.yaml",
            "this is a Kustomization, of which kustomize makes objects: print them with kubectl kustomize",
        ),
        (
            "forbidden.txt",
            "this is what kubectl said instead of objects: Error from server (Forbidden): nodes is forbidden:"
            ' User "reader" cannot list resource "nodes" in API group "" at the cluster scope',
        ),
        (
            "refused.txt",
            "this is what kubectl said instead of objects: The connection to the server 10.0.0.1:6443 was"
            " refused - did you specify the right host or port?",
        ),
        (
            "page.html",
            "this is a web page or other XML, such as a proxy or a sign-in answers, and no answer of an API"
            " server",
        ),
        ("simkube.json", SIMKUBE),
        ("simkube.sktrace", SIMKUBE),
        ("not-a-number.json", "not readable as JSON: NaN is no number of JSON (line 3)"),
        (
            "beyond-numbers.json",
            "not readable as JSON: 1e999 is beyond the numbers that can be read (line 3)",
        ),
        ("cut-off.json", "not readable as JSON: it ends in the middle, in line 2: it was cut off"),
        ("cut-off.yaml", "not readable as YAML: it ends in the middle, in line 4: it was cut off"),
        ("half-a-character.json", "begins as UTF-16, and is not readable as such"),
        (
            "cluster-info-dump-cut-off.txt",
            "the logs of container dns of pod kube-system/dns-1 begin and do not end: the dump was cut off",
        ),
    ],
)
def test_what_holds_no_objects_is_refused_by_its_name(name: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_picture([file(name)])
    assert [(problem.object, problem.message) for problem in refused.value.problems] == [(name, message)]
    assert not isinstance(refused.value, Faulty)


@pytest.mark.parametrize("metadata", [b"7", b"[]", b'"x"', b'{"name": 7}', b'{"generateName": 7}', b"null"])
@pytest.mark.parametrize("kind", [b"Status", b"Pod", b"Table", b"Kustomization"])
def test_metadata_of_any_type_are_bad_input_at_worst(metadata: bytes, kind: bytes) -> None:
    text = b'{"kind": "%s", "apiVersion": "v1", "metadata": %s}' % (kind, metadata)
    with pytest.raises(BadInput):
        read_picture([("x.json", text + text)])


def test_a_document_that_was_cut_off_is_named_by_its_number() -> None:
    with pytest.raises(BadInput) as refused:
        read_picture([file("lines-cut-off.json")])
    [problem] = refused.value.problems
    assert problem.object == "lines-cut-off.json: document 2"
    assert problem.message.startswith("not readable as JSON")


@pytest.mark.parametrize("pack", [zipped, tar_gz])
def test_files_of_an_archive_without_objects_are_left_out_and_named(pack: Any) -> None:
    without = [
        "analysis.json", "chart.yaml", "helm-deployment.yaml", "kubeadm.yaml", "kustomization.yaml",
        "kustomization-without-type.yaml", "notes.yaml", "status.json", "table.json",
    ]  # fmt: skip
    for name in without:
        picture = read_picture([("dump", pack([file("lines.json"), file(name)]))])
        assert len(picture.objects) == 3
        [sentence] = told(picture)
        assert sentence.startswith(f"1 file holds no Kubernetes objects, and so left out of dump: {name}"), (
            sentence
        )
    with pytest.raises(BadInput, match=r"dump: there are no Kubernetes objects in it \(notes\.yaml\)"):
        read_picture([("dump", pack([file("notes.yaml")]))])


def test_json_lines_by_their_own_name_are_read_from_an_archive() -> None:
    for name in ("pods.jsonl", "pods.ndjson"):
        assert len(read_picture([("dump.zip", zipped([(name, file("lines.json")[1])]))]).objects) == 3


def test_what_an_api_server_answered_is_said_of_a_file_that_is_left_out() -> None:
    [sentence] = told(read_picture([("dump.zip", zipped([file("lines.json"), file("status.json")]))]))
    assert "nodes is forbidden" in sentence


def test_an_answer_among_objects_is_a_fault_of_its_own() -> None:
    with pytest.raises(Faulty) as refused:
        read_picture([file("status-among-objects.json")])
    [problem] = refused.value.problems
    assert problem.object == "status-among-objects.json: items[1]"
    assert "pods is forbidden" in problem.message
    assert (refused.value.number, names(refused.value.rest)) == (1, ["Node one"])


def test_faults_in_an_export_of_the_simulator_are_named_by_their_place() -> None:
    with pytest.raises(BadInput) as refused:
        read_picture([file("simulator-faulty.json")])
    number, quantity = refused.value.problems
    assert (number.object, number.message) == (
        "simulator-faulty.json: pods[1]",
        "expected a Kubernetes object, found a number",
    )
    assert (quantity.object, quantity.field) == (
        "Pod cart-1",
        "spec.containers[0].resources.requests.cpu",
    )


@pytest.mark.parametrize("order", [["monday.json", "tuesday.json"], ["tuesday.json", "monday.json"]])
def test_of_one_object_in_two_states_the_newer_counts(order: list[str]) -> None:
    picture = read_picture([file(name) for name in order])
    node, pod, _ = picture.objects
    assert names(picture) == ["Node one", "Pod shop/cart-1", "Node two"]
    assert "unschedulable" not in node["spec"]
    assert pod["spec"]["nodeName"] == "one"
    assert told(picture) == [
        "In several states, of which the one with the newest resourceVersion was taken:"
        " Node one (1100, not 1050), Pod shop/cart-1 (1000, not 999)."
    ]


def test_objects_of_two_clusters_are_not_taken_for_states_of_one() -> None:
    with pytest.raises(BadInput, match="another object of this kind has the same name"):
        read_picture([file("monday.json"), file("another-cluster.json")])
