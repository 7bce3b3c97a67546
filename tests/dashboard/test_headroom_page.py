"""Headroom as a page: shapes by pools, own shapes that the address keeps, CSV, and a decision of a run."""

from typing import Any

import pytest
import yaml
from django.test import Client

from dashboard.answers.more_fit import more_fit
from dashboard.answers.printers.words import plain
from dashboard.models import Snapshot
from dashboard.services.background import dispatch, warm_worlds
from dashboard.services.background.execution import execute_run
from dashboard.services.questions import stored_questions
from dashboard.services.questions.own_shapes import made_shape, read_shape
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.views.headroom_blocks import blocks, keys
from scheduler_core.events.decisions import Trust
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.headroom.counting import room_for
from scheduler_core.world.headroom.results import Headroom, PoolRoom, Room, Stopping
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.rests_on import RestsOn
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.dashboard.rows import listing, node, pod
from tests.dashboard.test_preflight_page import words
from tests.scheduler_core.volcano import gangs

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    warm_worlds.forget_worlds()
    objects = node("a", pool="big"), node("b", pool="small", cpu="1"), pod("one", node="a"), pod("waits")
    return import_snapshot(alice, "room", [("cluster.json", listing(*objects))])


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def shown(page: Client, snapshot: Snapshot, query: str = "") -> str:
    return page.get(f"/snapshots/{snapshot.pk}/headroom/?{query}").text


def test_a_shape_of_ones_own_is_written_into_the_address_and_counted(
    page: Client, snapshot: Snapshot
) -> None:
    form = {"cpu": "1", "memory": "1Gi", "more": "nodeSelector: {pool: big}", "name": "mine"}
    answer = page.get(f"/snapshots/{snapshot.pk}/headroom/", form)
    assert answer.status_code == 302
    body = page.get(answer["Location"]).text
    assert "3 more of mine fit. What stops the next one:" in words(body)
    assert "3 more on 1 of 1 node" in body
    assert "closed: 1 node<" in body
    rows = page.get(f"{answer['Location']}&format=csv").text.splitlines()
    assert rows[0].startswith("shape,pool big,pool small,fit,evicting")
    assert [row.split(",")[0] for row in rows] == ["shape", "mine"], "nothing else is counted"
    assert rows[-1].startswith("mine,3,closed,3,")
    assert f"{answer['Location'].split('?')[1]}&amp;format=html" in body
    file = page.get(f"{answer['Location']}&format=html")
    assert file["Content-Disposition"] == f'attachment; filename="headroom-{snapshot.pk}.html"'
    assert "3 more of mine fit. What stops the next one:" in words(file.text)
    assert 'href="/' not in file.text, "its links lead to its own tables alone"
    assert page.get(f"{answer['Location']}&format=xml").status_code == 404


def test_a_shape_of_a_template_says_beside_it_that_its_pod_tolerates_nothing() -> None:
    template = "ResourceClaimTemplate/shop/card"
    room = Room(template, 1, 0, {}, {}, [], [], None, [], "first", devices=["1 device of class gpu"])
    answer = more_fit(Headroom([room], []), asked=True)
    assert plain(answer.tables[0].rows[0][0]) == "shop/card (1 device of class gpu, no tolerations)"
    assert any("devices with taints are passed over" in plain(one) for one in answer.trust)
    other = Room("Deployment/shop/card", 1, 0, {}, {}, [], [], None, [], "first")
    assert not any("tolerations" in plain(one) for one in more_fit(Headroom([other], []), asked=True).trust)


def test_what_is_not_modelled_is_a_sentence_of_the_trust() -> None:
    trust = Trust("all", ["1 pod of pod groups, tried one by one"], [], [])
    room = Room("one", 0, 0, {}, {}, [], [], None, [], "first")
    answer = more_fit(Headroom([room], [], RestsOn("kube-1.36", trust)), asked=True)
    assert [plain(one) for one in answer.trust] == ["Not modelled: 1 pod of pod groups, tried one by one."]


def test_where_no_shape_is_found_the_lead_says_so() -> None:
    assert "Name a pod or a pod group" in plain(more_fit(Headroom([], []), asked=True).lead)
    assert plain(more_fit(Headroom([], ["a"]), asked=True).lead) == "Nothing was counted."


