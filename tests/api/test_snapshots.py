"""Snapshots over REST: importing, lists, rows, export, deletion."""

import gzip
import json
from typing import Any

import msgspec
import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from dashboard.models import Run, Scenario, Snapshot
from dashboard.models.audit import AuditEntry
from dashboard.queries import access
from dashboard.services.background.importing import import_uploads
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.snapshots import QUICK_BYTES
from scheduler_core.objects.reading.object_lists import read_json, read_yaml
from tests.dashboard.packing import tar_gz, tar_packed, tarred, zipped
from tests.dashboard.rows import CREATED, listing, new_scenario, new_snapshot, node, pod, small_cluster

URL = "/api/v1/snapshots/"


def send(client: Any, body: bytes, media_type: str = "application/json", query: str = "") -> Any:
    return client.generic("POST", URL + query, body, content_type=media_type)


def test_a_small_json_list_is_imported_at_once(as_alice: Any) -> None:
    answer = send(as_alice, small_cluster(), query="?name=prod")
    assert answer.status_code == 201
    body = answer.json()
    assert body["name"] == "prod"
    assert body["status"] == "ready"
    assert body["counts"] == {"Node": 2, "Pod": 2}
    assert body["pending"] == 1
    assert isinstance(body["warnings"], list)
    assert answer["Location"] == f"{URL}{body['id']}/"
    assert as_alice.get(answer["Location"]).json() == body


def test_yaml_is_left_to_a_worker(
    as_alice: Any, django_capture_on_commit_callbacks: Any, monkeypatch: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("dashboard.services.workspace.snapshots.send_import", sent.append)
    text = yaml.safe_dump(json.loads(small_cluster())).encode()
    with django_capture_on_commit_callbacks(execute=True):
        answer = send(as_alice, text, "application/yaml", "?name=from%20yaml")
    assert answer.status_code == 202
    body = answer.json()
    assert sent == [body["id"]]
    progress = as_alice.get(body["progress"]).json()
    assert progress["status"] == "importing"
    assert progress["progress"]["total"] == 1
    import_uploads(body["id"])
    assert as_alice.get(body["progress"]).json()["status"] == "ready"
    assert as_alice.get(f"{URL}{body['id']}/").json()["counts"] == {"Node": 2, "Pod": 2}


@pytest.mark.parametrize("media_type", ["application/yaml", "application/x-yaml", "text/yaml"])
def test_the_media_types_of_yaml_are_all_taken(as_alice: Any, media_type: str) -> None:
    assert send(as_alice, b"kind: Node\n", media_type).status_code == 202


def test_large_json_is_left_to_a_worker(as_alice: Any) -> None:
    padding = b" " * QUICK_BYTES
    assert send(as_alice, small_cluster() + padding).status_code == 202


def test_several_files_become_one_snapshot(as_alice: Any) -> None:
    nodes = SimpleUploadedFile("nodes.json", listing(node("node-1")), "application/json")
    pods = SimpleUploadedFile("pods.json", listing(pod("cart-1")), "application/json")
    answer = as_alice.post(URL, {"name": "two files", "file": [nodes, pods]}, format="multipart")
    assert answer.status_code == 201
    assert answer.json()["counts"] == {"Node": 1, "Pod": 1}
    assert answer.json()["name"] == "two files"


def test_faulty_objects_are_refused_with_object_field_and_message(as_alice: Any) -> None:
    faulty = pod("cart-1", cpu="much")
    answer = send(as_alice, listing(node("node-1"), faulty))
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    error = answer.json()["errors"][0]
    assert error["object"] == "Pod shop/cart-1"
    assert error["field"].endswith("resources.requests.cpu")
    assert error["message"]
    assert not Snapshot.objects.exists()


@pytest.mark.parametrize("body", [b"", b"{", b"nonsense", b'{"kind": "List"', b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_json_is_a_problem(as_alice: Any, body: bytes) -> None:
    answer = send(as_alice, body)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]


def test_an_upload_without_a_file_is_a_problem(as_alice: Any) -> None:
    answer = as_alice.post(URL, {"name": "nothing"}, format="multipart")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"object": "request", "field": "file", "message": "Send at least one file."}
    ]


