"""What came of a run's prediction: held against a later snapshot, in figures, sentences, pages and REST."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.words import plain
from dashboard.errors import NotYet
from dashboard.live.reading import IN_PART
from dashboard.models import Cluster, Run, Snapshot
from dashboard.services.background import putting_away
from dashboard.services.background.importing import import_uploads
from dashboard.services.results import came_true as service
from dashboard.services.results.came_true import answer_about, came_true
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.objects.problems import BadInput
from tests.builders import cluster_object, container, node, pod, workload
from tests.dashboard.rows import listing
from tests.dashboard.served_here import SERVER, served_here
from tests.dashboard.test_command_line import ask
from tests.dashboard.test_comparison import run_of

pytestmark = pytest.mark.django_db

Object = dict[str, Any]
NODES = [
    node("a", labels={"pool": "old"}), node("b", labels={"pool": "old"}), node("c", labels={"pool": "new"}),
]  # fmt: skip
ASKS = {"containers": [container(requests={"cpu": "1", "memory": "1Gi"})]}


def deployment(name: str, replicas: int, **parts: Any) -> list[Object]:
    """A Deployment with its ReplicaSet, as an API server has them."""
    made = workload("Deployment", name, replicas=replicas, uid=f"d-{name}", template=ASKS, **parts)
    between = workload(
        "ReplicaSet", f"{name}-1", replicas=replicas, uid=f"r-{name}", owner=made, template=ASKS
    )
    return [made, between]


def copies(name: str, *places: str, first: int = 0, **parts: Any) -> list[Object]:
    """Pods of a Deployment on nodes, or waiting where the place is empty."""
    owner = cluster_object("ReplicaSet", f"{name}-1", version="apps/v1", namespace="shop")
    owner["metadata"]["uid"] = f"r-{name}"
    return [
        pod(
            f"{name}-1-{first + number}", namespace="shop", on=place, owner=owner, labels={"app": name},
            containers=ASKS["containers"], **parts,
        )
        for number, place in enumerate(places)
    ]  # fmt: skip


BEFORE = [*NODES, *deployment("cart", 2), *copies("cart", "a", "b")]
SCALED = [*deployment("cart", 6)]


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.objects.create(name="prod", context="prod", address="https://prod", sealed=b"x")


@pytest.fixture
def reading(cluster: Cluster) -> Any:
    """Makes readings of one cluster, one after the other."""

    def read(*objects: Object, name: str = "later") -> Snapshot:
        snapshot = import_snapshot(None, name, [("cluster.json", listing(*objects))])
        Snapshot.objects.filter(pk=snapshot.pk).update(cluster=cluster)
        snapshot.refresh_from_db()
        return snapshot

    return read


def edit(op: str, **fields: Any) -> Object:
    return {"op": op, **fields}


SCALE = edit("scale", kind="Deployment", namespace="shop", name="cart", replicas=6)


def said(run: Run, user: Any, chosen: Snapshot | None = None) -> tuple[str, str]:
    """The verdict, and all sentences but what it rests on."""
    found = came_true(user, run, chosen)
    answer = answer_about(run, found)
    said = [[line.head, line.says, *line.under] for line in answer.lines]
    lines = [" ".join(filter(None, map(plain, one))) for one in said]
    return found.verdict, "\n".join([plain(answer.lead), *lines])


def test_a_scaled_deployment_came_true(reading: Any, alice: Any) -> None:
    run = run_of(reading(*BEFORE), edits=[SCALE])
    with pytest.raises(NotYet, match="no reading of the cluster after"):
        came_true(alice, run)
    reading(*BEFORE, name="too early")
    assert said(run, alice)[0] == "can’t be told"
    reading(*NODES, *SCALED, *copies("cart", "a", "b", "a", "c", "c", "c"), name="the change")
    reading(*NODES, *SCALED, *copies("cart", "a", "b", "", "", "", ""), name="much later")
    found = came_true(alice, run)
    assert found.snapshot_name == "the change", "the first with the changes"
    verdict, words = said(run, alice)
    assert verdict == "came true"
    assert words.startswith(
        "Came true. shop/cart: predicted 6 of 6 pods with a node; 6 of 6 have one. "
        "Of 4 pods that got a node since, 3 on the predicted pool and 3 on the predicted node."
    )
    assert "scale Deployment shop/cart from 2 to 6 pods: applied." in words


def test_one_pod_less_differs_and_what_came_between_is_named(reading: Any, alice: Any) -> None:
    run = run_of(reading(*BEFORE), edits=[SCALE])
    others = [*deployment("batch", 9), *copies("batch", *"aaabbbccc")]
    reading(*NODES[:2], node("d"), *SCALED, *others, *copies("cart", "a", "b", "a", "b", "c", ""))
    verdict, words = said(run, alice)
    assert verdict == "differs"
    assert "It differs. shop/cart: predicted 6 of 6 pods with a node; 5 of 6 have one." in words
    assert "1 node came, 1 node left, 9 pods of others more than predicted, 1 object changed." in words
    assert "Nodes that came: d." in words
    assert "Nodes that left: c." in words
    assert "More pods than predicted: shop/batch ×9." in words
    assert "Changed: Deployment shop/batch (new)." in words


def test_one_pod_more_differs_too(reading: Any, alice: Any) -> None:
    full = [node("a"), *deployment("cart", 2), *copies("cart", "a", "a")]
    run = run_of(reading(*full), edits=[SCALE])
    reading(node("a", cpu="8"), *SCALED, *copies("cart", *"aaaaaa"))
    verdict, words = said(run, alice)
    assert verdict == "differs"
    assert "predicted 4 of 6 pods with a node; 6 of 6 have one" in words
    assert "Changed: Node a (status.allocatable.cpu)." in words


@pytest.mark.parametrize(
    ("later", "state", "note"),
    [
        (deployment("cart", 2), "not applied", "Deployment shop/cart has spec.replicas 2, asked: 6"),
        (deployment("cart", 7), "not applied", "Deployment shop/cart has spec.replicas 7, asked: 6"),
        ([], "not applied", "Deployment shop/cart isn’t there"),
    ],
)
def test_what_was_not_applied_cant_be_told(
    reading: Any, alice: Any, later: list[Object], state: str, note: str
) -> None:
    run = run_of(reading(*BEFORE), edits=[SCALE])
    reading(*NODES, *later, *copies("cart", *"aabbcc"))
    found = came_true(alice, run)
    assert (found.verdict, found.applied[0].state, found.applied[0].notes) == ("can’t be told", state, [note])
    assert said(run, alice)[1].startswith("Can’t be told: 1 of 1 change is not wholly seen in later.")


def test_edits_are_looked_for_one_by_one_as_the_last_of_them_leaves_things(reading: Any, alice: Any) -> None:
    high = cluster_object("PriorityClass", "high", version="scheduling.k8s.io/v1", value=7)
    del high["metadata"]["uid"]
    edits = [
        edit("scale", kind="Deployment", namespace="shop", name="cart", replicas=4),
        edit("cordon", node="a"),
        edit("label", nodes=["b", "c"], labels={"tier": "1"}),
        edit("taint", node="c", taints=["dedicated=web:NoSchedule"]),
        edit("set-workload", kind="Deployment", namespace="shop", name="cart", replicas=6, cpu="500m"),
        edit("add", manifest=high),
        edit("clone-node", node="b", count=2),
        edit("delete", kind="Deployment", namespace="shop", name="old"),
    ]  # fmt: skip
    run = run_of(reading(*BEFORE, *deployment("old", 1), *copies("old", "a")), edits=edits)
    a, b, c = (node(name, labels={"pool": pool}) for name, pool in (("a", "old"), ("b", "old"), ("c", "new")))
    a["spec"]["unschedulable"] = True
    b["metadata"]["labels"]["tier"] = "1"
    c["spec"]["taints"] = [{"key": "dedicated", "value": "web", "effect": "NoSchedule"}]
    cart, between = deployment("cart", 6)
    cart["spec"]["template"]["spec"] = {"containers": [container(requests={"cpu": "0.5", "memory": "1Gi"})]}
    new = node("cloud-7", labels={"pool": "old"}, cpu="16")
    reading(a, b, c, new, cart, between, *deployment("old", 1))
    found = came_true(alice, run)
    assert [(one.state, one.notes) for one in found.applied] == [
        ("applied", []),
        ("applied", []),
        ("partly", ["Node c has metadata.labels.tier none, asked: 1"]),
        ("applied", []),
        ("applied", []),
        ("not applied", ["PriorityClass high isn’t there"]),
        ("partly", ["1 of 2 nodes came: cloud-7", "1 that are as large, in this pool and zone, didn’t come"]),
        ("not applied", ["Deployment shop/old is still there"]),
    ]
    assert found.between.came == [], "it came by an edit"
    assert found.verdict == "can’t be told"


def test_drained_nodes_are_held_too(reading: Any, alice: Any) -> None:
    run = run_of(reading(*BEFORE), edits=[edit("drain", node="a")])
    away = [
        {**node("a", labels={"pool": "old"}), "spec": {"unschedulable": True}}, *NODES[1:],
        *deployment("cart", 2),
    ]  # fmt: skip
    reading(*away, *copies("cart", "a", "b"), name="cordoned alone")
    assert came_true(alice, run).applied[0].notes == ["a: none of its 1 pod has left"]
    reading(*away, *copies("cart", "c", "b", first=1), name="drained")
    found = came_true(alice, run)
    assert (found.verdict, found.snapshot_name) == ("came true", "drained")
    words = said(run, alice)[1]
    assert (
        "predicted 2 of 2 pods with a node and 1 of 1 node empty; 2 of 2 have one and 1 node is empty"
        in words
    )


def test_a_node_that_is_gone_was_drained(reading: Any, alice: Any) -> None:
    run = run_of(reading(*BEFORE), edits=[edit("drain", node="a")])
    reading(*NODES[1:], *deployment("cart", 2), *copies("cart", "c", "b", first=1))
    found = came_true(alice, run)
    assert (found.verdict, found.applied[0].notes) == ("came true", ["a is gone"])
    assert found.between.left == [], "it left by the edit"


def test_what_no_snapshot_shows_is_said_to_be_unseen(reading: Any, alice: Any) -> None:
    stop = edit("stop-kubelet", node="a", at=1)
    run = run_of(reading(*BEFORE), edits=[stop], driver="timed", until=30)
    reading(*BEFORE)
    found = came_true(alice, run)
    assert (found.applied[0].state, found.verdict) == ("unseen", "can’t be told")


def test_what_a_reading_may_lack_is_not_taken_for_deleted(reading: Any, alice: Any) -> None:
    delete = edit("delete", kind="Deployment", namespace="shop", name="cart")
    run = run_of(reading(*BEFORE), edits=[delete])
    later = reading(*NODES)
    assert came_true(alice, run).applied[0].state == "applied"
    Snapshot.objects.filter(pk=later.pk).update(warnings=[f"{IN_PART}: deployments.apps."])
    service._kept.clear()
    found = came_true(alice, run)
    assert (found.applied[0].state, found.verdict) == ("unseen", "can’t be told")
    assert found.between.objects == []


def test_pods_that_leave_or_failed_have_no_node(reading: Any, alice: Any) -> None:
    run = run_of(reading(*BEFORE), edits=[SCALE])
    pods = copies("cart", "a", "b", "a", "b", "c", "c")
    pods[4]["metadata"] |= {"deletionTimestamp": "2026-05-01T10:00:00Z", "deletionGracePeriodSeconds": 30}
    pods[5]["status"]["phase"] = "Failed"
    reading(*NODES, *SCALED, *pods)
    found = came_true(alice, run)
    assert (found.verdict, found.judged[0].found.placed) == ("differs", 4)


def test_pods_of_a_job_that_are_done_were_placed(reading: Any, alice: Any) -> None:
    job = workload("Job", "etl", template=ASKS, spec={"parallelism": 2, "completions": 2})
    run = run_of(reading(*NODES), edits=[edit("add", manifest=job, duration=5)], driver="timed", until=60)
    there = {**job, "metadata": {**job["metadata"], "uid": "etl"}}
    pods = [
        pod(f"etl-{name}", namespace="shop", on="a", owner=there, containers=ASKS["containers"])
        for name in ("x7", "q9")
    ]
    pods[0]["status"]["phase"] = "Succeeded"
    reading(*NODES, there, *pods)
    found = came_true(alice, run)
    assert (found.verdict, found.judged[0].predicted.placed, found.judged[0].found.placed) == (
        "came true",
        2,
        2,
    )


def test_a_gang_of_volcano_is_held_by_its_job(reading: Any, alice: Any) -> None:
    job = cluster_object(
        "Job", "train", version="batch.volcano.sh/v1alpha1", namespace="ml",
        spec={
            "minAvailable": 3, "schedulerName": "volcano", "queue": "default",
            "tasks": [{"name": "w", "replicas": 3, "template": {"spec": ASKS}}],
        },
    )  # fmt: skip
    del job["metadata"]["uid"]
    run = run_of(reading(*NODES), edits=[edit("add", manifest=job)], profile="volcano-1.16")
    there = {**job, "metadata": {**job["metadata"], "uid": "train"}}
    owned = {"owner": there, "namespace": "ml", "containers": ASKS["containers"]}
    named = {"annotations": {"scheduling.k8s.io/group-name": "train-u1"}}
    spec = {"schedulerName": "volcano"}
    reading(*NODES, there, *(pod(f"train-w-{n}", on="b", spec=spec, **owned, **named) for n in range(3)))
    found = came_true(alice, run)
    assert [(row.workload, row.predicted.placed, row.found.placed) for row in found.judged] == [
        ("Job.batch.volcano.sh/ml/train", 3, 3)
    ]
    assert found.verdict == "came true", said(run, alice)


def test_a_run_without_edits_is_about_all_that_it_decided(reading: Any, alice: Any) -> None:
    waits = copies("cart", "", first=2)
    run = run_of(reading(*BEFORE, *waits))
    reading(*BEFORE, *copies("cart", "c", first=2))
    verdict, words = said(run, alice)
    assert (verdict, "The run has no edits: nothing was to be changed." in words) == ("came true", True)


def test_a_snapshot_is_chosen_where_no_cluster_is_connected(alice: Any) -> None:
    def imported(*objects: Object) -> Snapshot:
        return import_snapshot(None, "file", [("cluster.json", listing(*objects))])

    run = run_of(imported(*BEFORE), edits=[SCALE])
    later, other = imported(*NODES, *SCALED, *copies("cart", *"abcabc")), imported(node("elsewhere"))
    with pytest.raises(NotYet):
        came_true(alice, run)
    found = came_true(alice, run, later)
    assert (found.verdict, found.is_connected) == ("came true", False)
    for chosen, fault in ((other, "it is another cluster"), (run.snapshot, "is not later than")):
        with pytest.raises(BadInput) as refused:
            came_true(alice, run, chosen)
        assert fault in refused.value.problems[0].message


def test_the_page_links_what_it_says_and_gives_a_table(reading: Any, alice: Any, client: Client) -> None:
    client.force_login(alice)
    run = run_of(reading(*BEFORE), edits=[SCALE])
    address = f"/runs/{run.pk}/came-true/"
    assert f'href="{address}"' in client.get(f"/runs/{run.pk}/outcome/").content.decode()
    assert "no reading of the cluster after" in client.get(address).content.decode()
    later = reading(*NODES, *SCALED, *copies("cart", "a", "b", "a", "c", "c", ""))
    body = client.get(address).content.decode()
    assert "<b>It differs. </b>" in body
    assert f'href="/snapshots/{later.pk}/workloads/Deployment/shop/cart/"' in body
    assert f'href="/runs/{run.pk}/?at=' in body, "to the decision"
    table = client.get(address, {"format": "csv"}).content.decode().splitlines()
    assert table[0].startswith("workload,predicted_placed")
    assert table[1].startswith("shop/cart,6,0,0,5,1,0")
    early = client.get(address, {"snapshot": run.snapshot_id})
    assert early.status_code == 422
    assert "is not later than" in early.content.decode()


def test_the_page_of_the_cluster_lists_predictions(
    reading: Any, cluster: Cluster, alice: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    before = reading(*BEFORE)
    runs = [run_of(before, edits=edits) for edits in ([SCALE], [edit("drain", node="a")], [])]
    address = f"/clusters/{cluster.pk}/"
    assert client.get(address).content.decode().count("no reading of the cluster after") == len(runs)
    reading(*NODES, *SCALED, *copies("cart", *"abacc", ""))
    monkeypatch.setattr(service, "is_soon_summed", lambda run, decisions: False)
    body = client.get(address).content.decode()
    assert body.count("Open it to ask.") == len(runs), "nobody waits for large ones"
    client.get(f"/runs/{runs[0].pk}/came-true/")
    assert "✕ differs" in client.get(address).content.decode(), "it was opened"
    monkeypatch.undo()
    body = re.sub(r"<[^>]+>", "", client.get(address).content.decode())
    assert "Of 3 predictions 0 came true, 1 differs, 2 can’t be told." in body
    assert "not applied, or not wholly" in body


def test_a_later_reading_that_was_put_away_is_brought_back_and_not_passed_over(
    reading: Any, cluster: Cluster, alice: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr(putting_away, "STAYS_WHOLE", timedelta(0))
    monkeypatch.setattr(putting_away, "ROWS_STAY", timedelta(0))
    client.force_login(alice)
    run = run_of(reading(*BEFORE), edits=[SCALE])
    change = reading(*NODES, *SCALED, *copies("cart", *"abacbc"), name="the change")
    late = reading(*NODES, *SCALED, *copies("cart", *"aba", "", "", ""), name="much later")
    assert putting_away.put_away_before(late.pk) == putting_away.remove_rows_of_put_away() == 1
    assert "Open it to ask." in client.get(f"/clusters/{cluster.pk}/").content.decode()
    change.refresh_from_db()
    assert change.status == "away", "a list brings nothing back"
    address = f"/api/v1/runs/{run.pk}/came-true/"
    assert client.get(address).headers["Retry-After"] == "1"
    assert client.get(f"/runs/{run.pk}/came-true/").status_code == 202
    import_uploads(change.pk)
    assert client.get(address).json()["verdict"] == "came true"


def test_rest_gives_figures_and_sentences(reading: Any, alice: Any, client: Client) -> None:
    client.force_login(alice)
    run = run_of(reading(*BEFORE), edits=[SCALE])
    address = f"/api/v1/runs/{run.pk}/came-true/"
    assert client.get(address).status_code == 409
    later = reading(*NODES, *SCALED, *copies("cart", *"abacbc"))
    told = client.get(address).json()
    assert (told["verdict"], told["held"]["snapshot"], told["answer"]["verdict"]) == (
        "came true", later.pk, "alike",
    )  # fmt: skip
    assert told["held"]["drift"][0]["predicted"] == {"placed": 6, "waiting": 0, "left": 0}
    words = client.get(address, headers={"accept": "text/markdown"}).content.decode()
    assert "Came true." in words
    assert client.get(address, {"snapshot": run.snapshot_id}).status_code == 400


def test_the_command_line_asks_a_server_and_ends_with_the_verdict(
    reading: Any, alice: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)

    served_here(monkeypatch, client)
    run = run_of(reading(*BEFORE), edits=[SCALE])
    asked = ["came-true", str(run.pk), *SERVER]
    early = ask(*asked)
    assert (early.exit_code, early.stdout) == (3, "")
    assert "There is no reading of the cluster after" in early.stderr
    reading(*BEFORE, name="too early")
    assert ask(*asked).exit_code == 4
    later = reading(*NODES, *SCALED, *copies("cart", *"abacbc"))
    told = ask(*asked)
    assert (told.exit_code, told.stdout.split(".")[0]) == (0, "Came true")
    assert "<title>What came of run" in ask(*asked, "--format", "html").stdout
    reading(*NODES, *SCALED, *copies("cart", *"abacb", ""), name="a pod less")
    assert ask(*asked, "--snapshot", str(later.pk + 1)).exit_code == 1
    assert ask(*asked, "--snapshot", "later").exit_code == 3
