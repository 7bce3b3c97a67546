"""What would make a snapshot's pods fit, and how many more fit, over REST."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from dashboard.models import Snapshot
from dashboard.services.background import dispatch, warm_worlds
from tests.dashboard.test_why_pending import CLUSTER, imported

pytestmark = pytest.mark.django_db
BIG = "ReplicaSet/shop/big"


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    warm_worlds.forget_worlds()
    return imported(alice, *CLUSTER, name="what-if")


@pytest.fixture
def client(alice: Any) -> APIClient:
    client = APIClient()
    client.force_authenticate(alice)
    return client


def test_what_would_fit_in_data_and_in_sentences(client: APIClient, snapshot: Snapshot) -> None:
    address = f"/api/v1/snapshots/{snapshot.pk}/would-fit/"
    body = client.get(address, {"workload": BIG}).json()
    assert (body["state"], body["fault"]) == ("answered", "")
    assert body["done"] == body["of"] > 0
    result = body["result"]
    assert (result["pods"], result["placed"], result["workload"]) == (3, 0, BIG)
    less = next(one for one in result["proposals"] if one["changes"][0]["kind"] == "ask_less")
    assert (less["changes"][0]["before"], less["changes"][0]["after"]) == (4500, 2000)
    assert (less["start"]["ended_by"], result["start"]["at"], result["until"]) == ("started", None, 7200.0)
    scenario = client.post(
        "/api/v1/scenarios/", {"snapshot": snapshot.pk, "name": "try", "edits": less["edits"]}, format="json"
    )
    assert scenario.status_code == 201, scenario.json()
    text = client.get(address, {"workload": BIG}, headers={"accept": "text/markdown"}).text
    assert "3 of 3" in text
    assert "ask for" in text
    one = client.get(address, {"pod": "shop/gated"}).json()["result"]
    assert [change["kind"] for proposal in one["proposals"] for change in proposal["changes"]] == ["ungate"]


def test_who_does_not_wait_is_not_found_and_one_is_named(client: APIClient, snapshot: Snapshot) -> None:
    address = f"/api/v1/snapshots/{snapshot.pk}/would-fit/"
    assert client.get(address, {"pod": "shop/nobody"}).status_code == 404
    for query in ({}, {"pod": "shop/gated", "workload": BIG}):
        refused = client.get(address, query)
        assert (refused.status_code, "one of them" in refused.text) == (400, True)


def test_headroom(client: APIClient, snapshot: Snapshot) -> None:
    address = f"/api/v1/snapshots/{snapshot.pk}/headroom/"
    body = client.get(address, {"workload": BIG}).json()
    (room,) = body["result"]["rooms"]
    assert (room["shape"], room["fit"], room["ended_by"]) == (BIG, 0, "first")
    assert {one["resource"]: one["nodes"] for one in room["stops"]} == {"cpu": 3, "": 1}
    text = client.get(address, {"workload": BIG}, headers={"accept": "text/plain"}).text
    assert "No more of shop/big fit. What stops the next one: cpu on 3 nodes" in " ".join(text.split())
    wrong = client.get(address, {"workload": "ReplicaSet/shop/none"})
    assert wrong.status_code == 400
    assert [one["message"] for one in wrong.json()["errors"]] == ["is not in this cluster"]
    assert client.get(address, {"most": "0"}).status_code == 400
    asked = client.get(address, {"shape": "{cpu: 100m}"}).json()
    assert [one["shape"] for one in asked["result"]["rooms"]] == ["100m cpu"]
    assert (asked["done"], asked["of"], asked["answer"]["verdict"]) == (1, 1, "fits")
    assert client.get(address).json()["answer"]["verdict"] == "nothing_asked"


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ({"workload": ["a"] * 21}, "workload", "20 workloads and shapes at most"),
        ({"workload": "x" * 1_001}, "workload", "1,000 characters at most"),
        ({"workload": "a\0b"}, "workload", "no null characters"),
        ({"shape": "{cpu: 1\0}"}, "shape", "no null characters"),
    ],
)
def test_a_wrong_name_is_a_fault_of_its_own_field(
    client: APIClient, snapshot: Snapshot, query: Any, field: str, words: str
) -> None:
    answer = client.get(f"/api/v1/snapshots/{snapshot.pk}/headroom/", query)
    [fault] = answer.json()["errors"]
    assert (answer.status_code, fault["field"]) == (400, field)
    assert words in fault["message"]


def test_it_is_ended_and_asked_again(
    client: APIClient, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/api/v1/snapshots/{snapshot.pk}/headroom/"
    monkeypatch.setattr("api.views.what_if.PATIENCE_SECONDS", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        asked = client.get(address)
        assert (asked.status_code, asked["Retry-After"], asked.json()["state"]) == (202, "1", "computing")
        assert client.delete(address).status_code == 204
        assert client.get(address).json()["ended"]
    assert client.get(address, {"again": "true"}).json()["result"]["rooms"]
