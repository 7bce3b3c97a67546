"""Volcano's admission webhooks as an API server calls them."""

import base64
import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from api.kinds.volcano.webhooks import REVIEW_BYTES
from dashboard.accounts.tokens import create_token
from dashboard.kinds.volcano.queries import webhook_lookups
from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.volcano.admission.answers import Answer
from scheduler_core.volcano.admission.webhooks import WEBHOOKS
from tests.scheduler_core.volcano.test_admission import FILES, TABLES

pytestmark = pytest.mark.django_db
RESOURCE = {"group": "scheduling.volcano.sh", "version": "v1beta1", "resource": "podgroups"}
GROUP = {
    "apiVersion": "scheduling.volcano.sh/v1beta1",
    "kind": "PodGroup",
    "metadata": {"name": "g", "namespace": "team-a"},
    "spec": {"queue": "default"},
}
SERVED = [name for name in FILES if name != "webhook_pods_mutate"]
"""A snapshot holds no file of resource groups."""
SETTINGS = {"root_queue_protection", "allocated_pods_check"}
"""Rows with other settings of the webhook manager are left to the engine's own test."""


@pytest.fixture
def as_script(bob: Any) -> APIClient:
    """A viewer's token, as in an API server's kubeconfig."""
    _, plain = create_token(bob, "kube-apiserver")
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {plain}")
    return client


def snapshot_of(table: dict[str, Any]) -> Snapshot:
    webhook_lookups._read.cache_clear()
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system"}}
    items = [namespace, *table.get("queues", ()), *table.get("namespaces", ())]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    return import_snapshot(None, "volcano", [("cluster.json", text.encode())])


def review(**request: Any) -> dict[str, Any]:
    given = {"uid": "u-1", "operation": "CREATE", "resource": RESOURCE, "object": GROUP, **request}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": given}


def ask(client: APIClient, snapshot: Snapshot, path: str, body: Any) -> Any:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    address = f"/webhook/volcano/{snapshot.pk}/{path}?timeout=10s"
    return client.generic("POST", address, sent, content_type="application/json")


def answered(response: dict[str, Any]) -> Answer:
    patch = response.get("patch")
    assert ("patchType" in response) == (patch is not None)
    operations = None if patch is None else json.loads(base64.b64decode(patch, validate=True))
    return Answer(response["allowed"], response.get("status", {}).get("message", ""), operations)


@pytest.mark.parametrize("name", SERVED)
def test_what_is_recorded_is_answered_over_http(name: str, as_script: APIClient) -> None:
    resource, verb, kind = FILES[name]
    table = TABLES[name]
    snapshot = snapshot_of(table)
    for number, row in enumerate(table["cases"]):
        if SETTINGS & row.get("options", {}).keys():
            continue
        request = {
            "uid": f"{name}-{number}",
            "operation": row.get("operation", "CREATE"),
            "resource": resource._asdict(),
            "name": row.get("object_name", ""),
            "object": row[kind],
            "oldObject": row.get(f"old_{kind}"),
        }
        answer = ask(as_script, snapshot, f"{resource.resource}/{verb}", review(**request))
        assert answer.status_code == 200, answer.content
        document = answer.json()
        assert (document["apiVersion"], document["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
        assert document["response"]["uid"] == request["uid"]
        found, expected = answered(document["response"]), row["expect"]
        assert found.allowed == expected["allowed"]
        assert found.message == expected.get("message", "")
        assert found.patch == expected.get("patch")


def test_every_webhook_has_an_address(as_script: APIClient) -> None:
    snapshot = snapshot_of({})
    for resource, verb in WEBHOOKS:
        answer = ask(as_script, snapshot, f"{resource.resource}/{verb}", review())
        assert answer.status_code == 200
    assert ask(as_script, snapshot, "jobs/guess", review()).status_code == 404
    assert as_script.get(f"/webhook/volcano/{snapshot.pk}/jobs/mutate").status_code == 405


def test_an_object_of_another_resource_is_refused_as_by_volcano(as_script: APIClient) -> None:
    answer = ask(as_script, snapshot_of({}), "jobs/validate", review())
    expected = "expect resource to be {batch.volcano.sh v1alpha1 jobs}"
    assert answer.json()["response"]["status"]["message"] == expected


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"object": None}, "the request has no object"),
        ({"object": {"spec": {"queue": 5}}}, "spec.queue must be text, not a whole number"),
        ({"object": {"spec": []}}, "spec must be an object, not an array"),
        ({"operation": "CONNECT"}, "unsupported operation CONNECT"),
    ],
)
def test_an_object_that_is_none_is_not_let_in(
    as_script: APIClient, request_: dict[str, Any], message: str
) -> None:
    response = ask(as_script, snapshot_of({}), "podgroups/validate", review(**request_)).json()["response"]
    assert (response["uid"], response["allowed"]) == ("u-1", False)
    assert response["status"]["message"] == message


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "apiVersion is required"),
        (b"[]", 400, "must be an object"),
        (b'{"kind": "AdmissionReview", "kind": "AdmissionReview"}', 400, "kind the key stands twice"),
        ({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}, 400, "request is required"),
        ({**review(), "apiVersion": "admission.k8s.io/v1beta1"}, 400, "apiVersion"),
        (review(uid=7), 400, "request.uid must be text"),
        (review(uid=""), 400, "request.uid is required"),
        (review(resource=[]), 400, "request.resource must be an object"),
        (b" " * (REVIEW_BYTES + 1), 413, "at most"),
    ],
)
def test_what_is_no_review_gets_no_answer(as_script: APIClient, body: Any, status: int, words: str) -> None:
    answer = ask(as_script, snapshot_of({}), "podgroups/validate", body)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    [error] = answer.json()["errors"]
    assert words in f"{error['field']} {error['message']}"


def test_only_a_token_signs_in(as_bob: APIClient, as_nobody: APIClient, charlie: Any) -> None:
    snapshot = snapshot_of({})
    for client in (as_bob, as_nobody):
        answer = ask(client, snapshot, "podgroups/validate", review())
        assert answer.status_code == 401
        assert "sessionid" not in answer.cookies
    as_nobody.credentials(HTTP_AUTHORIZATION=f"Bearer {create_token(charlie, 'x')[1]}")
    assert ask(as_nobody, snapshot, "podgroups/validate", review()).status_code == 404


def test_each_snapshot_answers_from_its_own_queues(as_script: APIClient) -> None:
    shut = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": "default"},
        "status": {"state": "Closed"},
    }
    bare, closed = snapshot_of({}), snapshot_of({"queues": [shut]})
    allowed = [
        ask(as_script, snapshot, "podgroups/validate", review()).json()["response"]["allowed"]
        for snapshot in (bare, closed, bare)
    ]
    assert allowed == [True, False, True]
    Snapshot.objects.filter(pk=bare.pk).update(status=Snapshot.Status.IMPORTING)
    assert ask(as_script, bare, "podgroups/validate", review()).status_code == 409
    missing = Snapshot(pk=987654)
    assert ask(as_script, missing, "podgroups/validate", review()).status_code == 404


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_only_post_is_answered(as_script: APIClient, method: str) -> None:
    snapshot = snapshot_of({})
    answer = as_script.generic(method, f"/webhook/volcano/{snapshot.pk}/podgroups/mutate")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
