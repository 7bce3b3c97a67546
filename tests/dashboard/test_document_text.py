"""Texts to read and change are YAML, and JSON where writing YAML would hold the web process for long."""

import json
from typing import Any

import pytest
import yaml
from django.test import Client

from dashboard.models import Scenario, Snapshot
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.views.document_text import JSON_NOTE, YAML_LIMIT, as_json
from scheduler_core.objects.reading.object_lists import read_yaml
from tests.dashboard.rows import listing, node, pod

LARGE = "x" * YAML_LIMIT


@pytest.fixture
def no_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes YAML fails."""

    def refuse(*args: Any, **options: Any) -> str:
        raise AssertionError("written as YAML")

    monkeypatch.setattr(yaml, "dump", refuse)


def manifest(name: str, note: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "annotations": {"note": note}}}


def scenario_of(user: Any, snapshot: Snapshot, *notes: str) -> Scenario:
    edits = [{"op": "add", "manifest": manifest(f"pod-{place}", note)} for place, note in enumerate(notes)]
    return create_scenario(user, {"name": "large", "snapshot": snapshot, "edits": edits})


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    return import_snapshot(alice, "prod", [("cluster.json", listing(node("node-1"), pod("cart-1")))])


@pytest.mark.django_db
def test_the_texts_of_a_large_scenario_are_left_to_be_asked_for_one_by_one(
    client: Client, alice: Any, snapshot: Snapshot, no_yaml: None
) -> None:
    half = LARGE[: YAML_LIMIT // 2]
    scenario = scenario_of(alice, snapshot, half, half)
    client.force_login(alice)
    answer = client.get(f"/scenarios/{scenario.pk}/")
    edits = answer.context["data"]["edits"]
    assert [edit["value"] for edit in edits] == scenario.edits
    assert [edit["yaml"] for edit in edits] == [None, None]
    assert JSON_NOTE not in answer.content.decode()


@pytest.mark.django_db
def test_a_small_scenario_is_shown_as_yaml_without_a_word(
    client: Client, alice: Any, snapshot: Snapshot
) -> None:
    scenario = scenario_of(alice, snapshot, "short")
    client.force_login(alice)
    answer = client.get(f"/scenarios/{scenario.pk}/")
    assert answer.context["data"]["edits"][0]["yaml"].startswith("op: add\nmanifest:\n")
    assert JSON_NOTE not in answer.content.decode()


@pytest.mark.django_db
def test_a_large_value_is_translated_to_json(client: Client, alice: Any, no_yaml: None) -> None:
    client.force_login(alice)
    value = manifest("a", LARGE)
    answer = client.post("/scenarios/text/", {"value": value}, content_type="application/json").json()
    assert json.loads(answer["yaml"]) == value
    assert answer["note"] == JSON_NOTE


@pytest.mark.django_db
def test_a_large_object_of_a_snapshot_is_shown_as_json(client: Client, alice: Any, no_yaml: None) -> None:
    large = pod("cart-1")
    large["metadata"]["annotations"] = {"note": LARGE}
    snapshot = import_snapshot(alice, "prod", [("cluster.json", listing(large))])
    client.force_login(alice)
    answer = client.get(f"/snapshots/{snapshot.pk}/pods/{large['metadata']['uid']}/")
    assert json.loads(answer.context["yaml"])["metadata"]["annotations"]["note"] == LARGE
    assert JSON_NOTE in answer.content.decode()


@pytest.mark.parametrize(
    "value",
    [
        "a\tb\n\x00\x1f\x7f\x85\x9f\u2028\u2029\ufeff\ufffe\uffff",
        "\N{GRINNING FACE}é中",
        "/<>&'\"\\ # : - !",
        [1e22, 1.5e-7, 0.1, -0.0, 2**53 + 1, True, None, "yes", "010", "", {}, []],
    ],
)
def test_the_json_reads_as_the_same_yaml(value: Any) -> None:
    document = {"kind": "Pod", "value": value, "key \u2028 \x7f": 1}
    assert json.loads(as_json(document)) == document
    assert read_yaml(as_json(document).encode()) == [document]
