"""Why a snapshot's pods wait: one try a kind, in sentences, beside what the cluster had said."""

import html
import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from django.test import Client
from rest_framework.test import APIClient

from dashboard.answers.printers.words import plain
from dashboard.answers.why import why
from dashboard.answers.why_of_snapshot import Why, by_themselves, grouped, lead, trust, unasked
from dashboard.models import Question, Run, Scenario, Snapshot
from dashboard.queries.waiting_pods import Alike, waiting_pods
from dashboard.services.workspace import snapshots, why_pending
from dashboard.services.workspace.why_pending import Asking, asked
from dashboard.templatetags.node_squares import drawn
from dashboard.views.sum_bars import bar_of
from dashboard.views.why_map import Square
from dashboard.views.why_node import of_node
from scheduler_core.events.sums import Sum
from scheduler_core.schedulers.cause import Answered, Cause, Gang, Held
from tests.builders import cluster_object, container, node, pod
from tests.dashboard.rows import listing

pytestmark = pytest.mark.django_db

TAINT = [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]
SAME = "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu."
OWNER = cluster_object("ReplicaSet", "big", version="apps/v1", namespace="shop", spec={"replicas": 3})


def asking(name: str, cpu: str, said: str = "", **spec: Any) -> dict[str, Any]:
    """A pod that waits, of the ReplicaSet where it is called so."""
    made = pod(name, namespace="shop", containers=[container(requests={"cpu": cpu})], spec=spec)
    made["status"] = {"phase": "Pending"}
    if said:
        condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": said}
        made["status"]["conditions"] = [condition]
    if name.startswith("big"):
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "big", "uid": "ReplicaSet-shop-big"}
        made["metadata"]["ownerReferences"] = [{**owner, "controller": True}]
        made["metadata"]["labels"] = {"app": "big"}
    return made


CLUSTER = [
    node("a", cpu="4"),
    node("b", cpu="3"),
    node("c", cpu="2"),
    node("gpu", cpu="5", taints=TAINT),
    OWNER,
    asking("big-1", "4500m", SAME),
    asking("big-2", "4500m", SAME.replace("3 Ins", "2 Ins")),
    asking("big-3", "4500m", "0/4 nodes are available: 4 node(s) didn't match pod affinity rules."),
    asking("gated", "1", schedulingGates=[{"name": "later"}]),
]


def imported(user: Any, *objects: dict[str, Any], name: str = "why") -> Snapshot:
    return snapshots.import_snapshot(user, name, [("cluster.json", listing(*objects))])


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    return imported(alice, *CLUSTER)


def texts(page: str, pattern: str) -> list[str]:
    """Return what stands in the elements that match, without markup."""
    return [" ".join(re.sub("<[^>]*>", "", found).split()) for found in re.findall(pattern, page, re.DOTALL)]


def test_pods_alike_are_asked_once(snapshot: Snapshot) -> None:
    kinds = waiting_pods(snapshot)
    assert [(one.names, one.asks) for one in kinds] == [
        (["big-1", "big-2", "big-3"], {"cpu": 4500}),
        (["gated"], {"cpu": 1000}),
    ]
    found = asked(snapshot, 30)
    assert (len(found.found), found.nodes, found.left) == (2, 4, [])


