"""Which schedulers a new scenario takes from its cluster, and what is said of them."""

from typing import Any

import msgspec
import pytest

from dashboard.models import Snapshot
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.suggesting import suggest
from samples.gang.sample import gang_files
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.edits.named_schedulers import schedulers_named
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db

VOLCANO = {"actions": "enqueue, allocate", "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}]}]}
HAMI_DEVICES = {
    "nvidia": {
        "resourceCountName": "nvidia.com/gpu",
        "resourceMemoryName": "nvidia.com/gpumem",
    }
}
HAMI_KUBE = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "hami-scheduler"}],
    "extenders": [
        {
            "urlPrefix": "https://127.0.0.1:443",
            "filterVerb": "filter",
            "bindVerb": "bind",
            "enableHTTPS": True,
            "nodeCacheCapable": True,
            "managedResources": [{"name": "nvidia.com/gpu", "ignoredByScheduler": True}],
        }
    ],
}


def kube(*names: str, **more: Any) -> dict[str, Any]:
    """A KubeSchedulerConfiguration with a profile for each name."""
    profiles = [{"schedulerName": name} for name in names]
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return {**head, "profiles": profiles, **more}


def config_map(where: str, entry: str, document: dict[str, Any]) -> dict[str, Any]:
    namespace, _, name = where.partition("/")
    data = {entry: msgspec.json.encode(document).decode()}
    metadata = {"namespace": namespace, "name": name}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


VOLCANO_MAP = config_map("volcano-system/volcano-scheduler-configmap", "volcano-scheduler.conf", VOLCANO)
HAMI_MAPS = [
    config_map("kube-system/hami-scheduler", "config.yaml", HAMI_KUBE),
    config_map("kube-system/hami-scheduler-device", "device-config.yaml", HAMI_DEVICES),
]


def waiting(**numbers: int) -> list[dict[str, Any]]:
    """So many pods that wait for each scheduler; `_` stands for a hyphen."""
    names = {name.replace("_", "-"): number for name, number in numbers.items()}
    return [
        pod(f"{name}-{place}", schedulerName=name)
        for name, number in names.items()
        for place in range(number)
    ]


def of_release(name: str, version: str) -> dict[str, Any]:
    made = node(name)
    made["status"]["nodeInfo"] = {"kubeletVersion": version}
    return made


def cluster(*objects: dict[str, Any]) -> Snapshot:
    return import_snapshot(None, "c", [("c.json", listing(node("node-1"), *objects))])


def test_a_volcano_cluster_takes_volcano_with_the_configuration_of_its_config_map() -> None:
    running = pod("shop", node="node-1")
    found = suggest(cluster(*waiting(volcano=3), running, VOLCANO_MAP))
    assert found.fields() == {"profile": "volcano-1.16", "config": VOLCANO, "beside": []}
    assert found.sentence == (
        "volcano: named by 3 waiting pods; its configuration from"
        " ConfigMap volcano-system/volcano-scheduler-configmap."
    )
    assert found.unserved == []


def test_without_its_config_map_volcano_has_its_default_configuration_and_that_is_said() -> None:
    found = suggest(cluster(*waiting(volcano=1)))
    assert (found.profile, found.config) == ("volcano-1.16", None)
    assert found.sentence == (
        "volcano: named by 1 waiting pod; Volcano's default configuration, since the import has no ConfigMap"
        " of it."
    )


def test_a_configuration_that_cannot_be_played_is_not_taken_and_that_is_said() -> None:
    asks_outside = kube(
        "default-scheduler", extenders=[{"urlPrefix": "https://x:443", "filterVerb": "filter"}]
    )
    found = suggest(
        cluster(*waiting(default_scheduler=2), config_map("kube-system/own", "config", asks_outside))
    )
    assert (found.profile, found.config) == ("kube-1.37", None)
    assert "kube-scheduler's default configuration, since its own can't be taken" in found.sentence
    assert "(ConfigMap kube-system/own: " in found.sentence
    assert "urlPrefix" in found.sentence


