"""Every recorded answer of Volcano's webhooks."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scheduler_core.volcano.admission.answers import Denied, Question
from scheduler_core.volcano.admission.resource_groups import read_resource_groups
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.admission.webhooks import (
    CRON_JOBS,
    JOB_FLOWS,
    JOBS,
    POD_GROUPS,
    PODS,
    QUEUES,
    WEBHOOKS,
    Resource,
    Verb,
)
from tests.cases import for_each

FOLDER = Path(__file__).parents[2] / "vectors/volcano/webhook"
FILES: dict[str, tuple[Resource, Verb, str]] = {
    "webhook_jobs_mutate": (JOBS, "mutate", "job"),
    "webhook_jobs_validate": (JOBS, "validate", "job"),
    "webhook_queues_mutate": (QUEUES, "mutate", "queue"),
    "webhook_queues_validate": (QUEUES, "validate", "queue"),
    "webhook_podgroups_mutate": (POD_GROUPS, "mutate", "podgroup"),
    "webhook_podgroups_validate": (POD_GROUPS, "validate", "podgroup"),
    "webhook_pods_mutate": (PODS, "mutate", "pod"),
    "webhook_pods_validate": (PODS, "validate", "pod"),
    "webhook_jobflows_validate": (JOB_FLOWS, "validate", "jobflow"),
}
TABLES = {name: json.loads((FOLDER / f"{name}.json").read_text()) for name in FILES}
ROWS = [(name, row) for name, table in TABLES.items() for row in table["cases"]]


def surroundings(table: dict[str, Any], options: dict[str, Any]) -> Surroundings:
    around = Surroundings.of([*table.get("queues", ()), *table.get("namespaces", ())])
    text = table.get("admission_configuration")
    if text is not None and not options.get("no_configuration"):
        groups = read_resource_groups("" if options.get("empty_configuration") else text)
        around = Surroundings(gates_pods=options.get("gate", False), resource_groups=groups)
    return Surroundings(
        queues=around.queues,
        namespaces=around.namespaces,
        scheduler_names=tuple(table.get("scheduler_names", ("volcano",))),
        max_queue_depth=table.get("max_queue_depth", 5),
        protects_root=options.get("root_queue_protection", table.get("root_queue_protection", True)),
        counts_pods_of_deleted=options.get("allocated_pods_check", False),
        gates_pods=around.gates_pods,
        resource_groups=around.resource_groups,
    )


@for_each(ROWS, lambda case: f"{case[0]}: {case[1]['name']}")
def test_a_webhook_answers_as_recorded(name: str, row: dict[str, Any]) -> None:
    resource, verb, kind = FILES[name]
    document, old = row[kind] or {}, row.get(f"old_{kind}") or {}
    metadata = document.get("metadata") or {}
    question = Question(
        row.get("operation", "CREATE"),
        document,
        old,
        row.get("object_name") or metadata.get("name", ""),
        metadata.get("namespace", ""),
    )
    before = msgspec.json.encode([document, old])
    answer = WEBHOOKS[resource, verb].answer(question, surroundings(TABLES[name], row.get("options", {})))
    found: dict[str, Any] = {"allowed": answer.allowed}
    if "message" in row["expect"]:
        found["message"] = answer.message
    if "patch" in row["expect"]:
        found["patch"] = answer.patch
    assert found == row["expect"]
    assert msgspec.json.encode([document, old]) == before, "the objects were changed"


def test_the_recordings_are_all_here() -> None:
    assert len(ROWS) == 447


def queue(name: str, parent: str, **spec: Any) -> dict[str, Any]:
    version = "scheduling.volcano.sh/v1beta1"
    return {
        "apiVersion": version,
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": {"parent": parent, **spec},
        "status": {"state": "Open"},
    }


def test_queues_in_a_circle_end_the_search() -> None:
    circle = [queue("a", "b"), queue("b", "a")]
    changed = queue("a", "b", capability={"cpu": "2"})
    webhook = WEBHOOKS[QUEUES, "validate"]
    assert webhook.answer(Question("UPDATE", changed, circle[0], "a"), Surroundings.of(circle)).allowed
    moved = webhook.answer(Question("CREATE", queue("c", "a"), name="c"), Surroundings.of(circle))
    assert moved.message == "queue c exceeds the maximum allowed depth of 5"


def test_a_field_of_another_type_is_refused_by_its_place() -> None:
    document = queue("a", "root", weight="three")
    answer = WEBHOOKS[QUEUES, "validate"].answer(Question("CREATE", document), Surroundings())
    assert (answer.allowed, answer.message) == (False, "spec.weight must be a whole number, not text")


def test_faults_of_a_job_are_told_with_their_fields() -> None:
    row = next(row for row in TABLES["webhook_jobs_validate"]["cases"] if row["name"] == "several faults")
    webhook = WEBHOOKS[JOBS, "validate"]
    with pytest.raises(Denied) as denied:
        webhook.run(Question("CREATE", row["job"]), surroundings(TABLES["webhook_jobs_validate"], {}))
    fields = [fault.field for fault in denied.value.faults]
    assert fields == ["spec.minAvailable", "spec.policies", "spec.plugins.teleport", "spec.queue"]


def test_a_job_may_be_changed_where_nothing_else_means_anything_else() -> None:
    row = next(row for row in TABLES["webhook_jobs_validate"]["cases"] if row["name"] == "update: nothing")
    webhook, around = WEBHOOKS[JOBS, "validate"], surroundings(TABLES["webhook_jobs_validate"], {})
    same = json.loads(json.dumps(row["job"]))
    [container] = same["spec"]["tasks"][0]["template"]["spec"]["containers"]
    container["resources"]["requests"]["cpu"] = "1000m"
    same["spec"] |= {"policies": [], "maxRetry": 0}
    assert webhook.answer(Question("UPDATE", same, row["job"]), around).allowed
    container["resources"]["requests"]["cpu"] = "1001m"
    assert not webhook.answer(Question("UPDATE", same, row["job"]), around).allowed


def test_tasks_of_a_patch_are_written_anew() -> None:
    """mutate_job.go mutateSpec: a patch has tasks as Go writes them, whatever was sent."""
    resources = {"requests": {"cpu": "1000m", "memory": "1024Mi"}, "limits": {}}
    containers = [{"image": "i", "command": []}, {"name": "b", "image": "", "resources": resources}]
    tasks: list[dict[str, Any]] = [
        {"template": {"metadata": {"labels": {}}, "spec": {"containers": containers}}},
        {"partitionPolicy": {"minPartitions": 2}},
    ]
    document = {"metadata": {"name": "job"}, "spec": {"tasks": tasks}}
    answer = WEBHOOKS[JOBS, "mutate"].answer(Question("CREATE", document), Surroundings())
    first, second = next(one["value"] for one in answer.patch or () if one["path"] == "/spec/tasks")
    written = {"requests": {"cpu": "1", "memory": "1Gi"}}
    assert first["template"] == {
        "metadata": {},
        "spec": {
            "containers": [{"name": "", "image": "i", "resources": {}}, {"name": "b", "resources": written}]
        },
    }
    assert second["template"] == {"metadata": {}, "spec": {"containers": None}}
    assert second["partitionPolicy"] == {"totalPartitions": 0, "partitionSize": 0, "minPartitions": 2}


def test_a_template_needs_names_that_kubernetes_takes() -> None:
    """admit_job.go validateTaskTemplate: ValidatePodTemplate looks at namespace, labels and annotations."""
    table = TABLES["webhook_jobs_validate"]
    job = json.loads(json.dumps(table["cases"][0]["job"]))
    metadata = {"labels": {"app": "*"}, "annotations": {"a/b/c": ""}}
    job["metadata"]["namespace"] = "Default"
    job["spec"]["tasks"][0]["template"]["metadata"] = metadata
    answer = WEBHOOKS[JOBS, "validate"].answer(Question("CREATE", job), surroundings(table, {}))
    faults = answer.message.split("). ")
    assert faults[0].startswith(
        'spec.task[0].metadata.namespace: Invalid value: "Default": a lowercase RFC 1123 label must'
    )
    assert faults[1].startswith(
        'template.labels: Invalid value: "*": a valid label must be an empty string or'
    )
    assert faults[2].startswith(
        'template.annotations: Invalid value: "a/b/c": a valid label key must consist of'
    )


def test_the_first_flow_that_is_waited_for_in_vain_is_named() -> None:
    """jobflows/validate/util.go LoadVertexs: targets in the order in which they are written."""
    flows = [{"name": "a", "dependsOn": {"targets": ["z", "b"]}}]
    document = {"metadata": {"name": "flow"}, "spec": {"flows": flows}}
    answer = WEBHOOKS[JOB_FLOWS, "validate"].answer(Question("CREATE", document), Surroundings())
    assert answer.message == "jobflow Flow is not DAG: vertex is not defined: z"


@pytest.mark.parametrize(
    ("spec", "name", "message"),
    [
        ({"schedule": "@hourly", "timeZone": "America/Argentina/Buenos_Aires"}, "c", ""),
        ({"schedule": "x"}, "c", "schedule is not a valid cron expression"),
        (
            {"schedule": "TZ=UTC * * * * *"},
            "c",
            "schedule should not contain TZ or CRON_TZ, TZ should only be set in the timeZone field",
        ),
        (
            {"timeZone": "a/./b"},
            "c" * 53,
            "schedule is required, but got empty unknown timeZone invalid timeZone; cronJob name must be no"
            " more than 52 characters to accommodate job name suffix (max 63 total)",
        ),
    ],
)
def test_a_cron_job_is_let_in_if_it_can_be_followed(spec: dict[str, str], name: str, message: str) -> None:
    """As the webhook of cronjobs/validate answered, asked of its own code."""
    document = {"metadata": {"name": name}, "spec": spec}
    answer = WEBHOOKS[CRON_JOBS, "validate"].answer(Question("CREATE", document), Surroundings())
    assert (answer.allowed, answer.message) == (not message, message)


def test_a_name_that_is_there_twice_is_told_after_what_is_wrong_with_the_container_itself() -> None:
    """kubernetes pkg/apis/core/validation validateContainers: validateContainerCommon comes first."""
    table = TABLES["webhook_jobs_validate"]
    job = json.loads(json.dumps(table["cases"][0]["job"]))
    job["spec"]["tasks"][0]["template"]["spec"]["containers"] = [{"name": "c", "image": "i"}, {"name": "c"}]
    answer = WEBHOOKS[JOBS, "validate"].answer(Question("CREATE", job), surroundings(table, {}))
    place = "template.spec.containers[1]"
    assert answer.message.startswith(
        f'spec.task[0].{place}.image: Required value. {place}.name: Duplicate value: "c". '.rstrip()
    )


@pytest.mark.parametrize(
    ("resources", "faults"),
    [
        (
            {"requests": {"foo": "1"}},
            [
                '.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
                '.requests[foo]: Invalid value: "foo": must be a standard resource for containers',
            ],
        ),
        (
            {"limits": {"pods": "1"}},
            ['.limits[pods]: Invalid value: "pods": must be a standard resource for containers'],
        ),
        (
            {"limits": {"requests.x.io/y": "1"}},
            [
                '.limits[requests.x.io/y]: Invalid value: "requests.x.io/y": '
                "doesn't follow extended resource name standard"
            ],
        ),
        ({"limits": {"hugepages-2Mi": "2Mi"}}, [": Forbidden: HugePages require cpu or memory"]),
        (
            {"limits": {"cpu": "-1"}},
            ['.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
        ),
    ],
)
def test_a_container_asks_only_for_what_kubernetes_knows(
    resources: dict[str, Any], faults: list[str]
) -> None:
    """kubernetes pkg/apis/core/validation ValidateContainerResourceRequirements."""
    table = TABLES["webhook_jobs_validate"]
    job = json.loads(json.dumps(table["cases"][0]["job"]))
    container = {"name": "c", "image": "i", "resources": resources}
    job["spec"]["tasks"][0]["template"]["spec"]["containers"] = [container]
    answer = WEBHOOKS[JOBS, "validate"].answer(Question("CREATE", job), surroundings(table, {}))
    place = "template.spec.containers[0].resources"
    assert answer.message.removeprefix("spec.task[0].") == ". ".join(f"{place}{one}" for one in faults) + "."
