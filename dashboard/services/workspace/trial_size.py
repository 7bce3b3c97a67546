"""How much trying a scenario would take, told from its edits before anything is made.

Trying a scenario carries all edits out while somebody waits.
"""

from typing import Any

from django.conf import settings

from dashboard.models import Pod, Scenario
from scheduler_core.objects.kinds import WORKLOAD_KINDS, kind_named, kind_of
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.objects.workloads.workload_pods import wanted_replicas


def too_large_to_try(scenario: Scenario) -> str:
    """Return why the scenario is left to a run, empty if it can be tried."""
    edits = len(scenario.active_edits())
    if edits > settings.TRIAL_EDIT_LIMIT:
        most = f"at most {settings.TRIAL_EDIT_LIMIT:,} are tried beforehand"
        return f"There are {edits:,} edits, {most}: a run checks them."
    made = things_made(scenario)
    if made > settings.TRIAL_LIMIT:
        most = f"at most {settings.TRIAL_LIMIT:,} are tried beforehand"
        return f"The edits make {made:,} pods and nodes, {most}: a run checks them."
    return ""


def things_made(scenario: Scenario) -> int:
    """Return how many pods and nodes the edits make, at most; pods of DaemonSets are not counted."""
    return sum(_made(scenario, edit) for _, edit in scenario.active_edits())


def _made(scenario: Scenario, edit: dict[str, Any]) -> int:
    match edit["op"]:
        case "scale":
            owner = f"{kind_named(edit['kind'])}/{edit.get('namespace') or 'default'}/{edit['name']}"
            present = Pod.objects.filter(snapshot=scenario.snapshot, workload=owner).count()
            return max(0, int(edit["replicas"]) - present)
        case "add":
            documents = added_objects(edit["manifest"])
            replicas = edit.get("replicas")
            return sum(_wanted(document) if replicas is None else replicas for document in documents)
        case "clone-node" | "add-nodes":
            return int(edit.get("count", 1))
    return 0


def added_objects(manifest: Any) -> list[dict[str, Any]]:
    """Return the objects of an edit's manifest; none where it can't be read."""
    try:
        return read_manifest(manifest)
    except BadInput:
        return []


def _wanted(document: dict[str, Any]) -> int:
    if kind_of(document) not in WORKLOAD_KINDS:
        return 1
    try:
        return wanted_replicas(document)
    except (ValueError, TypeError, AttributeError):
        return 0  # the engine refuses it before it makes anything