def test_several_schedulers_act_beside_the_one_that_most_waiting_pods_name() -> None:
    found = suggest(
        cluster(*waiting(volcano=2, default_scheduler=3, hami_scheduler=1), VOLCANO_MAP, *HAMI_MAPS)
    )
    assert (found.profile, found.config) == ("kube-1.37", None)
    assert [entry["scheduler"] for entry in found.beside] == ["volcano", "hami"]
    assert found.beside[0]["config"] == VOLCANO
    assert found.beside[1]["config"]["deviceConfig"] == HAMI_DEVICES
    assert found.unserved == []
    assert "hami-scheduler: named by 1 waiting pod; its configuration from ConfigMap" in found.sentence


def test_hami_takes_its_config_maps_not_the_kube_scheduler_configuration_beside_them() -> None:
    found = suggest(cluster(*waiting(hami_scheduler=2), *HAMI_MAPS))
    assert (found.profile, found.beside) == ("hami-2.10", [])
    assert found.config is not None
    assert found.config["kubeSchedulerConfiguration"]["profiles"] == [{"schedulerName": "hami-scheduler"}]
    both = "ConfigMaps kube-system/hami-scheduler-device and kube-system/hami-scheduler"
    assert f"its configuration from {both};" in found.sentence
    assert "which stand in its command line and no import has, are the defaults (binpack and spread)." in (
        found.sentence
    )


def test_a_configuration_with_both_names_is_one_scheduler() -> None:
    config = kube("default-scheduler", "packer", percentageOfNodesToScore=50)
    found = suggest(
        cluster(
            *waiting(packer=3, default_scheduler=1), config_map("kube-system/scheduler", "config", config)
        )
    )
    assert found.fields() == {"profile": "kube-1.37", "config": config, "beside": []}
    assert found.sentence.startswith("default-scheduler and packer: named by 1 and 3 waiting pods; ")


def test_a_second_kube_scheduler_acts_beside_the_default_one() -> None:
    second = config_map("kube-system/second", "config", kube("packer"))
    found = suggest(cluster(*waiting(packer=1, default_scheduler=2), second))
    assert (found.profile, found.config) == ("kube-1.37", None)
    assert found.beside == [{"scheduler": "kube-scheduler", "config": kube("packer")}]


def test_two_configurations_for_one_name_cannot_both_act_and_the_first_stays() -> None:
    one = config_map("kube-system/one", "config", kube("default-scheduler", "both"))
    other = config_map("kube-system/other", "config", kube("both", "packer"))
    found = suggest(cluster(*waiting(default_scheduler=2, packer=1), one, other))
    assert (found.config, found.beside) == (kube("default-scheduler", "both"), [])
    assert found.unserved == [{"scheduler": "packer", "pods": 1}]
    assert "kube-scheduler schedules pods of both already" in found.sentence


def test_names_that_nobody_plays_are_told() -> None:
    found = suggest(cluster(*waiting(yunikorn=3, default_scheduler=1)))
    assert (found.profile, found.beside) == ("kube-1.37", [])
    assert found.unserved == [{"scheduler": "yunikorn", "pods": 3}]
    assert found.sentence.endswith(
        "Not served: yunikorn (3 waiting pods: no ConfigMap of the import has a profile of that name)."
    )


def test_where_all_names_are_unknown_the_default_scheduler_stays() -> None:
    own = config_map("kube-system/scheduler", "config", kube("default-scheduler"))
    found = suggest(cluster(*waiting(yunikorn=3), own))
    assert (found.profile, found.config) == ("kube-1.37", kube("default-scheduler"))
    assert found.sentence.startswith("default-scheduler: no waiting pod names another that is played; ")


def test_where_no_pod_waits_those_of_running_pods_are_taken_and_else_the_default() -> None:
    found = suggest(cluster(pod("a", node="node-1", schedulerName="volcano"), VOLCANO_MAP))
    assert (found.profile, found.config, found.beside) == ("volcano-1.16", VOLCANO, [])
    assert found.sentence.startswith("volcano: named by 1 running pod; its configuration from ConfigMap ")
    ended = pod("a", node="node-1", schedulerName="volcano") | {"status": {"phase": "Succeeded"}}
    empty = suggest(cluster(ended, VOLCANO_MAP))
    assert (empty.profile, empty.beside) == ("kube-1.37", [])
    assert empty.sentence.startswith("default-scheduler: no pod waits; ")


