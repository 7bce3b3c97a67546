"""Preflight in exact sentences, and held against whole runs with the manifest as edits."""

from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard.answers.preflight import Preflight
from dashboard.answers.printers.words import plain
from dashboard.services.results.counted import count
from dashboard.services.results.preflight import baseline, preflight, preflight_in_stages
from samples.hami.sample import hami_files
from samples.volcano.sample import volcano_files
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.edits.manifests import in_order, makes_pods, read_to_apply
from scheduler_core.world.edits.places import key_of
from scheduler_core.world.trials.warm_world import WarmWorld, adding
from tests.dashboard.answers.test_of_run import URGENT, api, web
from tests.scheduler_core.clusters import clusters, node, pod
from tests.scheduler_core.volcano import gangs

examples = settings(max_examples=10, suppress_health_check=list(HealthCheck), deadline=None)


def ask(objects: list[Any], *documents: Any, **more: Any) -> Preflight:
    world = WarmWorld(RunInput(objects=objects, **more))
    return preflight(world, in_order(documents), baseline(world))


def said(found: Preflight) -> list[str]:
    lines = [
        " ".join(filter(None, (plain(line.head), plain(line.says), *map(plain, line.under))))
        for line in found.answer.lines
    ]
    return [plain(found.answer.lead), *lines]


def deployment(replicas: int, **spec: Any) -> dict[str, Any]:
    manifest: dict[str, Any] = api(replicas, **spec)["manifest"]
    return manifest


def test_what_fits_in_free_room() -> None:
    found = ask(web(), deployment(2))
    assert found.answer.verdict == "fits"
    assert said(found) == [
        "default/api: 2 of 2 fit: 2 in free room; nothing else is pending because of it.",
        "default/api: 2 of 2 fit: 2 in free room.",
    ]


def test_what_fits_by_evicting_says_whom_and_who_waits_then() -> None:
    found = ask(web(), deployment(6, priorityClassName="urgent"))
    assert (found.answer.verdict, found.evicted, found.violated) == ("fits", 3, 0)
    assert said(found) == [
        "default/api: 6 of 6 fit: 3 in free room and 3 by evicting default/web ×3; "
        "3 pods of others are pending because of it.",
        "default/api: 6 of 6 fit: 3 in free room and 3 by evicting default/web ×3.",
        "3 pods evicted for others: default/web ×3; 3 pending.",
        "1 workload is short of pods: default/web ×3.",
        "3 pods of others are pending because of it: default/web ×3.",
    ]
    table = found.answer.tables[-1]
    assert [plain(cell) for cell in table.rows[0]][:3] == ["3", "Insufficient cpu", "default/web ×3"]


def rows(found: Preflight, name: str) -> list[list[str]]:
    [table] = [one for one in found.answer.tables if one.name == name]
    return [[plain(cell) for cell in row] for row in table.rows]


def test_it_says_where_each_pod_lands_who_goes_for_it_and_what_the_scheduler_says_of_the_others() -> None:
    found = ask(web(), deployment(9, priorityClassName="urgent"))
    lands = rows(found, "lands")
    assert [how for *_, how in lands].count("free room") == 3
    assert [how for *_, how in lands].count("finds no node") == found.workloads[0].waiting
    assert len(lands) == 9
    gone = rows(found, "goes")
    assert len(gone) == found.evicted
    assert {then for *_, then in gone} == {"its copy waits"}
    [[pods, message]] = rows(found, "messages")
    assert (int(pods), message[:27]) == (found.workloads[0].waiting, "0/2 nodes are available: 2 ")
    [bind] = found.binds
    assert (bind.workload, bind.plugin, bind.resource) == (
        "Deployment/default/api",
        "NodeResourcesFit",
        "cpu",
    )
    assert bind.pods == found.workloads[0].waiting


def test_of_a_pod_that_has_to_go_later_it_says_where_its_copy_lands() -> None:
    """The room freed for `urgent` is taken by `first`, so that `urgent` evicts the manifest's pod too."""
    never = {"preemptionPolicy": "Never", "nodeSelector": {"kubernetes.io/hostname": "a"}}
    objects = [
        node("a", cpu="2"), pod("low", cpu="2", on="a", owner="low"),
        node("b", cpu="2"), pod("less-low", cpu="1", on="b", owner="less-low", priority=5),
        node("c", cpu="500m"),
        pod("urgent", cpu="2", priority=10), pod("first", cpu="2", priority=20, **never),
    ]  # fmt: skip
    small = {"cpu": "500m"}
    app = deployment(1)
    app["spec"]["template"]["spec"] |= {
        "containers": [{"name": "main", "image": "app:1", "resources": {"requests": small}}],
        "nodeSelector": {"kubernetes.io/hostname": "b"},
    }
    found = ask(objects, app, driver="timed")
    assert said(found)[0].startswith("default/api: 0 of 1 fit; 1 finds no node")
    [[name, *rest]] = rows(found, "lands")
    assert (name.endswith("-1-r1"), rest) == (True, ["", "finds no node"]), "the copy, not the one that went"