def test_the_page_says_in_one_sentence_why_and_leaves_nothing_behind(
    client: Client, alice: Any, snapshot: Snapshot
) -> None:
    asked(snapshot, 30)
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/").text
    assert texts(page, r'<h2 class="why-lead">(.*?)</h2>') == [
        "4 pods wait: 3 for cpu, 1 for scheduling gates. 1 was already refused by the cluster’s own "
        "scheduler with the same words."
    ]
    assert texts(page, r'<p class="why-say">(.*?)</p>') == [
        "shop/big: Fits on none of 4 nodes: 3 lack only cpu; it is larger than any open node: asks 4.5, the "
        "largest has 4; 1 has only a taint that it does not tolerate, dedicated=gpu:NoSchedule. "
        "The other 2 wait for the same. Evicting would not help on any node."
    ]
    assert texts(page, r'<th scope="rowgroup".*?<b>(.*?)</b>') == ["Insufficient cpu", "Scheduling gates"]
    row = texts(page, r'<tr class="chosen">(.*?)</tr>')[0]
    assert "✓ same words ×1" in row
    assert "other counts ×1" in row
    assert "other words ×1" in row
    assert texts(page, r'<p class="small why-keys">(.*?)</p>') == ["3 Insufficient cpu 1 Scheduling gates"]
    patterns = set(re.findall(r'<pattern id="cause-(\w+)"', page))
    assert patterns == {"c1"}, "the first cause is plain"
    assert re.findall(r'data-tick="(.*?)"', page) == ["ReplicaSet/shop/big"], "the pod alone is no workload"
    assert not Scenario.objects.exists()
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("pod=shop/gated", "shop/gated: Waits for its gates: waiting for scheduling gates: [later]."),
        ("workload=ReplicaSet/shop/big", "shop/big: Fits on none of 4 nodes"),
    ],
)
def test_the_address_chooses_whose_answer_is_shown(
    client: Client, alice: Any, snapshot: Snapshot, query: str, says: str
) -> None:
    asked(snapshot, 30)
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/?{query}").text
    assert texts(page, r'<p class="why-say">(.*?)</p>')[0].startswith(says)


def test_a_snapshot_in_which_nothing_waits_opens_with_its_summary(client: Client, alice: Any) -> None:
    found = imported(alice, node("a"), pod("p", on="a"), name="calm")
    client.force_login(alice)
    page = client.get(f"/snapshots/{found.pk}/").text
    assert "No pod waits for a node." in page
    assert "Why pending" not in page


def test_a_pods_drawer_says_why_first(client: Client, alice: Any, snapshot: Snapshot) -> None:
    asked(snapshot, 30)
    client.force_login(alice)
    uid = snapshot.pods.get(name="big-1").uid
    drawer = client.get(f"/snapshots/{snapshot.pk}/pods/{uid}/", headers={"HX-Request": "true"}).text
    assert drawer.index("Why is it pending?") < drawer.index("detail-yaml", drawer.index("Why is it"))
    assert "✓ the same words" in drawer
    table = client.get(f"/snapshots/{snapshot.pk}/pods/").text
    assert table.count(">Why?</a>") == 4


@pytest.mark.parametrize(
    ("named", "says", "steps"),
    [
        (
            "c",
            "Does not fit on c, for 1 reason.",
            ["TaintToleration nothing against it – – ✓ yes", "NodeResourcesFit Insufficient cpu 4.5 2 ✕ no"],
        ),
        (
            "gp",
            "Does not fit on gpu, for 1 reason.",
            ["TaintToleration Untolerated taint – – ✕ no", "NodeResourcesFit cpu 4.5 5 ✓ yes"],
        ),
        ("nowhere", "There is no node nowhere.", []),
        ("", None, []),
    ],
)
def test_somebody_asks_why_not_a_node(
    client: Client, alice: Any, snapshot: Snapshot, named: str, says: str | None, steps: list[str]
) -> None:
    asked(snapshot, 30)
    client.force_login(alice)
    uid = snapshot.pods.get(name="big-2").uid
    whole = client.get(f"/snapshots/{snapshot.pk}/why/{uid}/?node={named}").text
    part = whole[whole.index('<div class="why-node">') : whole.index("What the cluster says")]
    assert texts(part, r'<p role="status">(.*?)</p>') == ([says] if says else [])
    assert texts(part.replace("<td", " <td"), r"<tr>( <td.*?)</tr>") == steps


def test_before_any_pod_is_asked_about_nothing_else_is_claimed(snapshot: Snapshot) -> None:
    waits = Asking([], stage="It waits: 1 question before this one.", waiting=4)
    assert [plain(one) for one in why_pending.answer(snapshot, waits, []).trust] == [
        "No pod was asked about yet. It waits: 1 question before this one."
    ]
    none_tried = trust([], 0, 0.0, waiting_pods(snapshot), "", "", ended=True)
    assert [plain(one) for one in none_tried] == [
        "Asked of 0 of 2 kinds of pods: 4 pods were not tried, it was ended: shop/big-1, shop/gated."
    ]


