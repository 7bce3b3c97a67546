"""Configurations in a cluster's ConfigMaps: told at the import, read over REST, given to a scenario."""

from typing import Any

import msgspec
import pytest

from dashboard.models import Scenario, Snapshot
from dashboard.queries.configurations import configurations_among
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.suggesting import suggest
from dashboard.views.scenarios import editor_data
from tests.scheduler_core.volcano import test_label_discovery as discovery

pytestmark = pytest.mark.django_db
VOLCANO = """\
actions: "enqueue, allocate"
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: predicates
  - name: binpack
    arguments: {binpack.weight: 5}
metrics: {address: "http://prometheus.example"}
"""
KUBE = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 30
profiles: [{schedulerName: packer}]
"""
HAMI_DEVICES = """\
nvidia:
  resourceCountName: nvidia.com/gpu
  resourceMemoryName: nvidia.com/gpumem
  defaultMemory: 4000
  deviceSplitCount: 10
iluvatars:
- {chipName: MR-V100, commonWord: MR-V100, resourceCountName: iluvatar.ai/MR-V100-vgpu}
"""
HAMI_KUBE = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{schedulerName: gpu-scheduler}]
extenders:
- urlPrefix: "https://127.0.0.1:443"
  enableHTTPS: true
  tlsConfig: {insecure: true}
  filterVerb: filter
  bindVerb: bind
  nodeCacheCapable: true
  weight: 1
  httpTimeout: 30s
  managedResources:
  - {name: nvidia.com/gpu, ignoredByScheduler: true}
  - {name: iluvatar.ai/MR-V100-vgpu, ignoredByScheduler: true}
"""
PROFILES = {"volcano": "volcano-1.16", "kube-scheduler": "kube-1.36", "hami": "hami-2.10"}


def config_map(namespace: str, name: str, **data: str) -> dict[str, Any]:
    metadata = {"namespace": namespace, "name": name}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


