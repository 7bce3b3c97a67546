"""A manifest tried over REST: answered by a worker, once for all who ask; nothing private is stored."""

from typing import Any

import msgspec
import pytest
import yaml
from django.test import Client

from dashboard.models import Question, Snapshot
from dashboard.services.background import dispatch, warm_worlds
from tests.dashboard.answers.test_preflight import deployment
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    from dashboard.services.workspace.snapshots import import_snapshot

    warm_worlds.forget_worlds()
    return import_snapshot(alice, "small", [("cluster.json", listing(node("node-1"), node("node-2")))])


def tried(
    client: Client, user: Any, snapshot: Snapshot, *documents: Any, accept: str = "", **more: Any
) -> Any:
    client.force_login(user)
    body = {"manifest": yaml.safe_dump_all(documents), **more}
    return client.post(
        f"/api/v1/snapshots/{snapshot.pk}/preflight/",
        msgspec.json.encode(body),
        "application/json",
        headers={"accept": accept or "application/json"},
    )


def test_a_manifest_is_tried_by_a_worker_once_for_all_who_ask(
    client: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = tried(client, alice, snapshot, deployment(9), namespace="shop")
    assert answer.status_code == 200
    found = answer.json()["found"]
    assert (found["answer"]["verdict"], found["workloads"][0]["namespace"]) == ("partly", "shop")
    assert (found["workloads"][0]["fit"], found["workloads"][0]["waiting"]) == (8, 1)
    monkeypatch.setattr(dispatch, "send_question", lambda pk: pytest.fail("it is asked again"))
    words = tried(
        client, alice, snapshot, deployment(9), namespace="shop", accept="text/plain"
    ).content.decode()
    assert words.startswith("shop/api: 8 of 9 fit: 8 in free room; 1 finds no node")


def test_what_the_release_of_the_cluster_does_not_serve_is_wrong(client: Client, alice: Any) -> None:
    from dashboard.services.workspace.snapshots import import_snapshot

    told = {"serverVersion": {"gitVersion": "v1.30.2"}}
    files = [("cluster.json", listing(node("node-1"))), ("version.json", msgspec.json.encode(told))]
    snapshot = import_snapshot(alice, "told", files)
    budget = {
        "apiVersion": "policy/v1beta1", "kind": "PodDisruptionBudget", "metadata": {"name": "api"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "api"}}},
    }  # fmt: skip
    refused = tried(client, alice, snapshot, deployment(1), budget)
    assert refused.status_code == 400
    [error] = refused.json()["errors"]
    assert error["field"] == "apiVersion"
    assert 'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"' in error["message"]


def test_a_worker_tries_what_helm_makes_before_the_others_alone(
    client: Client, alice: Any, snapshot: Snapshot
) -> None:
    def hook(name: str, hooks: str) -> dict[str, Any]:
        deleted = {"helm.sh/hook": hooks, "helm.sh/hook-delete-policy": "hook-succeeded"}
        return {**deployment(8), "metadata": {"name": name, "annotations": deleted}}

    documents = [deployment(8), hook("early", "pre-install"), hook("test", "test")]
    found = tried(client, alice, snapshot, *documents).json()["found"]
    assert [(one["name"], one["fit"]) for one in found["workloads"]] == [("early", 8), ("api", 8)]
    assert found["answer"]["verdict"] == "fits"
    assert "Helm's hooks test are not of an install" in str(found["answer"]["trust"])


