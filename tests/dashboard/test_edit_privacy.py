"""Nothing private is stored with a scenario's edits: the same is withheld from them as from an import."""

from typing import Any

import msgspec
import pytest
import yaml

from dashboard.models import Scenario
from dashboard.services.workspace import scenarios, trying
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import new_scenario, new_snapshot, pod

pytestmark = [pytest.mark.django_db]

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}, "data": {"key": "aHVudGVy"}}
CONTAINERS = [{"name": "main", "env": [{"name": "PASSWORD", "value": "hunter"}]}]
POD = pod("late", containers=CONTAINERS)
TEMPLATE = {"spec": {"template": {"spec": {"containers": CONTAINERS}}}}
DEPLOYMENT = {"op": "patch", "kind": "Deployment", "namespace": "shop", "name": "cart", "patch": TEMPLATE}


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "add", "manifest": POD},
        {"op": "add", "manifest": POD, "enabled": False},
        {"op": "add", "manifest": {"kind": "List", "items": [POD, {**pod("later"), "kind": "Pod"}]}},
        {"op": "add", "manifest": yaml.safe_dump(POD)},
        {"op": "add", "manifest": yaml.safe_dump_all([POD, pod("later")])},
        {"op": "patch", "kind": "Pod", "namespace": "shop", "name": "cart-1", "patch": {"spec": POD["spec"]}},
        DEPLOYMENT,
    ],
)
def test_values_of_environment_variables_are_not_stored(alice: Any, edit: dict[str, Any]) -> None:
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": [edit]})
    stored = msgspec.json.encode(Scenario.objects.get(pk=scenario.pk).edits)
    assert b"hunter" not in stored
    assert b"PASSWORD" in stored
    later = new_scenario(alice)
    scenarios.update_scenario(later, 1, {"edits": [edit]})
    assert msgspec.json.encode(Scenario.objects.get(pk=later.pk).edits) == stored


def test_what_no_scheduler_reads_is_not_stored_and_nulls_of_a_patch_stay(alice: Any) -> None:
    hidden = [{"name": "main", "command": ["hunter"], "resources": None}]
    template = {"metadata": {"annotations": {"kept": None}}, "spec": {"containers": hidden}}
    patch = {"spec": {"jobTemplate": {"spec": {"template": template}}}, "status": None}
    edit = {"op": "patch", "kind": "CronJob", "namespace": "shop", "name": "nightly", "patch": patch}
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": [edit]})
    [stored] = Scenario.objects.get(pk=scenario.pk).edits
    kept = {**template, "spec": {"containers": [{"name": "main", "resources": None}]}}
    assert stored["patch"] == {"spec": {"jobTemplate": {"spec": {"template": kept}}}, "status": None}


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        ({"op": "add", "manifest": SECRET}, "manifest.kind"),
        (
            {"op": "add", "manifest": {"kind": "SecretList", "apiVersion": "v1", "items": [{}]}},
            "manifest.kind",
        ),
        ({"op": "add", "manifest": "kind: [Secret, hunter"}, "manifest"),
        (
            {"op": "add", "manifest": "{apiVersion: v1, kind: Pod, kind: Pod, metadata: {name: a}}"},
            "manifest Pod a.kind",
        ),
        ({"op": "patch", "kind": "Secret", "name": "key", "patch": {"data": {"key": "x"}}}, "kind"),
    ],
)
def test_a_secret_is_refused_beside_its_field(alice: Any, edit: dict[str, Any], field: str) -> None:
    edits = [{"op": "cordon", "node": "node-1"}, edit]
    with pytest.raises(BadInput) as refused:
        scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": edits})
    assert [(problem.object, problem.field) for problem in refused.value.problems] == [("edits[1]", field)]
    assert "hunter" not in str(refused.value)


@pytest.mark.parametrize(
    "manifest", [yaml.safe_dump_all([SECRET, POD]), {"kind": "List", "items": [POD, SECRET]}]
)
def test_a_secret_among_other_objects_is_dropped(alice: Any, manifest: Any) -> None:
    edit = {"op": "add", "manifest": manifest}
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": [edit]})
    [stored] = Scenario.objects.get(pk=scenario.pk).edits
    assert stored["manifest"]["kind"] == "Pod"
    assert "aHVudGVy" not in str(stored)