def test_what_waits_says_why_and_what_waits_either_way_is_not_its_own() -> None:
    found = ask([*web(), pod("big", cpu="8")], deployment(5))
    assert found.answer.verdict == "partly"
    assert said(found) == [
        "default/api: 3 of 5 fit: 3 in free room; 2 find no node; nothing else is pending because of it.",
        "default/api: 3 of 5 fit: 3 in free room; 2 find no node. "
        "Fits on none of 2 nodes: 2 lack only cpu, the nearest, n1, by 1.",
        "No pod of others is pending because of it: 1 waits either way.",
    ]


QUOTA = {
    "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "few", "namespace": "default"},
    "spec": {"hard": {"pods": "7"}}, "status": {"hard": {"pods": "7"}, "used": {"pods": "5"}},
}  # fmt: skip


def test_a_quota_is_a_limit_and_not_a_lack_of_room() -> None:
    found = ask([*web(), QUOTA], deployment(3))
    assert (found.answer.verdict, found.crosses_limit) == ("partly", True)
    lead, line, *_ = said(found)
    assert lead.startswith("default/api: 2 of 3 fit: 2 in free room; 1 is refused")
    assert "1 of 3 pods not created" in line
    assert "exceeded quota: few" in line


LIMITS: dict[str, Any] = {
    "apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "bounds", "namespace": "default"},
    "spec": {"limits": [{
        "type": "Container", "default": {"memory": "512Mi"}, "max": {"cpu": "2"}, "min": {"cpu": "2"},
        "maxLimitRequestRatio": {"memory": "1"},
    }]},
}  # fmt: skip


def test_a_limit_range_that_refuses_is_named_with_the_container_and_the_amounts() -> None:
    app = deployment(2)
    resources = {"requests": {"memory": "1Gi", "cpu": "1"}, "limits": {"cpu": "3"}}
    app["spec"]["template"]["spec"]["containers"] = [{"name": "main", "image": "a:1", "resources": resources}]
    for driver in ("instant", "timed"):
        found = ask([*web(), LIMITS], app, driver=driver)
        assert (found.answer.verdict, found.crosses_limit, found.workloads[0].refused) == ("not", True, 2)
        assert "512Mi, the default of LimitRange bounds for container main" in said(found)[1]
    under = [plain(one) for one in ask([*web(), LIMITS], app).workloads[0].under]
    assert under == [
        "spec.template.spec.containers[0].resources.requests.memory: must not be greater than the limit of "
        "512Mi, the default of LimitRange bounds for container main.",
        "spec.template.spec: minimum cpu usage per Container is 2, but request is 1 "
        "(LimitRange bounds, container main).",
        "spec.template.spec: maximum cpu usage per Container is 2, but limit is 3 "
        "(LimitRange bounds, container main).",
    ]
    app["spec"]["template"]["spec"]["containers"] *= 2
    app["spec"]["template"]["spec"]["containers"][1] = {
        "name": "side", "image": "a:1", "resources": {"requests": {"cpu": "500m", "memory": "2Gi"}},
    }  # fmt: skip
    under = [plain(one) for one in ask([*web(), LIMITS], app).workloads[0].under]
    assert (len(under), under[3]) == (4, "And 2 more reasons.")


def test_a_quota_that_comes_with_the_manifest_counts() -> None:
    quota = {**QUOTA, "spec": {"hard": {"pods": "5"}}, "status": {}}
    found = ask(web(), deployment(2), quota)
    assert (found.answer.verdict, found.workloads[0].refused) == ("not", 2)


def test_a_priority_class_that_is_missing_is_named_and_the_rest_is_tried() -> None:
    lost = {**deployment(2, priorityClassName="nonesuch"), "metadata": {"name": "lost"}}
    found = ask(web(), lost, deployment(1))
    assert (found.answer.verdict, found.crosses_limit) == ("partly", True)
    assert said(found)[:2] == [
        "1 of 3 pods fits: 1 in free room; 2 are refused; nothing else is pending because of it.",
        "default/lost: 0 of 2 fit: 2 are refused. "
        "spec.template.spec.priorityClassName: no PriorityClass with name nonesuch was found.",
    ]
    assert [(one.name, one.verdict, one.refused) for one in found.workloads] == [
        ("lost", "not", 2), ("api", "fits", 0),
    ]  # fmt: skip


def test_a_class_may_stand_behind_who_names_it() -> None:
    early = {**URGENT, "metadata": {"name": "early"}}
    found = ask(web(), deployment(1, priorityClassName="early"), early)
    assert found.answer.verdict == "fits"
    assert "1 other object applied." in said(found)


def test_of_pods_of_a_scheduler_that_nobody_plays_nothing_can_be_said() -> None:
    found = ask(web(), deployment(2, schedulerName="another"))
    assert (found.answer.verdict, found.crosses_limit) == ("unsure", False)
    assert said(found)[1:3] == [
        "2 pods name the scheduler another, which this run has not: no decision about them.",
        "default/api: of 2 pods nothing can be said. No scheduler decides about it: "
        "no scheduler of this run serves the schedulerName another.",
    ]
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    assert ask(objects, deployment(1), profile="volcano-1.16").answer.verdict == "unsure"


