"""HAMi served to kube-schedulers over HTTP: what is asked and answered, and what stays of it."""

import base64
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connections
from prometheus_client.parser import text_string_to_metric_families
from rest_framework.test import APIClient

from api.kinds.hami.extender import rate
from api.kinds.hami.extender.door import BODY_BYTES
from dashboard import rates
from dashboard.accounts.tokens import create_token
from dashboard.kinds.hami.services import served
from dashboard.models import ServedCluster, ServedObject
from dashboard.services.workspace.scenarios import update_scenario
from tests.api.serving import KubeScheduler, asked_of, asking, machine, patched, scenario_of, usage
from tests.scheduler_core.hami import cards as hami

pytestmark = pytest.mark.django_db
WRONG_WEIGHTS = {"hami.io/device-scoring-weights": "slot=1"}
EMPTY = {
    "Nodes": None,
    "NodeNames": None,
    "FailedNodes": None,
    "FailedAndUnresolvableNodes": None,
    "Error": "",
}


@pytest.fixture(autouse=True)
def nothing_in_memory() -> None:
    served.forget_all()
    rate.forget_all()


def restarted() -> None:
    """Forget what the process has in memory, as a restart does."""
    served.forget_all()


# -- the way of a pod ------------------------------------------------------------------------------------


def test_a_pod_goes_from_the_webhook_over_filter_to_bind(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a"), machine("b")), alice)
    pod = kube.create(asking())
    assert pod["spec"]["schedulerName"] == "hami-scheduler"
    assert kube.filter(pod, "a", "b") == {**EMPTY, "NodeNames": ["a"]}
    assert kube.bind(pod, "a") == ""
    assert usage(kube.scenario) == {"a-gpu-1": (1, 4000)}
    stored = ServedObject.objects.get(kind="Pod", key="default/p").object
    assert stored["spec"]["nodeName"] == "a"
    annotations = stored["metadata"]["annotations"]
    assert annotations["hami.io/bind-phase"] == "success"
    assert annotations["hami.io/vgpu-node"] == "a"
    assert list(ServedObject.objects.values_list("kind", "key")) == [("Pod", "default/p")]


def test_the_answer_says_why_no_node_will_do(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    found = kube.filter(asking(memory=20_000), "a", "cpu-0")
    reasons = {"a": "2/2 CardInsufficientMemory", "cpu-0": "node unregistered"}
    assert found == {**EMPTY, "FailedNodes": reasons}


def test_nodes_in_full_are_tried_as_if_they_were_empty_and_nothing_is_noted(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    body = {"Pod": asking(), "Nodes": {"metadata": {}, "items": [machine("z")]}, "NodeNames": None}
    found = kube.ask("filter", body)
    assert [node["metadata"]["name"] for node in found["Nodes"]["items"]] == ["z"]
    assert usage(kube.scenario) == {}
    assert not ServedObject.objects.exists()


def test_a_pod_without_cards_is_bound_too(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    plain = hami.pod("plain", {"cpu": 1})
    assert kube.filter(plain, "a", "b") == {**EMPTY, "NodeNames": ["a", "b"]}
    assert kube.bind(plain, "a") == ""


def test_a_pod_that_is_filtered_again_holds_its_cards_once(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a", slots=1)), alice)
    for _ in range(3):
        assert kube.filter(asking(number=2), "a")["NodeNames"] == ["a"]
    assert kube.filter(asking(number=3), "a")["NodeNames"] is None
    assert usage(kube.scenario) == {}


def test_another_pod_of_the_same_name_takes_the_place_of_the_first(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a", slots=1)), alice)
    kube.filter(asking(number=2), "a")
    second = asking(number=1)
    second["metadata"]["uid"] = "another"
    assert kube.filter(second, "a")["NodeNames"] == ["a"]
    assert len(usage(kube.scenario)) == 1


# -- bind ------------------------------------------------------------------------------------------------


def test_a_locked_node_is_not_bound_to(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    holder, pod = asking("holder"), asking()
    for one in (holder, pod):
        kube.filter(one, "a")
    owner = {"hami.io/mutex.lock": "2999-01-01T00:00:00Z,default,holder"}
    asked_of(kube.scenario, lambda one: one.objects.patch_node("a", owner), changes=True)
    restarted()
    assert kube.bind(pod, "a") == "node a has been locked within 5m0s: node lock contention"
    released = {"hami.io/mutex.lock": None}
    asked_of(kube.scenario, lambda one: one.objects.patch_node("a", released), changes=True)
    assert kube.bind(pod, "a") == ""


def test_a_bind_that_the_api_server_refuses_gives_the_lock_back(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a"), machine("b")), alice)
    pod, next_pod = asking(), asking("next")
    kube.filter(pod, "a")
    other = {**pod, "metadata": {**pod["metadata"], "uid": "other"}}
    assert "Precondition failed: UID in precondition: other" in kube.bind(other, "a")
    assert kube.bind(pod, "a") == ""
    assert kube.bind(pod, "b") == (
        'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "a"'
    )
    for node in ("a", "b"):
        kube.filter(next_pod, node)
        assert kube.bind(next_pod, node) == ""


def test_what_is_not_there_is_not_bound(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    assert kube.bind(asking(), "a") == 'pod "p" not found'
    kube.filter(asking(), "a")
    assert kube.bind(asking(), "z") == 'node "z" not found'


# -- what stays ------------------------------------------------------------------------------------------


def test_nothing_is_lost_by_a_restart(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a", slots=2)), alice)
    names = ["p", "q", "r", "s"]
    for name in names:
        restarted()
        assert kube.filter(asking(name), "a")["NodeNames"] == ["a"]
    restarted()
    assert usage(kube.scenario) == {"a-gpu-0": (2, 8000), "a-gpu-1": (2, 8000)}
    assert kube.filter(asking("t"), "a")["NodeNames"] is None
    assert kube.admit("DELETE", name="q", oldObject=asking("q"))["allowed"]
    restarted()
    assert kube.filter(asking("t"), "a")["NodeNames"] == ["a"]


def test_what_another_process_has_written_is_taken_over(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a", 1, slots=2)), alice)
    kube.filter(asking("p"), "a")
    ours = dict(served._kept)
    restarted()
    kube.filter(asking("q"), "a")
    theirs = dict(served._kept)
    assert ours[kube.scenario.pk] is not theirs[kube.scenario.pk]
    served._kept.update(ours)
    assert kube.filter(asking("r"), "a")["FailedNodes"] == {"a": "1/1 CardTimeSlicingExhausted"}
    kube.admit("DELETE", name="q", oldObject=asking("q"))
    served._kept.update(theirs)
    assert usage(kube.scenario) == {"a-gpu-0": (1, 4000)}


def test_what_could_not_be_stored_has_not_happened(alice: Any, monkeypatch: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    kube.filter(asking("p"), "a")
    before = usage(kube.scenario)

    def fail(*_: Any) -> int:
        raise served.NotPossibleNow("no")

    with monkeypatch.context() as patch:
        patch.setattr(served, "_store", fail)
        assert kube.filter(asking("q"), "a") == {**EMPTY, "Error": "no"}
    assert usage(kube.scenario) == before
    assert kube.bind(asking("q"), "a") == 'pod "q" not found'


def test_pods_of_the_snapshot_hold_their_cards_until_they_are_deleted(alice: Any) -> None:
    held = {"hami.io/vgpu-node": "a", "hami.io/vgpu-devices-allocated": "a-gpu-0,NVIDIA,4000,0:;"}
    running = asking("held", annotations=held, nodeName="a")
    kube = KubeScheduler(scenario_of(machine("a", 1, slots=1), running), alice)
    assert kube.filter(asking(), "a")["NodeNames"] is None
    kube.admit("DELETE", name="held", oldObject=running, dryRun=True)
    assert kube.filter(asking(), "a")["NodeNames"] is None
    kube.admit("DELETE", name="held", oldObject=running)
    restarted()
    assert kube.filter(asking(), "a")["NodeNames"] == ["a"]


def test_other_settings_of_the_scenario_count_at_once_and_what_is_held_stays(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a"), machine("b")), alice)
    assert kube.filter(asking("p"), "a", "b")["NodeNames"] == ["a"]
    update_scenario(kube.scenario, 1, {"config": {"nodeSchedulerPolicy": "spread"}})
    assert kube.filter(asking("q"), "a", "b")["NodeNames"] == ["b"]
    assert len(usage(kube.scenario)) == 2


def test_the_cluster_can_start_over(alice: Any, bob: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    kube.filter(asking(), "a")
    assert KubeScheduler(kube.scenario, bob).send("DELETE", "cluster").status_code == 403
    assert kube.send("DELETE", "cluster").status_code == 204
    assert usage(kube.scenario) == {}
    assert not ServedCluster.objects.exists()
    assert kube.send("DELETE", "cluster").status_code == 204


def test_a_cluster_takes_no_more_pods_than_a_snapshot(alice: Any, settings: Any) -> None:
    settings.POD_LIMIT = 2
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    for name in ("p", "q", "p"):
        assert kube.filter(asking(name), "a")["NodeNames"] == ["a"]
    message = f"Scenario {kube.scenario.pk} has no room for more pods: start it over."
    assert kube.filter(asking("r"), "a") == {**EMPTY, "Error": message}
    assert kube.bind(asking("p"), "a") == ""
    assert kube.bind(asking("r"), "a") == 'pod "r" not found'


def test_nothing_private_of_a_pod_is_stored(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    pod = asking()
    pod["spec"]["containers"][0]["env"] = [{"name": "PASSWORD", "value": "s3cret"}]
    kube.filter(pod, "a")
    [row] = ServedObject.objects.all()
    assert "s3cret" not in str(row.object)


# -- prioritize and preempt ------------------------------------------------------------------------------


def test_all_points_go_to_the_node_that_was_chosen(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a"), machine("b")), alice)
    body = {"Pod": asking(), "Nodes": None, "NodeNames": ["b", "a"]}
    nothing = [{"Host": "b", "Score": 0}, {"Host": "a", "Score": 0}]
    assert kube.ask("prioritize", body) == nothing
    kube.filter(asking(), "b")
    assert kube.ask("prioritize", body) == [{"Host": "b", "Score": 10}, {"Host": "a", "Score": 0}]


def test_nodes_stay_candidates_where_victims_make_room(alice: Any) -> None:
    nodes = [machine(name, 1, slots=1) for name in "abc"]
    kube = KubeScheduler(scenario_of(*nodes), alice)
    for name in "abc":
        kube.filter(asking(f"on-{name}"), name)
    victim = {"Pods": [{"UID": "uid-default-on-a"}], "NumPDBViolations": 1}
    useless = {"Pods": [{"UID": "uid-default-on-a"}], "NumPDBViolations": 0}
    body = {"Pod": asking(), "NodeNameToMetaVictims": {"a": victim, "b": useless}}
    assert kube.ask("preempt", body) == {"NodeNameToMetaVictims": {"a": victim}}
    in_full = {"c": {"Pods": [asking("on-c")], "NumPDBViolations": 0}}
    found = kube.ask("preempt", {"Pod": asking(), "NodeNameToVictims": in_full})
    assert found == {
        "NodeNameToMetaVictims": {"c": {"Pods": [{"UID": "uid-default-on-c"}], "NumPDBViolations": 0}}
    }
    assert len(usage(kube.scenario)) == 3


# -- webhook ---------------------------------------------------------------------------------------------


def test_the_webhook_refuses_in_hamis_words(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    pod = asking()
    pod["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    response = kube.admit(object=pod)
    message = "container c0 is privileged"
    assert response == {
        "uid": "u-1",
        "allowed": False,
        "status": {"metadata": {}, "message": message, "reason": "Forbidden", "code": 403},
    }


def test_a_pod_whose_name_is_yet_to_be_made_is_admitted(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    pod = asking()
    del pod["metadata"]["name"]
    pod["metadata"]["generateName"] = "p-"
    assert kube.create(pod)["spec"]["schedulerName"] == "hami-scheduler"


# -- metrics ---------------------------------------------------------------------------------------------


def test_the_cards_are_told_to_prometheus_under_hamis_names(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a", 1, cores=100)), alice)
    kube.filter(asking(cores=30), "a")
    answer = kube.get("metrics")
    assert answer["Content-Type"].startswith("text/plain")
    figures = {
        (sample.name, sample.labels["device_uuid"]): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }
    mib = 1024 * 1024
    assert figures == {
        ("hami_gpu_memory_limit_bytes", "a-gpu-0"): 10_000 * mib,
        ("hami_gpu_memory_allocated_bytes", "a-gpu-0"): 4000 * mib,
        ("hami_gpu_core_limit_ratio", "a-gpu-0"): 100,
        ("hami_gpu_core_allocated_ratio", "a-gpu-0"): 30,
        ("hami_gpu_shared_count", "a-gpu-0"): 1,
        ("hami_vgpu_memory_allocated_bytes", "a-gpu-0"): 4000 * mib,
        ("hami_vgpu_core_allocated_ratio", "a-gpu-0"): 30,
    }


# -- who may ask, and what is no question ----------------------------------------------------------------


def test_only_a_token_signs_in(as_alice: APIClient, alice: Any, charlie: Any) -> None:
    scenario = scenario_of(machine("a"))
    session = "; ".join(f"{name}={morsel.value}" for name, morsel in as_alice.cookies.items())
    kube = KubeScheduler(scenario, alice)
    for cookie in ("", session):
        for verb in ("filter", "bind", "webhook", "prioritize", "preempt"):
            answer = kube.send("POST", verb, b"{}", authorization="", cookie=cookie)
            assert (answer.status_code, answer["WWW-Authenticate"][:6]) == (401, "Bearer")
        assert kube.send("GET", "healthz", authorization="", cookie=cookie).status_code == 401
    assert kube.send("GET", "healthz", authorization="Bearer wrong").status_code == 401
    assert KubeScheduler(scenario, charlie).get("healthz").status_code == 404


def test_a_token_may_come_as_the_password_of_the_extenders_url(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)

    def status(text: str) -> int:
        sent = base64.b64encode(text.encode()).decode()
        return int(kube.send("GET", "healthz", authorization=f"Basic {sent}").status_code)

    assert status(f"kube:{kube.token}") == 200
    assert [status(text) for text in ("kube:wrong", kube.token, "")] == [401, 401, 401]


def test_who_may_only_read_changes_nothing(bob: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), bob)
    assert kube.get("healthz").content == b"ok"
    assert kube.create(asking())["spec"]["schedulerName"] == "hami-scheduler"
    for verb in ("filter", "bind"):
        assert kube.post(verb, {}).status_code == 403
    assert not ServedCluster.objects.exists()


def test_a_scenario_without_hami_says_so(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a"), profile="kube-1.36"), alice)
    message = f"Scenario {kube.scenario.pk} is of kube-1.36, and hami-2.10 alone can be asked."
    assert kube.filter(asking(), "a") == {**EMPTY, "Error": message}
    assert kube.bind(asking(), "a") == message
    assert kube.get("healthz").status_code == 409


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([], "must be an object"),
        (b"", "Pod: is required"),
        (b"{", "The body is not JSON"),
        ({}, "Pod: is required"),
        ({"Pod": asking(), "NodeNames": [1]}, "NodeNames"),
        ({"Pod": {**asking(), "spec": {"containers": 5}}}, "spec.containers: must be an array"),
        ({"Pod": asking(), "Nodes": {"items": [{"metadata": 5}]}}, "metadata: must be an object"),
        ({"Pod": asking(annotations=WRONG_WEIGHTS), "NodeNames": ["a"]}, "calcScore failed invalid"),
    ],
)
def test_what_is_no_question_is_answered_with_an_error(alice: Any, body: Any, words: str) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    found = kube.ask("filter", body)
    assert words in found["Error"]
    assert found == {**EMPTY, "Error": found["Error"]}


@pytest.mark.parametrize("verb", ["prioritize", "preempt", "webhook"])
def test_verbs_whose_answers_hold_no_error_refuse_by_status(alice: Any, verb: str) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    answer = kube.post(verb, {})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_body_that_is_too_long_is_not_read(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    assert kube.post("filter", b" " * (BODY_BYTES + 1)).status_code == 413


def test_who_asks_too_often_is_told_to_wait(
    alice: Any, dora: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=lambda: 0.0))
    settings.EXTENDER_RATE = 2
    scenario = scenario_of(machine("a"))
    kube = KubeScheduler(scenario, alice)
    assert [kube.get("healthz").status_code for _ in range(3)] == [200, 200, 429]
    assert kube.get("healthz")["Retry-After"] == "1"
    assert KubeScheduler(scenario, dora).get("healthz").status_code == 200


# -- many at once ----------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_many_who_ask_at_once_none_gets_what_another_holds(alice: Any, settings: Any) -> None:
    settings.EXTENDER_RATE = 0
    scenario = scenario_of(*(machine(name, 2, slots=3) for name in ("a", "b")))
    token = create_token(alice, "kube-scheduler")[1]

    def place(number: int) -> str | None:
        kube = KubeScheduler(scenario, token=token)
        try:
            pod = kube.create(asking(f"p-{number}", memory=1000))
            names = kube.filter(pod, "a", "b")["NodeNames"]
            if names is None:
                return None
            assert kube.bind(pod, names[0]) == ""
            return str(names[0])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        chosen = list(pool.map(place, range(16)))
    assert len([name for name in chosen if name]) == 12
    assert sorted(usage(scenario).values()) == [(3, 3000)] * 4
    in_memory = usage(scenario)
    restarted()
    assert usage(scenario) == in_memory
    bound = [
        row.object["spec"].get("nodeName")
        for row in ServedObject.objects.filter(kind="Pod").order_by("pk")
        if "nodeName" in row.object["spec"]
    ]
    assert sorted(bound) == sorted(name for name in chosen if name)


def test_a_patch_of_the_webhook_can_be_applied() -> None:
    """The stand-in of this file for what an API server does."""
    steps = [
        {"op": "add", "path": "/a~1b", "value": 1},
        {"op": "add", "path": "/list/-", "value": 2},
        {"op": "remove", "path": "/gone"},
    ]
    assert patched({"list": [1], "gone": 0}, steps) == {"list": [1, 2], "a/b": 1}
