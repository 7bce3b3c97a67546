"""A real kube-apiserver and kube-scheduler ask Sandtable, by the manifests of docs/served-to-a-cluster.md.

What becomes of jobs, queues and pods there is what Sandtable answered.
"""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
import yaml

from dashboard.accounts.tokens import create_token
from dashboard.environment import PROJECT
from dashboard.models import Scenario, ServedObject
from tests.api.serving import asking, machine, patched, scenario_of, usage
from tests.dashboard.processes import Processes
from tests.real_cluster import PROGRAM, WHY_NOT, RealCluster, own_certificate, real_cluster, wait_for

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not PROGRAM, reason=WHY_NOT),
]
BLOCKS = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
CARDS = "hami.io/vgpu-devices-allocated"
QUEUE = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue"}


class Served(NamedTuple):
    """A cluster that asks a scenario, and where that is."""

    cluster: RealCluster
    scenario: Scenario
    address: str
    token: str
    certificate: Path


def kind(group: str, version: str, name: str, plural: str, scope: str) -> dict[str, Any]:
    """A kind of Volcano's, of any fields."""
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": name, "plural": plural, "singular": name.lower()}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {"group": group, "scope": scope, "names": names, "versions": [served]},
    }


KINDS = [
    kind("batch.volcano.sh", "v1alpha1", "Job", "jobs", "Namespaced"),
    kind("scheduling.volcano.sh", "v1beta1", "Queue", "queues", "Cluster"),
    kind("scheduling.volcano.sh", "v1beta1", "PodGroup", "podgroups", "Namespaced"),
]
CLOSED = {**QUEUE, "metadata": {"name": "closed"}, "spec": {"weight": 1}, "status": {"state": "Closed"}}


def manifests(folder: Path, host: str, token: str, pem: bytes, scenario: Scenario) -> list[dict[str, Any]]:
    """The manifests of the page, with the test's own host, token, certificate, numbers and folder."""
    text = (PROJECT / "docs" / "served-to-a-cluster.md").read_text()
    places = {
        "sandtable.example.com/": f"{host}/",
        "name: sandtable.example.com": f"name: {host}",
        "TOKEN": token,
        "CA_BUNDLE": base64.b64encode(pem).decode(),
        "/volcano/7/": f"/volcano/{scenario.snapshot_id}/",
        "/extender/7": f"/extender/{scenario.pk}",
        "/etc/kubernetes/sandtable": str(folder),
    }
    for place, own in places.items():
        assert place in text, place
        text = text.replace(place, own)
    return [yaml.safe_load(block) for block in BLOCKS.findall(text)]


@pytest.fixture
def served(processes: Processes, alice: Any, tmp_path: Path) -> Iterator[Served]:
    nodes = [machine("a", count=1, slots=2), machine("b", count=2, slots=4)]
    scenario = scenario_of(*nodes, CLOSED)
    file, pem = own_certificate(tmp_path)
    (tmp_path / "ca.crt").write_bytes(pem)
    port, token = processes.web(certificate=file), create_token(alice, "kubernetes")[1]
    host = f"127.0.0.1:{port}"
    admission, kubeconfig, *webhooks, scheduler = manifests(tmp_path, host, token, pem, scenario)
    for name, document in (("admission", admission), ("webhooks", kubeconfig), ("scheduler", scheduler)):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(document))
    arguments = (
        "--scheduler-config", str(tmp_path / "scheduler.yaml"),
        f"--apiserver-arg=--admission-control-config-file={tmp_path / 'admission.yaml'}",
    )  # fmt: skip
    with real_cluster(tmp_path / "cluster", *arguments) as cluster:
        for node in nodes:
            del node["metadata"]["uid"]
        cluster.apply(*KINDS, *nodes)
        cluster.apply(*webhooks)
        yield Served(cluster, scenario, f"https://{host}", token, tmp_path / "ca.crt")


def answered(served: Served, path: str, resource: str, document: Any) -> dict[str, Any]:
    """What Sandtable answers when it is asked about an object that is created."""
    group, version = document["apiVersion"].split("/")
    request = {
        "uid": "u", "operation": "CREATE", "object": document, "namespace": "default",
        "resource": {"group": group, "version": version, "resource": resource},
    }  # fmt: skip
    body = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    url = f"{served.address}/webhook/volcano/{served.scenario.snapshot_id}/{path}"
    headers = {"Authorization": f"Bearer {served.token}"}
    response = requests.post(url, json=body, headers=headers, verify=served.certificate, timeout=30)
    found: dict[str, Any] = response.json()["response"]
    return found


