"""A rehearsal of an upgrade as a page, as files, over REST, and as the run that steps through it."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.words import plain
from dashboard.answers.rehearsed import answer_of, enough, lead
from dashboard.answers.runbook import runbook
from dashboard.models import Run, Snapshot
from dashboard.services.background import dispatch, warm_worlds
from dashboard.services.questions import stored_questions
from dashboard.services.workspace.rehearsing import rehearsed
from dashboard.views import rehearsing
from dashboard.views.rehearsal_chart import chart
from scheduler_core.world.rehearsal.rehearsed import Rehearsed, RehearsedNode
from tests.builders import cluster_object, container, node, pod
from tests.dashboard.test_why_pending import imported

pytestmark = pytest.mark.django_db

ASKED = {"nodes": "a b", "timeout": "60", "back": "60"}


def ready(name: str, on: str, app: str) -> dict[str, Any]:
    made = pod(name, namespace="shop", labels={"app": app}, containers=[container(requests={"cpu": "1"})])
    made["spec"] |= {"nodeName": on, "terminationGracePeriodSeconds": 10}
    made["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": app, "uid": f"ReplicaSet-shop-{app}"}
    made["metadata"]["ownerReferences"] = [{**owner, "controller": True}]
    return made


def budget(name: str, least: int) -> dict[str, Any]:
    spec = {"minAvailable": least, "selector": {"matchLabels": {"app": name}}}
    status = {"currentHealthy": 1, "desiredHealthy": least, "expectedPods": 1, "disruptionsAllowed": 0}
    made = cluster_object("PodDisruptionBudget", name, version="policy/v1", namespace="shop", spec=spec)
    return made | {"status": status}


CLUSTER = [
    node("a", cpu="4"),
    node("b", cpu="4"),
    node("c", cpu="4"),
    ready("plain-1", "a", "plain"),
    ready("kept-1", "b", "kept"),
    budget("kept", 1),
]


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    warm_worlds.forget_worlds()
    return imported(alice, *CLUSTER, name="upgrade")


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def shown(page: Client, snapshot: Snapshot, **asked: str) -> str:
    return page.get(f"/snapshots/{snapshot.pk}/rehearsal/", {**ASKED, **asked}).content.decode()


def test_the_page_says_first_how_many_nodes_are_empty_and_what_keeps_the_others(
    page: Client, snapshot: Snapshot
) -> None:
    body = shown(page, snapshot)
    assert "<b>1 of </b>" in body
    assert "allows no eviction, now or ever." in body
    assert "kept-1 may never go: shop/kept" in body
    assert 'aria-label="b: cordoned at 1:10, given up at 2:10; shop/kept-1 may never go' in body
    assert body.index("rehearsal-lead") < body.index("rehearsal-form") < body.index("rehearsal-chart")
    assert "Assumed: a node comes back 60 s after it is empty, and is given up after 60 s." in body
    assert "b left out" in body
    assert "kubectl drain b --ignore-daemonsets --timeout=60s" in body


def test_a_table_of_more_rows_than_are_read_at_once_is_folded_with_their_number(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few nodes of a large cluster have pods of hundreds of budgets; what is refused is in the picture."""
    assert '<section class="section" id="budgets"><div class="section-head"><h2>Budgets' in shown(
        page, snapshot
    )
    monkeypatch.setattr(rehearsing, "MANY_ROWS", 0)
    body = shown(page, snapshot)
    assert 'id="budgets"><details><summary><b>Budgets</b> as a table' in body
    assert re.search(r'as a table <span class="muted">\d+</span></summary>', body)


def test_without_nodes_there_is_a_form_and_faults_stand_beside_their_fields(
    page: Client, snapshot: Snapshot
) -> None:
    assert "Name the nodes of an upgrade" in shown(page, snapshot, nodes="")
    assert "there is no Node nowhere" in shown(page, snapshot, nodes="nowhere")
    assert "must be a number" in shown(page, snapshot, back="soon")
    assert "must be a list of edits as JSON" in shown(page, snapshot, before="[")


