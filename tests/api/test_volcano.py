"""Volcano over REST: its configuration kept, refused by field, told; beside kube-scheduler."""

from typing import Any

import pytest

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.objects.reading.object_lists import read_yaml
from tests.dashboard.rows import listing

URL = "/api/v1/scenarios/"
OPTIONS = {"actions": "enqueue, allocate", "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}]}]}


@pytest.fixture
def snapshot(as_alice: Any) -> int:
    """The number of a snapshot of two gangs."""
    data = listing(*read_yaml(volcano_files("gang")[0][1]))
    post = as_alice.generic("POST", "/api/v1/snapshots/?name=gang", data, content_type="application/json")
    return int(post.json()["id"])


def create(client: Any, snapshot: int, config: Any = OPTIONS, **fields: Any) -> Any:
    body = {"snapshot": snapshot, "scheduler": {"profile": "volcano-1.16", "config": config}, **fields}
    return client.post(URL, body, format="json")


def faults(answer: Any) -> list[tuple[str, str, str]]:
    assert answer.status_code == 400, answer.content
    return [(error["object"], error["field"], error["message"]) for error in answer.json()["errors"]]


def test_a_configuration_is_kept_as_the_document_that_it_is(as_alice: Any, snapshot: int) -> None:
    given = volcano_scenarios("queues")[0]["config"]
    made = create(as_alice, snapshot, given)
    assert made.status_code == 201, made.content
    assert made.json()["scheduler"] == {"profile": "volcano-1.16", "config": given}
    assert made.json()["driver"] == "instant"


def test_a_configuration_may_be_sent_as_the_text_of_its_file(as_alice: Any, snapshot: int) -> None:
    text = "actions: 'enqueue, allocate'\ntiers:\n- plugins:\n  - name: gang\n  - name: predicates\n"
    assert create(as_alice, snapshot, text).json()["scheduler"]["config"] == OPTIONS
    [fault] = faults(create(as_alice, snapshot, "actions: [\n"))
    assert fault[:2] == ("request", "scheduler.config")


def test_addresses_in_a_configuration_are_never_stored(as_alice: Any, snapshot: int) -> None:
    metrics = {"type": "prometheus", "address": "http://prometheus.internal:9090"}
    made = create(as_alice, snapshot, {**OPTIONS, "metrics": metrics})
    kept = {**OPTIONS, "metrics": {"type": "prometheus"}}
    assert made.json()["scheduler"]["config"] == kept
    entry = {"scheduler": "volcano", "config": {**OPTIONS, "metrics": metrics}}
    beside = as_alice.post(URL, {"snapshot": snapshot, "beside": [entry]}, format="json").json()["beside"]
    assert beside == [{"scheduler": "volcano", "config": kept}]


@pytest.mark.parametrize(
    ("config", "field", "reason"),
    [
        (
            {**OPTIONS, "actions": "enqueue, alocate"},
            "actions",
            "failed to find Action alocate; did you mean allocate?",
        ),
        ({**OPTIONS, "actions": "enqueue,"}, "actions", "must name an action between commas"),
        ({**OPTIONS, "actions": ["enqueue"]}, "actions", "must be a text"),
        ({**OPTIONS, "tiers": [{}]}, "tiers[0].plugins", "must name a plugin at least"),
        ({**OPTIONS, "tiers": [{"plugins": "gang"}]}, "tiers[0].plugins", "must be a list"),
        ({**OPTIONS, "tiers": ["gang"]}, "tiers[0]", "must be a mapping"),
        ({**OPTIONS, "tiers": {}}, "tiers", "must be a list"),
        (
            {**OPTIONS, "tiers": [{"plugins": [{"name": "drf", "enableJobOrder": "no"}]}]},
            "tiers[0].plugins[0].enableJobOrder",
            "must be true or false",
        ),
        (
            {**OPTIONS, "configurations": [{"name": "allocate", "arguments": ["x"]}]},
            "configurations[0].arguments",
            "must be a mapping",
        ),
        ({**OPTIONS, "configurations": ["x"]}, "configurations[0]", "must be a mapping with a name"),
        ({**OPTIONS, "schedule-period": "often"}, "schedule-period", "from 1ms to 1h0m0s"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_said_at_its_field(
    as_alice: Any, snapshot: int, config: Any, field: str, reason: str
) -> None:
    [fault] = faults(create(as_alice, snapshot, config))
    assert fault[:2] == ("Volcano's configuration", field)
    assert reason in fault[2]
    entry = {"scheduler": "volcano", "config": config}
    [beside] = faults(as_alice.post(URL, {"snapshot": snapshot, "beside": [entry]}, format="json"))
    assert beside[:2] == ("beside[0]", f"config.{field}")


def test_a_flag_that_nobody_knows_is_told_before_and_after_the_run(as_alice: Any, snapshot: int) -> None:
    misspelt = {**OPTIONS, "tiers": [{"plugins": [{"name": "gang", "enableJobOrders": False}]}]}
    made = create(as_alice, snapshot, misspelt).json()
    assert made["scheduler"]["config"] == misspelt
    told = "tiers[0].plugins[0].enableJobOrders of its configuration"
    tried = as_alice.post(f"{URL}{made['id']}/validate/", {}, format="json").json()
    assert told in tried["trust"]["unknown"]
    run = run_of(as_alice, made["id"])
    assert told in run.trust["unknown"]


def test_a_plugin_that_is_not_played_is_told_before_and_after_the_run(
    as_alice: Any, snapshot: int, client: Any, alice: Any
) -> None:
    sharing = {"name": "deviceshare", "arguments": {"deviceshare.NodeLockEnable": True}}
    odd = {**OPTIONS, "tiers": [{"plugins": [{"name": "gang"}, sharing, {"name": "gnag"}]}]}
    made = create(as_alice, snapshot, odd).json()
    tried = as_alice.post(f"{URL}{made['id']}/validate/", {}, format="json").json()
    assert tried["problems"] == []
    run = run_of(as_alice, made["id"])
    for trust in (tried["trust"], run.trust):
        [told] = [phrase for phrase in trust["not_modelled"] if "gnag" in phrase]
        assert told.endswith("did you mean gang?")
        [idle] = trust["without_effect"]
        assert "deviceshare.NodeLockEnable (no pod asks" in idle
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/outcome/").content.decode()
    assert "not modelled: plugin gnag" in page
    assert "1 part of the configuration not played, without effect here" in page


def test_an_argument_that_nobody_reads_is_told_and_one_that_is_read_is_not(
    as_alice: Any, snapshot: int
) -> None:
    arguments = {"binpack.weight": 2, "binpack.resources.nvidia.com/gpu": 3, "binpack.wieght": 5}
    config = {
        "actions": "allocate, preempt",
        "tiers": [{"plugins": [{"name": "gang"}, {"name": "binpack", "arguments": arguments}]}],
        "configurations": [
            {"name": "preempt", "arguments": {"enableTopologyAwarePreemption": True, "maxDomains": 2}}
        ],
    }
    made = create(as_alice, snapshot, config).json()
    tried = as_alice.post(f"{URL}{made['id']}/validate/", {}, format="json").json()
    assert tried["trust"]["unknown"] == [
        "tiers[0].plugins[1].arguments.binpack.wieght of its configuration",
        "configurations[0].arguments.maxDomains of its configuration",
    ]


@pytest.mark.parametrize("first", ["volcano-1.16", "kube-1.36"])
def test_both_schedulers_play_in_one_run_whichever_it_is_about(
    as_alice: Any, snapshot: int, first: str
) -> None:
    other = {"scheduler": "kube-scheduler" if first == "volcano-1.16" else "volcano"}
    fields = {"snapshot": snapshot, "scheduler": {"profile": first}, "beside": [other]}
    web = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": "ml"},
        "spec": {"containers": [{"name": "c", "image": "c:1", "resources": {"requests": {"cpu": "1"}}}]},
    }
    made = as_alice.post(URL, {**fields, "edits": [{"op": "add", "manifest": web}]}, format="json")
    assert made.status_code == 201, made.content
    run = run_of(as_alice, made.json()["id"])
    rows = {row["scheduler"]: row["placed"] for row in run.outcome["by_scheduler"]}
    assert rows == {"volcano": 4, "kube-scheduler" if first == "kube-1.36" else "default-scheduler": 1}
    assert run.outcome["left_alone"] == []
    page = as_alice.get(f"/api/v1/runs/{run.pk}/decisions/?actor=volcano&kind=gang").json()["results"]
    assert [one["outcome"] for one in page] == ["committed"]


def run_of(client: Any, scenario: int) -> Run:
    number = client.post("/api/v1/runs/", {"scenario": scenario}, format="json").json()["id"]
    execute_run(number)
    run = Run.objects.get(pk=number)
    assert run.status == "finished", run.error
    return run


def test_a_try_is_read_whole_by_node_with_points_and_by_reason(as_alice: Any, snapshot: int) -> None:
    run = run_of(as_alice, create(as_alice, snapshot, None).json()["id"])
    url = f"/api/v1/runs/{run.pk}/decisions"
    whole = as_alice.get(f"{url}/4/").json()
    assert whole["kind"] == "placement"
    assert set(whole["filter"]) == set(whole["scores"]) == {"gpu-1", "gpu-2", "gpu-3", "gpu-4"}
    assert set(whole["scores"]["gpu-1"]["plugins"]) == {"predicates", "nodeorder", "binpack"}
    nodes = as_alice.get(f"{url}/4/nodes/?sort=-total&status=fits").json()["results"]
    assert nodes[0]["total"] == whole["total"]
    assert as_alice.get(f"{url}/4/nodes/gpu-1/").json()["total"] == whole["total"]
    assert as_alice.get(f"{url}/9/").json()["kind"] == "close"


def test_why_one_comes_before_another_is_asked_at_any_step_of_a_session(as_alice: Any, snapshot: int) -> None:
    run = run_of(as_alice, create(as_alice, snapshot, None).json()["id"])
    url = f"/api/v1/runs/{run.pk}/decisions"
    pair = "of=job&first=ml/gpt&second=ml/bert"
    at_the_start = as_alice.get(f"{url}/1/order/?{pair}").json()
    assert (at_the_start["comes_first"], at_the_start["decided_by"]) == ("ml/bert", "creation")
    # With all its pods on nodes bert's share is the larger one.
    later = as_alice.get(f"{url}/8/order/?{pair}").json()
    assert later["comes_first"] == "ml/gpt"
    assert later["decided_by"] in ("gang", "drf")
    assert as_alice.get(f"{url}/1/").json()["kind"] == "session"
    assert as_alice.get(f"{url}/8/").json()["kind"] == "gang"
    missing = as_alice.get(f"{url}/8/order/?of=job&first=ml/bert")
    assert (missing.status_code, [e["field"] for e in missing.json()["errors"]]) == (400, ["second"])
    nobody = as_alice.get(f"{url}/8/order/?of=job&first=ml/bert&second=ml/x")
    assert (nobody.status_code, "'ml/x'" in nobody.json()["detail"]) == (404, True)


def gang_at(at: float, name: str = "late", **more: Any) -> list[dict[str, Any]]:
    """The edits by which a pod group and a pod of it come at a second of the run."""
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {"minMember": 1, "queue": "default"},
    }
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "ml",
            "annotations": {"scheduling.k8s.io/group-name": name},
        },
        "spec": {
            "schedulerName": "volcano",
            "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}],
        },
    }
    return [{"op": "add", "at": at, "manifest": group}, {"op": "add", "at": at, "manifest": pod, **more}]


