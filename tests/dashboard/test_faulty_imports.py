"""Imports of which a part is faulty go on without it, and what a snapshot holds can be added to."""

import json
from typing import Any

import pytest
import yaml

from dashboard.errors import NotPossibleNow
from dashboard.models import Snapshot, Upload
from dashboard.services.background.importing import import_uploads
from dashboard.services.imports.uploaded_cluster import Faulty, read_picture
from dashboard.services.workspace.snapshots import begin_import, import_snapshot, import_without_faulty
from scheduler_core.objects.problems import BadInput
from tests.dashboard.packing import zipped
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"key": "aGlkZGVu"}}
GOOD = [node("node-1"), pod("cart-1"), SECRET]
BAD = [pod("cart-2", cpu="lots"), {"apiVersion": "v1", "kind": "Node", "metadata": {}}]


def failed(*payloads: tuple[str, bytes], **how: Any) -> Snapshot:
    """An import that a worker was at."""
    snapshot = begin_import(None, "x", list(payloads), **how)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    return snapshot


def finished(snapshot: Snapshot) -> Snapshot:
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    return snapshot


def refusals(snapshot: Snapshot) -> list[str]:
    """What is wrong with the objects, without the beginning of the sentences that is the same in all."""
    beginning = "An API server would refuse this"
    return [
        warning.removeprefix(beginning).removeprefix(": ")
        for warning in snapshot.warnings
        if warning.startswith(beginning)
    ]


def at_version(version: int, document: dict[str, Any]) -> dict[str, Any]:
    document["metadata"]["resourceVersion"] = str(version)
    return document


def plain(sentences: list[str]) -> list[str]:
    return [sentence.replace("\u00a0", " ") for sentence in sentences]


def test_a_failed_import_goes_on_without_what_is_faulty() -> None:
    snapshot = failed(("a.json", listing(*GOOD, *BAD)), ("b.yaml", b"kind: {"))
    assert (snapshot.status, snapshot.faulty, len(snapshot.problems)) == ("failed", 3, 3)
    assert b"aGlkZGVu" not in snapshot.list_json()
    finished(import_without_faulty(snapshot))
    assert (snapshot.status, snapshot.faulty, snapshot.counts) == ("ready", 0, {"Node": 1, "Pod": 1})
    assert (
        "Left out, since they are faulty: a.json: Pod shop/cart-2, a.json: items[4] (Node), b.yaml."
        in plain(snapshot.warnings)
    )
    assert "1 Secret" in snapshot.dropped
    assert not Upload.objects.exists()
    assert snapshot.problems == []


def test_an_import_can_be_asked_to_leave_out_what_is_faulty_from_the_start() -> None:
    body = listing(*GOOD, *BAD)
    assert failed(("a.json", body), without_faulty=True).counts == {"Node": 1, "Pod": 1}
    snapshot = import_snapshot(None, "x", [("a.json", body)], without_faulty=True)
    assert snapshot.counts == {"Node": 1, "Pod": 1}
    assert any("Pod\u00a0shop/cart-2" in warning for warning in snapshot.warnings)


@pytest.mark.parametrize("written", [json.dumps, yaml.safe_dump])
def test_an_item_that_is_no_object_is_left_out_beside_other_faulty_ones(written: Any) -> None:
    items = json.loads(listing(*GOOD, *BAD))["items"]
    body = written({"apiVersion": "v1", "kind": "List", "items": [None, *items]}).encode()
    snapshot = failed(("a.yaml", body))
    assert (snapshot.status, snapshot.faulty) == ("failed", 3)
    named = {one["object"]: one["message"] for one in snapshot.problems}
    assert set(named) == {"a.yaml: items[0]", "Pod shop/cart-2", "items[5] (Node)"}
    assert named["a.yaml: items[0]"] == "expected a Kubernetes object, found nothing"
    finished(import_without_faulty(snapshot))
    assert (snapshot.status, snapshot.counts) == ("ready", {"Node": 1, "Pod": 1})


def test_a_nameless_object_is_named_by_its_place_among_all_items_of_its_file() -> None:
    snapshot = failed(("a.json", listing(*GOOD, *BAD)))
    assert "Secret" in json.loads(listing(*GOOD, *BAD))["items"][2]["kind"]  # nothing of which is stored
    assert "items[4] (Node)" in {one["object"] for one in snapshot.problems}


def test_every_faulty_object_is_left_out_however_many_there_are() -> None:
    bad = [pod(f"bad-{number}", cpu="lots") for number in range(300)]
    with pytest.raises(Faulty) as refused:
        read_picture([("", listing(*GOOD, *bad))])
    assert (refused.value.number, len(refused.value.problems)) == (300, 201)
    assert [item["kind"] for item in refused.value.rest.objects] == ["Node", "Pod"]


