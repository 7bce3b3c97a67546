"""The walks of guides about connected clusters, beside an API server of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import expect

from tests.api_server import FakeApiServer, api_server
from tests.browser.clusters import run_by_rest, scenario_by_rest
from tests.browser.walks import Walk
from tests.builders import cluster_object, container, node, pod
from tests.fixtures.stack import wait_until

Object = dict[str, Any]


def copy(app: str, number: int, on: str) -> Object:
    """A pod of a ReplicaSet of which the cluster's account may not read."""
    owner = cluster_object("ReplicaSet", f"{app}-1", version="apps/v1", namespace="shop")
    owner["metadata"]["uid"] = f"r-{app}"
    asks = [container(requests={"cpu": "1", "memory": "1Gi"})]
    return pod(
        f"{app}-1-{number}", namespace="shop", on=on, owner=owner, labels={"app": app}, containers=asks
    )


@contextmanager
def connected(walk: Walk, server: FakeApiServer) -> Iterator[int]:
    """The server's cluster, connected until the walk is over; the number of its first reading."""
    page, before = walk.page, readings(walk)
    page.goto("/clusters/connect/")
    page.get_by_label("A kubeconfig").set_input_files(server.kubeconfig)
    page.get_by_label("Name").fill("prod")
    page.get_by_role("button", name="Connect and read").click()
    try:
        yield next_reading(walk, before)
    finally:
        _, found = walk.stack.request("GET", "/api/v1/clusters/", who="dora")
        [own] = [one["id"] for one in found["results"] if one["name"] == "prod"]
        walk.stack.request("DELETE", f"/api/v1/clusters/{own}/", who="dora")


def readings(walk: Walk) -> set[int]:
    """The numbers of the readings that are there, also of what other tests have connected."""
    _, found = walk.stack.request("GET", "/api/v1/snapshots/", who="alice")
    return {
        one["id"] for one in found["results"] if one["name"].startswith("prod ") and one["status"] == "ready"
    }


def next_reading(walk: Walk, before: set[int]) -> int:
    """Wait for a reading that was not there before, and for the page that shows it; its number."""
    walk.page.wait_for_url("**/snapshots/**")
    wait_until(lambda: readings(walk) - before)
    [new] = readings(walk) - before
    # A page that tells of the progress loads itself anew at the end, and would take the walk back.
    expect(walk.page.locator("#progress-now")).to_have_count(0)
    return new


def what_came_of_it(walk: Walk) -> None:
    page = walk.page
    nodes = [
        node(f"node-{letter}", allocatable={"cpu": "8", "memory": "32Gi", "pods": "110"}) for letter in "abc"
    ]
    pods = [copy("cart", 1, "node-a"), copy("cart", 2, "node-b"), copy("search", 1, "node-a")]
    with (
        TemporaryDirectory() as folder,
        api_server([*nodes, *pods], Path(folder)) as server,
        connected(walk, server) as before,
    ):
        run = run_by_rest(
            walk.stack, scenario_by_rest(walk.stack, before, {"op": "drain", "nodes": ["node-a"]})
        )
        server.change("MODIFIED", nodes[0] | {"spec": {"unschedulable": True}})
        for gone, new in ((pods[0], copy("cart", 3, "node-c")), (pods[2], copy("search", 2, "node-c"))):
            server.change("DELETED", gone)
            server.change("ADDED", new)
        known = readings(walk)
        page.goto("/clusters/")
        walk.press(page.get_by_role("button", name="Read prod now"), "Read now")
        next_reading(walk, known)
        page.goto(f"/runs/{run}/outcome/")
        walk.link("What came of it")
        walk.read(page.locator(".came-true"), "Came true")
        walk.read(page.locator("main"), "What else changed")
        [answer] = walk.ask(RUN=run)
        assert answer["verdict"] == "came true"
