"""Why devices were passed over for a pod that waits: on the why page, and over REST."""

import re
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from dashboard.answers.devices_tried import devices_tried
from dashboard.answers.printers.words import plain
from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.why_pending import asked
from scheduler_core.events.devices_tried import DevicesAlike, DevicesTried, DeviceTried, RequestTried
from scheduler_core.world import RunInput, Simulation
from tests.builders import node, pod
from tests.dashboard.rows import listing
from tests.scheduler_core.world.cards_by_claims import by_name, by_template, cards, claim

pytestmark = pytest.mark.django_db

HELD = "2 devices held by other claims: gpu-0 (for default/x), gpu-1 (for default/z)."


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    """Three cards that pods hold, and a pod that asks for two."""
    objects = [*cards(a=2, b=1), *(pod(one, spec=by_template()) for one in "xyz")]
    begun = Simulation(RunInput(objects=objects, profile="kube-1.36"))
    assert len(list(begun)) == 3
    waits = pod("waits", spec=by_name("two"))
    waits["status"] = {"phase": "Pending"}
    found = [*begun.objects_at_end(), claim("two", 2), waits, node("plain")]
    for one in found:
        if one["kind"] == "Node":
            one["status"]["nodeInfo"] = {"kubeletVersion": "v1.36.1"}
    return import_snapshot(alice, "held", [("cluster.json", listing(*found))])


def test_the_why_page_counts_devices_and_lists_those_of_a_node(
    client: Client, alice: Any, snapshot: Snapshot
) -> None:
    asked(snapshot, 30)
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/").text
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert "3 lack only devices for the claims: 3 held by other claims" in text
    assert "2 devices of class gpu" in text[text.index("default/waits") : text.index("3 lack only")]
    uid = snapshot.pods.get(name="waits").uid
    drawer = client.get(f"/snapshots/{snapshot.pk}/pods/{uid}/").text
    assert ", 2 devices of class gpu</span>" in drawer
    assert "2 devices of class gpu" in client.get(f"/snapshots/{snapshot.pk}/summary/").text
    part = client.get(f"/snapshots/{snapshot.pk}/why/{uid}/?node=a").text
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", part))
    assert "Claim default/two, request card: 2 devices of class gpu." in text
    assert HELD in text
    assert "1 device in slices for other nodes." in text


def test_rest_has_every_device_of_a_node(alice: Any, snapshot: Snapshot) -> None:
    rest = APIClient()
    rest.force_authenticate(alice)
    asked(snapshot, 30)
    address = f"/api/v1/snapshots/{snapshot.pk}/why/"
    body = rest.get(f"{address}?pod=default/waits&node=a").json()
    assert body["rows"][0]["devices"] == ["2 devices of class gpu"]
    [request] = body["devices"]["requests"]
    assert (request["claim"], request["number"], request["tried"]) == ("default/two", 2, True)
    [held] = request["devices"]
    assert (held["verdict"], held["number"]) == ("in-use", 2)
    assert held["devices"][0]["pods"] == ["default/x"]
    assert rest.get(address + "?pod=default/waits").json()["devices"] is None
    text = rest.get(f"{address}?pod=default/waits&node=a", headers={"Accept": "text/plain"}).content.decode()
    assert HELD in text
    assert rest.get(f"{address}?node=a").status_code == 400
    assert rest.get(f"{address}?pod=default/waits&node=nowhere").status_code == 404


def test_of_many_devices_some_are_named() -> None:
    many = [DeviceTried(f"d/p/gpu-{number}", "1") for number in range(5)]
    group = DevicesAlike("constraint", "kept out by a constraint", 5, many, "matchAttribute numa")
    request = RequestTried("default/c", "card", "gpu", None, True, [group])
    [line, beside] = devices_tried(DevicesTried(False, [request], replaced=2, error="boom"), "a")
    assert plain(line.says) == "all devices of class gpu."
    assert [plain(one) for one in line.under] == [
        "5 devices kept out by a constraint, matchAttribute numa: gpu-0 (1), gpu-1 (1), gpu-2 (1) and 2 more."
    ]
    assert [plain(one) for one in beside.under] == [
        "2 devices in slices of an older generation of a pool.",
        "The search ended with an error: boom",
    ]
