"""Verdicts on more than 1,000 nodes come in pages that together are the whole."""

from typing import Any

from dashboard import tasks
from tests.dashboard.rows import listing, node, pod

API = "/api/v1"
NODES = 1_203


def test_verdicts_and_scores_above_1000_nodes_are_paged(as_alice: Any) -> None:
    nodes = [node(f"node-{number:04}", cpu="4" if number % 3 else "100m") for number in range(NODES)]
    content = listing(*nodes, pod("cart"))
    snapshot = as_alice.generic("POST", f"{API}/snapshots/", content, content_type="application/json").json()
    scenario = as_alice.post(f"{API}/scenarios/", {"snapshot": snapshot["id"]}, format="json").json()
    run = as_alice.post(f"{API}/runs/", {"scenario": scenario["id"]}, format="json").json()
    tasks.execute_run.apply(args=[run["id"]], throw=True)

    address, verdicts, scores, sizes = f"{API}/runs/{run['id']}/decisions/1/", {}, {}, []
    while address:
        page = as_alice.get(address).json()
        assert page["outcome"] == "scheduled"
        sizes.append(len(page["filter"]))
        verdicts.update(page["filter"])
        scores.update(page["scores"])
        address = page["next"]
    assert sizes == [1000, 203]
    assert list(verdicts) == [f"node-{number:04}" for number in range(NODES)]
    assert set(scores) == {name for name, verdict in verdicts.items() if verdict is None}

    logged = as_alice.get(f"{API}/runs/{run['id']}/decisions/").json()["results"][0]
    assert (len(logged["best"]), logged["best_count"]) == (100, len(scores))
    assert page["best"] == list(scores)

    address, rejected = f"{API}/runs/{run['id']}/decisions/1/nodes/?reason=Insufficient%20cpu&limit=300", []
    while address:
        page = as_alice.get(address).json()
        rejected += [row["node"] for row in page["results"]]
        address = page["next"]
    assert rejected == sorted(set(verdicts) - set(scores))
