"""The same question under the cluster's release and a newer one."""

from typing import Any

import pytest

from dashboard.errors import NotPossibleNow
from dashboard.models import Run, Scenario, Snapshot
from dashboard.queries import comparison_causes
from dashboard.services.background.execution import execute_run
from dashboard.services.results.comparing import compare_runs
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.upgrading import Upgrade, run_upgrade, upgrade_choices
from scheduler_core.kube.framework_releases.between import changes_between
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db
BALANCED = "NodeResourcesBalancedAllocation"


def nodes_of(version: str) -> list[dict[str, Any]]:
    """Two nodes whose kubelets are of a version."""
    nodes = [node("node-1"), node("node-2")]
    for one in nodes:
        one["status"]["nodeInfo"] = {"kubeletVersion": version}
    return nodes


def cluster(alice: Any, version: str, *more: dict[str, Any]) -> Snapshot:
    """Two nodes of a version, and a pod that waits unless others are given."""
    content = listing(*nodes_of(version), *(more or [pod("web-1")]))
    return import_snapshot(alice, "prod", [("prod.json", content)])


def unbalanced(store: str = "3Gi") -> list[dict[str, Any]]:
    """A pod of much CPU, that would balance node-1 better, and leave node-2 the best balanced.

    store: the memory of the pod on node-1; with 4Gi the nodes are equally good since 1.36.
    """
    taken = [pod("store", node="node-1", cpu="0"), pod("even", node="node-2", cpu="1")]
    for one, memory in zip(taken, (store, "2Gi"), strict=True):
        one["spec"]["containers"][0]["resources"]["requests"]["memory"] = memory
    return [*taken, pod("web-1", cpu="500m")]


def ended(made: Upgrade) -> tuple[Run, Run]:
    for run in (made.older, made.newer):
        execute_run(run.pk)
        run.refresh_from_db()
    return made.older, made.newer


def test_a_cluster_is_run_under_its_release_and_the_next(alice: Any) -> None:
    made = run_upgrade(alice, cluster(alice, "v1.33.5"))
    older, newer = ended(made)
    assert (older.profile, newer.profile, made.notes) == ("kube-1.33", "kube-1.34", [])
    assert (older.scenario.name, newer.scenario.name) == ("prod · kube-1.33", "prod · kube-1.34")
    compared = compare_runs(older, newer)
    assert compared.sentence.startswith(
        "Under 1.34 instead of 1.33, no pod lands on another node; no more pods wait. "
    )
    assert compared.releases is not None
    assert compared.releases.mattered == []
    assert compared.releases.possible == changes_between("1.33", "1.34")


def test_a_release_is_chosen_among_newer_ones_that_are_played(alice: Any) -> None:
    snapshot = cluster(alice, "v1.33.5")
    assert upgrade_choices(snapshot, "kube-1.36").newer[:2] == ["1.34", "1.35"]
    assert run_upgrade(alice, snapshot, "1.36").newer.profile == "kube-1.36"
    before = Scenario.objects.count()
    for release in ("1.33", "1.13", "2.0", ""):
        if release:
            with pytest.raises(BadInput, match=r"newer than 1\.33"):
                run_upgrade(alice, snapshot, release)
    assert Scenario.objects.count() == before


def test_the_newest_release_and_other_schedulers_are_not_upgraded(alice: Any) -> None:
    with pytest.raises(NotPossibleNow, match=r"1\.37 is the newest"):
        run_upgrade(alice, cluster(alice, "v1.37.0"))
    scenario = create_scenario(alice, {"snapshot": cluster(alice, "v1.33.5"), "profile": "volcano-1.16"})
    with pytest.raises(NotPossibleNow, match=r"volcano-1\.16 is no release of kube-scheduler"):
        run_upgrade(alice, scenario)


def test_a_scenario_goes_along_with_its_edits_and_without_a_driver_that_one_release_lacks(alice: Any) -> None:
    cordon = {"op": "cordon", "node": "node-1"}
    fields = {"name": "drain", "edits": [cordon], "profile": "kube-1.36", "driver": "timed", "seed": 7}
    scenario = create_scenario(alice, {"snapshot": cluster(alice, "v1.13.5"), **fields})
    made = run_upgrade(alice, scenario, "1.36")
    assert [run.edits for run in (made.older, made.newer)] == [[cordon], [cordon]]
    assert [(run.driver, run.seed) for run in (made.older, made.newer)] == [("instant", 7), ("instant", 7)]
    assert made.notes == ["kube-1.13 has no driver timed: both were run with instant."]