DUMP = [("dump/nodes.json", listing(node("node-1"))), ("dump/pods.json", listing(pod("cart-1")))]


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (zipped(DUMP), "application/zip"), (zipped(DUMP), "application/x-zip-compressed"),
        (tar_gz(DUMP), "application/gzip"), (tar_gz(DUMP), "application/x-gzip"),
        (tar_packed(DUMP, "xz"), "application/x-xz"), (tar_packed(DUMP, "zstd"), "application/zstd"),
        (tar_packed(DUMP, "bzip2"), "application/x-bzip2"), (tarred(DUMP), "application/x-tar"),
        (gzip.compress(DUMP[0][1], mtime=0), "application/gzip"),
    ],
)  # fmt: skip
def test_an_archive_is_taken_as_the_body_and_read_by_a_worker(
    as_alice: Any, body: bytes, media_type: str
) -> None:
    answer = send(as_alice, body, media_type, "?name=packed")
    assert answer.status_code == 202
    progress = answer.json()["progress"]
    assert as_alice.get(progress).json()["status"] == "importing"
    import_uploads(answer.json()["id"])
    assert as_alice.get(progress).json()["status"] == "ready"
    assert as_alice.get(f"{URL}{answer.json()['id']}/").json()["counts"]["Node"] == 1


def test_archives_and_plain_files_may_come_in_one_form(as_alice: Any) -> None:
    nodes = SimpleUploadedFile("nodes.zip", zipped([*DUMP[:1], ("README.txt", b"")]), "application/zip")
    pods = SimpleUploadedFile("pods.json", listing(pod("cart-1")), "application/json")
    answer = as_alice.post(URL, {"file": [nodes, pods]}, format="multipart")
    assert answer.status_code == 202
    import_uploads(answer.json()["id"])
    snapshot = as_alice.get(f"{URL}{answer.json()['id']}/").json()
    assert snapshot["counts"] == {"Node": 1, "Pod": 1}
    assert "1 file was left out of nodes.zip: README.txt." in snapshot["warnings"]


def test_what_is_wrong_in_an_archive_is_told_by_its_progress(as_alice: Any) -> None:
    dump = zipped([("pods.json", listing(pod("cart-1", cpu="much")))])
    body = as_alice.post(URL, {"file": SimpleUploadedFile("dump.zip", dump)}, format="multipart").json()
    import_uploads(body["id"])
    progress = as_alice.get(body["progress"]).json()
    assert progress["status"] == "failed"
    assert progress["problems"][0]["object"] == "dump.zip/pods.json: Pod shop/cart-1"


@pytest.mark.parametrize("media_type", ["application/zip", "application/gzip", "application/x-tar"])
def test_a_body_that_is_no_archive_is_not_taken_for_one(as_alice: Any, media_type: str) -> None:
    answer = send(as_alice, small_cluster(), media_type)
    assert answer.status_code == 400
    assert "archive" in answer.json()["detail"]


def test_a_packing_that_is_not_read_is_a_problem(as_alice: Any) -> None:
    archive = SimpleUploadedFile("dump.7z", b"7z\xbc\xaf\x27\x1crest", "application/x-7z-compressed")
    answer = as_alice.post(URL, {"file": archive}, format="multipart")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {
            "object": "dump.7z",
            "field": "",
            "message": "is packed as 7z; zip, tar, and what gzip, bzip2, xz or zstd packed are read",
        }
    ]


def test_another_media_type_is_415(as_alice: Any) -> None:
    answer = send(as_alice, b"<List/>", "application/xml")
    assert answer.status_code == 415
    assert answer["Content-Type"] == "application/problem+json"


def test_a_body_beyond_the_limit_is_413(as_alice: Any, settings: Any) -> None:
    settings.BODY_LIMIT_BYTES = 100
    answer = send(as_alice, small_cluster())
    assert answer.status_code == 413
    assert answer.json()["status"] == 413
    upload = SimpleUploadedFile("cluster.json", small_cluster(), "application/json")
    assert as_alice.post(URL, {"file": upload}, format="multipart").status_code == 413


