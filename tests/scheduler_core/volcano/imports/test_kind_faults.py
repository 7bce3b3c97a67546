"""What of Volcano's objects can't be read is told by its field when they are imported."""

import pytest

from scheduler_core.volcano.imports.kind_faults import kind_faults


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"minAvailable": "x"}, "spec.minAvailable"),
        ({"minSuccess": "x"}, "spec.minSuccess"),
        ({"ttlSecondsAfterFinished": "soon"}, "spec.ttlSecondsAfterFinished"),
        ({"priorityClassName": 7}, "spec.priorityClassName"),
        ({"policies": [{"event": "PodPending", "timeout": 5}]}, "spec.policies[0].timeout"),
        ({"tasks": [{"name": "a", "dependsOn": {"iteration": 1}}]}, "spec.tasks[0].dependsOn.iteration"),
    ],
)
def test_a_job_that_its_controller_could_not_read_is_a_fault_of_its_field(spec, field):
    job = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train", "namespace": "default"},
        "spec": {"tasks": [{"name": "a", "replicas": 1, "template": {}}], **spec},
    }
    [problem] = kind_faults([job])
    assert problem.field == field
    assert (
        kind_faults([{**job, "spec": {"tasks": [], "minSuccess": 1, "policies": [{"timeout": "5s"}]}}]) == []
    )
