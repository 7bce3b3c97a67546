"""Which nodes can be given back, as a page, as CSV, and over REST."""

import json
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from dashboard.answers.consolidated import answer_of, keeps, under
from dashboard.answers.printers.words import plain
from dashboard.models import Snapshot
from dashboard.services.background import dispatch, warm_worlds
from dashboard.services.questions import consolidation as of_nodes
from dashboard.services.questions import stored_questions
from scheduler_core.world import RunInput
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.consolidation.results import Consolidation
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.builders import node
from tests.dashboard.test_rehearsing import budget, ready
from tests.dashboard.test_why_pending import imported
from tests.scheduler_core.clusters import node as a_node
from tests.scheduler_core.clusters import pod
from tests.scheduler_core.world.test_hami import asking as with_cards
from tests.scheduler_core.world.test_hami import machine, run_of

pytestmark = pytest.mark.django_db

LARGE, SMALL = {"kind": "large"}, {"kind": "small"}
CLUSTER = [
    node("a", cpu="8", labels=LARGE),
    node("b", cpu="4", labels=SMALL),
    node("c", cpu="4", labels=SMALL),
    ready("plain-1", "a", "plain"),
    ready("kept-1", "b", "kept"),
    budget("kept", 1),
]


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    warm_worlds.forget_worlds()
    return imported(alice, *CLUSTER, name="give back")


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def shown(page: Client, snapshot: Snapshot, **asked: str) -> str:
    return page.get(f"/snapshots/{snapshot.pk}/consolidation/", {"nodes": "", **asked}).content.decode()


def test_the_page_says_first_what_can_be_given_back_and_what_keeps_the_others(
    page: Client, snapshot: Snapshot
) -> None:
    body = shown(page, snapshot, prices="kind=large: 1.5")
    assert "<b>2 of </b><b>3 nodes</b><b> can be given back</b>" in body
    assert "1,095.00 a month" in body
    assert "1 eviction in 1 step; 1.50 an hour less; nobody more waits for a node (0 either way)." in body
    assert "No price is given for 2 nodes; 1 of them can be given back." in body
    assert "never lets it go" in body
    assert body.index("rehearsal-lead") < body.index("rehearsal-form") < body.index("rehearsal-chart")
    assert 'aria-label="a: 8' in body
    assert f"/snapshots/{snapshot.pk}/rehearsal/?nodes=a+c&amp;order=given&amp;for_good=1" in body


def test_where_none_can_be_given_back_it_is_told_who_waits_all_the_same() -> None:
    said = [plain(under(Consolidation([], [], [], 3, 3, 0, False, pods, 1, "all"))) for pods in (0, 1, 3)]
    assert said == [
        "No pod is left that waits for a node.",
        "1 pod waits for a node either way.",
        "3 pods wait for a node either way.",
    ]


def test_that_its_own_node_would_take_a_pod_is_no_reason() -> None:
    here = pod("here", on="a", owner="rs", nodeSelector=LARGE)
    objects = [a_node("a", labels=LARGE), a_node("b", cpu="1"), here, pod("stays", on="b")]
    found = consolidation(WarmWorld(RunInput(objects=objects, driver="timed")))
    [kept] = [one for one in found.kept if one.node == "a"]
    assert plain(keeps(kept)) == (
        "default/here of default/rs fits on none of 1 other node: no single change is enough; "
        "1 lacks the label kind=large"
    )


def test_nodes_that_stay_for_the_same_reason_stand_in_the_order_of_their_numbers() -> None:
    names = ["n10", "n9", "n2"]
    objects = [a_node(name, labels={"at": name}) for name in names]
    objects += [pod(f"on-{name}", on=name, owner=f"rs-{name}", nodeSelector={"at": name}) for name in names]
    found = consolidation(WarmWorld(RunInput(objects=objects, driver="timed")))
    [table] = [table for table in answer_of(found, 1).tables if table.name == "kept"]
    assert [plain(row[0]) for row in table.rows] == ["n2", "n9", "n10"]


def test_nodes_that_the_trial_itself_has_closed_are_no_reason_and_slots_are_no_cards() -> None:
    """Two idle nodes are drained with the one that holds a pod: no other has cards."""
    given = {"hami.io/vgpu-node": "a", "hami.io/vgpu-devices-allocated": "a-gpu-0,NVIDIA,4000,20:;"}
    running = with_cards("held", annotations=given, nodeName="a") | {"status": {"phase": "Running"}}
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "rs", "controller": True}
    running["metadata"]["ownerReferences"] = [owner]
    plain_node = a_node("plain", cpu="64") | {"apiVersion": "v1"}
    idle = [machine(name, 2, kind="NVIDIA L40S") for name in ("b", "c")]
    objects = [machine("a", 2, kind="NVIDIA A100"), *idle, plain_node, running]
    running["metadata"]["annotations"]["nvidia.com/use-gputype"] = "A100"
    found = consolidation(WarmWorld(run_of(*objects)), ["a", "b"])
    assert [one.node for one in found.freed] == ["b"]
    assert plain(keeps(found.kept[0])) == (
        "default/held of default/rs fits on none of 2 other nodes: no node has an NVIDIA card of type A100, "
        "free or not: 1 has no NVIDIA card of type A100, 1 registers no cards"
    )
    assert (found.amounts["nvidia.com/gpu"], found.cards) == (20, {"nvidia.com/gpu": 2})
    lead = plain(answer_of(found, 1).lead)
    assert lead.endswith("2 cards (20 vGPU slots of nvidia.com/gpu)."), lead
    [table] = [table for table in answer_of(found, 1).tables if table.name == "freed"]
    assert [column.title for column in table.columns][-2:] == ["cards", "nvidia.com/gpu slots"]