def test_how_long_the_cluster_has_said_so_counts_up_to_the_snapshot(client: Client, alice: Any) -> None:
    waiting = asking("big-1", "4500m", SAME)
    waiting["status"]["conditions"][0]["lastTransitionTime"] = "2025-01-01T10:00:00Z"
    newest = node("late", cpu="1")
    newest["metadata"]["creationTimestamp"] = "2025-01-01T11:30:00Z"
    snapshot = imported(alice, *CLUSTER[:5], waiting, newest)
    asked(snapshot, 30)
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/why/{snapshot.pods.get().uid}/").text
    said = page[page.index("What the cluster says") :]
    assert texts(said, r'<span class="count" title=.*?>(.*?)</span>') == ["for 1 h 30 min up to the snapshot"]


@pytest.mark.parametrize(
    ("others", "says"),
    [(0, "."), (1, ". The other waits for the same."), (2, ". The other 2 wait for the same.")],
)
def test_others_that_wait_for_the_same_are_counted(others: int, says: str) -> None:
    cause = Cause("unserved", reason="nobody")
    assert plain(why(cause, others=others)) == f"No scheduler decides about it: nobody{says}"


def test_a_part_of_several_names_is_told(alice: Any) -> None:
    found = imported(alice, *(node(f"pool-{place}") for place in range(5)), asking("big", "9"), name="names")
    answers = asked(found, 30)
    one = answers.with_nodes(answers.found[0])
    assert plain(of_node(one.answered, "pool", found.pk).says) == (
        "5 nodes have pool in their names: pool-0, pool-1, pool-2 and 2 more."
    )