def test_pods_of_which_nothing_is_modelled_are_no_verdict() -> None:
    claims: dict[str, Any] = {"resourceClaims": [{"name": "card", "resourceClaimName": "card"}]}
    found = ask(web(), deployment(2, **claims), profile="kube-1.37")
    assert (found.answer.verdict, found.is_doubtful) == ("unsure", True)
    assert said(found)[0] == "default/api: of 2 pods nothing can be said."


def test_a_workload_that_is_there_is_applied() -> None:
    there = {**deployment(2), "metadata": {"name": "api", "uid": "api"}}
    found = ask([*web(), there], deployment(9))
    assert (found.workloads[0].asked, found.workloads[0].fit) == (9, 3)


def test_a_manifest_without_pods_asks_nothing() -> None:
    found = ask(web(), QUOTA)
    assert found.answer.verdict == "nothing_asked"
    assert said(found) == ["No pods are asked for: 1 object applied."]
    template = {"spec": {**pod("one")["spec"], "restartPolicy": "Never"}}
    daily = {
        "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "daily"},
        "spec": {"schedule": "0 1 * * *", "suspend": True, "jobTemplate": {"spec": {"template": template}}},
    }  # fmt: skip
    found = ask(web(), deployment(0), daily)
    assert found.answer.verdict == "nothing_asked"
    assert said(found) == [
        "No pods are asked for: 2 objects applied.",
        "default/api: no pods are asked for: 0 replicas.",
        "default/daily: no pods are asked for: it is suspended.",
    ]


def autoscaler(name: str = "api", least: int = 3, most: int = 4, of: str = "api") -> dict[str, Any]:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": of}
    return {
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": name},
        "spec": {"minReplicas": least, "maxReplicas": most, "scaleTargetRef": target},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("replicas", "scalers", "pods"),
    [
        (1, [autoscaler()], 3),
        (None, [autoscaler()], 3),
        (9, [autoscaler()], 4),
        (4, [autoscaler()], 4),
        (0, [autoscaler()], 0),
        (1, [autoscaler(of="other")], 1),
        (1, [autoscaler(), autoscaler("second", 4)], 1),
    ],
)
def test_the_bounds_of_an_autoscaler_hold(
    replicas: int | None, scalers: list[dict[str, Any]], pods: int
) -> None:
    app = deployment(replicas or 0)
    if replicas is None:
        del app["spec"]["replicas"]
    roomy = [node("n1", cpu="16")]
    for found in (ask(roomy, app, *scalers), ask([*roomy, *scalers], app)):
        assert (found.workloads[0].asked, found.workloads[0].fit) == (pods, pods)
        changed = pods != (1 if replicas is None else replicas)
        said_so = any("HorizontalPodAutoscaler api" in plain(one) for one in found.workloads[0].under)
        assert said_so is changed


@pytest.mark.parametrize(
    ("spec", "target"),
    [
        (None, {"apiVersion": "extensions/v1beta1"}),
        (None, {"apiVersion": "v1"}),
        (None, {"apiVersion": None}),
        ({"minReplicas": 5, "maxReplicas": -5}, {}),
        ({"minReplicas": 5, "maxReplicas": 3}, {}),
        ({"minReplicas": -1, "maxReplicas": 0}, {}),
        ({"minReplicas": 5}, {}),
        ("many", {}),
    ],
)
def test_an_autoscaler_that_finds_no_target_or_that_is_refused_bounds_nothing(spec: Any, target: Any) -> None:
    scaler = autoscaler()
    scaler["spec"]["scaleTargetRef"] |= target
    if spec is not None:
        aims = scaler["spec"]["scaleTargetRef"]
        scaler["spec"] = {**spec, "scaleTargetRef": aims} if isinstance(spec, dict) else spec
    found = ask([node("n1", cpu="16")], deployment(2), scaler)
    assert (found.workloads[0].asked, found.workloads[0].fit) == (2, 2)


def test_an_autoscaler_s_pods_are_counted_where_they_are_refused_or_wait() -> None:
    app = deployment(1)
    found = ask(web(), app, autoscaler(least=9, most=9))
    assert (found.workloads[0].asked, found.workloads[0].fit, found.workloads[0].waiting) == (9, 3, 6)
    found = ask([*web(), {**QUOTA, "spec": {"hard": {"pods": "5"}}, "status": {}}], app, autoscaler())
    assert (found.workloads[0].asked, found.workloads[0].refused) == (3, 3)
    assert [plain(one) for one in found.workloads[0].under][:1] == [
        "HorizontalPodAutoscaler api keeps at least 3 replicas."
    ]


def test_an_autoscaler_of_the_manifest_takes_the_place_of_the_cluster_s() -> None:
    found = ask([node("n1", cpu="16"), autoscaler(least=5, most=9)], deployment(1), autoscaler(least=2))
    assert found.workloads[0].asked == 2


