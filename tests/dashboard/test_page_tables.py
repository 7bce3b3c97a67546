"""Tables of the pages: search, filters, sorting, paging and the export of what they show."""

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Snapshot
from dashboard.natural_order import natural_key
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(client: Client, alice: Any) -> Snapshot:
    """A node with a little on it, a full one, and sixty pending pods; alice is signed in."""
    client.force_login(alice)
    objects = [
        node("little", **{"topology.kubernetes.io/zone": "a"}),
        node("full", **{"topology.kubernetes.io/zone": "b"}),
        pod("on-little", node="little", cpu="1"),
        pod("on-full", node="full", cpu="4"),
        *(pod(f"pending-{number:02d}", priority=number) for number in range(60)),
    ]
    return import_snapshot(alice, "prod", [("cluster.json", listing(*objects))])


def rows(client: Client, address: str) -> list[dict[str, str]]:
    """The rows of a table's CSV."""
    return list(csv.DictReader(io.StringIO(client.get(address).text)))


def names(client: Client, address: str) -> list[str]:
    """The names in a table's CSV, in order."""
    return [row["name"] for row in rows(client, address)]


def test_every_word_of_a_search_must_match_somewhere(client: Client, snapshot: Snapshot) -> None:
    address = f"/snapshots/{snapshot.pk}/pods/?format=csv&q="
    assert names(client, f"{address}on-full") == ["on-full"]
    assert names(client, f"{address}shop+little") == ["on-little"]
    assert names(client, f"{address}shop+nothing") == []


def test_the_pending_filter_leaves_out_pods_that_have_a_node(client: Client, snapshot: Snapshot) -> None:
    assert len(names(client, f"/snapshots/{snapshot.pk}/pods/?format=csv&pending=1")) == 60


def test_nodes_sort_by_the_share_that_is_requested(client: Client, snapshot: Snapshot) -> None:
    address = f"/snapshots/{snapshot.pk}/nodes/?format=csv&sort="
    assert names(client, f"{address}cpu_requested_milli") == ["little", "full"]
    assert names(client, f"{address}-cpu_requested_milli") == ["full", "little"]
    assert names(client, f"{address}no-such-column") == ["little", "full"]


def test_an_export_has_all_rows_in_the_order_shown(client: Client, snapshot: Snapshot) -> None:
    address = f"/snapshots/{snapshot.pk}/pods/?sort=-priority&pending=1"
    assert names(client, f"{address}&format=csv")[:2] == ["pending-59", "pending-58"]
    exported = client.get(f"{address}&format=json").json()
    assert [row["priority"] for row in exported] == list(range(59, -1, -1))


def test_devices_that_a_shown_pod_or_workload_asks_for_are_columns(client: Client, alice: Any) -> None:
    client.force_login(alice)
    asking = pod("train", node="little")
    asking["spec"]["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": "2"}
    template = {
        "metadata": {"labels": {"app": "train"}},
        "spec": {"containers": asking["spec"]["containers"]},
    }
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "train"}}, "template": template}
    metadata = {"name": "train", "namespace": "shop", "uid": "uid-of-train"}
    made = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    files = [("cluster.json", listing(node("little"), asking, pod("plain", node="little"), made))]
    address = f"/snapshots/{import_snapshot(alice, 'prod', files).pk}"
    assert "nvidia.com/gpu asked</th>" in client.get(f"{address}/pods/").text
    assert "nvidia.com/gpu asked" not in client.get(f"{address}/pods/", {"q": "plain"}).text
    found = rows(client, f"{address}/pods/?format=csv")
    assert [row["nvidia.com/gpu"] for row in found] == ["2", ""]
    assert list(found[0])[6:8] == ["memory_bytes", "nvidia.com/gpu"]
    assert "nvidia.com/gpu" not in rows(client, f"{address}/pods/?q=plain&format=csv")[0]
    assert "nvidia.com/gpu each</th>" in client.get(f"{address}/workloads/").text
    assert rows(client, f"{address}/workloads/?format=csv")[0]["nvidia.com/gpu"] == "2"