def test_nothing_that_must_stay_private_is_shown(as_alice: Any) -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s", "namespace": "shop"},
        "data": {"a": "aHVudGVyMg=="},
    }
    answer = send(as_alice, listing(node("node-1"), secret))
    assert answer.json()["dropped"]
    export = as_alice.get(f"{URL}{answer.json()['id']}/export/")
    assert b"aHVudGVyMg" not in export.content


def test_snapshots_are_listed_newest_first_in_pages(as_bob: Any, alice: Any) -> None:
    made = [new_snapshot(alice, name=f"snapshot {number}").pk for number in range(5)]
    first = as_bob.get(URL, {"limit": 2}).json()
    second = as_bob.get(first["next"]).json()
    last = as_bob.get(second["next"]).json()
    found = [row["id"] for page in (first, second, last) for row in page["results"]]
    assert found == list(reversed(made))
    assert last["next"] is None


def test_a_new_snapshot_does_not_shift_the_pages(as_bob: Any, alice: Any) -> None:
    made = [new_snapshot(alice).pk for _ in range(4)]
    first = as_bob.get(URL, {"limit": 2}).json()
    new_snapshot(alice, name="meanwhile")
    second = as_bob.get(first["next"]).json()
    assert [row["id"] for row in second["results"]] == [made[1], made[0]]


def test_snapshots_are_searched_and_filtered(as_bob: Any, alice: Any) -> None:
    new_snapshot(alice, name="prod-eu")
    new_snapshot(alice, name="staging")
    assert [row["name"] for row in as_bob.get(URL, {"search": "PROD"}).json()["results"]] == ["prod-eu"]
    assert as_bob.get(URL, {"status": "failed"}).json()["results"] == []
    assert as_bob.get(URL, {"status": "lost"}).status_code == 400
    names = [row["name"] for row in as_bob.get(URL, {"ordering": "name"}).json()["results"]]
    assert names == ["prod-eu", "staging"]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"}, {"limit": "1001"}, {"limit": "many"}, {"cursor": "?"}, {"cursor": "bnVsbA"},
        {"ordering": "content"}, {"ordering": "name,-name"}, {"search": "a\x00b"},
    ],
)  # fmt: skip
def test_a_query_that_makes_no_sense_is_a_problem(as_bob: Any, query: dict[str, str]) -> None:
    answer = as_bob.get(URL, query)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_a_form_with_an_unknown_field_is_refused(as_alice: Any) -> None:
    form = {"file": SimpleUploadedFile("cluster.json", small_cluster()), "nmae": "prod"}
    answer = as_alice.post(URL, form, format="multipart")
    assert answer.status_code == 400
    fault = {"object": "request", "field": "nmae", "message": "There is no such field."}
    assert answer.json()["errors"] == [fault]
    assert not Snapshot.objects.exists()


def test_a_cursor_of_another_ordering_is_refused(as_bob: Any, alice: Any) -> None:
    for _ in range(3):
        new_snapshot(alice)
    address = as_bob.get(URL, {"limit": 1, "ordering": "name"}).json()["next"]
    answer = as_bob.get(address.replace("ordering=name", "ordering=-name"))
    assert answer.status_code == 400


def cluster_of_pods() -> bytes:
    nodes = [node(f"node-{number}", cpu=str(number + 1), pool="even" if number % 2 == 0 else "odd")
             for number in range(4)]  # fmt: skip
    pods = [pod(f"cart-{number}", priority=number % 3) for number in range(10)]
    bound = [pod(f"web-{number}", node="node-1", cpu="100m") for number in range(3)]
    return listing(*nodes, *pods, *bound)


@pytest.fixture
def cluster(as_alice: Any) -> str:
    """The address of a snapshot with 4 nodes and 13 pods."""
    return str(send(as_alice, cluster_of_pods())["Location"])


def names(page: dict[str, Any]) -> list[str]:
    return [row["name"] for row in page["results"]]


def test_nodes_are_listed_in_the_order_of_the_import(as_bob: Any, cluster: str) -> None:
    page = as_bob.get(f"{cluster}nodes/").json()
    assert names(page) == ["node-0", "node-1", "node-2", "node-3"]
    assert page["next"] is None
    assert page["results"][1]["cpu_milli"] == 2000
    assert page["results"][1]["pods_count"] == 3
    assert "object" not in page["results"][0]