def test_what_an_autoscaler_makes_of_a_workload_that_is_not_in_the_manifest_is_told() -> None:
    there = {**deployment(1), "metadata": {"name": "api", "uid": "api"}}
    found = ask([*web(), there], autoscaler())
    assert (found.answer.verdict, found.is_doubtful) == ("nothing_asked", True)
    assert plain(found.answer.trust[0]) == (
        "HorizontalPodAutoscaler api keeps at least 3 replicas of Deployment default/api, which has 1: "
        "that is not played."
    )


def test_pods_of_a_node_that_there_is_not_do_not_fit() -> None:
    found = ask(web(), deployment(2, nodeName="ghost"))
    assert found.answer.verdict == "not"
    assert said(found)[:2] == [
        "default/api: 0 of 2 fit; 2 find no node.",
        "default/api: 0 of 2 fit: 2 find no node. There is no node ghost.",
    ]
    assert [row[1:] for row in rows(found, "lands")] == [["", "finds no node"]] * 2


def test_of_pods_that_name_their_node_nothing_can_be_said_for_no_scheduler_decides() -> None:
    for document, more in ((deployment(2, nodeName="n1"), []), (deployment(2, nodeName="g"), [node("g")])):
        found = ask(web(), *more, document)
        assert (found.answer.verdict, found.crosses_limit) == ("unsure", False)
        assert (
            "nodeName is set: no scheduler decides, and whether all fit is up to the kubelet of"
            in (said(found)[1])
        )


def test_a_namespace_that_there_is_not_is_named() -> None:
    shop = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    there = {**shop, "metadata": {"name": "there"}}
    named = {**deployment(1), "metadata": {"name": "api", "namespace": "shop"}}
    found = ask([*web(), there], named)
    assert (
        plain(found.answer.trust[0]) == "There is no namespace shop in the import: it has to be made before."
    )
    assert (found.answer.verdict, found.is_doubtful) == ("fits", True)
    for objects, documents in ((web(), [named]), ([*web(), there], [named, shop])):
        assert "namespace shop" not in str(ask(objects, *documents).answer.trust)


def test_what_the_import_has_nothing_of_is_no_verdict() -> None:
    claim = {"metadata": {"name": "data"}, "spec": {"storageClassName": "gp3"}}
    claim["spec"] |= {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    stateful = {**deployment(3), "kind": "StatefulSet"}
    stateful["spec"] = {**stateful["spec"], "volumeClaimTemplates": [claim], "serviceName": "api"}
    nodes = [node("n1", cpu="8")]
    for document, kind, name in (
        (stateful, "StorageClasses", "gp3"),
        (deployment(2, priorityClassName="gold"), "PriorityClasses", "gold"),
        (deployment(2, runtimeClassName="gvisor"), "RuntimeClasses", "gvisor"),
    ):
        found = ask(nodes, document)
        assert (found.answer.verdict, found.crosses_limit) == ("unsure", False)
        assert f"The import has no {kind}: whether {name} is one is not known." in said(found)[1]
    assert ask([*nodes, URGENT], deployment(2, priorityClassName="gold")).crosses_limit
    assert (
        ask(
            nodes, deployment(9, priorityClassName="gold"), {**URGENT, "metadata": {"name": "gold"}}
        ).answer.verdict
        == "partly"
    )


CLASS = {
    "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"},
    "provisioner": "csi.example.com", "volumeBindingMode": "WaitForFirstConsumer",
}  # fmt: skip


def stateful(replicas: int, storage_class: str = "fast", storage: str = "4Gi") -> dict[str, Any]:
    resources = {"requests": {"storage": storage}}
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": storage_class, "resources": resources}
    found = {**deployment(replicas), "kind": "StatefulSet"}
    templates = [{"metadata": {"name": "data"}, "spec": spec}]
    return {**found, "spec": {**found["spec"], "volumeClaimTemplates": templates, "serviceName": "api"}}


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_pods_whose_claims_a_quota_refuses_are_not_made(driver: str) -> None:
    quota = {**QUOTA, "spec": {"hard": {"persistentvolumeclaims": "2"}}, "status": {}}
    objects = [node("n1", cpu="16"), CLASS]
    for found in (
        ask([*objects, quota], stateful(3), driver=driver),
        ask(objects, quota, stateful(3), driver=driver),
    ):
        [one] = found.workloads
        assert (one.asked, one.fit, one.refused, found.crosses_limit) == (3, 2, 1, True)
        assert plain(one.under[0]) == (
            'persistentvolumeclaims "data-api-2" is forbidden: exceeded quota: few, requested: '
            "persistentvolumeclaims=1, used: persistentvolumeclaims=2, limited: persistentvolumeclaims=2."
        )
    scaler = autoscaler()
    scaler["spec"]["scaleTargetRef"]["kind"] = "StatefulSet"
    [one] = ask([*objects, quota], scaler, stateful(1), driver=driver).workloads
    assert (one.asked, one.fit, one.refused) == (3, 2, 1)
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data-api-1"}}
    claim |= {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "4Gi"}}}}
    there = ask([*objects, quota, claim], stateful(3), driver=driver)
    assert there.workloads[0].refused == 1, "a claim that is there is not made again"


