"""The schedulers over REST: what they are, and what a scenario may make of them."""

from typing import Any

import pytest

from scheduler_core.schedulers.registry import versions
from tests.dashboard.rows import listing, new_snapshot, node, pod

URL = "/api/v1/scenarios/"


@pytest.fixture
def snapshot(alice: Any) -> int:
    """The number of a ready snapshot."""
    return int(new_snapshot(alice).pk)


def create(client: Any, snapshot: int, **fields: Any) -> Any:
    return client.post(URL, {"snapshot": snapshot, **fields}, format="json")


def change(client: Any, scenario: dict[str, Any], **fields: Any) -> Any:
    return client.patch(f"{URL}{scenario['id']}/", fields, format="json", headers={"If-Match": "*"})


def chosen(answer: Any) -> tuple[str, Any, str]:
    body = answer.json()
    return body["scheduler"]["profile"], body["scheduler"]["config"], body["driver"]


def faults(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    return [(error["object"], error["field"]) for error in answer.json()["errors"]]


def test_profiles_and_drivers_are_listed_with_what_is_special(as_bob: Any) -> None:
    body = as_bob.get("/api/v1/schedulers/").json()
    assert body["next"] is None
    listed = {row["profile"]: [driver["driver"] for driver in row["drivers"]] for row in body["results"]}
    assert listed == {profile: list(scheduler.drivers) for profile, scheduler in versions().items()}
    clocks = {driver["driver"] for row in body["results"] for driver in row["drivers"] if driver["has_clock"]}
    assert clocks == {"timed"}
    assert all(row["summary"] and driver["summary"] for row in body["results"] for driver in row["drivers"])
    words = {
        (row["profile"], driver["driver"]): driver["summary"]
        for row in body["results"]
        for driver in row["drivers"]
    }
    assert "back-off" in words["kube-1.36", "timed"]
    for driver in versions()["volcano-1.16"].drivers:
        assert "session" in words["volcano-1.16", driver]
        assert "priority" not in words["volcano-1.16", driver]
        assert "back-off" not in words["volcano-1.16", driver]
    read = {row["profile"]: (row["configuration"], row["settings"]) for row in body["results"]}
    for minor in range(28, 38):
        assert read.pop(f"kube-1.{minor}") == ("KubeSchedulerConfiguration", [])
    assert read.pop("volcano-1.16") == ("volcano-scheduler.conf", [])
    assert read.pop("hami-2.10") == ("HAMi settings", [])
    assert list(read.values()) == [("", ["podPriority"])] * 4


@pytest.mark.parametrize("profile", versions())
@pytest.mark.parametrize("sent", [{}, {"driver": None}])
def test_a_driver_that_is_not_named_is_the_profiles_default_and_the_answer_names_it(
    as_alice: Any, snapshot: int, profile: str, sent: dict[str, Any]
) -> None:
    answer = create(as_alice, snapshot, scheduler={"profile": profile}, **sent)
    assert chosen(answer) == (profile, None, versions()[profile].drivers[0])


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"scheduler": {"profile": "kube-1.7"}}, ("scheduler", "profile")),
        ({"driver": "fifo"}, ("scenario", "driver")),
        ({"driver": "timed", "scheduler": {"profile": "kube-1.13"}}, ("scenario", "driver")),
        ({"driver": 3.5, "scheduler": {"profile": "kube-1.8"}}, ("request", "driver")),
        ({"scheduler": {"config": {"profile": []}}}, ("KubeSchedulerConfiguration", "profile")),
        ({"scheduler": {"config": {"profiles": 3}}}, ("KubeSchedulerConfiguration", "profiles")),
        ({"scheduler": {"profile": "kube-1.8", "config": {"profiles": []}}}, ("kube-1.8", "profiles")),
        ({"scheduler": {"profile": "kube-1.9", "config": {"podPriority": 0}}}, ("kube-1.9", "podPriority")),
    ],
)
def test_a_scheduler_that_cannot_be_is_refused_by_name_and_nothing_is_stored(
    as_alice: Any, snapshot: int, fields: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert faults(create(as_alice, snapshot, **fields)) == [fault]
    assert as_alice.get(URL).json()["results"] == []
    scenario = create(as_alice, snapshot).json()
    assert faults(change(as_alice, scenario, name="x", **fields)) == [fault]
    assert as_alice.get(f"{URL}{scenario['id']}/").json() == scenario


def test_a_change_of_the_profile_alone_takes_the_driver_along(as_alice: Any, snapshot: int) -> None:
    scenario = create(as_alice, snapshot).json()
    assert chosen(change(as_alice, scenario, scheduler={"profile": "kube-1.8"}))[2] == "fifo"
    assert chosen(change(as_alice, scenario, driver="instant"))[2] == "instant"
    assert chosen(change(as_alice, scenario, scheduler={"profile": "kube-1.9"}))[2] == "instant"
    assert chosen(change(as_alice, scenario, driver="fifo"))[2] == "fifo"
    assert chosen(change(as_alice, scenario, scheduler={"profile": "kube-1.36"}))[2] == "instant"


def test_a_configuration_that_the_new_profile_does_not_take_is_never_dropped_in_silence(
    as_alice: Any, snapshot: int
) -> None:
    scheduler = {"profile": "kube-1.11", "config": {"podPriority": False}}
    scenario = create(as_alice, snapshot, scheduler=scheduler).json()
    refused = change(as_alice, scenario, scheduler={"profile": "kube-1.36"})
    assert faults(refused) == [("KubeSchedulerConfiguration", "podPriority")]
    changed = change(as_alice, scenario, scheduler={"profile": "kube-1.36", "config": None})
    assert chosen(changed) == ("kube-1.36", None, "instant")


def test_trying_uses_the_profile_and_says_who_is_left_alone_and_what_is_not_modelled(as_alice: Any) -> None:
    claiming = pod("claiming", volumes=[{"name": "v", "ephemeral": {}}])
    cluster = listing(node("node-1"), pod("mine"), pod("theirs", schedulerName="other"), claiming)
    post = as_alice.generic("POST", "/api/v1/snapshots/?name=two", cluster, content_type="application/json")
    body = {"snapshot": post.json()["id"], "scheduler": {"profile": "kube-1.8"}}
    answer = as_alice.post(f"{URL}validate/", body, format="json").json()
    assert answer["problems"] == []
    assert answer["left_alone"] == [{"scheduler": "other", "pods": 1}]
    assert [phrase for phrase in answer["trust"]["not_modelled"] if "ephemeral volumes" in phrase]
    pending = next(figure for figure in answer["figures"] if figure["what"] == "pending pods")
    assert (pending["before"], pending["after"]) == (3, 3)


def test_trying_a_draft_tells_what_is_wrong_with_its_scheduler(as_alice: Any, snapshot: int) -> None:
    body = {"snapshot": snapshot, "scheduler": {"profile": "kube-1.7"}}
    answer = as_alice.post(f"{URL}validate/", body, format="json").json()
    assert [(problem["object"], problem["field"]) for problem in answer["problems"]] == [
        ("scheduler", "profile")
    ]
    assert (answer["figures"], answer["trust"], answer["left_alone"]) == ([], None, [])
