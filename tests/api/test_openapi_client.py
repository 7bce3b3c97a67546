"""Whoever has the OpenAPI document alone can import, edit, run, and read all that a run has to say."""

import json
from typing import Any

import pytest
import requests
from django.contrib.auth import get_user_model
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.settings import patched_settings

from api.openapi import SETTINGS
from dashboard.accounts.roles import ADMIN, give_role
from dashboard.models import Cluster, Question
from dashboard.services.background.execution import execute_run
from samples.hami.sample import hami_files, hami_scenarios
from samples.teaching.sample import teaching_files, teaching_scenarios
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.objects.reading.object_lists import read_yaml
from tests.api.openapi_client import NotAsDescribed, OpenApiClient, Refusal
from tests.dashboard.rows import controlled, node, pod
from tests.fixtures.database import whichever_database
from tests.fixtures.stack import Stack, wait_until

ENDED = {"finished", "failed", "cancelled"}


@pytest.fixture
def client(as_alice: Any, monkeypatch: pytest.MonkeyPatch) -> OpenApiClient:
    """A client of the interface in this very process, where the test plays the runs itself."""
    monkeypatch.setattr("dashboard.services.workspace.runs.send_run", lambda run_id: None)
    monkeypatch.setattr("dashboard.services.workspace.clusters.send_import", lambda snapshot_id: None)
    with patched_settings(SETTINGS):
        made = SchemaGenerator().get_schema(request=None, public=True)

    def send(method: str, address: str, headers: dict[str, str], body: bytes | None) -> Any:
        sent = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        answer = as_alice.generic(
            method, address, body or b"", content_type=headers.get("Content-Type", ""), **sent
        )
        return answer.status_code, answer.headers.get("Content-Type", ""), answer.content

    return OpenApiClient(json.loads(OpenApiJsonRenderer().render(made)), send)


def played(client: OpenApiClient, files: list[tuple[str, bytes]], scenario: dict[str, Any]) -> int:
    """Import, create and play; return the run's number."""
    items = [item for _, data in files for item in read_yaml(data)]
    snapshot = client.snapshots_import({"apiVersion": "v1", "kind": "List", "items": items})
    fields = {name: value for name, value in scenario.items() if name not in ("profile", "config")}
    scheduler = {"profile": scenario["profile"], "config": scenario.get("config")}
    made = client.scenarios_create({**fields, "snapshot": snapshot["id"], "scheduler": scheduler})
    run = client.runs_start({"scenario": made["id"]})
    execute_run(run["id"])
    if run["baseline"]:
        execute_run(run["baseline"])
    return int(run["id"])


RUNS = {
    "kube-scheduler": (
        teaching_files(),
        {"profile": "kube-1.36", "driver": "timed", "edits": teaching_scenarios()[-1][1]},
    ),
    "volcano by the clock": (volcano_files("restart"), volcano_scenarios("restart")[0]),
    "volcano without one": (volcano_files("queues"), volcano_scenarios("queues")[0]),
    "hami": (hami_files(), hami_scenarios()[0]),
}


WITHOUT_NUMBER = ("runs_list", "scenarios_list", "schedulers_list", "snapshots_list", "event_schema")
OF_SNAPSHOTS = (
    "get", "configurations", "export", "findings", "flows", "hyper_nodes", "nodes", "pods", "progress",
    "schedulers", "volcano",
)  # fmt: skip