def test_the_files_and_the_run_say_the_same(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "send_run", lambda pk: True)
    assert f"/snapshots/{snapshot.pk}/rehearsal.html?" in shown(page, snapshot)
    file = page.get(f"/snapshots/{snapshot.pk}/rehearsal.html", ASKED)
    assert file["Content-Disposition"] == f'attachment; filename="rehearsal-{snapshot.pk}.html"'
    assert f"<title>A rehearsal on {snapshot.name}" in file.text
    assert 'href="/' not in file.text, "its links lead to its own tables alone"
    book = page.get(f"/snapshots/{snapshot.pk}/rehearsal.md", ASKED).content.decode()
    assert book.startswith("# Upgrade of 2 nodes, 1 at a time")
    assert "- [ ] **a**: 1 pod leaves within 10 s" in book
    rows = page.get(f"/snapshots/{snapshot.pk}/rehearsal.csv", ASKED).content.decode().splitlines()
    assert rows[0] == "node,zone,verdict,cordoned,empty,back,pods,left,waited_for"
    assert rows[1].startswith("a,–,now,0 s,10 s,1 min 10 s,1,1")
    page.post(f"/snapshots/{snapshot.pk}/rehearsal/run/", ASKED)
    [run] = [one for one in Run.objects.all() if one.edits]
    told = rehearsed(
        snapshot,
        {"nodes": ["a", "b"], "together": 1, "surge": 0, "timeout": 60.0, "back": 60.0, "order": "given"},
    )
    assert told.answer is not None
    assert (run.driver, run.edits) == ("timed", told.answer.rehearsed.edits)


def test_a_change_is_rehearsed_as_its_link_says(page: Client, snapshot: Snapshot) -> None:
    before = json.dumps(
        [{"op": "delete", "kind": "PodDisruptionBudget", "namespace": "shop", "name": "kept"}]
    )
    body = shown(page, snapshot, before=before)
    assert "<b>2 of </b>" in body


def test_over_rest_it_is_told_in_three_media(page: Client, snapshot: Snapshot) -> None:
    address = f"/api/v1/snapshots/{snapshot.pk}/rehearsal/"
    asked = {"nodes": ["a", "b"], "timeout": 60, "back": 60}

    def posted(what: Any, accept: str = "application/json") -> Any:
        return page.post(
            address, json.dumps(what), content_type="application/json", headers={"accept": accept}
        )

    answer = posted(asked)
    assert answer.status_code == 200
    told = answer.json()
    assert (told["state"], told["rehearsal"]["rehearsed"]["nodes"][1]["verdict"]) == ("answered", "never")
    assert told["runbook"].startswith("# Upgrade of 2 nodes")
    assert (
        "**1 of 2 nodes is empty after 10 s. 1 never is: budget"
        in posted(asked, "text/markdown").content.decode()
    )
    assert "A rehearsal on upgrade" in posted(asked, "text/html").content.decode()
    refused = posted({"nodes": ["nowhere"]})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "nodes")
    assert posted({}).status_code == 400


