"""Volcano's objects in edits: its webhooks' defaults and refusals, and what its controllers will do."""

from typing import Any

import pytest

from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.problems import BadInput
from scheduler_core.volcano.edits import MAX_QUEUES
from scheduler_core.world.edits import Applied, apply_edits
from tests.builders import Object, container, pod, workload

SAYS = "(Volcano's admission webhook)"
SCHEDULING = "scheduling.volcano.sh/v1beta1"


def queue(name: str, state: str = "", **spec: Any) -> Object:
    status = {"status": {"state": state}} if state else {}
    return {"apiVersion": SCHEDULING, "kind": "Queue", "metadata": {"name": name}, "spec": spec, **status}


def group(name: str, namespace: str | None = None, **spec: Any) -> Object:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": SCHEDULING, "kind": "PodGroup", "metadata": metadata, "spec": spec}


def job(name: str = "train", **spec: Any) -> Object:
    template = {"spec": {"containers": [container(requests={"cpu": "1"})]}}
    task = {"name": "worker", "replicas": 2, "template": template}
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {"tasks": [task], **spec},
    }


def add(*manifests: Object) -> Object:
    return {"op": "add", "manifest": {"apiVersion": "v1", "kind": "List", "items": list(manifests)}}


def apply(objects: list[Object], *edits: Object) -> Applied:
    return apply_edits(objects, list(edits))


def faults(objects: list[Object], *edits: Object) -> list[tuple[str, str]]:
    with pytest.raises(BadInput) as refused:
        apply(objects, *edits)
    return [(problem.field, problem.message) for problem in refused.value.problems]


def test_a_job_gets_its_defaults_and_is_not_yet_expanded() -> None:
    applied = apply([], add(job()))
    [made] = applied.objects
    spec = made["spec"]
    assert (spec["queue"], spec["schedulerName"], spec["minAvailable"]) == ("default", "volcano", 2)
    assert (spec["tasks"][0]["minAvailable"], spec["tasks"][0]["maxRetry"]) == (2, 3)
    assert applied.results[0].changes == [
        f"spec.{said} by Volcano's admission webhook"
        for said in (
            "queue default",
            "schedulerName volcano",
            "maxRetry 3",
            "tasks with their defaults",
            "minAvailable 2",
        )
    ] + [
        "the pods of Job.batch.volcano.sh ml/train are made in the run, by Volcano's job controller",
    ]


def test_what_a_webhook_refuses_is_refused_beside_each_field() -> None:
    bad = job(queue="nowhere", minAvailable=3, plugins={"env": [], "teleport": []})
    assert faults([], add(bad)) == [
        (
            "manifest.spec.minAvailable",
            f"job 'minAvailable' should not be greater than total replicas in tasks {SAYS}",
        ),
        ("manifest.spec.plugins.teleport", f"unable to find job plugin: teleport {SAYS}"),
        (
            "manifest.spec.queue",
            f'unable to find job queue: queue.scheduling.volcano.sh "nowhere" not found {SAYS}',
        ),
    ]
    assert faults([], add(group("g", minMember="two", queue=[]))) == [
        ("manifest.spec.minMember", "must be a whole number, not text"),
        ("manifest.spec.queue", "must be text, not an array"),
    ]
    old = group("g", "default")
    change = {
        "op": "patch",
        "kind": "PodGroup",
        "name": "g",
        "patch": {"spec": {"minResources": {"cpu": "x"}}},
    }
    [(field, message)] = faults([old], change)
    assert field == "patch.spec.minResources.cpu"
    assert "'x' is no quantity" in message


def test_a_new_queue_is_open_and_below_root_for_what_comes_after_it() -> None:
    applied = apply([], add(queue("q"), group("g", queue="q")))
    made = applied.objects[0]
    assert made["metadata"]["name"] == "q"
    assert "namespace" not in made["metadata"]
    assert (made["status"], made["spec"]) == (
        {"state": "Open"},
        {"reclaimable": True, "weight": 1, "parent": "root"},
    )
    closed = queue("shut", state="Closed", parent="root")
    [(field, message)] = faults([closed], add(group("g", queue="shut")))
    assert field == "manifest.spec.queue"
    assert "queue `shut` status is `Closed`" in message


