"""A pod's life in a run of the engine: who evicted it from where, and when it was gone."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.queries.lives import pod_history
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import controlled, listing, node, pod

pytestmark = pytest.mark.django_db


def eventful_run(**scenario: Any) -> Run:
    """A run in which `urgent` evicts all that node-1 holds: a ReplicaSet's and a StatefulSet's pod."""
    evicted = [controlled("web-a"), controlled("db-0", "StatefulSet")]
    objects = listing(node("node-1"), *evicted, pod("urgent", cpu="4", priority=1000))
    snapshot = import_snapshot(None, "full", [("cluster.json", objects)])
    fields = {"driver": "fifo" if scenario.get("profile") == "kube-1.8" else "instant", **scenario}
    run = start_run(None, create_scenario(None, {"name": "one", "snapshot": snapshot, **fields}))
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


def told(run: Run, name: str) -> list[tuple[str, str | None, str | None]]:
    return [(event["what"], event["node"], event["by"]) for event in pod_history(run, name)]


def test_a_victim_that_is_gone_at_once_was_evicted_from_its_node() -> None:
    run = eventful_run()
    assert told(run, "uid-web-a") == [
        ("evicted", "node-1", "shop/urgent"),
        ("replaced", None, "shop/web-a-r1"),
    ]
    assert told(run, "shop/web-a-r1")[0] == ("created", None, None)


def test_a_victim_with_a_grace_period_is_evicted_and_later_gone() -> None:
    run = eventful_run(profile="kube-1.11", driver="grace")
    evicted, gone = ("evicted", "node-1", "shop/urgent"), ("gone", "node-1", None)
    assert told(run, "uid-web-a") == [evicted, ("replaced", None, "shop/web-a-r1"), gone]
    assert told(run, "uid-db-0") == [evicted, gone, ("replaced", None, "shop/db-0")]
    [evicted, gone, _] = pod_history(run, "uid-db-0")
    [created, *_] = [event for event in pod_history(run, "shop/db-0") if event["what"] == "created"]
    assert evicted["seq"] < gone["seq"] == created["seq"]


@pytest.mark.parametrize("driver", ["instant", "grace"])
def test_pages_of_an_evicted_pod_and_of_its_replacement_lead_to_one_another(
    client: Client, alice: Any, driver: str
) -> None:
    run = eventful_run(profile="kube-1.13" if driver == "grace" else "kube-1.36", driver=driver)
    client.force_login(alice)

    def link(uid: str, to: str) -> tuple[str, str] | None:
        page = client.get(f"/runs/{run.pk}/pods/{uid}/").text
        found = re.search(rf'/pods/([^"]+)/" data-{to}>(.*?)</a>', page)
        return found and (found[1], found[2])

    for uid, name in (("uid-web-a", "shop/web-a"), ("uid-db-0", "shop/db-0")):
        copy = link(uid, "replaced")
        assert copy is not None
        assert copy[0] != uid
        assert link(copy[0], "replaces") == (uid, name)
        assert link(uid, "replaces") is None
    assert link("uid-urgent", "replaced") is None