def test_rows_show_their_objects_on_demand(as_bob: Any, cluster: str) -> None:
    row = as_bob.get(f"{cluster}nodes/", {"name": "node-0", "object": "true"}).json()["results"][0]
    assert row["object"]["metadata"]["name"] == "node-0"


def test_pods_are_filtered(as_bob: Any, cluster: str) -> None:
    url = f"{cluster}pods/"
    assert len(names(as_bob.get(url, {"node": "node-1"}).json())) == 3
    assert len(names(as_bob.get(url, {"pending": "true"}).json())) == 10
    assert len(names(as_bob.get(url, {"pending": "false"}).json())) == 3
    assert names(as_bob.get(url, {"priority_min": 2}).json()) == ["cart-2", "cart-5", "cart-8"]
    assert names(as_bob.get(url, {"search": "cart-7"}).json()) == ["cart-7"]
    assert as_bob.get(url, {"priority_min": "high"}).status_code == 400


def test_the_filter_for_pending_pods_keeps_those_that_the_figure_counts(as_alice: Any) -> None:
    terminating, running, unknown = pod("terminating"), pod("running"), pod("unknown")
    terminating["metadata"]["deletionTimestamp"] = CREATED
    running["status"]["phase"], unknown["status"]["phase"] = "Running", "Unknown"
    waiting, bare = pod("waiting"), pod("bare")
    waiting["metadata"]["deletionTimestamp"] = None
    del bare["status"]
    cluster = listing(node("node-1"), pod("web", node="node-1"), terminating, running, unknown, waiting, bare)
    snapshot = send(as_alice, cluster)
    assert snapshot.json()["pending"] == 2
    url = f"{snapshot['Location']}pods/"
    assert names(as_alice.get(url, {"pending": "true"}).json()) == ["waiting", "bare"]
    assert len(names(as_alice.get(url, {"pending": "false"}).json())) == 4


def test_pods_are_sorted_by_several_fields_over_pages(as_bob: Any, cluster: str) -> None:
    address, found = f"{cluster}pods/?ordering=-priority,name&limit=4&pending=true", []
    while address:
        page = as_bob.get(address).json()
        found += [(row["priority"], row["name"]) for row in page["results"]]
        address = page["next"]
    assert found == sorted(found, key=lambda row: (-row[0], row[1]))
    assert len(found) == len(set(found)) == 10


def test_nodes_are_sorted_by_a_flag_over_pages(as_alice: Any) -> None:
    nodes = [node(f"node-{number}") for number in range(5)]
    for cordoned in nodes[1::2]:
        cordoned["spec"]["unschedulable"] = True
    address, found = (
        f"{send(as_alice, listing(*nodes))['Location']}nodes/?ordering=-unschedulable&limit=2",
        [],
    )
    while address:
        page = as_alice.get(address).json()
        found += names(page)
        address = page["next"]
    assert found == ["node-1", "node-3", "node-0", "node-2", "node-4"]


def test_workloads_are_listed_and_sorted_by_replicas(as_alice: Any) -> None:
    deployments = [
        {
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": f"web-{replicas}", "namespace": "shop", "uid": f"d-{replicas}"},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"a": "b"}},
                     "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod("x")["spec"]}},
        }
        for replicas in (2, 9, 5)
    ]  # fmt: skip
    url = send(as_alice, listing(node("node-1"), *deployments))["Location"]
    page = as_alice.get(f"{url}workloads/", {"ordering": "-replicas", "limit": 2}).json()
    assert names(page) == ["web-9", "web-5"]
    assert names(as_alice.get(page["next"]).json()) == ["web-2"]
    assert as_alice.get(f"{url}workloads/", {"kind": "Job"}).json()["results"] == []


def test_the_export_is_the_list_again_as_json_and_as_yaml(as_bob: Any, cluster: str) -> None:
    as_json = as_bob.get(f"{cluster}export/")
    as_yaml = as_bob.get(f"{cluster}export/", {"format": "yaml"})
    assert as_json["Content-Type"] == "application/json"
    assert as_yaml["Content-Type"] == "application/yaml"
    assert "attachment" in as_yaml["Content-Disposition"]
    assert len(read_json(as_json.content)) == 17
    assert read_yaml(as_yaml.content) == read_json(as_json.content)
    assert as_bob.get(f"{cluster}export/", {"format": "toml"}).status_code == 400