def job(name: str, **spec: Any) -> dict[str, Any]:
    container = {"name": "main", "image": "main:1", "resources": {"requests": {"cpu": "1"}}}
    template = {"spec": {"containers": [container], "restartPolicy": "Never"}}
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"tasks": [{"replicas": 2, "template": template}], **spec},
    }


def test_what_sandtable_answers_becomes_of_jobs_queues_and_pods(served: Served) -> None:
    _jobs(served)
    _queues(served)
    _pods(served)


def _jobs(served: Served) -> None:
    """A job is completed, or denied in Sandtable's words."""
    plain = job("plain")
    wait_for(lambda: not served.cluster.create(plain))  # webhooks are heard of a moment later
    answer = answered(served, "jobs/mutate", "jobs", plain)
    stored = served.cluster.get("jobs.batch.volcano.sh", "plain")["spec"]
    assert stored == patched(plain, yaml.safe_load(base64.b64decode(answer["patch"])))["spec"]
    assert (stored["queue"], stored["minAvailable"], stored["tasks"][0]["name"]) == ("default", 2, "default0")
    for number, spec in enumerate(({"minAvailable": 5}, {"queue": "nowhere"}, {"queue": "closed"})):
        bad = job(f"bad-{number}", **spec)
        response = answered(served, "jobs/mutate", "jobs", bad)
        whole = patched(bad, yaml.safe_load(base64.b64decode(response["patch"])))
        refused = answered(served, "jobs/validate", "jobs", whole)
        assert not refused["allowed"]
        message = served.cluster.create(bad)
        assert "validatejob.sandtable.example.com" in message
        assert refused["status"]["message"] in message


def _queues(served: Served) -> None:
    """A queue is completed, or denied; root can't go."""
    assert not served.cluster.create({**QUEUE, "metadata": {"name": "ml"}, "spec": {"weight": 3}})
    stored = served.cluster.get("queues.scheduling.volcano.sh", "ml")["spec"]
    assert (stored["reclaimable"], stored["weight"]) == (True, 3)
    bad = {**QUEUE, "metadata": {"name": "bad"}, "spec": {"weight": 3, "parent": "nowhere"}}
    refused = answered(
        served, "queues/validate", "queues", {**bad, "spec": {**bad["spec"], "reclaimable": True}}
    )
    assert refused["status"]["message"] in served.cluster.create(bad)


def _pods(served: Served) -> None:
    """A pod that asks for cards gets HAMi's scheduler by the webhook, and node and cards by the extender."""
    names = ["one", "two", "three"]
    for name in names:
        document = asking(name, memory=6000)
        del document["metadata"]["uid"], document["status"]
        wait_for(lambda document=document: not served.cluster.create(document))
    wait_for(lambda: all(served.cluster.get("pod", name)["spec"].get("nodeName") for name in names))
    for name in names:
        pod = served.cluster.get("pod", name)
        held = ServedObject.objects.get(kind="Pod", key=f"default/{name}").object
        assert pod["spec"]["schedulerName"] == "hami-scheduler"
        annotations = held["metadata"]["annotations"]
        assert annotations["hami.io/vgpu-node"] == pod["spec"]["nodeName"]
        assert f"{pod['spec']['nodeName']}-gpu-" in annotations[CARDS]
    too_much = asking("too-much", memory=900_000)
    del too_much["metadata"]["uid"], too_much["status"]
    assert not served.cluster.create(too_much)

    def said() -> str:
        conditions = served.cluster.get("pod", "too-much")["status"].get("conditions") or [{}]
        return str(conditions[0].get("message", ""))

    wait_for(lambda: "CardInsufficientMemory" in said())
    assert _slots(served) == len(names)
    served.cluster.kubectl("delete", "pod", "one", "--wait=false")
    wait_for(lambda: _slots(served) == len(names) - 1)


def _slots(served: Served) -> int:
    """How many slots of cards pods hold."""
    return sum(slots for slots, _ in usage(served.scenario).values())