def test_a_cluster_without_workloads_is_not_called_full(page: Client, snapshot: Snapshot) -> None:
    body = words(shown(page, snapshot))
    assert "the import has no workload with pods to count more of" in body
    assert "Write a shape below, or import them too." in body


def test_faults_stand_on_the_page(page: Client, snapshot: Snapshot) -> None:
    assert "is not a field of a shape" in shown(page, snapshot, "shape={cpus: 2}")
    assert "must be a mapping" in shown(page, snapshot, "more=3")
    assert "is not in this cluster" in shown(page, snapshot, "workload=Deployment/a/b")


def test_somebody_ends_it_and_it_is_counted_again(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        patched.setattr(stored_questions, "wait_for", lambda key, seconds: None)
        assert "Being counted" in shown(page, snapshot)
        asked_again = f'hx-get="/snapshots/{snapshot.pk}/headroom/?of=1&amp;other=1"'
        assert asked_again in shown(page, snapshot, "of=1&other=1"), (
            "what is shown of it stays in the address"
        )
        page.post(f"/snapshots/{snapshot.pk}/headroom/end/")
        assert "The counting was ended." in shown(page, snapshot)
    assert "Write a shape below" in shown(page, snapshot, "again=1"), "no workload is there"


def test_as_a_run_stands_after_a_decision(
    page: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "send_run", lambda pk: True)
    run = start_run(alice, create_scenario(alice, {"snapshot": snapshot, "name": "run"}))
    execute_run(run.pk)
    shape = "shape={cpu: 500m}&of=9"
    assert "As" in shown(page, snapshot, f"run={run.pk}&decision=0&{shape}")
    address = f"/api/v1/snapshots/{snapshot.pk}/headroom/"
    asked = {"shape": "{cpu: 500m}", "workload": "Pod/shop/one"}
    at = [
        page.get(address, {**asked, "run": run.pk, **more}).json()["result"]["rooms"][1]["fit"]
        for more in ({"decision": 0}, {})
    ]
    assert at == [9, 8]
    assert page.get(address, {**asked, "run": run.pk, "decision": 99}).status_code == 404
    assert page.get(address, {**asked, "decision": 1}).status_code == 400


JOB = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: train}
spec:
  minAvailable: 2
  schedulerName: volcano
  queue: default
  tasks:
  - name: a
    replicas: 3
    template: {spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 1}}}]}}
