"""An answer tells where another release is played than the cluster is of, and who says so."""

from typing import Any

import pytest

from scheduler_core.objects.server_version import server_version_object
from scheduler_core.world.reporting.cluster_release import told_by
from scheduler_core.world.run_input import Companion, RunInput
from scheduler_core.world.simulation import Simulation

RULES = (
    ": in 1.33 other rules hold for DynamicResources, ImageLocality, NodeDeclaredFeatures, "
    "NodeResourcesBalancedAllocation, NodeResourcesFit"
)
OTHER = f"played as 1.36; the nodes' kubelets are of 1.33{RULES}"


def node(number: int, version: Any) -> dict[str, Any]:
    info = {} if version is None else {"nodeInfo": {"kubeletVersion": version}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{number}"}, "status": info}


def control_plane(version: str) -> dict[str, Any]:
    found = node(0, version)
    found["metadata"]["labels"] = {"node-role.kubernetes.io/control-plane": ""}
    return found


def scheduler(version: str) -> dict[str, Any]:
    """The static pod of kube-scheduler."""
    container = {"name": "kube-scheduler", "image": f"registry.k8s.io/kube-scheduler:{version}"}
    metadata = {"name": "kube-scheduler-node-0", "namespace": "kube-system", "uid": "scheduler"}
    status = {"phase": "Running"}
    spec = {"nodeName": "node-0", "containers": [container]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def told(*versions: Any, **given: Any) -> str:
    """What the trust of a run says of the release, with a node for each version."""
    objects = [node(number, version) for number, version in enumerate(versions)]
    return Simulation(RunInput(objects=objects, **given)).trust.release


@pytest.mark.parametrize("version", ["v1.33.5", "1.33", "v1.33.5-gke.1080000", "v1.33.3-eks-3abbec1"])
def test_another_release_than_the_kubelets_is_told(version: str) -> None:
    assert told(version, version) == OTHER


def test_the_release_of_the_newest_kubelet_is_the_cluster_s() -> None:
    assert told("v1.35.1", "v1.36.0") == ""
    assert told("v1.33.5", "v1.31.9", "v1.32.2") == OTHER.replace("nodes' kubelets", "nodes' newest kubelets")


def test_whose_rules_differ_is_told_where_the_release_is_known() -> None:
    assert told("v1.35.0").endswith("NodeResourcesBalancedAllocation")
    assert told("v1.34.0", profile="kube-1.33").endswith("DynamicResources, NodeResourcesFit")


@pytest.mark.parametrize(("version", "nearest"), [("v1.22.17", "1.28"), ("v1.41.0", "1.37")])
def test_a_release_that_is_not_played_is_told_by_the_nearest(version: str, nearest: str) -> None:
    release = version[1:5]
    phrase = told(version)
    assert phrase.startswith(
        f"played as 1.36; the nodes' kubelets are of {release}: in {nearest} other rules"
    )
    assert phrase.endswith(f"; {release} itself is not played, and what else it does otherwise is not known")
    assert told(version, profile=f"kube-{nearest}").startswith(
        f"played as {nearest}; the nodes' kubelets are"
    )


def test_a_release_before_is_told_in_its_own_number() -> None:
    assert told("v1.33.5", profile="kube-1.13") == "played as 1.13; the nodes' kubelets are of 1.33"
    assert told("v1.13.12", profile="kube-1.13") == ""


def test_what_the_api_server_said_counts_before_all_else() -> None:
    answer = server_version_object({"serverVersion": {"gitVersion": "v1.29.4-eks-036c24b"}})
    assert answer is not None
    objects = [control_plane("v1.30.1"), node(1, "v1.31.0"), scheduler("v1.32.0"), answer]
    found = told_by(objects)
    assert (found.release, found.source) == ((1, 29), "the API server is of 1.29 (v1.29.4-eks-036c24b)")
    trust = Simulation(RunInput(objects=objects, profile="kube-1.30")).trust.release
    assert trust.startswith("played as 1.30; the API server is of 1.29 (v1.29.4-eks-036c24b): in 1.29 other")
    newer = server_version_object({"gitVersion": "v1.30.0", "major": "1"})
    assert newer is not None
    both = told_by([newer, answer])
    assert both.source == "the newest API server is of 1.30 (v1.29.4-eks-036c24b and v1.30.0)"


def test_then_kube_scheduler_s_own_image_counts_then_the_control_plane_s_kubelets() -> None:
    found = told_by([node(1, "v1.33.0"), control_plane("v1.32.1"), scheduler("v1.31.9")])
    assert (found.release, found.source) == ((1, 31), "the pods of kube-scheduler itself are of 1.31")
    found = told_by([node(1, "v1.33.0"), control_plane("v1.32.1")])
    assert (found.release, found.source) == ((1, 32), "the control plane's kubelets are of 1.32")


@pytest.mark.parametrize(
    ("image", "release"),
    [
        ("registry.k8s.io/kube-scheduler:v1.34.1", (1, 34)),
        ("index.docker.io/rancher/hardened-kubernetes:v1.30.5-rke2r1-build20240912", (1, 30)),
        ("localhost:5000/kube-scheduler:v1.29.4@sha256:0123abcd", (1, 29)),
        ("quay.io/openshift/kube-scheduler@sha256:0123abcd", None),
        ("registry.k8s.io/kube-scheduler:latest", None),
    ],
)
def test_an_image_s_tag_tells_the_release(image: str, release: Any) -> None:
    pod = scheduler("v0.0.0")
    pod["spec"]["containers"][0]["image"] = image
    assert told_by([pod]).release == release


def test_another_scheduler_s_pod_tells_nothing() -> None:
    other = scheduler("v1.31.9")
    other["metadata"]["namespace"] = "default"
    second = scheduler("v1.31.9")
    second["metadata"]["name"] = "my-kube-scheduler-1"
    assert told_by([other, second]).release is None


def test_hami_and_what_acts_beside_volcano_are_of_the_newest_release() -> None:
    beside = [Companion(scheduler="kube-scheduler")]
    assert told("v1.33.5", profile="hami-2.10") == OTHER
    assert told("v1.33.5", profile="volcano-1.16", beside=beside) == OTHER
    assert told("v1.33.5", profile="volcano-1.16") == ""


def test_where_no_kubelet_tells_its_release_nothing_is_told() -> None:
    assert told() == told(None) == told("") == told("unknown") == ""


def test_a_node_that_an_edit_takes_away_still_tells_whose_cluster_it_was() -> None:
    gone = [{"op": "delete", "kind": "Node", "name": "node-0"}]
    assert told("v1.33.5", edits=gone) == OTHER


def test_a_field_that_every_pod_has_is_not_told_as_lost() -> None:
    status = {
        "phase": "Running",
        "containerStatuses": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}],
    }
    containers = [{"name": "c", "image": "a", "resources": {"requests": {"cpu": "1"}}}]
    spec = {"nodeName": "node-0", "containers": containers}
    names = {"name": "p", "namespace": "default"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": names, "spec": spec, "status": status}
    objects = [node(0, "v1.32.0"), pod]
    assert list(Simulation(RunInput(objects=objects, profile="kube-1.32")).trust.unknown) == []
    objects = [node(0, "v1.32.0"), {**pod, "spec": {**spec, "resources": {"requests": {"cpu": "2"}}}}]
    lost = Simulation(RunInput(objects=objects, profile="kube-1.32")).trust.unknown
    assert list(lost) == ["resources of the pod as a whole of 1 pod"]