def test_devices_that_shown_nodes_have_are_columns_with_what_is_requested(client: Client, alice: Any) -> None:
    client.force_login(alice)
    large = node("large")
    large["status"]["allocatable"]["nvidia.com/gpu"] = "8"
    asking = pod("train", node="large")
    asking["spec"]["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": "2"}
    files = [("cluster.json", listing(large, node("little"), asking, pod("plain", node="little")))]
    address = f"/snapshots/{import_snapshot(alice, 'prod', files).pk}/nodes/"
    page = client.get(address).text
    assert page.index("Memory requested") < page.index("nvidia.com/gpu requested</th>") < page.index("Pods</")
    assert "nvidia.com/gpu" not in client.get(address, {"q": "little"}).text
    found = {row["name"]: row for row in rows(client, f"{address}?format=csv")}
    asked = {name: (row["nvidia.com/gpu_requested"], row["nvidia.com/gpu"]) for name, row in found.items()}
    assert asked == {"large": ("2", "8"), "little": ("", "")}


def test_huge_pages_are_columns_only_where_a_shown_node_sets_some_aside(client: Client, alice: Any) -> None:
    """Kubelets name each size, also where there are none; a GPU of which none is left is worth a column."""
    client.force_login(alice)
    plain, huge = node("plain"), node("huge")
    for one, pages in ((plain, "0"), (huge, "4Gi")):
        one["status"]["allocatable"] |= {"hugepages-1Gi": pages, "hugepages-2Mi": "0", "nvidia.com/gpu": "0"}
    files = [("cluster.json", listing(plain, huge))]
    address = f"/snapshots/{import_snapshot(alice, 'prod', files).pk}/nodes/"
    page = client.get(address).text
    assert "hugepages-1Gi requested</th>" in page
    assert "hugepages-2Mi" not in page
    page = client.get(address, {"q": "plain"}).text
    assert "nvidia.com/gpu requested</th>" in page
    assert "hugepages" not in page
    assert "hugepages-2Mi" not in rows(client, f"{address}?format=csv")[0]


def test_a_workload_that_is_short_is_asked_about_where_a_pod_of_it_waits(client: Client, alice: Any) -> None:
    client.force_login(alice)

    def replica_set(name: str) -> dict[str, Any]:
        metadata = {"name": name, "namespace": "shop", "uid": f"uid-of-{name}"}
        labels = {"app": name}
        template = {"metadata": {"labels": labels}, "spec": pod(name)["spec"]}
        spec = {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}
        return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec,
                "status": {"replicas": 1, "readyReplicas": 0}}  # fmt: skip

    large = replica_set("large")
    large["spec"]["replicas"], large["status"] = 3000, {"replicas": 3000, "readyReplicas": 1500}
    waiting = pod("web-1")
    waiting["metadata"]["ownerReferences"] = [
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": "web",
            "uid": "uid-of-web",
            "controller": True,
        }
    ]
    sets = (replica_set("web"), replica_set("starts"), large)
    files = [("cluster.json", listing(node("one"), waiting, *sets))]
    html = client.get(f"/snapshots/{import_snapshot(alice, 'prod', files).pk}/workloads/").text
    assert html.count(">0, 2 short") == 2
    assert ">3,000</td>" in html
    assert ">1,500, 1,500 short" in html
    assert re.findall(r"workload=([^#]+)#why-chosen", html) == ["ReplicaSet%2Fshop%2Fweb"]


