"""An answer tells where another release is played than the nodes' kubelets are of."""

from typing import Any

import pytest

from scheduler_core.world.run_input import Companion, RunInput
from scheduler_core.world.simulation import Simulation

RULES = (
    ": in 1.33 other rules hold for DynamicResources, ImageLocality, NodeDeclaredFeatures, "
    "NodeResourcesBalancedAllocation, NodeResourcesFit"
)
OTHER = f"played as 1.36; the nodes' kubelets are 1.33{RULES}"


def node(number: int, version: Any) -> dict[str, Any]:
    info = {} if version is None else {"nodeInfo": {"kubeletVersion": version}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{number}"}, "status": info}


def told(*versions: Any, **given: Any) -> str:
    """What the trust of a run says of the release, with a node for each version."""
    objects = [node(number, version) for number, version in enumerate(versions)]
    return Simulation(RunInput(objects=objects, **given)).trust.release


@pytest.mark.parametrize("version", ["v1.33.5", "1.33", "v1.33.5-gke.1080000", "v1.33.3-eks-3abbec1"])
def test_another_release_than_the_kubelets_is_told(version: str) -> None:
    assert told(version, version) == OTHER


def test_the_release_of_the_newest_kubelet_is_the_cluster_s() -> None:
    assert told("v1.35.1", "v1.36.0") == ""
    assert told("v1.33.5", "v1.31.9", "v1.32.2") == OTHER.replace("are 1.33", "are 1.31, 1.32 and 1.33")


def test_whose_rules_differ_is_told_where_the_release_is_known() -> None:
    assert told("v1.35.0").endswith("NodeResourcesBalancedAllocation")
    assert told("v1.34.0", profile="kube-1.33").endswith("DynamicResources, NodeResourcesFit")
    assert told("v1.22.0") == "played as 1.36; the nodes' kubelets are 1.22"


def test_a_release_before_is_told_in_its_own_number() -> None:
    assert told("v1.33.5", profile="kube-1.13") == "played as 1.13; the nodes' kubelets are 1.33"
    assert told("v1.13.12", profile="kube-1.13") == ""


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