def test_a_plugin_whose_points_differ_at_the_first_difference_is_named(alice: Any) -> None:
    older, newer = ended(run_upgrade(alice, cluster(alice, "v1.35.0", *unbalanced()), "1.36"))
    compared = compare_runs(older, newer)
    assert compared.differences.first is not None
    assert compared.sentence.startswith(
        f"Under 1.36 instead of 1.35, 1 pod lands on another node, because of {BALANCED} (changed in 1.36); "
        "no more pods wait. "
    )
    swapped = compare_runs(newer, older).releases
    assert swapped is not None
    assert swapped.sentence.startswith("Under 1.35 instead of 1.36, 1 pod lands on another node, because of")
    assert [change.plugin for change in swapped.mattered] == [BALANCED]


def test_who_waits_and_who_moves_in_consequence_is_told_apart(alice: Any) -> None:
    """web-1 takes the room of web-2, which in turn lets web-3 have the place."""
    more = [pod("web-2", cpu="3600m"), pod("web-3", cpu="2600m")]
    older, newer = ended(run_upgrade(alice, cluster(alice, "v1.35.0", *unbalanced(), *more), "1.36"))
    releases = compare_runs(older, newer).releases
    assert releases is not None
    assert [(cause.how, cause.lands, cause.waits, cause.freed, cause.pods) for cause in releases.causes] == [
        ("alone", 1, 0, 0, ["shop/web-1"]),
        ("in consequence", 0, 1, 1, ["shop/web-2", "shop/web-3"]),
    ]
    assert releases.sentence == (
        f"Under 1.36 instead of 1.35, 1 pod lands on another node, because of {BALANCED} (changed in 1.36); "
        "1 more pod waits, in consequence of other decisions; "
        "1 that waited does not, in consequence of other decisions."
    )


def test_a_node_that_would_do_as_well_is_told(alice: Any) -> None:
    older, newer = ended(run_upgrade(alice, cluster(alice, "v1.35.0", *unbalanced("4Gi")), "1.36"))
    releases = compare_runs(older, newer).releases
    assert releases is not None
    assert (
        "1 pod lands on another node, because of NodeResourcesBalancedAllocation (changed in 1.36) "
        "and by lot between equal nodes;" in releases.sentence
    )
    assert releases.by_lot


def test_several_reasons_are_told_with_how_many_pods_each_has(alice: Any) -> None:
    """web-2 prefers node-2, where it fits only once web-1 goes elsewhere."""
    named = {"key": "metadata.name", "operator": "In", "values": ["node-2"]}
    preferred = [{"weight": 100, "preference": {"matchFields": [named]}}]
    affinity = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    more = pod("web-2", cpu="2700m", affinity=affinity)
    older, newer = ended(run_upgrade(alice, cluster(alice, "v1.35.0", *unbalanced(), more), "1.36"))
    releases = compare_runs(older, newer).releases
    assert releases is not None
    assert releases.sentence == (
        "Under 1.36 instead of 1.35, 2 pods land on other nodes: "
        f"1 because of {BALANCED} (changed in 1.36) and 1 in consequence of other decisions; "
        "no more pods wait."
    )


def test_where_the_run_can_t_be_repeated_no_plugin_is_named(alice: Any) -> None:
    older, newer = ended(run_upgrade(alice, cluster(alice, "v1.35.0", *unbalanced()), "1.36"))
    for run in (older, newer):
        run.engine_version = "another"
        run.save()
    releases = compare_runs(older, newer).releases
    assert releases is not None
    assert (releases.mattered, releases.possible) == ([], changes_between("1.35", "1.36"))
    assert (releases.causes, releases.not_tried) == ([], "the run can't be repeated")


def test_what_is_not_tried_in_time_is_told(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer = ended(run_upgrade(alice, cluster(alice, "v1.35.0", *unbalanced()), "1.36"))
    monkeypatch.setattr(comparison_causes, "TRIAL_SECONDS", -1.0)
    releases = compare_runs(older, newer).releases
    assert releases is not None
    assert "1 pod lands on another node, for causes that were not looked for;" in releases.sentence


def test_changes_are_told_from_the_older_to_the_newer_in_either_order() -> None:
    changes = changes_between("1.36", "1.34")
    assert changes == changes_between("1.34", "1.36")
    assert {change.release for change in changes} == {"1.35", "1.36"}
    assert changes_between("1.13", "1.36") == changes_between("1.35", "1.35") == []
