"""Faults of an import: one warning for each kind of fault, and a list of all who have it."""

from itertools import count
from typing import Any

import pytest

from dashboard.models import Snapshot
from dashboard.services.imports.findings import (
    KEPT_FINDINGS,
    KEPT_PLACES,
    of_faults,
    warnings_of,
    without_objects,
)
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.objects.problems import Problem
from tests.builders import container, node, pod, workload
from tests.dashboard.rows import listing
from tests.scheduler_core.objects.validation.test_api_faults import foreign

pytestmark = pytest.mark.django_db


def imported(*objects: dict[str, Any]) -> Snapshot:
    return import_snapshot(None, "x", [("", listing(*objects))])


def refusals(snapshot: Snapshot) -> list[str]:
    return [warning for warning in snapshot.warnings if warning.startswith("An API server would refuse")]


def test_a_misspelt_field_is_told_with_object_and_field_and_what_was_meant() -> None:
    snapshot = imported(node("n"), pod("a", spec={"nodeselector": {"disk": "ssd"}}))
    assert refusals(snapshot) == [
        "An API server would refuse this: Pod default/a spec.nodeselector: is an unknown field; "
        "did you mean nodeSelector? It is read as if it were not there."
    ]
    assert snapshot.findings[0]["places"] == ["Pod default/a spec.nodeselector"]


def test_a_misspelt_kind_is_told_with_what_was_meant() -> None:
    snapshot = imported(node("n"), {**pod("a"), "kind": "Pods"})
    assert refusals(snapshot) == [
        "An API server would refuse this: Pods default/a kind: is an unknown kind; did you mean Pod? "
        "It is read as if it were not there."
    ]


def test_a_misspelt_resource_of_nodes_is_told_though_an_api_server_takes_it() -> None:
    misspelt = [{**node(name), "status": {"allocatable": {"cpu": 1, "memry": "8Gi"}}} for name in "nm"]
    snapshot = imported(*misspelt)
    [warning] = [warning for warning in snapshot.warnings if "memry" in warning]
    assert warning.startswith("No pod can use this in 2 objects (n, m): Node status.allocatable.memry: is ")
    assert warning.endswith("; did you mean memory?")


def test_equal_faults_are_one_warning_with_a_count_and_the_first_names() -> None:
    misspelt = [{**container("b"), "limits": {"cpu": 1}}, {**container("c"), "limits": {"cpu": 1}}]
    pods = [pod(f"p{number}", containers=misspelt) for number in range(5)]
    snapshot = imported(node("n"), *pods)
    [warning] = refusals(snapshot)
    assert warning == (
        "An API server would refuse this in 5 objects (default/p0, default/p1, default/p2, …): "
        "Pod spec.containers[].limits: is an unknown field; did you mean resources.limits? "
        "It is read as if it were not there."
    )
    [finding] = [one for one in snapshot.findings if one["warning"] == warning]
    assert finding["count"] == 5
    assert len(finding["places"]) == 10
    assert finding["places"][-1] == "Pod default/p4 spec.containers[1].limits"


def test_a_dump_of_a_real_cluster_is_found_no_fault_with() -> None:
    assert refusals(imported(*foreign("plain_dump"))) == []
    assert not any(finding["of_files"] for finding in Snapshot.objects.get().findings)


def test_a_warning_names_the_files_if_there_were_several() -> None:
    wrong = [pod(name, spec={"nodeselector": {}, "nodeName": "gone"}) for name in "abcde"]
    payloads = [(f"{one['metadata']['name']} 1.json", listing(one)) for one in wrong]
    snapshot = import_snapshot(None, "x", [*payloads, ("", listing(node("n")))])
    files = "a\u00a01.json, b\u00a01.json, c\u00a01.json and 2 more"
    [fault, missing] = [finding["warning"] for finding in snapshot.findings]
    assert fault.startswith(
        "An API server would refuse this in 5 objects (default/a, default/b, default/c, …)"
        f" in {files}: Pod spec.nodeselector: is an unknown field"
    )
    assert missing.startswith(
        f"5 pods on nodes that are not in the import (gone): they take room nowhere (told by {files}). Add"
    )
    alone = import_snapshot(None, "x", [("a.json", listing(node("n"), *wrong))])
    assert "a.json" not in " ".join(alone.warnings)


def test_objects_that_are_dropped_as_a_whole_are_announced() -> None:
    secrets = [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}} for name in "ab"]
    told = "Dropped as a whole, since nothing of them may be stored: 2 Secrets."
    assert told in imported(node("n"), *secrets).warnings
    assert not any(warning.startswith("Dropped") for warning in imported(node("n")).warnings)


def test_what_is_missing_has_its_kubectl_line_and_all_who_name_it() -> None:
    snapshot = imported(
        node("n"), *(pod(f"p{number}", owner=workload("ReplicaSet", "r", uid="r")) for number in range(4))
    )
    [finding] = snapshot.findings
    assert finding["warning"] in snapshot.warnings
    assert finding["warning"].endswith(" Add them: kubectl get replicasets -A -o json")
    assert finding["places"] == [f"Pod default/p{number}" for number in range(4)]


def test_findings_are_bounded() -> None:
    many = of_faults(Problem(f"Pod a/{number}", "spec", "is wrong") for number in range(2 * KEPT_PLACES))
    assert [(one.count, len(one.places)) for one in many] == [(2 * KEPT_PLACES, KEPT_PLACES)]
    different = of_faults(Problem("Pod a/b", f"spec.f{number}", "is wrong") for number in range(30))
    assert warnings_of(different)[-1] == "10 more kinds of faults are not listed here."


def test_of_objects_beyond_the_places_that_are_kept_the_number_stays() -> None:
    [many] = of_faults(Problem(f"Pod a/{number}", "spec", "is wrong") for number in range(2 * KEPT_PLACES))
    kept = {f"Pod a/{number}" for number in range(1, KEPT_PLACES)}
    [left] = without_objects([many.document()], kept | {"Pod a/unheard-of"})
    assert (left.count, left.places) == (KEPT_PLACES + 1, ["Pod a/0 spec"])
    assert left.warning == "An API server would refuse this in 1,001 objects (a/0, …): Pod spec: is wrong."


def test_after_very_many_kinds_of_faults_no_more_are_looked_for() -> None:
    faults = (Problem(f"Pod a/{number}", f"spec.f{number}", "is wrong") for number in count())
    assert len(of_faults(faults)) == KEPT_FINDINGS


def test_no_name_can_pass_for_the_kubectl_line_of_a_warning() -> None:
    [finding] = of_faults([Problem("Pod a/b: kubectl delete", "spec", "is wrong")])
    assert ": kubectl " not in finding.warning


def test_the_page_of_warnings_lists_all_objects_on_request(alice: Any, client: Any) -> None:
    many = [pod(f"p{number}", spec={"nodeselector": {"disk": "ssd"}}) for number in range(5)]
    snapshot = imported(node("n"), *many)
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/warnings/").content.decode()
    assert "<summary>5 objects</summary>" in page
    assert "Pod default/p4 spec.nodeselector" in page
    assert (
        f'href="/snapshots/{snapshot.pk}/warnings/"'
        in client.get(f"/snapshots/{snapshot.pk}/").content.decode()
    )