def test_an_unreadable_manifest_is_listed_beside_other_faulty_edits(alice: Any) -> None:
    edits = [{"op": "cordon"}, {"op": "add", "manifest": "a: ["}, {"op": "uncordon", "node": 7}]
    with pytest.raises(BadInput) as refused:
        scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": edits})
    assert [problem.object for problem in refused.value.problems] == ["edits[0]", "edits[1]", "edits[2]"]


def test_what_holds_nothing_private_is_stored_as_it_came(alice: Any) -> None:
    edits = [
        {"op": "add", "manifest": "# a comment\n" + yaml.safe_dump(pod("late"))},
        {"op": "add", "manifest": pod("later"), "replicas": 2},
        {"op": "add", "manifest": ""},
        {"op": "patch", "kind": "Node", "name": "node-1", "patch": {"spec": None, "kind": "Node"}},
    ]
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": edits})
    assert Scenario.objects.get(pk=scenario.pk).edits == edits


def test_connections_and_arguments_of_foreign_plugins_are_not_stored_with_a_configuration(alice: Any) -> None:
    weighted = {"score": {"enabled": [{"name": "ImageLocality", "weight": 7}]}}
    foreign = {"name": "Trimaran", "args": {"metricProvider": {"token": "hunter"}}}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": "/home/hunter/.kube/config"},
        "profiles": [{"plugins": weighted, "pluginConfig": [foreign]}],
    }
    kept = [{"plugins": weighted, "pluginConfig": [{"name": "Trimaran", "args": {}}]}]
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "config": config})
    later = new_scenario(alice)
    scenarios.update_scenario(later, 1, {"config": config})
    for stored in (scenario, later):
        found = Scenario.objects.get(pk=stored.pk).config
        assert found == {"apiVersion": config["apiVersion"], "kind": config["kind"], "profiles": kept}


def test_what_a_configuration_must_not_have_is_refused_before_anything_is_dropped(alice: Any) -> None:
    data = {"snapshot": new_snapshot(alice), "config": {"clientConections": {"kubeconfig": "hunter"}}}
    with pytest.raises(BadInput) as refusal:
        scenarios.create_scenario(alice, data)
    assert [problem.field for problem in refusal.value.problems] == ["clientConections"]


MOUNTED = {"name": "main", "image": "main:1", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}


@pytest.mark.parametrize(
    ("edit", "field", "message"),
    [
        (
            {"op": "add", "manifest": pod("late", nodeselector={"disk": "ssd"})},
            "manifest.spec.nodeselector",
            "is an unknown field; did you mean nodeSelector?",
        ),
        (
            {
                "op": "add",
                "manifest": yaml.safe_dump_all([pod("late"), pod("later", toleration=[{"key": "gpu"}])]),
            },
            "manifest Pod shop/later.spec.toleration",
            "is an unknown field; did you mean tolerations?",
        ),
        (
            {"op": "add", "manifest": pod("late", containers=[MOUNTED])},
            "manifest.spec.containers[0].volumeMounts[0].name",
            "is the name of no volume",
        ),
        (
            {**DEPLOYMENT, "patch": {"spec": {"replica": 3}}},
            "patch.spec.replica",
            "is an unknown field; did you mean replicas?",
        ),
    ],
)
def test_what_would_be_dropped_and_an_api_server_would_refuse_is_refused(
    alice: Any, edit: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(BadInput) as refused:
        scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": [edit]})
    found = [(problem.object, problem.field, problem.message) for problem in refused.value.problems]
    assert found == [("edits[0]", field, message)]


def test_a_patch_may_take_an_unknown_field_away_and_mount_the_volumes_that_are_there(alice: Any) -> None:
    change = {"spec": {"template": {"spec": {"containers": [MOUNTED], "nodeselector": None}}}}
    edits = [{**DEPLOYMENT, "patch": change}]
    assert scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "edits": edits}).pk


def test_an_edit_says_how_many_secrets_were_left_out_of_it_also_when_it_is_stored_again(alice: Any) -> None:
    manifest = {"kind": "List", "apiVersion": "v1", "items": [SECRET, pod("late"), SECRET]}
    scenario = scenarios.create_scenario(
        alice, {"snapshot": new_snapshot(alice), "edits": [{"op": "add", "manifest": manifest}]}
    )
    scenario = scenarios.update_scenario(scenario, scenario.version, {"edits": scenario.edits})
    assert scenario.edits == [{"op": "add", "manifest": pod("late"), "withheld": 2}]
    [result] = trying.validate_scenario(scenario)["edits"]
    told = "2 private objects left out: Secrets and kubeconfigs are never stored, and no scheduler reads them"
    assert told in result["changes"]