def test_while_it_is_computed_the_page_says_so_and_asks_again(
    client: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(why_pending, "asked", lambda *_, **__: Asking(waiting_pods(snapshot), waiting=4))
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/").text
    assert "Being computed: the cluster’s 4 waiting pods are asked about." in " ".join(page.split())
    assert f'hx-get="/snapshots/{snapshot.pk}/"' in page


def test_who_asks_again_gets_the_answers_in_place(client: Client, alice: Any, snapshot: Snapshot) -> None:
    asked(snapshot, 30)
    client.force_login(alice)
    again = {"HX-Request": "true", "HX-Target": "why-now"}
    answered = client.get(f"/snapshots/{snapshot.pk}/", headers=again)
    assert "HX-Refresh" not in answered.headers
    assert answered.text.lstrip().startswith('<div id="why-now">')


@pytest.fixture
def hurried(alice: Any, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """A snapshot of whose three kinds of pods one is tried before the time is up."""
    monkeypatch.setattr(why_pending, "ASKED_SECONDS", 0.0)
    return imported(alice, *CLUSTER, asking("more", "500m"), name="slow")


def lead_of(client: Client, snapshot: Snapshot, query: str = "") -> tuple[str, str]:
    """Return the page's lead and the page."""
    page = client.get(f"/snapshots/{snapshot.pk}/{query}").text
    [said] = texts(page, r'<h2 class="why-lead">(.*?)</h2>')
    return said.partition(". ")[0].rstrip("."), page


def test_what_was_not_tried_in_time_is_told(client: Client, alice: Any, hurried: Snapshot) -> None:
    found = asked(hurried, 30)
    assert len(found.found) == 1
    said = why_pending.answer(hurried, found, found.told)
    told = [part.text for one in said.trust for part in one if hasattr(part, "text")]
    assert any("were not tried, the time was up: shop/gated, shop/more." in text for text in told)
    client.force_login(alice)
    lead, page = lead_of(client, hurried)
    assert lead == "5 pods wait: 3 for cpu, 2 were not tried"
    assert texts(page, r'<th scope="rowgroup".*?<b>(.*?)</b>')[-1] == "Not tried"
    assert "Ask about the others for up to 20 s" in page
    assert page.count(">Try it now</a>") == 2


def test_one_press_asks_for_a_pod_that_was_not_tried(client: Client, alice: Any, hurried: Snapshot) -> None:
    asked(hurried, 30)
    client.force_login(alice)
    uid = hurried.pods.get(name="more").uid
    asked(hurried, 30, pod=uid)
    lead, page = lead_of(client, hurried, f"?pod={uid}")
    assert lead == "5 pods wait: 3 for cpu, 1 would be placed now, 1 was not tried"
    assert texts(page, r'<p class="why-say">(.*?)</p>')[0].startswith("shop/more: Would be placed now on ")


def test_one_press_asks_for_longer(client: Client, alice: Any, hurried: Snapshot) -> None:
    assert asked(hurried, 30).can_go_on
    again = asked(hurried, 30, longer=True)
    assert (again.left, again.can_go_on) == ([], False)
    client.force_login(alice)
    lead, page = lead_of(client, hurried, "?longer=1")
    assert lead == "5 pods wait: 3 for cpu, 1 for scheduling gates, 1 would be placed now"
    assert "Ask about the others" not in page
    assert '<rect class="placed"' in page


def test_a_pod_that_would_be_placed_is_no_cause_though_it_is_alone(client: Client, alice: Any) -> None:
    found = imported(alice, node("a"), asking("small", "100m"), asking("little", "200m"), name="room")
    one = asked(found, 30)
    told = [plain(said) for said in why_pending.answer(found, one, one.told).trust]
    assert told[0].startswith("One pod of each kind was asked of the node as it stands: 2 answers in ")
    client.force_login(alice)
    assert lead_of(client, found)[0] == "2 pods wait: both would be placed now, each by itself"
    page = client.get(f"/snapshots/{found.pk}/").text
    assert "Would be placed now" in page
    assert "What would make it fit?" not in page


def test_a_sum_is_drawn_up_to_what_is_allowed_and_what_is_too_much_beyond_it() -> None:
    bar = bar_of(Sum("nvidia.com/gpu", "", allowed=60, held=40, promised=10, asked=30))
    assert bar == (50.0, 12.5, 12.5, 25.0, 75.0)
    assert (bar.promised_at, bar.fits_at, bar.over_at) == (50.0, 62.5, bar.allowed)
    full = bar_of(Sum("cpu", "m", allowed=10, held=20, promised=0, asked=20))
    assert (full.fits, full.over, full.allowed) == (0.0, 50.0, 25.0), "held beyond what is allowed"


def test_the_map_counts_nodes_in_words(client: Client, alice: Any) -> None:
    nodes = [node(f"n{place}") for place in range(3)]
    closed = node("shut")
    closed["spec"]["unschedulable"] = True
    found = imported(alice, *nodes, closed, asking("small", "100m"), name="map")
    asked(found, 30)
    client.force_login(alice)
    page = lead_of(client, found)[1]
    assert texts(page, r'<span class="count end">(.*?)</span>') == ["fits on 3, cordoned on 1"]
    assert texts(page, r"<title>(shut.*?)</title>") == ["shut: cordoned"]


def test_a_square_of_the_map_says_its_words_as_they_are_and_the_nearest_has_a_frame() -> None:
    squares = [
        Square("a", 2, 2, 7, "near", "a: 1 < 2", is_nearest=True),
        Square("b", 1001, 2, 7, "fits", "b: fits", is_nearest=False),
    ]
    first, second = drawn(squares).split("</g>")[:2]
    assert first == (
        '<g class="near nearest" transform="translate(2 2)"><title>a: 1 &lt; 2</title>'
        '<rect class="frame" x="-1.5" y="-1.5" width="10" height="10"/>'
        '<use href="#why-near" width="7" height="7"/>'
    )
    assert 'transform="translate(1001 2)"' in second
    assert "frame" not in second


def alike(name: str, workload: str, count: int) -> Alike:
    """So many pods of a workload."""
    names = [f"{name}-{place}" for place in range(count)]
    return Alike(workload, "", "shop", "default-scheduler", 0, {}, names, [f"uid-{one}" for one in names])


def answered(kind: Any, plugin: str = "") -> Answered:
    held = [Held(plugin, 1, 1, 1)] if plugin else []
    return Answered(Cause(kind, nodes=1, held=held))


def test_a_lead_names_what_binds_most_first_and_counts_all_that_wait() -> None:
    whys = [
        Why(alike("fits", "Deployment/shop/fits", 50), answered("fits"), {}),
        Why(alike("evicts", "Deployment/shop/evicts", 40), answered("preempts"), {}),
        unasked(alike("late", "Deployment/shop/late", 60)),
        Why(alike("ports", "Deployment/shop/ports", 5), answered("nodes", "NodePorts"), {}),
        Why(alike("taint", "Deployment/shop/taint", 9), answered("nodes", "TaintToleration"), {}),
        Why(alike("kind", "Deployment/shop/kind", 8), answered("nodes", "NodeAffinity"), {}),
        Why(alike("gates", "Deployment/shop/gates", 2), answered("gated"), {}),
        Why(alike("gang", "Deployment/shop/gang", 1), answered("gang"), {}),
    ]
    groups = grouped(whys)
    assert plain(lead(groups, [one.pods for one in whys], 175)) == (
        "175 pods of 8 workloads wait: 9 for a node without an untolerated taint, 8 for a node of the asked "
        "kind, 5 for a host port, 3 for 2 other causes, 40 would be placed by evicting, each by itself, 50 "
        "would be placed now, each by itself, 60 were not tried."
    )
    assert [group.look for group in groups[-3:]] == ["", "placed", "unasked"]


def test_pods_that_are_asked_about_in_one_session_are_said_to_share_its_room() -> None:
    pods = [alike("a", "Deployment/shop/a", 2), alike("b", "Deployment/shop/b", 1)]
    whys = [Why(replace(one, scheduler="volcano"), answered("fits"), {}) for one in pods]
    assert plain(lead(grouped(whys), [one.pods for one in whys], 3)).endswith(": all would be placed now.")
    [said] = by_themselves(whys)
    together = "are asked in one session, not carried out: room that some get there, others lack."
    assert plain(said) == f"3 pods of volcano {together}"
    [alone] = by_themselves([Why(one, answered("fits"), {}) for one in pods])
    assert plain(alone).startswith("Each is tried by itself: ")
    assert by_themselves([Why(alike("c", "", 1), answered("fits"), {})]) == []


def test_a_gang_of_kube_scheduler_is_a_pod_group_and_one_of_volcano_a_job() -> None:
    cause = Cause(
        "gang", nodes=2, held=[Held("NodePorts", 2, 2, 0)], gang=Gang("shop/train", 8, 6, 8, "train-6")
    )
    of_group = msgspec.structs.replace(cause, of_group=True)
    assert plain(why(cause)).startswith("Its job is short by 2: 6 of 8 pods found a node, 8 are needed")
    assert plain(why(of_group)).startswith("Its pod group is short by 2: 6 of 8 pods found a node")
    gated = Cause("gated", plugin="GangScheduling", reason="waiting", of_group=True)
    assert plain(why(gated)) == "Waits for its pod group: waiting."


def test_a_cluster_that_is_too_large_is_left_to_a_run(alice: Any, settings: Any) -> None:
    settings.TRIAL_KEPT = 3
    found = asked(imported(alice, *CLUSTER, name="large"), 30)
    assert found.untried.startswith("The cluster has 8 pods and nodes, at most 3 are tried here")


def test_who_nobody_serves_is_told(alice: Any) -> None:
    found = imported(alice, node("a"), asking("lost", "1", schedulerName="nobody"), name="unserved")
    [one] = asked(found, 30).found
    assert one.answered.cause.kind == "unserved"


# -- REST --------------------------------------------------------------------------------------------------


@pytest.fixture
def rest(alice: Any) -> APIClient:
    made = APIClient()
    made.force_authenticate(alice)
    return made


def test_rest_answers_with_causes_and_sentences(rest: APIClient, snapshot: Snapshot) -> None:
    answered = rest.get(f"/api/v1/snapshots/{snapshot.pk}/why/")
    assert answered.status_code == 200
    body = answered.json()
    assert (body["state"], body["tried"], body["kinds"]) == ("answered", 2, 2)
    assert Question.objects.get().answered_at is not None
    first = body["rows"][0]
    assert first["pods"] == ["shop/big-1", "shop/big-2", "shop/big-3"]
    assert first["agrees"] == {"same": 1, "counts": 1, "words": 1}
    assert first["cause"]["held"][0]["figure"] == {
        "what": "cpu",
        "asked": 4500,
        "free": 4000,
        "unit": "m",
        "size": 4000,
    }
    assert body["answer"]["verdict"] == "not"


@pytest.mark.parametrize(
    ("accept", "says"),
    [
        ("text/markdown", "- **Insufficient cpu:** 3 pods, more than is free on every open node."),
        ("text/plain", "Insufficient cpu: 3 pods, more than is free on every open node."),
    ],
)
def test_rest_prints_sentences(rest: APIClient, snapshot: Snapshot, accept: str, says: str) -> None:
    answered = rest.get(f"/api/v1/snapshots/{snapshot.pk}/why/?pod=shop/big-2", headers={"Accept": accept})
    assert answered.headers["Content-Type"] == f"{accept}; charset=utf-8"
    assert says in answered.content.decode()


def test_rest_names_a_pod_that_does_not_wait(rest: APIClient, snapshot: Snapshot) -> None:
    answered = rest.get(f"/api/v1/snapshots/{snapshot.pk}/why/?pod=shop/elsewhere")
    assert answered.status_code == 404
    assert "shop/elsewhere" in answered.json()["detail"]


def test_rest_answers_202_while_it_is_computed(
    rest: APIClient, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(why_pending, "asked", lambda *_, **__: Asking(waiting_pods(snapshot), waiting=4))
    answered = rest.get(f"/api/v1/snapshots/{snapshot.pk}/why/")
    assert (answered.status_code, answered.headers["Retry-After"]) == (202, "1")
    assert answered.json()["state"] == "computing"


def test_jobs_that_wait_without_pods_are_no_answer_that_nothing_waits(alice: Any) -> None:
    task = {"name": "w", "replicas": 2, "template": {"spec": {"containers": [container()]}}}
    spec = {"queue": "default", "tasks": [task]}
    job = cluster_object("Job", "train", version="batch.volcano.sh/v1alpha1", namespace="shop", spec=spec)
    snapshot = imported(alice, node("a"), job)
    found = why_pending.asked(snapshot, 30)
    said = plain(why_pending.answer(snapshot, found, found.told).lead)
    assert said.startswith("No pod waits. 1 job waits for pods that a controller makes: ")


def test_of_a_cause_with_many_workloads_the_first_and_the_chosen_one_are_listed(
    client: Client, alice: Any
) -> None:
    lone = [asking(f"lone-{number:02}", "9", priority=100 - number) for number in range(30)]
    found = imported(alice, node("a"), *lone)
    assert asked(found, 30).is_ready
    client.force_login(alice)
    page = client.get(f"/snapshots/{found.pk}/?pod=shop/lone-25").text
    listed = re.findall(r"<b>(lone-\d\d)</b></a><small>", page)
    assert listed == [*(f"lone-{number:02}" for number in range(12)), "lone-25"]
    assert 'rowspan="14"' in page
    [address] = re.findall(r'<a href="([^"]*)">and 17 more workloads</a>', page)
    whole = client.get(f"/snapshots/{found.pk}/{html.unescape(address)}").text
    assert len(re.findall(r"<b>(lone-\d\d)</b></a><small>", whole)) == 30
    assert "more workload" not in whole
