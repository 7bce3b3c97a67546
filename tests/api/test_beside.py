"""Several schedulers in a scenario over REST: kept, refused with place and field, run, told apart."""

from typing import Any

import pytest
from django.contrib.messages import get_messages

from dashboard.models import DecisionIndex, Run
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.scenarios import create_scenario
from tests.dashboard.rows import listing, new_snapshot, node, pod

URL = "/api/v1/scenarios/"
PACKING = {"kind": "KubeSchedulerConfiguration", "profiles": [{"schedulerName": "packing"}]}
PACKER = {"name": "packer", "config": PACKING}


@pytest.fixture
def snapshot(as_alice: Any) -> int:
    """The number of a snapshot with a pod for each of three schedulers."""
    cluster = listing(
        node("node-1"), pod("mine"), pod("packed", schedulerName="packing"), pod("odd", schedulerName="third")
    )
    post = as_alice.generic("POST", "/api/v1/snapshots/?name=two", cluster, content_type="application/json")
    return int(post.json()["id"])


def create(client: Any, snapshot: int, **fields: Any) -> Any:
    return client.post(URL, {"snapshot": snapshot, **fields}, format="json")


def change(client: Any, scenario: int, **fields: Any) -> Any:
    return client.patch(f"{URL}{scenario}/", fields, format="json", headers={"If-Match": "*"})


def faults(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 400, answer.content
    return [(error["object"], error["field"]) for error in answer.json()["errors"]]


def run_of(client: Any, scenario: int) -> Run:
    number = client.post("/api/v1/runs/", {"scenario": scenario}, format="json").json()["id"]
    execute_run(number)
    return Run.objects.get(pk=number)


def test_other_schedulers_are_kept_as_they_were_sent_and_exported_again(as_alice: Any, snapshot: int) -> None:
    body = create(as_alice, snapshot, beside=[PACKER]).json()
    assert body["beside"] == [PACKER]
    again = as_alice.get(f"{URL}{body['id']}/").json()
    taken = {name: again[name] for name in ("snapshot", "scheduler", "driver", "beside", "edits")}
    assert as_alice.post(URL, taken, format="json").json()["beside"] == [PACKER]
    assert change(as_alice, body["id"], beside=[]).json()["beside"] == []


def test_connections_in_their_configurations_are_never_stored(as_alice: Any, snapshot: int) -> None:
    config = {**PACKING, "clientConnection": {"kubeconfig": "/etc/kubernetes/scheduler.conf"}}
    body = create(as_alice, snapshot, beside=[{"name": "packer", "config": config}]).json()
    assert "clientConnection" not in body["beside"][0]["config"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"beside": [PACKER, {**PACKER, "name": "other"}]}, ("beside[1]", "config.profiles")),
        ({"beside": [PACKER, PACKER]}, ("beside[1]", "name")),
        ({"beside": [{}]}, ("beside[0]", "config.profiles")),
        ({"beside": [{**PACKER, "release": "1.7"}]}, ("beside[0]", "release")),
        ({"beside": [{**PACKER, "release": "1.11"}]}, ("beside[0]", "release")),
        ({"beside": [{**PACKER, "scheduler": "yunikorn"}]}, ("beside[0]", "scheduler")),
        ({"beside": [{**PACKER, "colour": "red"}]}, ("beside[0]", "colour")),
        ({"beside": [{"config": {"profile": []}}]}, ("beside[0]", "config.profile")),
        ({"beside": [PACKER], "scheduler": {"profile": "kube-1.11"}}, ("beside[0]", "release")),
        (
            {"beside": [PACKER], "scheduler": {"profile": "kube-1.11"}, "driver": "grace"},
            ("beside[0]", "release"),
        ),
    ],
)
def test_schedulers_that_cannot_act_together_are_refused_by_place_and_field(
    as_alice: Any, snapshot: int, fields: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert faults(create(as_alice, snapshot, **fields)) == [fault]


def test_an_old_version_is_refused_as_long_as_others_act_beside_it(as_alice: Any, snapshot: int) -> None:
    scenario = create(as_alice, snapshot, beside=[PACKER]).json()["id"]
    assert faults(change(as_alice, scenario, scheduler={"profile": "kube-1.8"})) == [("beside[0]", "release")]
    changed = change(as_alice, scenario, scheduler={"profile": "kube-1.8"}, beside=[])
    assert changed.json()["scheduler"]["profile"] == "kube-1.8"


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_each_decision_names_its_scheduler_and_can_be_asked_for_by_it(
    as_alice: Any, snapshot: int, driver: str
) -> None:
    run = run_of(as_alice, create(as_alice, snapshot, beside=[PACKER], driver=driver).json()["id"])
    address = f"/api/v1/runs/{run.pk}/"
    decided = as_alice.get(f"{address}decisions/?kind=attempt").json()["results"]
    assert [(one["actor"], one["pod"]["name"]) for one in decided] == [
        ("kube-scheduler", "mine"),
        ("packer", "packed"),
    ]
    packed = as_alice.get(f"{address}decisions/?actor=packer").json()["results"]
    assert {one["actor"] for one in packed} == {"packer"}
    assert as_alice.get(f"{address}decisions/?actor=nobody").json()["results"] == []
    first = as_alice.get(f"{address}stops/?after=0&actor=packer").json()
    assert first == {"seq": packed[0]["seq"]}
    words = as_alice.get(f"{address}scheduler/").json()
    assert [profile["name"] for profile in words["profiles"]] == ["default-scheduler", "packing"]
    assert as_alice.get(address).json()["beside"] == [PACKER]
    assert set(DecisionIndex.objects.filter(run=run).values_list("actor", flat=True)) == {
        "kube-scheduler",
        "packer",
    }


def test_the_outcome_tells_the_schedulers_apart_and_names_who_is_left_alone(
    as_alice: Any, snapshot: int
) -> None:
    scenario = create(as_alice, snapshot, beside=[PACKER]).json()["id"]
    tried = as_alice.post(f"{URL}{scenario}/validate/").json()
    assert tried["left_alone"] == [{"scheduler": "third", "pods": 1}]
    run = run_of(as_alice, scenario)
    outcome = as_alice.get(f"/api/v1/runs/{run.pk}/").json()["outcome"]
    assert outcome["left_alone"] == [{"scheduler": "third", "pods": 1}]
    row = {"attempts": 1, "placed": 1, "evicted": 0, "pending": 0}
    assert outcome["by_scheduler"] == [{"scheduler": name, **row} for name in ("kube-scheduler", "packer")]


def test_two_runs_differ_in_who_schedules_beside(as_alice: Any, snapshot: int) -> None:
    one = run_of(as_alice, create(as_alice, snapshot).json()["id"])
    other = run_of(as_alice, create(as_alice, snapshot, beside=[PACKER]).json()["id"])
    body = as_alice.get(f"/api/v1/compare/?a={one.pk}&b={other.pk}").json()
    assert "nobody beside it against packer beside it" in body["inputs"]
    assert [row["what"] for row in body["settings"] if not row["same"]] == ["beside"]


def test_under_another_version_the_others_are_left_out_with_a_word(alice: Any, client: Any) -> None:
    client.force_login(alice)
    scenario = create_scenario(alice, {"snapshot": new_snapshot(alice), "beside": [PACKER]})
    answer = client.post(f"/scenarios/{scenario.pk}/run-under/", {"profile": "kube-1.11"})
    said = [str(message) for message in get_messages(answer.wsgi_request)]
    assert said == ["kube-1.11 acts alone: the schedulers beside it were left out."]
    assert Run.objects.latest("pk").beside == []