def test_objects_that_a_quota_on_their_number_refuses_are_named() -> None:
    quota = {**QUOTA, "spec": {"hard": {"count/deployments.apps": "1", "services": "0"}}, "status": {}}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "front"}, "spec": {"selector": {}}}
    second = {**deployment(2), "metadata": {"name": "second"}}
    found = ask(web(), quota, service, deployment(1), second)
    assert [(one.name, one.fit, one.refused) for one in found.workloads] == [("api", 1, 0), ("second", 0, 2)]
    assert found.crosses_limit
    assert any(
        "default/front is refused: exceeded quota: few, requested: services=1" in line for line in said(found)
    )
    there = {**deployment(1), "metadata": {"name": "api", "uid": "api"}}
    assert ask([*web(), there, quota], deployment(2)).answer.verdict == "fits", "it is there, and no new one"


def test_a_volume_that_comes_with_the_manifest_is_available() -> None:
    terms = [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["n1"]}]}]
    volume: dict[str, Any] = {
        "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "disk"},
        "spec": {
            "capacity": {"storage": "10Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "local",
            "local": {"path": "/disk"}, "nodeAffinity": {"required": {"nodeSelectorTerms": terms}},
        },
    }  # fmt: skip
    local = {**CLASS, "metadata": {"name": "local"}, "provisioner": "kubernetes.io/no-provisioner"}
    labelled = {**node("n1", cpu="16")}
    labelled["metadata"] = {**labelled["metadata"], "labels": {"kubernetes.io/hostname": "n1"}}
    found = ask([labelled, node("n2", cpu="16")], local, volume, stateful(2, "local"))
    assert [(one.asked, one.fit, one.waiting) for one in found.workloads] == [(2, 1, 1)]
    taken = {**volume, "spec": {**volume["spec"], "claimRef": {"name": "other", "uid": "some"}}}
    assert ask([labelled], local, taken, stateful(1, "local")).answer.verdict == "not"


def test_a_storage_class_that_there_is_not_is_named() -> None:
    found = ask([node("n1", cpu="16"), CLASS], stateful(1, "slow"))
    assert found.answer.verdict == "not"
    assert plain(found.workloads[0].under[0]) == "There is no StorageClass slow."
    slow = {**CLASS, "metadata": {"name": "slow"}}
    assert ask([node("n1", cpu="16"), CLASS], slow, stateful(1, "slow")).answer.verdict == "fits"


def test_a_pod_security_standard_that_is_enforced_is_a_doubt() -> None:
    def space(level: str) -> dict[str, Any]:
        labels = {"pod-security.kubernetes.io/enforce": level}
        return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": labels}}

    doubt = (
        "Namespace default enforces the Pod Security Standard restricted: whether it lets these pods in is "
        "not checked."
    )
    for found in (
        ask([*web(), space("restricted")], deployment(1)),
        ask(web(), space("restricted"), deployment(1)),
    ):
        assert (found.answer.verdict, found.is_doubtful) == ("fits", True)
        assert doubt in [plain(one) for one in found.answer.trust]
    for found in (
        ask([*web(), space("privileged")], deployment(1)),
        ask([*web(), space("restricted")], MONITOR),
    ):
        assert "Pod Security" not in str(found.answer.trust)


def test_of_claims_that_a_provisioner_binds_before_scheduling_nothing_can_be_said() -> None:
    storage_class = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}}
    claim = {"metadata": {"name": "data"}, "spec": {"storageClassName": "fast"}}
    claim["spec"] |= {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    stateful = {**deployment(1), "kind": "StatefulSet"}
    stateful["spec"] = {**stateful["spec"], "volumeClaimTemplates": [claim], "serviceName": "api"}
    for mode, provisioner, verdict in (
        ("Immediate", "csi.example.com", "unsure"),
        ("Immediate", "kubernetes.io/no-provisioner", "not"),
        ("WaitForFirstConsumer", "csi.example.com", "fits"),
    ):
        made = {**storage_class, "volumeBindingMode": mode, "provisioner": provisioner}
        found = ask([node("n1", cpu="8"), made], stateful)
        assert found.answer.verdict == verdict, mode
        assert ("The provisioner of StorageClass fast" in said(found)[1]) == (verdict == "unsure")


def test_what_leaves_its_name_to_the_api_server_has_one() -> None:
    named = {"generateName": "nightly-"}
    template = {"spec": {**pod("one")["spec"], "restartPolicy": "Never"}}
    once = {"apiVersion": "batch/v1", "kind": "Job", "metadata": named, "spec": {"template": template}}
    found = ask(web(), once, once)
    assert [(one.name, one.fit) for one in found.workloads] == [("nightly-1", 1), ("nightly-2", 1)]
    lost = {**template["spec"], "priorityClassName": "nonesuch"}
    found = ask(web(), {**once, "spec": {"template": {"spec": lost}}})
    assert [(one.name, one.refused) for one in found.workloads] == [("nightly-", 1)]


def applied(name: str, **spec: Any) -> dict[str, Any]:
    there = pod(name, cpu="1")
    return {
        **there,
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": there["spec"]["containers"], **spec},
    }


def test_a_pod_that_is_there_is_applied_as_far_as_an_update_may() -> None:
    runs, waits = pod("runs", cpu="1", on="n1"), pod("waits", cpu="1")
    owned = pod("owned", cpu="1", on="n1", owner="web")
    objects = [node("n1", cpu="4"), runs, waits, owned]
    for name in ("runs", "waits", "owned"):
        found = ask(objects, applied(name))
        assert (found.answer.verdict, found.workloads[0].fit) == ("fits", 1)
        found = ask(objects, applied(name, containers=pod(name, cpu="2")["spec"]["containers"]))
        assert (found.answer.verdict, found.crosses_limit, found.workloads[0].refused) == ("not", True, 1)
        assert "spec.containers: may not change: the pod is there already" in said(found)[1]
    newer = [{**one, "image": "main:2"} for one in applied("runs")["spec"]["containers"]]
    assert ask(objects, applied("runs", containers=newer)).answer.verdict == "fits"


def test_pods_of_a_daemon_set_wait_for_room_on_their_own_nodes() -> None:
    daemons = {**deployment(1), "kind": "DaemonSet"}
    daemons["spec"] = {key: value for key, value in daemons["spec"].items() if key != "replicas"}
    full = [node(f"n{at}", cpu="1") for at in range(5)]
    taken = [pod(f"full-{at}", cpu="1", on=f"n{at}") for at in range(5)]
    found = ask([*full, *taken, node("empty", cpu="4")], daemons)
    assert (found.workloads[0].fit, found.workloads[0].waiting) == (1, 5)
    assert {(one.plugin, one.resource) for one in found.binds} == {("NodeResourcesFit", "cpu")}
    under = [plain(one) for one in found.workloads[0].under]
    assert under[0].startswith("Fits on none of 6 nodes: 1 lacks only cpu, n0, by ")
    assert (len(under), under[3]) == (4, "And 2 more causes.")


ROLLOUT = {
    "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "shop"},
    "spec": {"replicas": 3, "template": {"spec": {"containers": [{"name": "main"}]}}},
}  # fmt: skip
MONITOR = {"apiVersion": "monitoring.coreos.com/v1", "kind": "ServiceMonitor", "metadata": {"name": "api"}}


def test_of_what_a_kind_makes_that_nobody_plays_nothing_is_known() -> None:
    found = ask(web(), ROLLOUT)
    assert (found.answer.verdict, found.workloads[0].verdict) == ("unsure", "unsure")
    assert said(found) == [
        "Nothing is known of the pods of default/shop.",
        "default/shop: nothing is known of its pods. Rollout.argoproj.io isn't played: "
        "whether pods come of it, how many, and what they ask for is not known.",
    ]
    flow = {"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobFlow", "metadata": {"name": "f"}}
    assert said(ask(web(), flow | {"spec": {"flows": [{"name": "a"}]}}))[1] == (
        "default/f: nothing is known of its pods. Pods come of JobFlow.flow.volcano.sh by way of jobs, "
        "which a preflight doesn't count: a run plays them."
    )
    found = ask(web(), ROLLOUT, MONITOR, deployment(2))
    assert found.answer.verdict == "unsure"
    assert said(found)[0].startswith(
        "2 of 2 pods fit: 2 in free room; nothing is known of the pods of default/shop"
    )
    assert ask(web(), ROLLOUT, deployment(9)).answer.verdict == "partly"
    assert ask(web(), MONITOR, deployment(2)).answer.verdict == "fits"


def test_what_is_done_before_the_others_is_tried_alone() -> None:
    objects = web()
    world = WarmWorld(RunInput(objects=objects))
    against = baseline(world)

    def found(first: int, second: int) -> Preflight:
        hooks = [
            {**deployment(size), "metadata": {"name": name}} for name, size in (("a", first), ("b", second))
        ]
        return preflight_in_stages(world, [deployment(3)], hooks, against)

    fits = found(3, 2)
    assert (fits.answer.verdict, [one.fit for one in fits.workloads]) == ("fits", [3, 2, 3])
    assert said(fits)[:3] == [
        "default/api: 3 of 3 fit: 3 in free room; nothing else is pending because of it.",
        "Before all others, and done by then: default/a: 3 of 3 fit: 3 in free room.",
        "Before all others, and done by then: default/b: 2 of 2 fit: 2 in free room.",
    ]
    short = found(3, 4)
    assert short.answer.verdict == "partly"
    assert said(short)[0] == (
        "default/api: 3 of 3 fit: 3 in free room; nothing else is pending because of it. "
        "Before it: default/b: 3 of 4 fit: 3 in free room; 1 finds no node; "
        "nothing else is pending because of it."
    )
    assert preflight_in_stages(world, [deployment(3)], [], against) == preflight(
        world, [deployment(3)], against
    )


def test_helm_prints_several_documents_with_secrets_among_them() -> None:
    text = yaml.safe_dump_all(
        [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}}, deployment(1), pod("solo")]
    )
    assert [key_of(one) for one in read_to_apply(text.encode(), "shop").objects] == [
        "Deployment/shop/api", "Pod/default/solo",
    ]  # fmt: skip


