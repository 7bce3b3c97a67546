"""Sweeps over REST: what can vary, what is wrong with it, and what its points came to."""

import csv
from typing import Any

from dashboard.models import Sweep
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.test_sweeps import NEW_NODES, NODE, SCORING, play, small_cluster


def test_over_rest_every_fault_names_its_dimension_and_points_have_figures(as_alice: Any, alice: Any) -> None:
    snapshot = import_snapshot(alice, "prod", [("c.json", small_cluster())])
    fields = {"name": "grow", "snapshot": snapshot, "profile": "kube-1.37", "edits": [NODE]}
    scenario = create_scenario(alice, fields)
    address = f"/api/v1/scenarios/{scenario.pk}/sweeps/"
    wrong = as_alice.post(address, {"dimensions": [{**NEW_NODES, "values": [1, -1]}]}, format="json")
    assert wrong.status_code == 400
    [error] = wrong.json()["errors"]
    assert (error["object"], error["field"]) == ("dimensions[0]", "values[1]")
    answer = as_alice.post(address, {"dimensions": [SCORING, NEW_NODES]}, format="json")
    assert (answer.status_code, answer.json()["state"]) == (202, "playing")
    where = answer["Location"]
    play(Sweep.objects.get())
    found = as_alice.get(where).json()
    assert (found["state"], found["done"], found["of"]) == ("ended", 6, 6)
    best = found["points"][5]
    assert (best["values"], best["framed"], best["is_today"]) == (["MostAllocated", "2"], True, False)
    assert best["figures"]["without_node"] == 1
    file = as_alice.get(where, HTTP_ACCEPT="text/csv").content.decode()
    last = list(csv.DictReader(file.splitlines()))[5]
    assert last["how many of new"] == "2"
    assert int(last["pods_without_node"]) == best["figures"]["without_node"]
    assert float(last["cpu_requested_percent"]) == round(100 * best["figures"]["cpu"], 2)
    assert b"leaves 1 pod without a node" in as_alice.get(where, HTTP_ACCEPT="text/markdown").content
    assert [one["id"] for one in as_alice.get(address).json()["sweeps"]] == [found["id"]]
    assert as_alice.post(f"{where}cancel/").json()["done"] == 6
    assert as_alice.delete(where).status_code == 204
