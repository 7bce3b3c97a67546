"""What an import must not keep is gone, what a scheduler reads is untouched, and what was dropped is said."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.privacy.kept_by_kind import fields_of
from tests.builders import Object, cluster_object, container, node, pod, workload

SECRET = "hunter2"
APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
PRIVATE_METADATA = {"managedFields": [{"manager": SECRET}], "annotations": {APPLIED: SECRET, "kept": "yes"}}
PUBLIC_METADATA = {"annotations": {"kept": "yes"}}
DELAY = {"initialDelaySeconds": 5}
PROBE = {"httpGet": {"httpHeaders": [{"name": "Authorization", "value": SECRET}]}, **DELAY}
PRIVATE_CONTAINER = {
    "command": ["run", SECRET],
    "args": [SECRET],
    "env": [{"name": "V", "value": SECRET}, {"name": "W", "valueFrom": {"secretKeyRef": {"key": SECRET}}}],
    "envFrom": [{"prefix": SECRET}],
    "livenessProbe": PROBE,
    "readinessProbe": PROBE,
    "startupProbe": PROBE,
    "lifecycle": {"preStop": {"exec": {"command": [SECRET]}}},
    "workingDir": SECRET,
    "volumeMounts": [{"name": "v", "mountPath": SECRET}],
    "securityContext": {"privileged": True, "seLinuxOptions": {"user": SECRET}},
}
PUBLIC_CONTAINER = {
    "name": "main",
    "image": "registry.example/app:1",
    "ports": [{"name": "web", "containerPort": 80, "hostPort": 8080, "hostIP": "10.0.0.1"}],
    "resources": {"requests": {"cpu": "1"}, "limits": {"nvidia.com/gpu": "1"}},
    "restartPolicy": "Always",
}
PRIVATE_SPEC = {
    "containers": [PUBLIC_CONTAINER | PRIVATE_CONTAINER],
    "initContainers": [PUBLIC_CONTAINER | PRIVATE_CONTAINER],
    "ephemeralContainers": [PUBLIC_CONTAINER | PRIVATE_CONTAINER],
    "hostAliases": [{"hostnames": [SECRET]}],
    "imagePullSecrets": [{"name": SECRET}],
    "nodeSelector": {"pool": "a"},
    "terminationGracePeriodSeconds": 30,
    "volumes": [
        {
            "name": "a",
            "rbd": {"monitors": ["m"], "image": "i", "user": SECRET, "secretRef": {"name": SECRET}},
        },
        {"name": "b", "secret": {"secretName": SECRET}},
        {"name": "c", "hostPath": {"path": SECRET}},
        {"name": "d", "csi": {"driver": "d.example", "volumeAttributes": {"password": SECRET}}},
        {"name": "e", "persistentVolumeClaim": {"claimName": "data", "readOnly": True}},
        {
            "name": "f",
            "ephemeral": {
                "volumeClaimTemplate": {"metadata": PRIVATE_METADATA, "spec": {"storageClassName": "s"}}
            },
        },
    ],
}
_CLEAN_CONTAINER = PUBLIC_CONTAINER | {
    "env": [{"name": "V"}, {"name": "W"}],
    "readinessProbe": DELAY,
    "startupProbe": DELAY,
    "securityContext": {"privileged": True},
}
PUBLIC_SPEC = {
    "containers": [_CLEAN_CONTAINER],
    "initContainers": [_CLEAN_CONTAINER],
    "ephemeralContainers": [_CLEAN_CONTAINER],
    "nodeSelector": {"pool": "a"},
    "terminationGracePeriodSeconds": 30,
    "volumes": [
        {"name": "a", "rbd": {"monitors": ["m"], "image": "i"}},
        {"name": "b"},
        {"name": "c"},
        {"name": "d", "csi": {"driver": "d.example"}},
        {"name": "e", "persistentVolumeClaim": {"claimName": "data", "readOnly": True}},
        {
            "name": "f",
            "ephemeral": {
                "volumeClaimTemplate": {"metadata": PUBLIC_METADATA, "spec": {"storageClassName": "s"}}
            },
        },
    ],
}
PRIVATE_TEMPLATE = {"metadata": PRIVATE_METADATA, "spec": PRIVATE_SPEC}
PUBLIC_TEMPLATE = {"metadata": PUBLIC_METADATA, "spec": PUBLIC_SPEC}


def kept(document: Object) -> Any:
    objects, _ = withhold_private([document])
    return objects[0]


def test_secrets_and_kubeconfigs_are_dropped_and_counted() -> None:
    secret = cluster_object("Secret", "s", namespace="a", data={"password": "aHVudGVyMg=="})
    kubeconfig = {"apiVersion": "v1", "kind": "Config", "users": [{"user": {"token": "t"}}]}
    objects, dropped = withhold_private([secret, node("n"), secret, kubeconfig])
    assert objects == [node("n")]
    assert dropped == ["2 Secrets", "1 kubeconfig"]


@pytest.mark.parametrize(
    ("kind", "version", "spec"),
    [
        *(
            (kind, "apps/v1", lambda template: {"replicas": 2, "template": template})
            for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")
        ),
        ("Job", "batch/v1", lambda template: {"parallelism": 2, "template": template}),
        ("ReplicationController", "v1", lambda template: {"template": template}),
        (
            "CronJob",
            "batch/v1",
            lambda template: {
                "jobTemplate": {
                    "metadata": PUBLIC_METADATA if template is PUBLIC_TEMPLATE else PRIVATE_METADATA,
                    "spec": {"template": template},
                }
            },
        ),
        (
            "Job",
            "batch.volcano.sh/v1alpha1",
            lambda template: {"minAvailable": 1, "tasks": [{"replicas": 2, "template": template}]},
        ),
    ],
)
def test_a_template_is_stripped_wherever_it_stands(kind: str, version: str, spec: Any) -> None:
    private = cluster_object(kind, "x", version=version, namespace="a", spec=spec(PRIVATE_TEMPLATE))
    public = cluster_object(kind, "x", version=version, namespace="a", spec=spec(PUBLIC_TEMPLATE))
    assert SECRET in str(private)
    assert kept(private) == public


def test_a_pod_and_a_pod_template_are_stripped_like_any_template() -> None:
    template = cluster_object("PodTemplate", "x", namespace="a", template=PRIVATE_TEMPLATE)
    assert kept(template)["template"] == PUBLIC_TEMPLATE
    assert kept(pod("x", spec=PRIVATE_SPEC))["spec"] == PUBLIC_SPEC


def test_claim_templates_are_stripped() -> None:
    private = workload("StatefulSet", "x")
    claim = {"storageClassName": "fast", "resources": {"requests": {"storage": "1Gi"}}}
    source = {"dataSource": {"name": SECRET}}
    private["spec"]["volumeClaimTemplates"] = [{"metadata": PRIVATE_METADATA, "spec": claim | source}]
    assert kept(private)["spec"]["volumeClaimTemplates"] == [{"metadata": PUBLIC_METADATA, "spec": claim}]


def test_of_a_pods_status_stays_what_is_read() -> None:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "lastTransitionTime": "2026-05-01T00:00:00Z",
    }
    statuses = [{"name": "main", "ready": True, "restartCount": 2, "allocatedResources": {"cpu": "1"}}]
    public = {
        "phase": "Pending",
        "startTime": "2026-05-01T00:00:00Z",
        "nominatedNodeName": "n",
        "conditions": [condition],
        "containerStatuses": statuses,
    }
    private = public | {
        "message": SECRET,
        "podIP": SECRET,
        "conditions": [condition | {"message": SECRET}],
        "containerStatuses": [{**statuses[0], "lastState": {"terminated": {"message": SECRET}}}],
    }
    assert kept(pod("x", status=private))["status"] == public


@pytest.mark.parametrize(
    ("document", "private"),
    [
        (node("n"), {"spec": {"providerID": SECRET}, "metadata": PRIVATE_METADATA}),
        (cluster_object("StorageClass", "s", version="storage.k8s.io/v1"), {"parameters": {"key": SECRET}}),
        (cluster_object("PriorityClass", "p", version="scheduling.k8s.io/v1"), {"description": SECRET}),
        (cluster_object("Service", "s", namespace="a"), {"spec": {"externalName": SECRET}}),
        (
            cluster_object("PersistentVolume", "v"),
            {"spec": {"csi": {"driver": "d", "volumeAttributes": {"a": SECRET}}, "nfs": {"server": SECRET}}},
        ),
        (
            cluster_object("DeviceClass", "d", version="resource.k8s.io/v1"),
            {"spec": {"config": [{"opaque": {"parameters": {"token": SECRET}}}]}},
        ),
        (
            cluster_object("Job", "v", version="batch.volcano.sh/v1alpha1"),
            {"spec": {"plugins": {"ssh": [f"--ssh-private-key={SECRET}"]}}},
        ),
    ],
)
def test_what_no_scheduler_reads_of_other_kinds_is_dropped(document: Object, private: Object) -> None:
    stripped = kept({**document, **private})
    assert SECRET not in str(stripped)
    assert stripped["metadata"]


def test_of_kinds_that_nothing_reads_only_the_metadata_stay() -> None:
    release = cluster_object("HelmRelease", "r", version="helm.example/v2", namespace="a")
    other_service = cluster_object("Service", "s", version="serving.knative.dev/v1", namespace="a")
    private = [document | {"spec": {"values": SECRET}} for document in (release, release, other_service)]
    objects, dropped = withhold_private(private)
    assert objects == [release, release, other_service]
    assert dropped == [
        "all but the metadata of 3 objects: HelmRelease.helm.example (2), Service.serving.knative.dev (1)"
    ]


@pytest.mark.parametrize(
    "name",
    [
        APPLIED,
        "banzaicloud.com/last-applied",
        "kopf.zalando.org/last-handled-configuration",
        "objectset.rio.cattle.io/applied",
        "kapp.k14s.io/original",
        "kubernetes.io/change-cause",
        "k3s.io/node-args",
        "vault.hashicorp.com/agent-inject-template-db",
        "ad.datadoghq.com/redis.instances",
    ],
)
def test_private_annotations_are_dropped(name: str) -> None:
    assert kept(pod("a", annotations={name: SECRET, "kept": "yes"})) == pod("a", annotations={"kept": "yes"})


MANIFEST = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"token": SECRET}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"apiVersion": "v1", "kind": "Pod", "spec": {"token": SECRET}}),
        f"apiVersion: v1\nkind: Pod\nspec:\n  token: {SECRET}\n",
        json.dumps([MANIFEST]),
        json.dumps({"previous": MANIFEST}),
        json.dumps({"previous": json.dumps(MANIFEST)}),
        f"- apiVersion: v1\n  kind: Pod\n  metadata: {{}}\n  spec: {{token: {SECRET}}}\n",
        f'"apiVersion": v1\n"kind": Pod\n"metadata": {{}}\ntoken: {SECRET}\n',
    ],
)
def test_an_annotation_that_is_a_manifest_is_dropped_whatever_its_name(text: str) -> None:
    assert kept(pod("a", annotations={"tool.example/copy": text})) == pod("a", annotations={})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hami.io/node-nvidia-register", "GPU-1,10,16384,100,NVIDIA-A100,0,true:"),
        ("4pd.io/vgpu-node", "n"),
        ("scheduling.volcano.sh/group-name", "g"),
        ("deployment.kubernetes.io/revision", "3"),
        ("controller.kubernetes.io/pod-deletion-cost", "5"),
        (
            "scheduler.alpha.kubernetes.io/preferAvoidPods",
            '{"preferAvoidPods":[{"podSignature":{"podController":{"apiVersion":"v1","kind":"ReplicaSet"}}}]}',
        ),
    ],
)
def test_annotations_that_schedulers_read_stay(name: str, text: str) -> None:
    assert kept(pod("a", annotations={name: text})) == pod("a", annotations={name: text})


def test_what_was_dropped_is_listed_by_place_with_counts() -> None:
    private = pod("a", containers=[container() | {"command": ["x"], "env": [{"name": "V", "value": "w"}]}])
    private["spec"]["initContainers"] = [container() | {"command": ["x"], "tty": True}]
    private["metadata"] |= PRIVATE_METADATA
    private["status"]["podIP"] = "10.0.0.1"
    template = workload("Deployment", "d", template={"containers": [container() | {"command": ["x"]}]})
    assert withhold_private([private, template])[1] == [
        "Pod.status: podIP (1)",
        "metadata: managedFields (1)",
        f"metadata.annotations: {APPLIED} (1)",
        "pod spec.containers[]: command (3), tty (1)",
        "pod spec.containers[].env[]: value (1)",
    ]


def test_the_list_stays_short_and_shows_no_odd_names() -> None:
    odd = node("n") | {f"field{number}": 1 for number in range(20)} | {f"my {SECRET}\0": 1, "token=x": 1}
    kinds = [{"apiVersion": "a.b/v1", "kind": f"K{number}", "spec": {"a": 1}} for number in range(20)]
    first, second = withhold_private([odd, *kinds])[1]
    assert first.startswith("Node: others (2), field0 (1), ")
    assert first.endswith("field18 (1), and 9 more")
    assert second.startswith("all but the metadata of 20 objects: K0.a.b (1), K1.a.b (1), ")
    assert second.endswith(", and 8 more")


def test_what_has_nothing_private_is_passed_on_as_it_is() -> None:
    objects = [node("n"), pod("a"), workload("Deployment", "d")]
    same, dropped = withhold_private(objects)
    assert all(new is old for new, old in zip(same, objects, strict=True))
    assert dropped == []


def test_the_given_objects_are_never_changed_and_a_second_time_changes_nothing() -> None:
    given = [
        pod("a", spec=PRIVATE_SPEC),
        workload("Deployment", "d", template=PRIVATE_SPEC),
        cluster_object("ConfigMap", "c", data={"a": "b"}),
        cluster_object("Certificate", "c", version="cert.example/v1", spec={"a": "b"}),
    ]
    before = copy.deepcopy(given)
    once, _ = withhold_private(given)
    twice, dropped = withhold_private(once)
    assert given == before
    assert all(new is old for new, old in zip(twice, once, strict=True))
    assert dropped == []


NAMES = st.sampled_from(
    [
        "metadata",
        "annotations",
        "labels",
        "spec",
        "status",
        "template",
        "jobTemplate",
        "tasks",
        "volumeClaimTemplates",
        "containers",
        "name",
        "env",
        "value",
        "command",
        "volumes",
        "csi",
        "data",
        "profiles",
        "pluginConfig",
        "args",
        "conditions",
        "message",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=30,
)
KINDS = st.sampled_from(
    ["Pod", "Deployment", "StatefulSet", "CronJob", "PodTemplate", "ConfigMap", "Node", "Other", "Secret"]
)


@given(kind=KINDS, parts=st.dictionaries(NAMES, VALUES))
def test_whatever_comes_in_a_second_time_changes_nothing(kind: str, parts: Object) -> None:
    document = {**parts, "kind": kind}
    before = copy.deepcopy(document)
    once, dropped = withhold_private([document])
    assert document == before
    assert bool(dropped) == (once != [document])
    assert withhold_private(once) == (once, [])
    assert all(document.keys() & {"kind", *fields_of(document).whole} <= stripped.keys() for stripped in once)


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "Pod", "spec": SECRET},
        {"kind": "Pod", "metadata": SECRET},
        {"kind": "Pod", "spec": {"containers": [None, SECRET, {"env": SECRET}, {"env": [1, SECRET]}]}},
        {"kind": "ConfigMap", "data": SECRET},
        {"kind": "Job", "spec": {"tasks": [1, {"template": {"spec": [SECRET]}}]}},
        {"spec": SECRET},
        {"kind": ["Pod"], "spec": SECRET},
    ],
)
def test_a_text_where_an_object_belongs_is_no_hiding_place(document: Object) -> None:
    objects, dropped = withhold_private([document])
    assert SECRET not in str(objects)
    assert dropped


def test_odd_shapes_do_no_harm_and_are_left_to_the_checks() -> None:
    odd = [
        {"kind": "Pod", "spec": 3},
        {"kind": "Pod", "spec": None, "metadata": {"annotations": 5}},
        {"kind": "ConfigMap", "data": None},
        {"kind": "Job", "metadata": True, "spec": {"template": [[], [{}]]}},
    ]
    assert withhold_private(odd)[0] == odd


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        (
            "0/2 nodes are available: 2 Insufficient cpu. preemption: hunter2",
            "0/2 nodes are available: 2 Insufficient cpu.",
        ),
        ("hunter2: 0/2 nodes are available: 2 Insufficient cpu.", None),
        ("0/2 nodes are available: hunter2.", None),
    ],
)
def test_of_messages_only_a_schedulers_verdict_on_its_nodes_is_kept(message: str, kept: str | None) -> None:
    conditions = [{"type": name, "status": "False", "message": message} for name in ("PodScheduled", "Ready")]
    waiting = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a"},
        "status": {"conditions": conditions},
    }
    [stripped], _ = withhold_private([waiting])
    assert [one.get("message") for one in stripped["status"]["conditions"]] == [kept, None]
    assert withhold_private([stripped])[0][0] is stripped
