"""`find/`: whatever is here by a part of its name, in bounds; `glossary/`: what terms mean."""

from typing import Any

import pytest

from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.workspace.finding import OF_EACH
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_files
from tests.dashboard.rows import controlled, listing, new_run, node, pod

pytestmark = pytest.mark.django_db


def job(name: str) -> dict[str, Any]:
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "shop", "uid": name},
    }


@pytest.fixture
def prod(alice: Any) -> Snapshot:
    """A cluster with many pods of one name, a Job and nodes of a cloud."""
    nodes = [node(f"ip-10-0-0-{number}.eu.internal") for number in (1, 10, 2)]
    pods = [pod(f"cart-{number}", cpu="1") for number in range(12)]
    objects = [*nodes, node("node-1"), *pods, pod("cart", node="node-1"), controlled("web-1"), job("nightly")]
    return import_snapshot(alice, "prod-eu", [("prod.json", listing(*objects))])


def found(client: Any, text: str, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/v1/find/", {"q": text, **query})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def names(answer: dict[str, Any], kind: str) -> list[str]:
    return [row["name"] for row in answer["results"] if row["kind"] == kind]


def test_of_each_kind_the_best_are_told_and_that_there_are_more(as_alice: Any, prod: Snapshot) -> None:
    answer = found(as_alice, "cart")
    assert answer["cluster"] == {"id": prod.pk, "name": "prod-eu"}
    assert names(answer, "pod") == ["shop/cart", *(f"shop/cart-{number}" for number in range(OF_EACH - 1))]
    assert answer["more"] == ["pod"]


@pytest.mark.parametrize(
    ("text", "kind", "first"),
    [
        ("shop/cart-11", "pod", "shop/cart-11"),
        ("IP-10-0", "node", "ip-10-0-0-1.eu.internal"),
        ("eu.internal 10", "node", "ip-10-0-0-1.eu.internal"),
        ("nightly", "job", "nightly"),
        ("prod", "cluster", "prod-eu"),
        ("pending", "page", "Pending pods of prod-eu"),
        ("reprieved", "term", "reprieve"),
    ],
)
def test_each_kind_is_found_by_words_of_its_name(
    as_alice: Any, prod: Snapshot, text: str, kind: str, first: str
) -> None:
    assert names(found(as_alice, text), kind)[0] == first


def test_every_address_that_is_told_is_a_page(as_alice: Any, client: Any, alice: Any, prod: Snapshot) -> None:
    new_run(alice, pods=2)
    client.force_login(alice)
    rows = [
        row
        for text in ("", "a", "1", "nightly")
        for row in found(as_alice, text, snapshot=prod.pk)["results"]
    ]
    assert {"page", "cluster", "scenario", "run", "node", "pod", "job", "term"} <= {
        row["kind"] for row in rows
    }
    for row in rows:
        assert client.get(row["address"].partition("#")[0]).status_code == 200, row


def test_scenarios_and_runs_are_found_by_the_scenarios_name_and_a_run_by_its_number(
    as_alice: Any, alice: Any
) -> None:
    run = new_run(alice, pods=1)
    Scenario.objects.filter(pk=run.scenario_id).update(name="Evening peak")
    answer = found(as_alice, "evening peak")
    assert names(answer, "scenario") == ["Evening peak"]
    assert names(answer, "run") == [f"run {run.pk}"]
    assert names(found(as_alice, f"run {run.pk}"), "run") == [f"run {run.pk}"]


def test_queues_and_jobs_of_a_batch_scheduler_are_found(as_alice: Any, alice: Any) -> None:
    import_snapshot(alice, "batch", volcano_files("queues"))
    answer = found(as_alice, "research")
    assert names(answer, "queue") == ["research"]


def test_what_other_clusters_have_follows_with_their_names(as_alice: Any, alice: Any, prod: Snapshot) -> None:
    import_snapshot(alice, "batch", volcano_files("queues"))
    import_snapshot(alice, "newest", [("x.json", listing(node("node-2"), pod("cart")))])
    rows = found(as_alice, "node")["results"]
    assert [(row["name"], row["cluster"]) for row in rows if row["kind"] == "node"] == [
        ("node-2", ""),
        ("node-1", "prod-eu"),
    ]
    queues = [row for row in found(as_alice, "research")["results"] if row["kind"] == "queue"]
    assert [(row["name"], row["cluster"]) for row in queues] == [("research", "batch")]


def test_pods_are_found_in_the_cluster_at_hand_only(as_alice: Any, alice: Any, prod: Snapshot) -> None:
    newer = import_snapshot(alice, "newer", [("x.json", listing(node("other"), pod("cart-of-newer")))])
    assert names(found(as_alice, "cart"), "pod") == ["shop/cart-of-newer"]
    assert len(names(found(as_alice, "cart", snapshot=prod.pk), "pod")) == OF_EACH
    assert names(found(as_alice, "cart-of", snapshot=newer.pk), "pod") == ["shop/cart-of-newer"]
    assert as_alice.get("/api/v1/find/?q=cart&snapshot=987654").status_code == 404


def test_samples_are_searched_only_where_they_are_named(as_alice: Any, prod: Snapshot) -> None:
    Snapshot.objects.update(is_sample=True)
    assert found(as_alice, "cart")["cluster"] is None
    assert names(found(as_alice, "node-1"), "node") == []
    assert names(found(as_alice, "cart", snapshot=prod.pk), "pod")


def test_viewers_are_not_led_to_what_operators_do(as_alice: Any, as_bob: Any, prod: Snapshot) -> None:
    assert "Import a cluster" in names(found(as_alice, "import"), "page")
    assert "Import a cluster" not in names(found(as_bob, "import"), "page")


def test_without_a_word_pages_and_what_was_used_last_are_told(
    as_alice: Any, alice: Any, prod: Snapshot
) -> None:
    run = new_run(alice, pods=1)
    Run.objects.filter(pk=run.pk).update(background=True)
    answer = found(as_alice, " ")
    assert names(answer, "page")[:2] == ["Home", "Snapshots"]
    assert "prod-eu" in names(answer, "cluster")
    assert names(answer, "run") == []
    assert names(answer, "pod") == []


@pytest.mark.parametrize("text", ["x" * 201, " ".join("abcdefghijk"), "a\x00b"])
def test_too_much_is_refused(as_alice: Any, text: str) -> None:
    assert as_alice.get("/api/v1/find/", {"q": text}).status_code == 400


def test_the_glossary_says_what_terms_mean(as_bob: Any) -> None:
    rows = {row["term"]: row for row in as_bob.get("/api/v1/glossary/").json()["results"]}
    assert rows["nomination"]["forms"] == ["nominated", "nominates"]
    assert rows["nomination"]["means"] == "A preemptor's claim to a node whose victims are on their way out."
    assert rows["queueing hint"]["means"].endswith("?")
    assert "term" not in rows
    assert list(rows) == sorted(rows, key=str.lower)
