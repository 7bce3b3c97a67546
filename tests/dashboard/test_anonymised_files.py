"""A snapshot under other names: from the page and over REST, and imported again."""

import json
from typing import Any

from dashboard.services.workspace import snapshots
from tests.dashboard.rows import new_snapshot


def test_the_page_gives_a_file_that_imports_without_a_name_of_the_snapshot(client: Any, alice: Any) -> None:
    client.force_login(alice)
    found = new_snapshot(alice)
    page = client.get(f"/snapshots/{found.pk}/anonymise/")
    assert "Save it under other names" in page.content.decode()
    file = client.post(f"/snapshots/{found.pk}/anonymise/", {"key": "k"})
    assert "attachment" in file["Content-Disposition"]
    assert found.name not in file["Content-Disposition"]
    again = snapshots.import_snapshot(alice, "again", [("", file.content)])
    assert again.counts == found.counts
    assert again.resources == found.resources
    names = {item["metadata"]["name"] for item in json.loads(found.list_json())["items"]}
    kept = {item["metadata"]["name"] for item in json.loads(file.content)["items"]}
    assert names & kept <= {"default"}


def test_the_page_and_rest_say_what_is_left_out(client: Any, alice: Any) -> None:
    cluster = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n", "annotations": {"acme.example/rack": "7"}},
    }
    client.force_login(alice)
    found = snapshots.import_snapshot(alice, "one", [("", json.dumps(cluster).encode())])
    page = client.post(f"/snapshots/{found.pk}/anonymise/", {"show": "1"}).content.decode()
    assert "Node.metadata.annotations: others (1)" in page
    body = client.post(
        f"/api/v1/snapshots/{found.pk}/anonymised/", {"key": "k"}, content_type="application/json"
    )
    told = json.loads(body.content)["metadata"]["annotations"]["sandtable/left-out"]
    assert told == "Node.metadata.annotations: others (1)"


def test_a_snapshot_that_is_too_large_is_refused(client: Any, alice: Any, monkeypatch: Any) -> None:
    client.force_login(alice)
    found = new_snapshot(alice)
    monkeypatch.setattr("dashboard.services.workspace.anonymising.MOST", 1)
    page = client.post(f"/snapshots/{found.pk}/anonymise/")
    assert page.status_code == 409
    assert "pods and nodes" in page.content.decode()