def test_nothing_is_left_of_what_is_faulty_as_a_whole(settings: Any) -> None:
    outside = zipped([("../a.json", listing(node("node-1")))])
    for payloads in (
        [("", listing(*BAD))],
        [("", b"kind: {")],
        [("good.json", listing(*GOOD)), ("evil.zip", outside)],
    ):
        with pytest.raises(BadInput) as refused:
            read_picture(payloads, without_faulty=True)
        assert not isinstance(refused.value, Faulty)
    settings.NODE_LIMIT = 0
    with pytest.raises(BadInput, match="more than the limit") as refused:
        read_picture([("", listing(*GOOD))], without_faulty=True)


@pytest.mark.parametrize("body", [listing(*BAD), listing(*GOOD)])
def test_an_import_that_kept_nothing_or_ended_well_cannot_go_on(body: bytes) -> None:
    snapshot = failed(("a.json", body))
    with pytest.raises(NotPossibleNow):
        import_without_faulty(snapshot)


def test_a_file_is_added_to_a_snapshot_which_stays_as_it_is() -> None:
    old = pod("cart-1")
    old["metadata"]["resourceVersion"] = "100"
    new = pod("cart-1", node="node-1")
    new["metadata"]["resourceVersion"] = "200"
    base = import_snapshot(None, "prod", [("", listing(node("node-1"), old, SECRET))])
    both = begin_import(None, "", [("later.json", listing(new, pod("cart-2")))], add_to=base)
    finished(both)
    assert (both.status, both.name, both.counts) == ("ready", "prod and later.json", {"Node": 1, "Pod": 2})
    assert both.nodes.get().pods_count == 1
    told = plain(both.warnings)
    assert f"Made of snapshot {base.pk}, prod, and later.json." in told
    assert any("Pod shop/cart-1 (200, not 100)" in sentence for sentence in told)
    assert both.dropped == ["1 Secret"]
    base.refresh_from_db()
    assert base.counts == {"Node": 1, "Pod": 1}


def test_a_file_is_added_to_what_a_failed_import_kept() -> None:
    base = failed(("a.json", listing(*GOOD, *BAD)))
    both = finished(begin_import(None, "y", [("b.json", listing(pod("cart-2")))], add_to=base))
    assert (both.status, both.name, both.counts) == ("ready", "y", {"Node": 1, "Pod": 2})
    assert any(warning.startswith("Left out, since they are faulty") for warning in both.warnings)


def test_what_is_faulty_in_an_added_file_is_left_out_of_the_whole() -> None:
    base = import_snapshot(None, "prod", [("", listing(node("node-1")))])
    both = finished(begin_import(None, "", [("b.json", listing(*BAD, pod("cart-1")))], add_to=base))
    assert (both.status, both.faulty) == ("failed", 2)
    finished(import_without_faulty(both))
    assert (both.status, both.counts) == ("ready", {"Node": 1, "Pod": 1})
    assert any(warning.startswith("Made of snapshot") for warning in both.warnings)


def test_nothing_is_added_to_an_import_that_kept_nothing() -> None:
    base = failed(("a.json", listing(*BAD)))
    with pytest.raises(NotPossibleNow):
        begin_import(None, "", [("b.json", listing(*GOOD))], add_to=base)
    assert Snapshot.objects.count() == 1


def test_a_name_of_a_snapshot_does_not_look_like_a_command_in_a_warning() -> None:
    base = import_snapshot(None, "run: kubectl delete nodes", [("", listing(*GOOD))])
    both = finished(begin_import(None, "", [("b.json", listing(pod("cart-2")))], add_to=base))
    [sentence] = [warning for warning in both.warnings if warning.startswith("Made of")]
    assert ": kubectl " not in sentence


OF_NO_DOMAIN = [{"name": "main", "image": "main:1", "resources": {"requests": {"chips": 1}}}]
"""A name that no resource can have: a fault that is stored."""


def of_no_domain(pod: str) -> str:
    return (
        f"Pod {pod} spec.containers[0].resources.requests.chips: is no resource that is known here"
        " (known are cpu, memory, ephemeral-storage, hugepages-… and domain/name)."
    )


def test_a_fault_that_is_stored_is_told_once_of_an_import_that_goes_on() -> None:
    snapshot = failed(("a.json", listing(*GOOD, pod("web", containers=OF_NO_DOMAIN), *BAD)))
    finished(import_without_faulty(snapshot))
    assert refusals(snapshot) == [of_no_domain("shop/web")]