def test_every_get_that_is_documented_answers_as_described(client: OpenApiClient) -> None:
    runs = {name: played(client, *RUNS[name]) for name in RUNS}
    for run in runs.values():
        of_run(client, run)
    other = played(client, hami_files(), hami_scenarios()[1])
    assert client.compare(a=runs["hami"], b=other)["first_difference"] is not None
    client.run_came_true(id=runs["hami"], snapshot=client.run_get(id=other)["snapshot"])
    client.compare(a=runs["volcano without one"], b=runs["kube-scheduler"])
    client.compare_answer(a=runs["hami"], b=other)
    assert client.run_cards(id=runs["hami"])["cards"]
    client.run_card_shapes(id=runs["hami"])
    snapshot = client.run_get(id=runs["hami"])["snapshot"]
    assert client.snapshot_node_cards(id=snapshot, node="a100-1")["results"]
    assert client.snapshot_node_vgpus(id=snapshot, node="a100-1")["results"] == []
    of_a_pod_that_waits(client, runs["kube-scheduler"])
    of_two_queues(client, runs["volcano without one"])
    a_file_under_other_names(client, snapshot)
    client.snapshot_queues(id=client.run_get(id=runs["volcano without one"])["snapshot"])
    of_a_sweep(client, client.run_get(id=runs["kube-scheduler"])["scenario"])
    of_a_cluster(client)
    for name in (*WITHOUT_NUMBER, "explanation_schema"):
        getattr(client, name)()
    client.scheduler_get(profile="kube-1.36")
    assert client.glossary()["results"]
    assert client.find(q="node")["results"]
    give_role(get_user_model().objects.get(username="alice"), ADMIN)
    assert client.audit_list()["results"][0]["who"] == "alice"
    assert client.operations("GET") - client.called == set()


def of_run(client: OpenApiClient, run: int) -> None:
    """Read what there is of a run, its scenario and its snapshot."""
    known = client.run_get(id=run)
    assert known["status"] == "finished"
    log = client.decisions_list(id=run)["results"]
    first_of_its_kind = {decision["kind"]: decision for decision in reversed(log)}
    for decision in first_of_its_kind.values():
        whole = client.decision_get(id=run, seq=decision["seq"])
        assert {name: whole[name] for name in decision} == decision
        assert client.run_state(id=run, at=decision["seq"])["at"] == decision["seq"]
    tried = first_of_its_kind.get("attempt") or first_of_its_kind["placement"]
    for row in client.decision_nodes(id=run, seq=tried["seq"])["results"][:2]:
        client.decision_node(id=run, seq=tried["seq"], node=row["node"])
    assert client.run_state(id=run)["at"] == len(log)
    client.run_state(id=run, format="list")
    client.run_timeline(id=run)
    assert client.run_stop(id=run, after=0)["seq"] == 1
    assert client.run_stop(id=run, after=len(log))["seq"] is None
    client.run_over_time(id=run)
    client.run_answer(id=run)
    client.run_optimum(id=run)
    client.run_optimum_end(id=run)
    client.run_scheduler(id=run)
    client.scenario_get(id=known["scenario"])
    for name in (*OF_SNAPSHOTS, "workloads"):
        getattr(client, f"snapshot_{name}")(id=known["snapshot"])
    for name in ("why", "headroom"):
        getattr(client, f"snapshot_{name}")(id=known["snapshot"])


def of_a_cluster(client: OpenApiClient) -> None:
    access = {"listed": ["nodes"], "withheld": [], "beyond": []}
    made = Cluster.objects.create(name="prod", address="https://x", sealed=b"x", access=access)
    reading = client.cluster_read(id=made.pk)
    assert client.clusters_list()["results"] == [shown := client.cluster_get(id=made.pk)]
    assert (shown["access"], shown["readings"][0]["id"]) == (access, reading["id"])


def of_a_sweep(client: OpenApiClient, scenario: int) -> None:
    body = {"dimensions": [{"field": "seed", "values": [1, 2]}]}
    sweep = client.scenario_sweep(body, id=scenario)
    assert client.sweep(id=sweep["id"])["of"] == 2
    assert client.scenario_sweeps(id=scenario)["sweeps"][0]["id"] == sweep["id"]


def of_a_pod_that_waits(client: OpenApiClient, run: int) -> None:
    failed = client.decisions_list(id=run, outcome="unschedulable")["results"][0]
    log = client.decisions_list(id=run)["results"]
    back = next(one["seq"] for one in log if one["kind"] == "completion" and one["cause"] == failed["seq"])
    place = client.run_waiting(id=run, pod=failed["pod"]["uid"], at=back)["place"]
    assert place["would_wake"]
    client.run_why(id=run, pod=failed["pod"]["uid"], at=back)
    snapshot = client.run_get(id=run)["snapshot"]
    [waiting, *_] = [one for one in client.snapshot_pods(id=snapshot)["results"] if not one["node"]]
    client.snapshot_would_fit(id=snapshot, pod=f"{waiting['namespace']}/{waiting['name']}")