def test_texts_that_look_like_numbers_survive_the_yaml_export(as_alice: Any) -> None:
    numbers = ["1e3", "0o17", "0x1f", "12:30", "1_000", ".5", "-1", "2026-06-01"]
    words = ["y", "n", "on", "~", "null", "", "é", "- a", "a: b", "a #b"]
    labels = {f"label-{index}": text for index, text in enumerate(numbers + words)}
    url = send(as_alice, listing(node("node-1", **labels)))["Location"]
    as_yaml = as_alice.get(f"{url}export/", {"format": "yaml"})
    assert read_yaml(as_yaml.content)[0]["metadata"]["labels"] == labels


def test_an_import_under_way_has_no_export_and_can_be_cancelled(as_alice: Any) -> None:
    body = send(as_alice, b"kind: Node\n", "application/yaml").json()
    assert as_alice.get(f"{URL}{body['id']}/export/").status_code == 409
    answer = as_alice.post(f"{URL}{body['id']}/cancel/")
    assert answer.status_code == 202
    assert answer.json()["status"] == "failed"
    assert as_alice.post(f"{URL}{body['id']}/cancel/").status_code == 409


def test_a_snapshot_in_use_is_deleted_only_with_cascade(as_alice: Any, alice: Any) -> None:
    scenario = new_scenario(alice)
    url = f"{URL}{scenario.snapshot_id}/"
    refused = as_alice.delete(url)
    assert refused.status_code == 409
    assert "1 scenario" in refused.json()["detail"]
    assert as_alice.delete(f"{url}?cascade=perhaps").status_code == 400
    assert as_alice.delete(f"{url}?cascade=true").status_code == 204
    assert as_alice.get(url).status_code == 404


@pytest.mark.parametrize("kind", [Snapshot, Scenario, Run])
def test_of_deletions_at_once_one_deletes_and_the_others_find_nothing(
    as_alice: Any, alice: Any, monkeypatch: pytest.MonkeyPatch, kind: type[Any]
) -> None:
    """Both have found the row before the first one deletes it."""
    scenario = new_scenario(alice)
    row = {Snapshot: scenario.snapshot, Scenario: scenario}.get(kind) or start_run(alice, scenario)
    url = f"/api/v1/{kind.__name__.lower()}s/{row.pk}/?cascade=true"
    may = access.require_deleter
    seen: list[int | None] = []

    def first_deletes(*of: Any, **how: Any) -> None:
        if not seen:
            seen.append(None)
            first = APIClient()
            first.force_authenticate(alice)
            seen[0] = first.delete(url).status_code
        may(*of, **how)

    monkeypatch.setattr(access, "require_deleter", first_deletes)
    second = as_alice.delete(url)
    assert (seen, second.status_code) == ([204], 404)
    assert second.json()["detail"] == f"{kind.__name__} {row.pk} was deleted meanwhile."
    assert as_alice.delete(url).status_code == 404
    what = f"{kind.__name__.lower()} deleted"
    assert AuditEntry.objects.filter(action=what).count() == 1


def test_the_body_of_the_import_is_what_the_engine_reads(as_alice: Any) -> None:
    answer = send(as_alice, small_cluster())
    stored = Snapshot.objects.get(pk=answer.json()["id"])
    assert msgspec.json.decode(stored.list_json())["items"] == msgspec.json.decode(small_cluster())["items"]


def test_whom_a_warning_is_about_is_told_on_request(as_alice: Any) -> None:
    misspelt = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a"},
        "spec": {"nodeselector": {"a": "b"}},
    }
    answer = as_alice.post("/api/v1/snapshots/?name=x", misspelt, format="json")
    number = answer.json()["id"]
    [unknown, *_] = as_alice.get(f"/api/v1/snapshots/{number}/findings/").json()["results"]
    assert (unknown["count"], unknown["places"]) == (1, ["Pod a spec.containers"])
    assert unknown["warning"] in answer.json()["warnings"]
    assert as_alice.get("/api/v1/snapshots/999/findings/").status_code == 404
