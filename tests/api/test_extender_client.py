"""The real kube-scheduler asks a served scenario: its own client of extenders filters and binds.

`KUBE_PEER` names a program that reads cases, one a line, and answers each with what the real scheduler does.
"""

import json
import os
import subprocess
from threading import Event, Thread
from typing import Any

import pytest
import requests

from dashboard.accounts.tokens import create_token
from dashboard.models import ServedObject
from dashboard.services.workspace.scenarios import update_scenario
from scheduler_core.hami.configuration.kube_scheduler import managed_resources
from scheduler_core.hami.configuration.settings import read_configuration
from tests.api.serving import asking, machine, scenario_of, usage
from tests.dashboard.processes import Processes

PEER = os.environ.get("KUBE_PEER")
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(PEER is None, reason="KUBE_PEER names no program that asks the real kube-scheduler"),
]
WHEN = "2026-06-01T00:00:00Z"


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """Return an object as an API server has it."""
    metadata = {"creationTimestamp": WHEN, "resourceVersion": "1", **document["metadata"]}
    return {**document, "metadata": metadata}


def ready(name: str, **more: Any) -> dict[str, Any]:
    made = whole(machine(name, **more))
    made["status"]["conditions"] = [{"type": "Ready", "status": "True"}]
    return made


def decided(url: str, nodes: list[Any], pods: list[Any], **more: Any) -> list[dict[str, Any]]:
    """Return the cycles of the real scheduler whose extender is at this URL."""
    managed = [
        {"name": name, "ignoredByScheduler": True} for name in managed_resources(read_configuration(None))
    ]
    extender = {
        "urlPrefix": url,
        "filterVerb": "filter",
        "bindVerb": "bind",
        "weight": 1,
        "httpTimeout": "30s",
        "nodeCacheCapable": True,
        "managedResources": managed,
        **more,
    }
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "hami-scheduler"}],
        "extenders": [extender],
    }
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "uid": "ns"}}
    case = {
        "format": "oracle/1",
        "id": "served",
        "config": config,
        "cluster": {"apiVersion": "v1", "kind": "List", "items": [whole(namespace), *nodes, *pods]},
        "schedule": [f"default/{pod['metadata']['name']}" for pod in pods],
    }
    answered = subprocess.run(
        [str(PEER), "decide"], input=json.dumps(case) + "\n", capture_output=True, text=True, check=True
    )
    answer = json.loads(answered.stdout)
    assert "error" not in answer, answer
    cycles: list[dict[str, Any]] = answer["expect"]["cycles"]
    return cycles


def pods(count: int, **more: Any) -> list[dict[str, Any]]:
    return [whole(asking(f"p-{number}", schedulerName="hami-scheduler", **more)) for number in range(count)]


def url_of(port: int, pk: int, token: str) -> str:
    return f"http://kube:{token}@localhost:{port}/extender/{pk}"


def test_the_real_scheduler_filters_and_binds(processes: Processes, alice: Any) -> None:
    nodes = [ready("a", count=1, slots=2), ready("b", count=1, slots=1)]
    scenario = scenario_of(*nodes)
    url = url_of(processes.web(), scenario.pk, create_token(alice, "kube-scheduler")[1])
    cycles = decided(url, nodes, pods(4, memory=1000), prioritizeVerb="prioritize")
    assert [cycle["result"] for cycle in cycles] == ["scheduled"] * 3 + ["unschedulable"]
    assert sorted(cycle["chosen"] for cycle in cycles[:3]) == ["a", "a", "b"]
    assert "1/1 CardTimeSlicingExhausted" in cycles[3]["message"]
    assert usage(scenario) == {"a-gpu-0": (2, 2000), "b-gpu-0": (1, 1000)}
    bound = {row.key: row.object["spec"].get("nodeName") for row in ServedObject.objects.filter(kind="Pod")}
    assert bound == {f"default/{c['pod'].rpartition('/')[2]}": c["chosen"] for c in cycles}


def test_what_is_refused_stands_in_the_real_schedulers_message(processes: Processes, alice: Any) -> None:
    nodes = [ready("a")]
    scenario = scenario_of(*nodes)
    port, token = processes.web(), create_token(alice, "kube-scheduler")[1]
    url = url_of(port, scenario.pk, token)
    update_scenario(scenario, 1, {"profile": "kube-1.36"})
    [cycle] = decided(url, nodes, pods(1))
    assert cycle["result"] == "error"
    assert f"Scenario {scenario.pk} is of kube-1.36, and hami-2.10 alone can be asked." in cycle["message"]
    [cycle] = decided(url_of(port, scenario.pk, "unknown"), nodes, pods(1))
    assert "code 401" in cycle["message"]


def test_who_asks_too_often_is_told_so_in_the_real_schedulers_message(
    processes: Processes, alice: Any
) -> None:
    nodes = [ready("a")]
    scenario = scenario_of(*nodes)
    port, token = processes.web(SANDTABLE_EXTENDER_RATE="1"), create_token(alice, "kube-scheduler")[1]
    address = f"http://localhost:{port}/extender/{scenario.pk}/filter"
    over = Event()

    def ask_on() -> None:
        """Use up what the scheduler could ask, however slowly it asks."""
        while not over.wait(0.05):
            requests.post(address, headers={"Authorization": f"Bearer {token}"}, json={})

    asker = Thread(target=ask_on)
    asker.start()
    try:
        messages = [
            cycle.get("message") or "" for cycle in decided(url_of(port, scenario.pk, token), nodes, pods(6))
        ]
    finally:
        over.set()
        asker.join()
    assert any("takes 1 questions a second of one person" in message for message in messages), messages