@pytest.fixture
def snapshot(as_alice: Any) -> int:
    items = [
        config_map("volcano-system", "volcano-scheduler-configmap", **{"volcano-scheduler.conf": VOLCANO}),
        config_map("kube-system", "packer", **{"config.yaml": KUBE, "notes": "private"}),
        config_map("hami", "hami-scheduler-device", **{"device-config.yaml": HAMI_DEVICES}),
        config_map("shop", "settings", colour="red"),
    ]
    body = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items})
    answer = as_alice.generic("POST", "/api/v1/snapshots/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return int(answer.json()["id"])


def test_they_are_told_with_where_they_stand(as_alice: Any, snapshot: int) -> None:
    warnings = as_alice.get(f"/api/v1/snapshots/{snapshot}/").json()["warnings"]
    assert [one.partition(":")[0] for one in warnings if one.startswith("ConfigMap")] == [
        "ConfigMap volcano-system/volcano-scheduler-configmap has a configuration of Volcano"
        " (volcano-scheduler.conf)",
        "ConfigMap kube-system/packer has a configuration of kube-scheduler (config.yaml)",
        "ConfigMap hami/hami-scheduler-device has a configuration of HAMi (device-config.yaml)",
    ]


@pytest.mark.parametrize("scheduler", PROFILES)
def test_each_is_taken_by_a_scenario_as_it_is_answered(as_alice: Any, snapshot: int, scheduler: str) -> None:
    found = as_alice.get(f"/api/v1/snapshots/{snapshot}/configurations/").json()["results"]
    [one] = [row for row in found if row["scheduler"] == scheduler]
    body = {"snapshot": snapshot, "scheduler": {"profile": PROFILES[scheduler], "config": one["config"]}}
    made = as_alice.post("/api/v1/scenarios/", body, format="json")
    assert made.status_code == 201, made.content
    assert made.json()["scheduler"]["config"] == one["config"]
    assert "metrics" not in one["config"]


def test_the_editor_is_given_them_as_yaml(snapshot: int) -> None:
    scenario = create_scenario(None, {"name": "x", "snapshot": Snapshot.objects.get(pk=snapshot)})
    found = editor_data(Scenario.objects.get(pk=scenario.pk), suggest(scenario.snapshot))["found"]
    assert [(one["where"], one["scheduler"]) for one in found] == [
        ("volcano-system/volcano-scheduler-configmap: volcano-scheduler.conf", "volcano"),
        ("kube-system/packer: config.yaml", "kube-scheduler"),
        ("hami/hami-scheduler-device: device-config.yaml", "hami"),
    ]
    assert found[0]["yaml"].startswith("actions: ")


def test_a_cluster_without_config_maps_has_none(as_alice: Any) -> None:
    body = b'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}'
    answer = as_alice.generic("POST", "/api/v1/snapshots/", body, content_type="application/json")
    address = f"/api/v1/snapshots/{answer.json()['id']}/configurations/"
    assert as_alice.get(address).json() == {"results": []}


def test_hamis_settings_take_in_the_kube_scheduler_beside_it(as_alice: Any) -> None:
    items = [
        config_map("hami", "hami-scheduler", **{"config.yaml": HAMI_KUBE}),
        config_map("hami", "hami-scheduler-device", **{"device-config.yaml": HAMI_DEVICES}),
        config_map("elsewhere", "other-device", **{"device-config.yaml": HAMI_DEVICES}),
    ]
    body = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items})
    snapshot = as_alice.generic("POST", "/api/v1/snapshots/", body, content_type="application/json").json()[
        "id"
    ]
    found = as_alice.get(f"/api/v1/snapshots/{snapshot}/configurations/").json()["results"]
    [told] = [
        one for one in as_alice.get(f"/api/v1/snapshots/{snapshot}/").json()["warnings"] if "HAMi's" in one
    ]
    assert told == (
        "ConfigMap hami/hami-scheduler has a configuration of HAMi's kube-scheduler (config.yaml):"
        " it goes with ConfigMap hami/hami-scheduler-device."
    )
    here, there = (row["config"] for row in found if row["scheduler"] == "hami")
    assert here["deviceConfig"]["nvidia"]["defaultMemory"] == 4000
    assert list(there) == ["deviceConfig"]
    assert (here["schedulerName"], here["enableIluvatar"]) == ("gpu-scheduler", True)
    [extender] = here["kubeSchedulerConfiguration"]["extenders"]
    assert extender["urlPrefix"] == "https://127.0.0.1:443"
    assert len(extender["managedResources"]) == 2
    body = {"snapshot": snapshot, "scheduler": {"profile": "hami-2.10", "config": here}}
    made = as_alice.post("/api/v1/scenarios/", body, format="json")
    assert made.status_code == 201, made.content
    assert made.json()["scheduler"]["config"] == here


def test_what_a_run_is_played_without_is_told_at_the_import(as_alice: Any) -> None:
    lock = (
        "\n  - name: deviceshare\n    arguments: {deviceshare.NodeLockEnable: true}\n  - name: rescheduling"
    )
    more = VOLCANO.replace("  - name: gang", f"  - name: gang{lock}")
    asks = {"resources": {"limits": {"volcano.sh/vgpu-number": "1"}}}
    waiting = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "ml", "name": "train"},
        "spec": {"schedulerName": "volcano", "containers": [{"name": "main", "image": "a", **asks}]},
    }
    items = [
        config_map("volcano-system", "fitting", **{"volcano-scheduler.conf": more}),
        config_map("volcano-system", "wrong", **{"volcano-scheduler.conf": VOLCANO.replace("enqu", "enq")}),
        waiting,
    ]
    body = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items})
    answer = as_alice.generic("POST", "/api/v1/snapshots/", body, content_type="application/json").json()
    told = [one for one in answer["warnings"] if one.startswith(("Not played", "ConfigMap"))]
    assert told[2:4] == [
        "Not played of ConfigMap volcano-system/fitting: plugin deviceshare.NodeLockEnable, which hands out"
        " one card of a node at a time: 1 pod asks for volcano.sh/vgpu-number, its answers are not to be"
        " trusted.",
        "Not played of ConfigMap volcano-system/fitting, without effect here: plugin rescheduling (only the"
        " action shuffle asks it).",
    ]
    assert told[4].startswith("ConfigMap volcano-system/wrong: no run can take it: ")
    assert "did you mean enqueue?" in told[4]


def test_the_configuration_of_volcanos_controllers_is_no_schedulers() -> None:
    assert list(configurations_among([discovery.config_map()])) == []
