"""A run of Volcano's sessions from recording to its pages: outcome, over time, lives, exports, stops."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.text import cell_text
from dashboard.kinds.volcano.queues import queues_of_several
from dashboard.models import Checkpoint, DecisionIndex, Run
from dashboard.queries import replay
from dashboard.queries.lives import pod_history
from dashboard.queries.log import Filters, next_stop, timeline
from dashboard.services.background import execution
from dashboard.services.results.comparing import compare_runs
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.views.compare_columns import lanes_of
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.objects.reading.object_lists import read_yaml
from tests.dashboard.rows import listing, whole_log
from tests.dashboard.volcano import finished, runs_of, snapshot_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def queues(alice: Any) -> Run:
    """Queue prod reclaims its share from queue research."""
    return runs_of(alice, "queues")[0]


@pytest.fixture
def gangs(alice: Any) -> tuple[Run, Run]:
    """Two gangs, of which one fits: Volcano's run and kube-scheduler's."""
    volcano, kube = runs_of(alice, "gang")
    return volcano, kube


def uid_of(run: Run, name: str) -> str:
    return str(DecisionIndex.objects.filter(run=run, pod_name=name).first().pod_uid)


def test_the_configuration_that_was_given_is_the_one_that_is_played(queues: Run) -> None:
    assert queues.config["actions"] == "enqueue, allocate, reclaim, backfill"
    assert [plugin["name"] for plugin in queues.config["tiers"][0]["plugins"]] == [
        "priority", "gang", "conformance",
    ]  # fmt: skip


def test_queues_of_several_runs_have_a_column_each(queues: Run) -> None:
    table, resources = queues_of_several([queues, queues, queues])
    assert resources[0] == "nvidia.com/gpu"
    assert [column.key for column in table.columns] == ["queue", *[f"run_{queues.pk}"] * 3]
    lanes = next(lanes for queue, lanes in lanes_of(table) if cell_text(queue) == "prod")
    told = [(cell_text(lane.cell), lane.held, lane.deserved) for lane in lanes]
    assert told == [("6 of 8", "60.00%", "80.00%")] * 3


def test_the_outcome_counts_by_queue_and_by_gang_with_the_last_reason(queues: Run) -> None:
    found = queues.outcome
    assert (found["placed"], found["evicted"], found["pending"], found["sessions"]) == (6, 6, 2, 3)
    assert found["by_queue"] == [
        {"queue": "prod", "placed": 6, "evicted": 0, "pending": 2},
        {"queue": "research", "placed": 0, "evicted": 6, "pending": 0},
    ]
    rank, sweep = found["by_group"]
    assert {name: rank[name] for name in ("group", "phase", "running", "min_member", "pods")} == {
        "group": "ml/rank", "phase": "Running", "running": 6, "min_member": 6, "pods": 8,
    }  # fmt: skip
    assert (sweep["running"], sweep["pods"]) == (10, 10)
    assert [row["workload"] for row in found["by_workload"]] == ["PodGroup/ml/sweep", "PodGroup/ml/rank"]
    assert {row["message"]: row["pods"][0]["pod"] for row in found["failures"]} == {
        "0/4 nodes are unavailable: 4 Insufficient nvidia.com/gpu.": "ml/rank-worker-6",
        "Passed over, since the first pod of its task was refused: 0/4 nodes are unavailable: "
        "4 Insufficient nvidia.com/gpu.": "ml/rank-worker-7",
    }
    assert {row["seq"] for row in found["failures"]} == {36}
    assert found["first_eviction"]["by"] == "ml/rank"
    assert found["first_unschedulable"]["pod"] == "ml/rank-worker-0"
    assert found["by_scheduler"] == [
        {"scheduler": "volcano", "attempts": 15, "placed": 6, "evicted": 6, "pending": 2}
    ]


def test_progress_counts_pods_that_wait_and_pods_that_got_their_nodes(queues: Run) -> None:
    assert queues.progress == {"stage": "deciding", "pending": 8, "placed": 6}


def test_pods_wait_from_the_start_till_their_gang_is_committed(queues: Run) -> None:
    queue, waits = queues.over_time["queue"], queues.over_time["waits"]
    assert (queue["parts"]["open"][0], queue["parts"]["open"][-1]) == (8, 2)
    assert queue["longest"]["pods"] == 8
    assert waits["all"]["placed"] == {
        "count": 6, "median": 27, "p90": 27, "longest": waits["all"]["placed"]["longest"],
    }  # fmt: skip
    assert waits["all"]["waiting"]["count"] == 2


def test_a_pods_life_has_its_tries_what_became_of_them_and_what_it_was_told(queues: Run) -> None:
    life = pod_history(queues, "ml/rank-worker-0")
    assert [(event["seq"], event["what"], event["outcome"], event["node"]) for event in life] == [
        (3, "placement", "refused", None),
        (12, "placement", "pipelined", "gpu-1"),
        (19, "told", None, "gpu-1"),
        (21, "placement", "allocated", "gpu-1"),
        (27, "bound", None, "gpu-1"),
    ]
    victim = pod_history(queues, "ml/sweep-worker-12")
    assert [(event["what"], event["by"], event["node"]) for event in victim] == [
        ("evicted", "ml/rank", "gpu-1")
    ]


def test_the_page_of_a_pod_that_was_passed_over_has_the_reason_of_the_first_of_its_task(
    queues: Run, alice: Any, client: Client
) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{queues.pk}/pods/{uid_of(queues, 'rank-worker-7')}/").text
    assert "has already predicated failed, skip. Of its task <b>rank-worker-6</b> was tried first" in page
    assert ": 0/4 nodes are unavailable: 4 Insufficient nvidia.com/gpu." in page
    own = client.get(f"/runs/{queues.pk}/pods/{uid_of(queues, 'rank-worker-6')}/").text
    assert "was tried first" not in own


def test_a_try_that_is_taken_back_stands_in_the_pods_life(alice: Any) -> None:
    run = finished(
        snapshot_of(alice, "gang"),
        profile="volcano-1.16",
        config={
            "actions": "enqueue, allocate",
            "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}]}],
        },
        edits=[{"op": "cordon", "node": "gpu-4"}],
    )
    life = pod_history(run, "ml/bert-worker-0")
    assert [(event["what"], event["by"], event["node"]) for event in life][:2] == [
        ("placement", None, "gpu-1"),
        ("taken back", "ml/bert", "gpu-1"),
    ]


def test_the_index_finds_tries_by_node_and_steps_by_kind_and_outcome(queues: Run) -> None:
    placed = DecisionIndex.objects.filter(Filters(node="gpu-1", kind="placement").condition(), run=queues)
    assert {row.outcome for row in placed} == {"pipelined", "allocated"}
    assert next_stop(queues, 0, Filters(outcome="discarded")) == 11
    assert next_stop(queues, 0, Filters(outcome="overused,idle")) == 30
    assert next_stop(queues, 30, Filters(outcome="idle")) == 36


def test_the_time_line_marks_the_commits_that_evict(queues: Run, gangs: tuple[Run, Run]) -> None:
    assert timeline(queues)["preemptions"] == [18]
    assert timeline(gangs[0])["preemptions"] == []


@pytest.mark.parametrize("table", ["queues", "gangs", "failures", "workloads", "schedulers", "queue"])
def test_tables_are_exported(queues: Run, alice: Any, client: Client, table: str) -> None:
    client.force_login(alice)
    file = client.get(f"/runs/{queues.pk}/outcome/?table={table}&format=csv")
    rows = list(csv.DictReader(StringIO(file.text)))
    assert rows, table
    if table == "gangs":
        assert rows[0]["group"] == "ml/rank"


def test_the_pages_of_a_run_its_pods_and_its_nodes_show_sessions(
    queues: Run, alice: Any, client: Client
) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{queues.pk}/outcome/").text
    assert "By queue" in page
    assert "ml/rank" in page
    pod = client.get(f"/runs/{queues.pk}/pods/{uid_of(queues, 'rank-worker-0')}/").text
    assert "pipelined" in pod
    assert "bound" in pod
    node = client.get(f"/runs/{queues.pk}/nodes/gpu-1/")
    assert node.status_code == 200
    assert "rank-worker-0" in node.text


def test_copies_of_evicted_pods_wait_for_a_session_as_well(alice: Any) -> None:
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "uid-j", "controller": True}
    objects = [item for item in read_yaml(volcano_files("queues")[0][1]) if item["kind"] != "Job"]
    for item in objects:
        if item["kind"] == "Pod":
            item["metadata"]["ownerReferences"] = [owner]
    snapshot = import_snapshot(alice, "owned", [("cluster.json", listing(*objects))])
    run = finished(snapshot, **volcano_scenarios("queues")[0] | {"controllers": "recreate"})
    assert run.outcome["evicted"] == 6
    assert run.outcome["pending"] == 8
    assert run.over_time["queue"]["parts"]["open"][-1] == 8


class Killed(BaseException):
    """A worker is gone in the middle of a step."""


@pytest.mark.parametrize("seq", [5, 17, 20, 33])
def test_a_run_whose_worker_is_killed_inside_a_session_goes_on_byte_for_byte(
    alice: Any, monkeypatch: pytest.MonkeyPatch, seq: int
) -> None:
    monkeypatch.setattr(execution, "CHUNK_DECISIONS", 4)
    monkeypatch.setattr(execution, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(execution, "CHECKPOINT_SHARE", 1e9)
    snapshot = snapshot_of(alice, "queues")
    scenario = create_scenario(alice, {"snapshot": snapshot, **volcano_scenarios("queues")[0]})
    undisturbed, killed = (start_run(alice, scenario) for _ in range(2))
    execution.execute_run(undisturbed.pk)
    step = execution.Player._step

    def until_it_is_killed(player: execution.Player) -> Any:
        if player.simulation.seq == seq:
            raise Killed
        return step(player)

    with monkeypatch.context() as patched:
        patched.setattr(execution.Player, "_step", until_it_is_killed)
        with pytest.raises(Killed):
            execution.execute_run(killed.pk)
    assert Checkpoint.objects.filter(run=killed).exists()
    Run.objects.filter(pk=killed.pk).update(status="queued", owner="")
    execution.execute_run(killed.pk)
    for run in (undisturbed, killed):
        run.refresh_from_db()
    assert whole_log(killed) == whole_log(undisturbed)
    assert killed.outcome == undisturbed.outcome
    assert killed.progress == undisturbed.progress


def test_state_and_explanation_are_there_at_every_decision(queues: Run) -> None:
    for seq in (queues.decisions, 1, 18, 12, 13, 27):
        replay.forget_all()
        with replay.explained(queues, seq) as found:
            assert found.decision.seq == seq
        assert replay.state_at(queues, seq).at == seq


def test_two_gangs_under_both_schedulers_side_by_side(
    gangs: tuple[Run, Run], alice: Any, client: Client
) -> None:
    volcano, kube = gangs
    compared = compare_runs(volcano, kube)
    found = compared.differences
    ends = {row.name: (row.a.place, row.b.place) for row in found.pods if row.order[0] == 0}
    assert ends["bert-worker-2"] == ("node", "pending")
    assert ends["gpt-worker-0"] == ("pending", "node")
    assert compared.sentence.endswith(
        "2 pods have a node under volcano-1.16 only, 2 under kube-1.36 only; 1 on another node in each."
    )
    assert f"run {volcano.pk} decides in sessions" in compared.inputs
    client.force_login(alice)
    page = client.get(f"/compare/?a={volcano.pk}&b={kube.pk}")
    assert page.status_code == 200
    assert "have a node" in page.text


def test_two_runs_of_sessions_say_which_step_differs(alice: Any) -> None:
    one = runs_of(alice, "queues")[0]
    scenario = volcano_scenarios("queues")[0]
    config = scenario["config"] | {"actions": "enqueue, allocate, backfill"}
    other = finished(one.snapshot, **scenario | {"config": config})
    compared = compare_runs(one, other)
    assert compared.differences.first.seq == 12
    assert compared.sentence == (
        f"In run {one.pk}, the one gang is whole; in run {other.pk}, the one gang is not placed. "
        f"The first 11 decisions agree. At decision 12 run {one.pk} promises ml/rank-worker-0 "
        f"room on gpu-1; run {other.pk} closes session 1."
    )
    assert compared.differences.totals[0].preemptions == 1


def test_a_group_that_its_controller_makes_is_counted_and_kept_after_its_end(
    client: Client, alice: Any
) -> None:
    [run] = runs_of(alice, "restart")
    [group] = run.outcome["by_group"]
    assert group["deleted"]
    counted = {name: group[name] for name in ("queue", "pods", "running", "placed", "pending")}
    assert counted == {"queue": "default", "pods": 0, "running": 0, "placed": 10, "pending": 0}
    assert run.outcome["by_queue"] == [{"queue": "default", "placed": 10, "evicted": 0, "pending": 0}]
    client.force_login(alice)
    life = client.get(f"/runs/{run.pk}/jobs/ml/finetune/").text
    assert f"{group['group']}, which isn't there at the end" in life
    assert "enters its queue" in life


def test_pods_without_a_group_count_for_the_one_that_is_made_for_them(alice: Any) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "alone", "namespace": "ml"},
        "spec": {"schedulerName": "volcano", "containers": [{"name": "c", "image": "i"}]},
    }
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n"},
        "status": {"allocatable": {"cpu": "4", "pods": "9"}},
    }
    snapshot = import_snapshot(alice, "alone", [("alone.json", listing(node, pod))])
    [group] = finished(snapshot, profile="volcano-1.16").outcome["by_group"]
    assert (group["pods"], group["running"], group["placed"]) == (1, 1, 1)


def test_the_page_has_gangs_that_lack_pods_before_whole_ones(
    client: Client, alice: Any, gangs: tuple[Run, Run]
) -> None:
    run = gangs[0]
    one = {**run.outcome["by_group"][0], "running": 4, "min_member": 4, "pending": 0, "deleted": False}
    whole = [{**one, "group": f"ml/a-{number:02}"} for number in range(30)]
    last = [
        {**one, "group": "ml/x-deleted", "running": 0, "deleted": True},
        {**one, "group": "ml/y-waits", "pending": 1},
        {**one, "group": "ml/z-broken", "running": 3},
    ]
    run.outcome["by_group"] = [*whole, *last]
    run.save()
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/outcome/").content.decode()
    table = page[page.index('class="by-group"') :]
    assert table.index("ml/z-broken") < table.index("ml/y-waits") < table.index("ml/a-00")
    assert "ml/a-22" in table
    assert "ml/a-23" not in table