def a_file_under_other_names(client: OpenApiClient, snapshot: int) -> None:
    whole = client.snapshot_anonymised({"key": "k"}, id=snapshot)
    name = Question.objects.get(kind=Question.OTHER_NAMES).key
    assert client.snapshot_anonymised_file(id=snapshot, file=name) == whole
    client.snapshot_anonymised_end(id=snapshot, file=name)


def of_two_queues(client: OpenApiClient, run: int) -> None:
    groups = client.run_state(id=run)["tables"]["groups"].values()
    first, second, *_ = sorted({group["queue"] for group in groups})
    seq = next(one["seq"] for one in client.decisions_list(id=run)["results"] if one["kind"] == "placement")
    client.decision_order(id=run, seq=seq, of="queue", first=first, second=second)


def test_what_is_not_described_neither_goes_out_nor_comes_in(client: OpenApiClient) -> None:
    edit = {"op": "drain", "node": "node-1", "force": True}
    with pytest.raises(NotAsDescribed, match="scenarios_create"):
        client.scenarios_create({"snapshot": 1, "edits": [edit]})
    with pytest.raises(NotAsDescribed, match="explode"):
        client.check("Edit", {"op": "explode"})
    attempt = {"kind": "attempt", "seq": 1, "outcome": "scheduled"}
    with pytest.raises(NotAsDescribed, match="LogDecision"):
        client.check("LogDecision", attempt)
    with pytest.raises(NotAsDescribed, match="uid"):
        client.check("LogRunState", {"at": 0, "time": None, "lists": {}, "tables": {"pods": {"a": {}}}})


@whichever_database
def test_a_client_made_of_the_document_imports_edits_runs_and_reads_decisions(live_stack: Stack) -> None:
    accept = {"Accept": "application/vnd.oai.openapi+json"}
    status, document = live_stack.request("GET", "/api/v1/schema/", headers=accept)
    assert status == 200

    def send(method: str, address: str, headers: dict[str, str], body: bytes | None) -> Any:
        signed_in = {**headers, "Authorization": f"Bearer {live_stack.tokens['alice']}"}
        answer = requests.request(method, live_stack.url + address, data=body, headers=signed_in, timeout=60)
        return answer.status_code, answer.headers.get("Content-Type", ""), answer.content

    client = OpenApiClient(document, send)
    items = [node("node-1"), node("node-2"), controlled("cart-1"), pod("search-1")]
    snapshot = client.snapshots_import({"apiVersion": "v1", "kind": "List", "items": items}, name="generated")
    assert [row["name"] for row in client.snapshot_nodes(id=snapshot["id"])["results"]] == [
        "node-1",
        "node-2",
    ]

    scenario = client.scenarios_create({"snapshot": snapshot["id"]})
    edits = [{"op": "drain", "node": "node-1"}, {"op": "clone-node", "node": "node-2", "enabled": False}]
    scenario = client.scenario_change(
        {"edits": edits}, id=scenario["id"], if_match=f'"{scenario["version"]}"'
    )
    assert scenario["edits"] == edits
    assert client.scenario_validate(id=scenario["id"])["problems"] == []
    client.scenario_validate_end(id=scenario["id"])

    run = client.runs_start({"scenario": scenario["id"]})
    wait_until(lambda: client.run_get(id=run["id"])["status"] in ENDED)
    page = client.decisions_list(id=run["id"], limit=1)
    decisions = page["results"]
    while page["next"]:
        page = client.follow("decisions_list", page["next"])
        decisions += page["results"]
    placed = {one["pod"]["name"]: one["chosen"] for one in decisions if one["kind"] == "attempt"}
    assert placed == {"cart-1-r1": "node-2", "search-1": "node-2"}
    search = next(one for one in decisions if one["kind"] == "attempt" and one["chosen"] == "node-2")
    whole = client.decision_get(id=run["id"], seq=search["seq"])
    assert whole["filter"]["node-1"]["plugin"] == "NodeUnschedulable"
    with pytest.raises(Refusal) as refused:
        client.decision_get(id=run["id"], seq=decisions[-1]["seq"] + 1)
    assert refused.value.status == 404
