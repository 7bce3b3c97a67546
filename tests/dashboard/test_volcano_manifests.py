"""Manifests as Volcano's users write them: taken as they are, and what isn't played is told."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from dashboard.models import Snapshot
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.trying import validate_scenario
from scheduler_core.objects.kinds import kind_of
from scheduler_core.volcano.api_kinds import READ_BY_VOLCANO
from scheduler_core.volcano.reporting.unplayed import UNPLAYED
from tests.dashboard.volcano import finished

pytestmark = pytest.mark.django_db
FOLDER = Path(__file__).parent / "manifests/volcano"
NAMES = sorted(path.name for path in FOLDER.glob("*.yaml"))


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


@pytest.fixture
def snapshot() -> Snapshot:
    """All of them in one import, as several files."""
    return import_snapshot(None, "forms", [(name, (FOLDER / name).read_bytes()) for name in NAMES])


def test_every_form_is_taken_whole(snapshot: Snapshot) -> None:
    assert sum(snapshot.counts.values()) == sum(len(documents(name)) for name in NAMES)
    assert snapshot.counts["Job.batch.volcano.sh"] == 7
    assert snapshot.counts["CronJob.batch.volcano.sh"] == 1
    assert snapshot.status == "ready"


def test_nothing_that_kubectl_would_apply_is_called_refused(snapshot: Snapshot) -> None:
    assert [warning for warning in snapshot.warnings if "would refuse" in warning] == []


def test_each_kind_that_is_not_played_is_told_by_name(snapshot: Snapshot) -> None:
    there = {kind_of(item) for name in ("jobs.yaml", "others.yaml") for item in documents(name)}
    unplayed = there - READ_BY_VOLCANO
    assert unplayed == UNPLAYED.keys()
    told = [warning for warning in snapshot.warnings if warning.startswith("Not played:")]
    assert len(told) == len(unplayed)
    assert "Not played: 1 HyperJob.training.volcano.sh: no jobs are made of them." in told
    assert not any(one.startswith(("Not read", "Only the metadata")) for one in snapshot.warnings)


def test_a_run_of_volcano_plays_what_there_is(snapshot: Snapshot) -> None:
    run = finished(snapshot, profile="volcano-1.16")
    assert {row["group"] for row in run.outcome["by_group"]} >= {"ml/by-hand", "ml/near"}
    assert not any("network topology" in one for one in run.trust["not_modelled"])


def test_each_form_is_taken_as_an_edit_too() -> None:
    empty = import_snapshot(None, "empty", [("cluster.yaml", (FOLDER / "cluster.yaml").read_bytes())])
    edits = [
        {"op": "add", "manifest": item}
        for name in ("scheduling.yaml", "jobs.yaml", "others.yaml")
        for item in documents(name)
    ]
    scenario = draft_scenario({"snapshot": empty, "profile": "volcano-1.16", "edits": edits})
    assert validate_scenario(scenario)["problems"] == []