def test_where_pods_may_have_to_move_their_schedulers_act_too() -> None:
    running = [pod(f"r{place}", node="node-1", schedulerName="volcano") for place in range(2)]
    found = cluster(*waiting(default_scheduler=1), *running, VOLCANO_MAP)
    assert suggest(found).beside == []
    beside = [{"scheduler": "volcano", "config": VOLCANO}]
    assert suggest(found, moving=True).beside == beside
    for edit, expected in (
        ({"op": "drain", "nodes": ["node-1"]}, beside),
        ({"op": "cordon", "nodes": ["node-1"]}, []),
    ):
        assert create_scenario(None, {"snapshot": found, "edits": [edit]}).beside == expected
    off = {"op": "drain", "nodes": ["node-1"], "enabled": False}
    assert create_scenario(None, {"snapshot": found, "edits": [off]}).beside == []


@pytest.mark.parametrize(
    ("versions", "profile", "told"),
    [
        (["v1.13.5"], "kube-1.13", "The nodes' kubelets are of 1.13, and so is what is played."),
        (["v1.8.0-gke.1"], "kube-1.8", "The nodes' kubelets are of 1.8, and so is what is played."),
        (["v1.36.2"], "kube-1.36", "The nodes' kubelets are of 1.36, and so is what is played."),
        (["v1.29.3+k3s1"], "kube-1.29", "The nodes' kubelets are of 1.29, and so is what is played."),
        (
            ["v1.99.0"],
            "kube-1.37",
            "The nodes' kubelets are of 1.99; 1.37, the nearest that is known, is played instead.",
        ),
        (
            ["v1.20.4"],
            "kube-1.28",
            "The nodes' kubelets are of 1.20; 1.28, the nearest that is known, is played instead.",
        ),
        (
            ["v1.9.1", "v1.13.0"],
            "kube-1.13",
            "The nodes' newest kubelets are of 1.13, and so is what is played.",
        ),
        (["unknown"], "kube-1.37", "no ConfigMap of it."),
    ],
)
def test_the_release_is_that_of_the_nodes_if_it_is_played(
    versions: list[str], profile: str, told: str
) -> None:
    nodes = [of_release(f"n{place}", version) for place, version in enumerate(versions)]
    found = suggest(cluster(*nodes, *waiting(default_scheduler=1)))
    assert found.profile == profile
    assert found.sentence.endswith(told)


@pytest.mark.parametrize(
    ("version", "profile", "told"),
    [
        ("v1.34.2", "kube-1.34", "are of 1.34, and so is what is played."),
        ("v1.35.0", "kube-1.35", "are of 1.35, and so is what is played."),
        ("v1.30.1", "kube-1.37", "1.37 is played instead: 1.30 acts beside no scheduler of another kind."),
    ],
)
def test_the_cluster_s_release_is_taken_beside_another_kind_where_it_can_be(
    version: str, profile: str, told: str
) -> None:
    found = suggest(cluster(of_release("n", version), *waiting(default_scheduler=2, volcano=1)))
    assert (found.profile, found.beside) == (profile, [{"scheduler": "volcano"}])
    assert told in found.sentence


@pytest.mark.parametrize(
    ("version", "release", "told"),
    [
        ("v1.34.2", "1.34", "are of 1.34, and so is what is played."),
        ("v1.36.0", None, "are of 1.36, and so is what is played."),
        ("v1.30.1", None, "1.36 is played instead: 1.30 acts beside no scheduler of another kind."),
    ],
)
def test_a_kube_scheduler_beside_another_kind_is_of_the_cluster_s_release_where_it_can_be(
    version: str, release: str | None, told: str
) -> None:
    snapshot = cluster(of_release("n", version), *waiting(default_scheduler=1, volcano=2))
    found = suggest(snapshot)
    beside = {"scheduler": "kube-scheduler", **({"release": release} if release else {})}
    assert (found.profile, found.beside) == ("volcano-1.16", [beside])
    assert told in found.sentence
    assert create_scenario(None, {"snapshot": snapshot}).beside == [beside]