def test_somebody_ends_it_and_it_is_played_again(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        patched.setattr(stored_questions, "wait_for", lambda key, seconds: None)
        assert "Being played" in shown(page, snapshot)
        page.post(f"/snapshots/{snapshot.pk}/rehearsal/end/", ASKED)
        assert "The rehearsal was ended" in shown(page, snapshot)
    assert "<b>1 of </b>" in shown(page, snapshot, again="1")


def test_of_many_nodes_rows_fold_by_zone_and_the_blocked_stay() -> None:
    nodes = [
        RehearsedNode(
            f"n{at}", f"z{at % 2}", "never" if at == 5 else "now", 0, 5, 9, 9 if at == 5 else None, 1, 1, 0
        )
        for at in range(70)
    ]
    told = Rehearsed([], nodes, [], [], [(0, 70)], 70, [(0, 0)], 5, 9, 0, 0, 1, "quiet")
    first, *zones = chart(told).groups
    assert ([row.node.node for row in first.rows], first.title) == (["n5"], "")
    assert [(one.title, one.says) for one in zones] == [
        ("zone z0", "35 nodes empty"),
        ("zone z1", "34 nodes empty"),
    ]


def test_the_sentence_where_all_are_empty(snapshot: Snapshot) -> None:
    told = rehearsed(snapshot, {"nodes": ["a"], "back": 60.0})
    assert told.answer is not None
    assert plain(lead(told.answer)) == (
        "a can be drained: it is empty after 10 s, 1 pod leaves it, and none stays pending because of it."
    )


def test_the_sentence_where_the_only_node_is_not_empty(snapshot: Snapshot) -> None:
    told = rehearsed(snapshot, {"nodes": ["b"], "timeout": 60.0})
    assert told.answer is not None
    assert plain(lead(told.answer)).startswith("b can't be drained: budget ")


def test_pods_that_stay_down_and_nodes_that_were_cordoned_are_no_secret(alice: Any) -> None:
    closed = node("b", cpu="4")
    closed["spec"] |= {"unschedulable": True}
    waiting = pod("big", namespace="shop", containers=[container(requests={"cpu": "4"})])
    bare = pod("bare", namespace="shop") | {"status": {"phase": "Running"}}
    bare["spec"]["nodeName"] = "a"
    warm_worlds.forget_worlds()
    cluster = imported(alice, node("a", cpu="4"), closed, ready("web-1", "a", "web"), bare, waiting)
    told = rehearsed(cluster, {"nodes": ["a"], "back": 60.0}).answer
    assert told is not None
    assert plain(lead(told)) == (
        "a can be drained, but not without harm: it is empty after 30 s; "
        "1 pod of shop/web is pending at the end; 1 pod without a controller is gone for good."
    )
    assert (answer_of(told, cluster.pk).verdict, told.rehearsed.down) == ("partly", 2)
    assert [(one.kind, one.down, one.helps) for one in told.changes] == [("surge", 1, False)]
    opened = rehearsed(cluster, {"nodes": ["b"], "back": 60.0}).answer
    assert opened is not None
    assert plain(lead(opened)).endswith("b was cordoned before and is open at the end.")
    assert "`kubectl uncordon b`, if it shall be open" in runbook(opened, "here", "0")
    assert "\n## In this order\n" in runbook(opened, "here", "0"), "nothing is done before"
    for_good = rehearsed(cluster, {"nodes": ["a"], "back": None}).answer
    assert for_good is not None
    drained = runbook(for_good, "here", "0")
    assert drained.startswith("# Drain of 1 node, 1 at a time\n")
    assert "uncordon" not in drained
    assert "  - it stays cordoned: " in drained
    surge = rehearsed(cluster, {"nodes": ["b"], "surge": 1}).answer
    assert surge is not None
    text = runbook(surge, "here", "0")
    assert text.index("\n## Before\n") < text.index("\n## Then, in this order\n")


def test_page_and_rest_take_the_nodes_in_one_order_and_say_it(page: Client, snapshot: Snapshot) -> None:
    body = shown(page, snapshot, nodes="b a")
    assert "The nodes have their turn as given." in body
    assert body.index("kubectl cordon b") < body.index("kubectl cordon a")
    told = rehearsed(snapshot, {"nodes": ["b", "a"], "timeout": 60.0, "back": 60.0}).answer
    assert told is not None
    assert "no: 1 node not empty" in [plain(enough(one, told.rehearsed)) for one in told.changes]


def test_what_waits_for_seconds_is_seen_in_a_rehearsal_of_hours() -> None:
    hours = 12 * 3_600_000
    told = Rehearsed(
        [], [], [], [], [(0, 5)], 5, [(1000, 10), (3000, 0), (hours - 1000, 1)], hours, hours, 0, 0, 9, "over"
    )
    waiting = chart(told).lanes[-1].areas
    assert [(x, wide) for x, wide, *_ in waiting] == [("0.00%", "0.20%"), ("99.80%", "0.20%")]