def test_the_map_has_what_pods_ask_of_each_node_that_a_search_leaves(client: Client, alice: Any) -> None:
    client.force_login(alice)
    little = node("little", **{"topology.kubernetes.io/zone": "a"})
    little["status"]["allocatable"]["nvidia.com/gpu"] = "4"
    little["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    little["spec"] = {"unschedulable": True, "taints": [{"key": "team", "effect": "NoSchedule"}]}
    asking, ended = pod("train", node="little"), pod("ended", node="little")
    for one in (asking, ended):
        one["spec"]["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": "2"}
    ended["status"]["phase"] = "Succeeded"
    files = [("cluster.json", listing(little, node("other"), asking, ended))]
    address = f"/snapshots/{import_snapshot(alice, 'prod', files).pk}/nodes/"
    html = client.get(address, {"view": "map", "q": "little"}).text
    data = html.partition('id="nodes-of-map" type="application/json">')[2].partition("</script>")[0]
    assert json.loads(data) == {
        "alike": [{
            "labels": {"zone": "a"}, "unschedulable": True, "ready": False,
            "taints": [{"key": "team", "value": "", "effect": "NoSchedule"}],
            "allocatable": {"cpu": 4000, "memory": 8 * 2**30, "nvidia.com/gpu": 4},
            "pod_limit": 110,
        }],
        "nodes": [{
            "name": "little", "alike": 0,
            "requested": {"cpu": 500, "memory": 2**30, "nvidia.com/gpu": 2},
            "pods": 1,
        }],
    }  # fmt: skip
    assert 'href="?q=little" data-view=""' in html
    assert "nodes-of-map" not in client.get(address).text


def test_what_nodes_of_the_map_have_alike_is_said_once(client: Client, alice: Any) -> None:
    client.force_login(alice)
    nodes = [node(f"node-{place}") for place in range(30)]
    address = f"/snapshots/{import_snapshot(alice, 'prod', [('c.json', listing(*nodes))]).pk}/nodes/"
    html = client.get(address, {"view": "map"}).text
    data = html.partition('id="nodes-of-map" type="application/json">')[2].partition("</script>")[0]
    assert (data.count('"allocatable"'), data.count('"node-')) == (1, 30)


def test_a_page_out_of_range_shows_the_last_one(client: Client, snapshot: Snapshot) -> None:
    page = client.get(f"/snapshots/{snapshot.pk}/pods/?page=99").text
    assert "51–62 of 62" in page


def test_a_request_of_htmx_gets_only_the_table(client: Client, snapshot: Snapshot) -> None:
    page = client.get(f"/snapshots/{snapshot.pk}/pods/", headers={"HX-Request": "true"}).text
    assert page.lstrip().startswith('<div id="table"')
    assert "<html" not in page


def test_text_that_looks_like_a_formula_is_exported_as_text(client: Client, snapshot: Snapshot) -> None:
    snapshot.pods.filter(name="on-full").update(workload="=HYPERLINK(1)")
    (row,) = rows(client, f"/snapshots/{snapshot.pk}/pods/?format=csv&q=on-full")
    assert row["workload"] == "'=HYPERLINK(1)"


MANY_WORDS = "q=" + "+".join(["a"] * 11)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (MANY_WORDS, "A search may have at most 10 words, not 11."),
        ("q=" + "a" * 201, "A search may have at most 200 characters, not 201."),
        ("q=" + "a+" * 20_000, "A search may have at most 200 characters, not 39,999."),
        ("q=a%00b", "“q” must not have null characters."),
        ("namespace=a%00b", "“namespace” must not have null characters."),
        ("node=" + "a" * 1_001, "“node” may have at most 1,000 characters, not 1,001."),
    ],
)
def test_a_search_without_bounds_is_refused_in_a_sentence(
    client: Client, snapshot: Snapshot, query: str, words: str
) -> None:
    address = f"/snapshots/{snapshot.pk}/pods/?{query}"
    for asked in (address, f"{address}&format=csv"):
        answer = client.get(asked)
        assert answer.status_code == 400
        assert words in answer.text
        assert "pending-01" not in answer.text
    shown = client.get(address, headers={"HX-Request": "true"})
    assert shown.status_code == 200  # or htmx would not show it
    assert words in shown.text


def test_the_largest_search_that_is_allowed_is_made(client: Client, snapshot: Snapshot) -> None:
    words = "+".join(["pending-5"] * 10)
    assert len(names(client, f"/snapshots/{snapshot.pk}/pods/?format=csv&q={words}")) == 10


def test_what_is_no_number_matches_no_run(client: Client, snapshot: Snapshot) -> None:
    assert client.get("/runs/?scenario=first").status_code == 200
    assert client.get("/runs/?" + MANY_WORDS).status_code == 400


def test_numbers_in_names_count_as_numbers(client: Client, alice: Any) -> None:
    client.force_login(alice)
    nodes = ["worker-10", "worker-9", "worker-1", "a2-b", "a10-b", "worker-11", "worker", "worker-01"]
    found = import_snapshot(alice, "many", [("cluster.json", listing(*map(node, nodes)))])
    address = f"/snapshots/{found.pk}/nodes/?format=csv"
    in_order = ["a2-b", "a10-b", "worker", "worker-1", "worker-01", "worker-9", "worker-10", "worker-11"]
    assert names(client, address) == in_order
    assert names(client, f"{address}&sort=-name")[0] == "worker-11"
    assert sorted(nodes, key=natural_key) == in_order
