"""HAMi's switches: a run has those that its snapshot's nodes call for; what was said of them stays."""

from typing import Any

import msgspec
import pytest

from dashboard.kinds.settled import beside_of
from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.trying import validate_scenario
from tests.api.test_found_configurations import HAMI_DEVICES, config_map
from tests.scheduler_core.hami import cards

pytestmark = pytest.mark.django_db
TOLD = "1 Node (b) registers cards of Ascend910B3, which HAMi's settings leave out"


@pytest.fixture
def snapshot(as_alice: Any) -> Snapshot:
    items = [
        *({"apiVersion": "v1", **node} for node in (cards.nvidia("a"), cards.ascend("b"))),
        config_map("hami", "hami-scheduler-device", **{"device-config.yaml": HAMI_DEVICES}),
    ]
    body = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items})
    answer = as_alice.generic("POST", "/api/v1/snapshots/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return Snapshot.objects.get(pk=answer.json()["id"])


def run_of(snapshot: Snapshot, **fields: Any) -> Run:
    return start_run(None, create_scenario(None, {"snapshot": snapshot, "name": "x", **fields}))


@pytest.mark.parametrize(
    ("config", "frozen"),
    [
        (None, {"enableAscend": True}),
        ({"gpuSchedulerPolicy": "binpack"}, {"gpuSchedulerPolicy": "binpack", "enableAscend": True}),
        ({"enableAscend": False}, {"enableAscend": False}),
    ],
)
def test_a_run_has_the_switches_that_its_nodes_call_for(snapshot: Snapshot, config: Any, frozen: Any) -> None:
    run = run_of(snapshot, profile="hami-2.10", config=config)
    assert run.config == frozen
    assert run.scenario is not None
    assert run.scenario.config == config


def test_so_has_a_hami_beside_another_scheduler_and_nobody_else(snapshot: Snapshot) -> None:
    beside = {"scheduler": "hami", "name": "hami-scheduler"}
    run = run_of(snapshot, profile="kube-1.36", beside=[beside])
    assert run.config is None
    assert run.beside == [{**beside, "config": {"enableAscend": True}}]


def test_trying_a_scenario_tells_what_its_settings_leave_out(snapshot: Snapshot) -> None:
    def missing(config: Any) -> str:
        scenario = Scenario(snapshot=snapshot, profile="hami-2.10", config=config, driver="instant")
        return " ".join(validate_scenario(scenario)["trust"]["missing"])

    assert TOLD not in missing(None)
    assert f"{TOLD} (enableAscend is not on)" in missing({"enableAscend": False})


def test_the_import_tells_what_the_clusters_own_settings_leave_out(snapshot: Snapshot) -> None:
    assert (
        f"ConfigMap hami/hami-scheduler-device (device-config.yaml): {TOLD} "
        "(nothing about them in deviceConfig): no pod is given any of them."
    ) in snapshot.warnings


def test_the_editor_says_which_switches_are_on(client: Any, alice: Any, snapshot: Snapshot) -> None:
    scenario = create_scenario(None, {"snapshot": snapshot, "name": "x", "profile": "hami-2.10"})
    client.force_login(alice)
    page = client.get(f"/scenarios/{scenario.pk}/").content.decode()
    assert "enableAscend: on where HAMi's settings don't say otherwise" in page


def test_a_scheduler_beside_that_is_named_by_no_text_is_left_as_it_is() -> None:
    sent = [{"scheduler": ["hami"]}, {"scheduler": {}}, {}, 3]
    assert beside_of(Scenario(snapshot=Snapshot(), beside=sent)) == sent