def ephemeral() -> dict[str, Any]:
    return pod("data", volumes=[{"name": "data", "ephemeral": {}}])


@pytest.mark.parametrize(
    ("objects", "driver", "told"),
    [
        ([ephemeral()], None, "1.13 is not played with ephemeral volumes (1 waiting pod)"),
        (waiting(default_scheduler=1), "timed", "1.13 has no driver timed"),
        (waiting(default_scheduler=2, volcano=1), None, "1.13 acts alone"),
    ],
)
def test_a_release_is_not_taken_where_it_cannot_answer(
    objects: list[dict[str, Any]], driver: str | None, told: str
) -> None:
    found = suggest(cluster(of_release("n", "v1.13.5"), *objects), driver)
    assert found.profile == "kube-1.37"
    assert told in found.sentence


def test_whoever_names_a_scheduler_keeps_it() -> None:
    snapshot = cluster(*waiting(volcano=3), VOLCANO_MAP)
    assert create_scenario(None, {"snapshot": snapshot}).profile == "volcano-1.16"
    named = create_scenario(None, {"snapshot": snapshot, "profile": "kube-1.36"})
    assert (named.profile, named.config, named.beside) == ("kube-1.36", None, [])
    beside = create_scenario(None, {"snapshot": snapshot, "beside": []})
    assert (beside.profile, beside.beside) == ("kube-1.37", [])


def test_what_is_kept_of_a_snapshot_is_asked_for_once_and_never_changed(
    django_assert_num_queries: Any,
) -> None:
    snapshot = cluster(*waiting(volcano=3), VOLCANO_MAP)
    suggest(snapshot).fields()["config"]["actions"] = "none"
    with django_assert_num_queries(0):
        assert suggest(snapshot).config == VOLCANO


def test_pods_of_pod_groups_are_said_to_be_tried_by_themselves_where_the_gates_are_off(alice: Any) -> None:
    """Else "would be placed now" reads as if the whole gang would be."""
    suggestion = suggest(import_snapshot(alice, "gang", gang_files()))
    said = "8 waiting pods name pod groups, which are not played: each pod is tried by itself."
    assert said in suggestion.sentence


def test_the_schedulers_of_added_pods_are_played_beside_those_of_waiting_ones() -> None:
    found = cluster(*waiting(volcano=2), VOLCANO_MAP)
    add = {"op": "add", "manifest": pod("web")}
    scenario = create_scenario(None, {"snapshot": found, "edits": [add]})
    assert (scenario.profile, scenario.beside) == ("volcano-1.16", [{"scheduler": "kube-scheduler"}])
    said = suggest(found, named=frozenset({"default-scheduler"})).sentence
    assert "default-scheduler: named by pods that are added; kube-scheduler's default configuration" in said
    off = create_scenario(None, {"snapshot": found, "edits": [add | {"enabled": False}]})
    assert off.beside == []
    own = create_scenario(None, {"snapshot": found, "edits": [add], "profile": "volcano-1.16"})
    assert own.beside == []


def test_where_a_webhook_gives_pods_its_scheduler_that_acts_on_added_pods() -> None:
    found = cluster(pod("a", node="node-1", schedulerName="hami-scheduler"))
    add = {"op": "add", "manifest": pod("web")}
    scenario = create_scenario(None, {"snapshot": found, "edits": [add]})
    assert (scenario.profile[:4], scenario.beside) == ("kube", [{"scheduler": "hami"}])
    said = suggest(found, named=schedulers_named([add])).sentence
    assert "hami-scheduler: its webhook may take pods that are added; HAMi's default" in said
    without = cluster(pod("a", node="node-1"))
    assert create_scenario(None, {"snapshot": without, "edits": [add]}).beside == []


