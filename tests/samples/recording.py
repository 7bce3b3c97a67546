"""The teaching cluster as a case for the real kube-scheduler, which recorded its answers.

The answers are in `tests/vectors/kube/teaching.jsonl.gz`, held by the tests of all recorded cases.
The first case is the first scenario, the second one the second scenario without its drain, which no scheduler
carries out. A recording knows no controllers: nobody makes copies of evicted pods in it.
"""

from typing import Any

from samples.teaching.sample import teaching_scenarios
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.preparation import prepare
from tests.samples.builders import teaching_objects

SCHEDULER_READS_NOT = ("Deployment", "DaemonSet", "Job")


def recorded_case(scenario: int) -> dict[str, Any]:
    """Return the case without what was decided."""
    edits = [edit for edit in teaching_scenarios()[scenario][1] if edit["op"] != "drain"]
    prepared = prepare(RunInput(objects=teaching_objects(), edits=edits))
    items = [_named(document) for document in prepared.objects if document["kind"] not in SCHEDULER_READS_NOT]
    names = {item["metadata"]["uid"]: _full_name(item) for item in items}
    return {
        "format": "oracle/1",
        "id": f"kube/teaching/{scenario:04}",
        "engine": "kube-scheduler v1.36.1",
        "family": "teaching",
        "config": None,
        "cluster": {"apiVersion": "v1", "kind": "List", "items": items},
        "schedule": [names[uid] for uid in prepared.entering],
    }


def _named(document: dict[str, Any]) -> dict[str, Any]:
    """Return the object with a uid: hand-written ones have none.

    What a controller notes on a ReplicaSet of its share is left out, and uids in references of the sample's
    files, which had none when this was recorded: no scheduler reads them.
    """
    metadata = {"uid": f"{document['kind']}-{document['metadata']['name']}", **document["metadata"]}
    if document["kind"] == "ReplicaSet":
        metadata.pop("annotations", None)
    if references := metadata.get("ownerReferences"):
        metadata["ownerReferences"] = [_as_recorded(reference) for reference in references]
    return {**document, "metadata": metadata}


def _as_recorded(reference: dict[str, Any]) -> dict[str, Any]:
    if "blockOwnerDeletion" in reference:  # of a controller that is played
        return reference
    return {field: value for field, value in reference.items() if field != "uid"}


def _full_name(document: dict[str, Any]) -> str:
    return f"{document['metadata'].get('namespace', '')}/{document['metadata']['name']}"