def test_faults_stand_beside_their_fields(page: Client, snapshot: Snapshot) -> None:
    assert (
        "Find nodes that can be given back"
        in page.get(f"/snapshots/{snapshot.pk}/consolidation/").content.decode()
    )
    assert "there is no Node nowhere" in shown(page, snapshot, nodes="nowhere")
    body = shown(page, snapshot, prices="kind=large: 1\nkind=small: much\nsmall 2")
    assert "line 2: the price must be a number" in body
    assert "line 3: must be label=value: price" in body


def test_the_files_say_the_same(page: Client, snapshot: Snapshot) -> None:
    assert f"/snapshots/{snapshot.pk}/consolidation.html?" in shown(page, snapshot)
    file = page.get(f"/snapshots/{snapshot.pk}/consolidation.html", {"nodes": ""})
    assert file["Content-Disposition"] == f'attachment; filename="consolidation-{snapshot.pk}.html"'
    assert f"<title>Nodes to give back on {snapshot.name}" in file.text
    assert 'href="/' not in file.text, "its links lead to its own tables alone"
    address = f"/snapshots/{snapshot.pk}/consolidation.csv"
    rows = page.get(address, {"nodes": ""}).content.decode().splitlines()
    assert rows[0] == "order,node,pool,step,pods,cpu,memory"
    assert [row.split(",")[:2] for row in rows[1:]] == [["1", "a"], ["2", "c"]]
    kept = page.get(address, {"nodes": "", "table": "kept"}).content.decode().splitlines()
    assert kept[1].startswith("b,–,a budget,")
    assert page.get(address, {"nodes": "", "table": "none"}).status_code == 404
    assert page.get(address, {"nodes": "a", "prices": "x"}).status_code == 404


def test_over_rest_it_is_told_in_three_media(page: Client, snapshot: Snapshot) -> None:
    address = f"/api/v1/snapshots/{snapshot.pk}/consolidation/"

    def posted(what: Any, accept: str = "application/json") -> Any:
        return page.post(
            address, json.dumps(what), content_type="application/json", headers={"accept": accept}
        )

    told = posted({"prices": {"kind=small": 0.5}}).json()
    assert told["state"] == "answered"
    assert [one["node"] for one in told["consolidation"]["freed"]] == ["c", "a"]
    assert told["consolidation"]["kept"][0]["budgets"] == ["shop/kept"]
    assert "2 of 3 nodes can be given back" in posted({}, "text/markdown").content.decode()
    assert "Nodes to give back on give back" in posted({}, "text/html").content.decode()
    refused = posted({"price_lines": "kind=small: 1\nx"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "line 2")
    assert posted({"prices": {"a=b": 1}, "price_lines": "a=b: 1"}).status_code == 400
    assert posted({"group": "pool=none"}).status_code == 400


def test_somebody_ends_it_and_it_is_tried_again(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        patched.setattr(stored_questions, "wait_for", lambda key, seconds: None)
        assert "Nodes are tried" in shown(page, snapshot)
        page.post(f"/snapshots/{snapshot.pk}/consolidation/end/", {"nodes": ""})
    assert "It was ended" in shown(page, snapshot)
    assert "can be given back" in shown(page, snapshot, again="1")


def test_nodes_may_be_tried_for_longer(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock goes on by eleven minutes whenever somebody looks at it."""
    clock = count(0, 660)
    monkeypatch.setattr(of_nodes, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    body = shown(page, snapshot)
    assert "The time was over: 3 nodes were not tried." in body
    assert 'href="?nodes=&amp;seconds=600">Try for up to 10 minutes' in body
    assert 'href="?nodes=&amp;seconds=3600">Try for up to an hour' in shown(page, snapshot, seconds="600")
    clock = count(0)
    body = shown(page, snapshot, seconds="3600")
    assert "were not tried" not in body
    assert "Try for up to" not in body
    assert '<option value="3600" selected>an hour</option>' in body


@pytest.mark.parametrize("seconds", ["0", "3601", "-5", "soon", "9" * 5000])
def test_a_wrong_time_is_told_beside_its_field(page: Client, snapshot: Snapshot, seconds: str) -> None:
    body = shown(page, snapshot, seconds=seconds)
    assert 'id="consolidation-seconds" class="error-text">must be ' in body
    asked = {"seconds": int(seconds) if seconds[-1].isdigit() and len(seconds) < 9 else seconds}
    answer = page.post(
        f"/api/v1/snapshots/{snapshot.pk}/consolidation/", json.dumps(asked), "application/json"
    )
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "seconds"