def test_a_pod_group_goes_to_its_namespaces_queue() -> None:
    annotations = {"scheduling.volcano.sh/queue-name": "q"}
    namespace = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "default", "annotations": annotations},
    }
    applied = apply([namespace, queue("q", state="Open")], add(group("g", queue="default")))
    assert applied.objects[-1]["spec"]["queue"] == "q"
    assert applied.objects[-1]["metadata"]["namespace"] == "default"


def test_a_change_is_asked_about_where_volcano_asks() -> None:
    queues = [
        queue("a", "Open", parent="root", deserved={"cpu": "2"}),
        queue("b", "Open", parent="a", deserved={"cpu": "2"}),
    ]

    def deserve(cpu: str) -> Object:
        return {
            "op": "patch",
            "kind": "Queue.scheduling.volcano.sh",
            "name": "b",
            "patch": {"spec": {"deserved": {"cpu": cpu}}},
        }

    assert apply(queues, deserve("1")).objects[1]["spec"]["deserved"] == {"cpu": "1"}
    [(field, message)] = faults(queues, deserve("3"))
    assert field == "patch.spec.deserved"
    assert message.startswith("parent queue a validation failed: sum of children's deserved (cpu 3000.00")
    shut = queue("shut", state="Closed")
    change = {"op": "patch", "kind": "PodGroup", "name": "g", "patch": {"spec": {"minMember": 2}}}
    changed = apply([shut, group("g", "default", queue="shut")], change)
    assert changed.objects[1]["spec"]["minMember"] == 2


@pytest.mark.parametrize(
    ("name", "words"),
    [("default", "`default` queue can not be deleted"), ("a", "it has 1 child queues: b")],
)
def test_a_queue_may_have_to_stay(name: str, words: str) -> None:
    queues = [
        queue("default", "Open"),
        queue("a", "Open", parent="root"),
        queue("b", "Open", parent="a"),
    ]
    [(field, message)] = faults(queues, {"op": "delete", "kind": "Queue", "name": name})
    assert field == "name"
    assert words in message
    gone = [{"op": "delete", "kind": "Queue", "name": one} for one in ("b", "a")]
    assert [one["metadata"]["name"] for one in apply(queues, *gone).objects] == ["default"]


def test_the_budgets_of_pods_are_looked_at_wherever_pods_come_from() -> None:
    annotations = {"volcano.sh/jdb-min-available": "0"}
    bad = pod("p", annotations=annotations, spec={"schedulerName": "volcano"})
    place = "metadata.annotations.volcano.sh/jdb-min-available"
    assert [field for field, _ in faults([], add(bad))] == [f"manifest.{place}"]
    web = workload("Deployment", "web", replicas=1)
    template = web["spec"]["template"]
    template["metadata"] = {**template["metadata"], "annotations": annotations}
    template["spec"] = {**template["spec"], "schedulerName": "volcano"}
    assert [field for field, _ in faults([], add(web))] == [f"manifest.spec.template.{place}"]
    template["spec"] = {**template["spec"], "schedulerName": "default-scheduler"}
    assert apply([], add(web)).results[0].problems == []


def test_what_is_stored_of_a_job_passes_as_the_job_itself_did() -> None:
    volumes = [{"mountPath": "/data", "volumeClaimName": "data"}]
    arguments = ["--master=worker", "--worker", "helper", "--key=SECRET", "SECRET"]
    whole = job(volumes=volumes, plugins={"mpi": arguments, "ssh": ["SECRET"]})
    [stored], dropped = withhold_private([whole])
    assert stored["spec"]["volumes"] == volumes
    assert stored["spec"]["plugins"]["mpi"] == arguments[:3]
    assert "SECRET" not in str(stored)
    assert any("arguments" in line for line in dropped)
    apply([], add(stored))


def test_there_is_a_limit_on_queues() -> None:
    queues = [queue(f"q{number}", "Open") for number in range(MAX_QUEUES)]
    [fault] = faults(queues, add(queue("more")))
    assert fault == ("manifest", "there are 1,000 queues already, which is the limit")