def test_volcano_plays_by_the_clock_and_what_comes_of_it_is_summed_up(as_alice: Any, snapshot: int) -> None:
    config = {**OPTIONS, "schedule-period": "10s"}
    made = create(as_alice, snapshot, config, driver="timed", edits=gang_at(95, duration=60), until=300)
    assert made.status_code == 201, made.content
    assert made.json()["scheduler"]["config"] == config
    run = run_of(as_alice, made.json()["id"])
    url = f"/api/v1/runs/{run.pk}/decisions/"
    [idle, *_] = as_alice.get(f"{url}?kind=idle").json()["results"]
    assert (idle["time"], idle["session"], idle["last"]) == (100_000, 3, 10)
    bound = as_alice.get(f"{url}?kind=gang&outcome=committed").json()["results"]
    assert [one["time"] for one in bound] == [0, 100_000]
    assert (run.outcome["time"], run.outcome["ended_by"], run.outcome["placed"]) == (170_000, "quiet", 5)
    series = run.over_time
    assert series["axis"] == "time"
    assert series["waits"]["all"]["placed"]["count"] == 5
    explained = as_alice.get(f"{url}{bound[-1]['seq'] - 1}/").json()
    assert explained["kind"] == "placement"
    assert explained["scores"]


def test_what_cannot_happen_at_an_instant_is_refused_with_its_edit_and_field(
    as_alice: Any, snapshot: int
) -> None:
    [group, pod] = gang_at(5)
    group["manifest"]["spec"]["queue"] = "nobody"
    body = {"snapshot": snapshot, "scheduler": {"profile": "volcano-1.16"}, "driver": "timed"}
    tried = as_alice.post(f"{URL}validate/", {**body, "edits": [pod, group]}, format="json").json()
    [problem] = tried["problems"]
    assert (problem["object"], problem["field"]) == ("edits[1]", "manifest.spec.queue")
    assert 'unable to find queue: queue.scheduling.volcano.sh "nobody" not found' in problem["message"]
    [clock] = faults(create(as_alice, snapshot, None, driver="instant", edits=[pod]))
    assert clock[:2] == ("edits[0]", "at")