def test_a_scheduler_that_nothing_of_the_cluster_tells_of_is_not_played_for_added_pods() -> None:
    job = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"tasks": [{"name": "a", "replicas": 1, "template": {"spec": pod("x")["spec"]}}]},
    }
    add = {"op": "add", "manifest": job}
    running = pod("one", node="node-1", schedulerName="volcano")
    metadata = {"name": "research"}
    queue = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": metadata, "spec": {}}
    plain = [{"scheduler": "volcano"}]
    for objects, expected in (([], []), ([running], plain), ([queue], plain), ([VOLCANO_MAP], None)):
        found = cluster(*waiting(default_scheduler=1), *objects)
        beside = create_scenario(None, {"snapshot": found, "edits": [add]}).beside
        assert beside == ([{"scheduler": "volcano", "config": VOLCANO}] if expected is None else expected)


@pytest.mark.parametrize(
    "edit",
    [None, {"op": []}, {"op": "add"}, {"op": "add", "manifest": 7}, {"op": "add", "manifest": "kind: {"}],
)
def test_what_cannot_be_read_of_edits_names_no_scheduler(edit: Any) -> None:
    assert schedulers_named([edit]) == frozenset()
    with pytest.raises(BadInput):
        create_scenario(None, {"snapshot": cluster(), "edits": [edit]})
    bad = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": ["schedulerName"]}
    assert schedulers_named([{"op": "add", "manifest": bad}]) == frozenset()


def volcano_job(name: str, phase: str = "", **spec: Any) -> dict[str, Any]:
    task = {"name": "w", "replicas": 2, "template": {"spec": pod("x")["spec"]}}
    made = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job"}
    made |= {"metadata": {"name": name, "namespace": "shop"}}
    return {**made, "spec": {"tasks": [task], **spec}, "status": {"state": {"phase": phase}}}


def test_a_scheduler_is_played_whose_jobs_wait_without_pods() -> None:
    """No pod names it as yet: its controllers make them once the job may enter its queue."""
    job = volcano_job("train", "Pending")
    alone = suggest(cluster(job, VOLCANO_MAP))
    assert (alone.profile, alone.config, alone.beside) == ("volcano-1.16", VOLCANO, [])
    assert alone.sentence.startswith("volcano: 1 job waits for pods that its controllers make; its config")
    beside = suggest(cluster(*waiting(default_scheduler=1), job, volcano_job("next"), VOLCANO_MAP))
    assert (beside.profile, beside.beside) == ("kube-1.37", [{"scheduler": "volcano", "config": VOLCANO}])
    assert "volcano: 2 jobs wait for pods" in beside.sentence
    running = suggest(cluster(pod("web", node="node-1"), job, VOLCANO_MAP))
    assert running.profile == "volcano-1.16"
    assert running.beside == [{"scheduler": "kube-scheduler"}], "no pod waits: those of running pods act, too"


def test_a_flow_of_jobs_that_has_yet_to_begin_plays_its_scheduler() -> None:
    flow = {"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobFlow", "metadata": {"name": "f"}}
    flow |= {"spec": {"flows": [{"name": "a"}]}}
    assert suggest(cluster(flow)).profile == "volcano-1.16"
    ended = flow | {"status": {"state": {"phase": "Succeed"}}}
    assert suggest(cluster(ended)).profile == "kube-1.37"
    add = {"op": "add", "manifest": flow}
    assert schedulers_named([add]) == {"volcano"}
    added = create_scenario(None, {"snapshot": cluster(VOLCANO_MAP), "edits": [add]})
    assert added.profile == "volcano-1.16"


def test_jobs_that_want_no_more_pods_or_have_some_or_are_another_schedulers_play_nobody() -> None:
    leaving = volcano_job("leaving", "Pending")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    owner = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "begun", "controller": True}
    done = pod("begun-w-0", node="node-1") | {"status": {"phase": "Succeeded"}}
    done["metadata"]["ownerReferences"] = [owner | {"uid": "begun"}]
    ended = [volcano_job(phase.lower(), phase) for phase in ("Completed", "Failed", "Terminated", "Aborted")]
    others = [volcano_job("other", schedulerName="own"), volcano_job("begun", "Running"), done, leaving]
    empty = volcano_job("empty", tasks=[])
    found = suggest(cluster(*waiting(default_scheduler=1), *ended, *others, empty, VOLCANO_MAP))
    assert (found.profile, found.beside) == ("kube-1.37", [])