# -- other schedulers --------------------------------------------------------------------------------------


def sample(files: list[tuple[str, bytes]]) -> list[Any]:
    return [one for _, data in files for one in read_manifest(data.decode())]


def job(tasks: int, cards: int, queue: str = "default") -> dict[str, Any]:
    resources = {"requests": {"cpu": "4", "memory": "8Gi"}, "limits": {"nvidia.com/gpu": str(cards)}}
    container = {"name": "main", "image": "train:1", "resources": resources}
    spec = {"restartPolicy": "Never", "containers": [container]}
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job",
        "metadata": {"name": "fit", "namespace": "ml"},
        "spec": {
            "schedulerName": "volcano", "queue": queue, "minAvailable": tasks,
            "tasks": [{"name": "worker", "replicas": tasks, "template": {"spec": spec}}],
        },
    }  # fmt: skip


def test_a_gang_that_is_too_large_for_the_cluster_is_refused_as_a_whole() -> None:
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    assert ask(objects, job(4, 1), profile="volcano-1.16").answer.verdict == "fits"
    found = ask(objects, job(99, 1), profile="volcano-1.16")
    assert (found.answer.verdict, found.workloads[0].asked, found.workloads[0].fit) == ("not", 99, 0)


def test_a_job_that_its_queue_does_not_let_in_says_what_it_asks_and_may() -> None:
    objects = [one for one in sample(volcano_files("queues")) if one["kind"] not in ("Pod", "PodGroup")]
    found = ask(objects, job(201, 0), profile="volcano-1.16")
    assert (found.answer.verdict, found.workloads[0].waiting) == ("not", 201)
    assert said(found)[1] == (
        "ml/fit: 0 of 201 fit: 201 find no node. Its job may not enter its queue: "
        "overcommit allows 76.8 cpu, 0 held, 0 promised; it asks for 804, 727.2 too much."
    )