def test_a_fault_that_is_stored_is_told_once_when_files_are_added() -> None:
    base = import_snapshot(None, "prod", [("", listing(*GOOD, pod("web", containers=OF_NO_DOMAIN)))])
    added = listing(pod("shop", containers=OF_NO_DOMAIN))
    both = finished(begin_import(None, "", [("b.json", added)], add_to=base))
    assert refusals(both) == [of_no_domain("shop/web"), f" in b.json: {of_no_domain('shop/shop')}"]


MISSPELT = {"nodeselector": {"disk": "ssd"}}


@pytest.mark.parametrize("bad", [[], BAD])
def test_a_fault_of_an_object_goes_with_the_newer_state_that_has_none(bad: list[Any]) -> None:
    wrong = [at_version(1, pod(name, **MISSPELT)) for name in ("a", "b", "c")]
    base = import_snapshot(None, "prod", [("", listing(*GOOD, *wrong))])
    later = listing(at_version(2, pod("a")), at_version(2, pod("b", nodeselektor={})), *bad)
    both = finished(begin_import(None, "", [("b.json", later)], add_to=base))
    if bad:
        finished(import_without_faulty(both))
    meant = "is an unknown field; did you mean nodeSelector? It is read as if it were not there."
    assert refusals(both) == [
        f" in 1 object (shop/c): Pod spec.nodeselector: {meant}",
        f" in b.json: Pod shop/b spec.nodeselektor: {meant}",
    ]
    assert both.findings[0]["places"] == ["Pod shop/c spec.nodeselector"]
    last = listing(*(at_version(3, pod(name)) for name in ("b", "c")))
    assert refusals(finished(begin_import(None, "", [("c.json", last)], add_to=both))) == []
    assert len(refusals(base)) == 1


def test_an_older_state_in_an_added_file_leaves_the_fault_of_the_newer() -> None:
    base = import_snapshot(None, "prod", [("", listing(*GOOD, at_version(2, pod("a", **MISSPELT))))])
    both = finished(begin_import(None, "", [("b.json", listing(at_version(1, pod("a"))))], add_to=base))
    assert refusals(both) == refusals(base) != []


def double(name: str, **metadata: str) -> dict[str, Any]:
    """A pod's manifest, without uid and resourceVersion: of two nobody knows which is newer."""
    manifest = pod(name)
    manifest["metadata"] = {"name": name, **metadata}
    return manifest


@pytest.mark.parametrize(
    ("payloads", "told"),
    [
        (
            [("", listing(node("n"), double("p"), double("p", namespace="default")))],
            "items[2]: Pod default/p (that of items[1] is kept)",
        ),
        (
            [("base.json", listing(double("p"))), ("more.json", listing(node("n"), double("p", x="y")))],
            "more.json: Pod p (that of base.json is kept)",
        ),
        (
            [("a.zip", zipped([("o.json", listing(double("p", x="y"))), ("b.json", listing(double("p")))]))],
            "a.zip/o.json: Pod p (that of a.zip/b.json is kept)",
        ),
        (
            [("a.json", listing(double("p"), double("p", x="y"))), ("b.json", listing(double("p", x="z")))],
            "a.json items[1] and b.json items[0]: Pod p (that of a.json items[0] is kept)",
        ),
    ],
)
def test_of_two_objects_of_one_name_it_is_told_which_was_left_out(payloads: Any, told: str) -> None:
    picture = read_picture(payloads, without_faulty=True)
    assert f"Left out, since they are faulty: {told}." in plain(picture.left_out)
    assert sum(item["kind"] == "Pod" for item in picture.objects) == 1


def test_what_was_sent_without_a_name_is_called_the_body() -> None:
    base = import_snapshot(None, "prod", [("", listing(node("n"), double("p")))])
    both = finished(begin_import(None, "", [("", listing(double("p", x="y")))], add_to=base))
    assert [one["object"] for one in both.problems] == [f"snapshot {base.pk} and the body: Pod p"]
    assert any(
        f"the body: Pod p (that of snapshot {base.pk} is kept)." in one for one in plain(both.warnings)
    )


@pytest.mark.parametrize(("number", "end"), [(10, "1 Kind9.a.b."), (12, "1 Kind7.a.b and 2 more kinds.")])
def test_of_many_kinds_that_nobody_reads_it_is_told_how_many_more_there_are(number: int, end: str) -> None:
    strange = [
        {"apiVersion": "a.b/v1", "kind": f"Kind{place}", "metadata": {"name": "x"}} for place in range(number)
    ]
    snapshot = import_snapshot(None, "x", [("", listing(*GOOD, *strange))])
    [sentence] = [one for one in snapshot.warnings if one.startswith("Only the metadata are kept")]
    assert sentence.endswith(end)