"""


def test_one_more_of_a_gang_is_its_group_with_its_pods() -> None:
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
        "metadata": {"name": "train", "namespace": "shop"}, "spec": {"minMember": 2, "queue": "default"},
    }  # fmt: skip
    pods = [pod(f"train-{at}", cpu="1", schedulerName="volcano") for at in range(2)]
    for one in pods:
        one["metadata"] |= {"annotations": {"scheduling.k8s.io/group-name": "train"}}
        del one["metadata"]["uid"], one["status"]
    objects = [node("a"), node("b", cpu="3"), gangs.queue("default", 1)]
    world = WarmWorld(RunInput(objects=objects, profile="volcano-1.16"))
    shape = read_shape(yaml.safe_dump_all([group, *pods]))
    made = made_shape(world, shape["name"], shape["objects"])
    assert (made.size, made.is_gang, room_for(world, made).fit) == (2, True, 3)
    job = read_shape(JOB)
    made = made_shape(world, job["name"], job["objects"])
    assert (made.least, made.is_gang, room_for(world, made).fit) == (2, True, 3)
    with pytest.raises(BadInput, match="must be one job alone"):
        made_shape(world, job["name"], [*job["objects"], group])


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("3", ""), ("{cpu: [", ""), ("{resources: 3}", "resources"), ("{cpu: lots}", "cpu"),
        ("a: *b", "line 1"), ("{cpu: 9223372036854775807}", "cpu"), ("{memory: 1e30}", "memory"),
        ("{gpus: 10000000000000000000}", "nvidia.com/gpu"),
        ("{kind: Pod, apiVersion: v1, spec: {containers: [{name: a, image: a, resources: "
         "{requests: {cpu: 1e18}}}]}, metadata: {name: a}}", "cpu"),
    ],
)  # fmt: skip
def test_a_shape_that_is_none_is_refused(text: str, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_shape(text)
    assert field in caught.value.problems[0].field


def test_shapes_name_themselves_and_cards_are_limits() -> None:
    shape = read_shape("{cpu: 2, gpus: 1, tolerations: [{operator: Exists}]}")
    assert shape["name"] == "2 cpu, 1 nvidia.com/gpu with tolerations"
    [pod_] = shape["objects"]
    assert pod_["spec"]["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu": "1"}


def test_of_many_nodes_there_is_a_histogram() -> None:
    pool = PoolRoom("p", 300, 250, False, {f"n{at}": 1 for at in range(250)})
    room = Room("s", 250, 0, {}, {}, [pool], [], None, [], "first")
    [drawn] = blocks(room)
    assert (drawn.is_histogram, [one.says for one in drawn.columns]) == (
        True, ["50 nodes, each with 0 more", "250 nodes, each with 1 more"],
    )  # fmt: skip


def test_the_pattern_of_a_block_says_what_is_out_then() -> None:
    """In a histogram a column has a part for each."""
    stops = [Stopping("NodeResourcesFit", "", "memory", 250), Stopping("NodeResourcesFit", "", "gpu", 1)]
    few = PoolRoom("p", 3, 3, False, {"a": 2, "b": 1})
    room = Room("s", 3, 0, {}, {}, [few], stops, None, [], "first", {"a": 0, "b": 1})
    assert [(one.out, one.says) for one in keys(room)] == [("memory", "then memory"), ("other", "then gpu")]
    assert [[one.out for one in column.rectangles] for column in blocks(room)[0].columns] == [
        ["memory", "memory"], ["other"],
    ]  # fmt: skip
    many = PoolRoom("p", 300, 250, False, {f"n{at}": 1 for at in range(250)})
    stopped = {f"n{at}": int(at >= 200) for at in range(250)}
    room = Room("s", 250, 0, {}, {}, [many], stops, None, [], "first", stopped)
    parts = blocks(room)[0].columns[1].rectangles
    assert [(one.out, one.height) for one in parts] == [("memory", 64), ("other", 16)]


def test_other_amounts_of_a_shape_are_counted_when_asked_for(page: Client, snapshot: Snapshot) -> None:
    query = "shape={cpu: '2', memory: 1Gi, nodeSelector: {pool: big}, name: mine}"
    assert "Count other amounts of cpu and memory" in shown(page, snapshot, query)
    body = shown(page, snapshot, f"{query}&other=1")
    assert "Asking for 1.5 cpu instead of 2, 2 fit instead of 1." in words(body)
    assert 'aria-label="cpu: 500m: 7; 1: 3; 1.5: 2; 2: 1; 3: 1; 4: 0"' in body
    assert 'aria-label="memory: 256' in body


def test_where_one_more_is_a_gang_pools_and_nodes_count_its_pods() -> None:
    pool = PoolRoom("p", 3, 6, False, {"a": 4, "b": 2})
    room = Room("s", 3, 0, {}, {}, [pool], [], None, [], "first", size=2)
    [drawn] = blocks(room)
    assert (drawn.says, drawn.columns[0].says) == ("6 pods on 2 of 3 nodes, 1 takes none", "a: 4 pods")
    [table] = more_fit(Headroom([room], []), asked=True).tables
    assert [plain(cell) for cell in table.rows[0]][1:3] == ["6 pods", "3"]


@pytest.mark.parametrize("ended_by", ["most", "stopped"])
@pytest.mark.parametrize("taking", [{"a": 4, "b": 2}, {f"n{at}": 1 for at in range(250)}])
def test_nodes_are_not_said_to_be_full_where_the_count_ended_before_they_were_needed(
    ended_by: Any, taking: dict[str, int]
) -> None:
    fit = sum(taking.values())
    pools = [PoolRoom("p", 5000, fit, False, taking), PoolRoom("q", 60, 0, False, {})]
    first, second = blocks(Room("s", fit, 0, {}, {}, pools, [], None, [], ended_by))
    assert first.says == f"{fit} more on {len(taking)} of 5,000 nodes, where the count ended"
    assert second.says == "none tried before the count ended: 60 nodes"
    assert not any("0 more" in column.says for pool in (first, second) for column in pool.columns)