def test_the_pods_of_a_pod_group_are_counted_once() -> None:
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "g", "namespace": "default"},
        "spec": {"minMember": 3},
    }
    pods = [pod(f"g-{place}", "100m", schedulerName="volcano") for place in range(3)]
    for one in pods:
        one["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": "g"}
    found = ask(objects, group, *pods, profile="volcano-1.16")
    assert [(one.asked, one.fit) for one in found.workloads] == [(3, 3)]
    assert said(found)[1] == "default/g: 3 of 3 fit: 3 in free room."


def test_a_job_of_volcano_is_no_verdict_where_volcano_is_not_played() -> None:
    found = ask(web(), job(3, 0))
    assert (found.answer.verdict, found.crosses_limit) == ("unsure", False)
    assert "Volcano is none of the schedulers that are played: nothing makes its pods." in said(found)[1]


def test_a_task_of_volcano_that_says_no_number_has_no_pods_and_nulls_are_named() -> None:
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    silent, null, no_task = job(2, 1), job(2, 1), job(2, 1)
    [task] = silent["spec"]["tasks"]
    more = {key: value for key, value in task.items() if key != "replicas"} | {"name": "more"}
    silent["spec"]["tasks"].append(more)
    null["spec"]["tasks"].append({**more, "replicas": None})
    no_task["spec"]["tasks"].append(None)
    for one in (silent, null):
        found = ask(objects, one, profile="volcano-1.16")
        assert (found.workloads[0].asked, found.workloads[0].fit) == (2, 2)
        assert ask(web(), one).workloads[0].asked == 2
    found = ask(objects, no_task, profile="volcano-1.16")
    assert found.workloads[0].refused == 2
    assert "spec.tasks[1]: must be an object, not nothing" in str(found.workloads[0].under)


def test_a_job_whose_queue_is_missing_is_not_let_in() -> None:
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    found = ask(objects, job(2, 1, queue="nonesuch"), profile="volcano-1.16")
    assert (found.answer.verdict, found.crosses_limit) == ("not", True)
    assert "nonesuch" in said(found)[1]


NO_CLASS = "spec.priorityClassName: no PriorityClass with name nonesuch was found"