def test_what_is_wrong_is_named_and_nothing_private_is_stored(
    client: Client, alice: Any, snapshot: Snapshot
) -> None:
    wrong = deployment(1)
    wrong["spec"]["replica"] = 3
    refused = tried(client, alice, snapshot, wrong)
    assert refused.status_code == 400
    [error] = refused.json()["errors"]
    assert (error["object"], error["field"]) == ("Deployment api", "spec.replica")
    layers = [f"l{at}: &l{at} [{', '.join([f'*l{at - 1}'] * 9)}]" for at in range(1, 9)]
    bomb = {"manifest": "\n".join(["l0: &l0 [x]", *layers])}
    address = f"/api/v1/snapshots/{snapshot.pk}/preflight/"
    [error] = client.post(address, bomb, content_type="application/json").json()["errors"]
    assert (error["object"], error["field"]) == ("manifest", "line 7")
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "key"},
        "stringData": {"k": "hidden"},
    }
    told = deployment(1)
    told["spec"]["template"]["spec"]["containers"][0]["env"] = [{"name": "KEY", "value": "hidden"}]
    answer = tried(client, alice, snapshot, secret, told, accept="text/plain")
    assert answer.status_code == 200
    assert "1 Secret of the manifest is left out: no scheduler reads Secrets." in answer.content.decode()
    assert "hidden" not in str(Question.objects.get().asked)


def test_while_a_worker_is_at_it_the_answer_is_awaited(
    client: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.views.preflight.PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(dispatch, "send_question", lambda pk: False)
    answer = tried(client, alice, snapshot, deployment(1))
    assert (answer.status_code, answer.json()["state"], answer["Retry-After"]) == (202, "computing", "1")


def test_what_would_make_a_workload_of_a_manifest_fit(client: Client, alice: Any, snapshot: Snapshot) -> None:
    client.force_login(alice)
    address = f"/api/v1/snapshots/{snapshot.pk}/preflight/would-fit/"
    body = {"manifest": yaml.safe_dump(deployment(1, nodeSelector={"disk": "ssd"}))}
    told = client.post(address, body, content_type="application/json").json()
    assert (told["state"], told["result"]["workload"]) == ("answered", "Deployment/default/api")
    assert {one["changes"][0]["kind"] for one in told["result"]["proposals"]} >= {"drop_selector"}
    named = {**body, "workload": "Deployment/default/api"}
    assert client.post(address, named, content_type="application/json").json() == told
    assert client.post(f"{address}end/", named, content_type="application/json").status_code == 204
    refused = client.post(address, {**body, "workload": "api"}, content_type="application/json")
    [error] = refused.json()["errors"]
    assert (refused.status_code, error["field"]) == (400, "workload")
    assert "Deployment/default/api" in error["message"]


def test_what_is_wrong_with_another_object_of_the_manifest_is_told_by_its_name(
    client: Client, alice: Any
) -> None:
    from dashboard.services.workspace.snapshots import import_snapshot

    usual = {"type": "Container", "default": {"memory": "512Mi"}, "defaultRequest": {"memory": "64Mi"}}
    ranges = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "usual"}}
    found = import_snapshot(
        alice, "limited", [("c.json", listing(node("node-1"), ranges | {"spec": {"limits": [usual]}}))]
    )
    client.force_login(alice)
    greedy = pod("web")
    greedy["metadata"] = {"name": "web"}
    manifest = yaml.safe_dump_all([deployment(1, nodeSelector={"disk": "ssd"}), greedy])
    body = {"manifest": manifest, "workload": "Deployment/default/api"}
    address = f"/api/v1/snapshots/{found.pk}/preflight/would-fit/"
    refused = client.post(address, body, content_type="application/json")
    [problem] = refused.json()["errors"]
    assert (refused.status_code, problem["object"], problem["field"]) == (
        400,
        "Pod web",
        "spec.containers[0].resources.requests.memory",
    )


def test_pods_of_a_scheduler_that_no_waiting_pod_names_are_played_too(client: Client, alice: Any) -> None:
    from dashboard.services.workspace.snapshots import import_snapshot

    objects = [node("node-1"), node("node-2"), pod("train", schedulerName="volcano")]
    volcano = import_snapshot(alice, "volcano", [("cluster.json", listing(*objects))])
    found = tried(client, alice, volcano, deployment(9), namespace="shop").json()[
        "found"
    ]  # "train" takes a place
    assert (found["answer"]["verdict"], found["workloads"][0]["fit"]) == ("partly", 7)
    said = found["answer"]["trust"]
    assert any("named by pods that are added" in str(sentence) for sentence in said)