def test_pods_of_a_job_that_the_api_server_refuses_say_why() -> None:
    """The job controller tries again some times, and then ends the whole job."""
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    objects = [*objects, URGENT]
    of_job, of_task, of_one_task = job(3, 1), job(3, 1), job(3, 1)
    of_job["spec"]["priorityClassName"] = "nonesuch"
    of_task["spec"]["tasks"][0]["template"]["spec"]["priorityClassName"] = "nonesuch"
    [task] = of_one_task["spec"]["tasks"]
    lost = {"spec": {**task["template"]["spec"], "priorityClassName": "nonesuch"}}
    of_one_task["spec"]["tasks"].append({"name": "other", "replicas": 2, "template": lost})
    given_up = "Job failed on action SyncJob for retry limit reached."
    for document, pods, refused in ((of_job, 3, 3), (of_task, 3, 3), (of_one_task, 5, 2)):
        found = ask(objects, document, profile="volcano-1.16")
        assert (found.answer.verdict, found.crosses_limit, found.workloads[0].refused) == ("not", True, pods)
        assert said(found)[1] == (
            f"ml/fit: 0 of {pods} fit: {pods} are refused. "
            f"{refused} pods are not created: {NO_CLASS}. {given_up}"
        )
    high = {**URGENT, "metadata": {"name": "nonesuch"}}
    assert ask(objects, of_job, high, profile="volcano-1.16").answer.verdict == "fits"
    limits = {**LIMITS, "metadata": {"name": "bounds", "namespace": "ml"}}
    found = ask([*objects, limits], job(3, 1), profile="volcano-1.16")
    assert "(LimitRange bounds, container main)" in said(found)[1]


def test_a_quota_refuses_pods_of_a_job_of_volcano() -> None:
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    quota = {**QUOTA, "metadata": {"name": "few", "namespace": "ml"}}
    assert ask([*objects, quota], job(2, 1), profile="volcano-1.16").answer.verdict == "fits"
    found = ask([*objects, quota], job(3, 1), profile="volcano-1.16")
    assert (found.answer.verdict, found.crosses_limit, found.workloads[0].refused) == ("not", True, 3)
    assert said(found)[1] == (
        "ml/fit: 0 of 3 fit: 3 are refused. 1 of 3 pods are not created, so that it is given up: "
        "exceeded quota: few, requested: pods=1, used: pods=7, limited: pods=7."
    )


def test_a_class_of_a_job_that_the_import_may_have_left_out_is_no_verdict() -> None:
    objects = [one for one in sample(volcano_files("gang")) if one["kind"] not in ("Pod", "PodGroup")]
    document = job(3, 1)
    document["spec"]["priorityClassName"] = "nonesuch"
    found = ask(objects, document, profile="volcano-1.16")
    assert (found.answer.verdict, found.crosses_limit) == ("unsure", False)
    assert "The import has no PriorityClasses: whether nonesuch is one is not known." in said(found)[1]


def test_slices_of_cards() -> None:
    objects = sample(hami_files())
    [first, *_] = [one for one in objects if one["kind"] == "Pod" and not one["spec"].get("nodeName")]
    spec = {name: value for name, value in first["spec"].items() if name != "priority"}
    one = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "slice", "namespace": "ml"}, "spec": spec}
    many = [{**one, "metadata": {"name": f"slice-{number}", "namespace": "ml"}} for number in range(60)]
    assert ask(objects, one, profile="hami-2.10").answer.verdict == "fits"
    found = ask(objects, *many, profile="hami-2.10")
    assert found.answer.verdict == "partly"
    assert sum(checked.fit for checked in found.workloads) < 60


# -- a whole run says the same -----------------------------------------------------------------------------


def assert_a_run_says_the_same(objects: list[Any], documents: list[Any], **more: Any) -> None:
    """Hold the pods that fit against those of a run with the same edits, built anew."""
    found = ask(objects, *documents, **more)
    edits = [adding([one]) for one in documents]
    counted = count(Simulation(RunInput(objects=objects, edits=edits, **more)), edits)
    ends = {row["workload"]: row for row in counted.figures["ends"]}
    assert [one.fit for one in found.workloads] == [
        ends[f"Pod/default/{one.name}"]["running"] for one in found.workloads
    ]
    fit = sum(one.fit for one in found.workloads)
    asked = sum(map(makes_pods, documents))
    assert sum(one.asked for one in found.workloads) == asked
    assert (found.answer.verdict == "fits") == (fit == asked)


@examples
@given(clusters(), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.sampled_from(["instant", "timed"]))
def test_a_run_with_the_same_edits_says_the_same(objects: list[Any], cpus: list[int], driver: str) -> None:
    documents = [pod(f"new-{at}", cpu=str(cpu)) for at, cpu in enumerate(cpus)]
    for one in documents:
        del one["spec"]["priority"], one["metadata"]["uid"], one["status"]
    assert_a_run_says_the_same([*objects, node("spare")], documents, driver=driver)


@examples
@given(gangs.clusters(), gangs.CONFIGURATIONS, st.integers(1, 4))
def test_so_does_one_in_sessions(objects: list[Any], config: Any, tasks: int) -> None:
    queue = next(one["metadata"]["name"] for one in objects if one["kind"] == "Queue")
    found = ask(objects, job(tasks, 1, queue), profile="volcano-1.16", config=config)
    edits = [adding([job(tasks, 1, queue)])]
    run = Simulation(RunInput(objects=objects, edits=edits, profile="volcano-1.16", config=config))
    list(run)
    [one] = found.workloads
    assert one.asked == tasks
    assert one.fit == sum(row.name.startswith("fit-worker") and row.node != "" for row in run.state().pods())
