"""What the real scheduler would not start with is refused, by place, and nothing else is."""

from typing import Any

import pytest

from scheduler_core.kube.configuration.profiles import MAX_PROFILES, build_profiles
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node

SHAPE = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
ZONES = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway"}


def profile(**fields: Any) -> dict[str, Any]:
    return {"profiles": [{"schedulerName": "default-scheduler", **fields}]}


def arguments(plugin: str, **args: Any) -> dict[str, Any]:
    return profile(pluginConfig=[{"name": plugin, "args": args}])


def strategy(**fields: Any) -> dict[str, Any]:
    return arguments("NodeResourcesFit", scoringStrategy={"type": "LeastAllocated", **fields})


def spread(*constraints: Any, **more: Any) -> dict[str, Any]:
    listed = {"defaultConstraints": list(constraints), "defaultingType": "List"}
    return arguments("PodTopologySpread", **listed | more)


def preferring(operator: str, value: str) -> dict[str, Any]:
    term = {"matchExpressions": [{"key": "gen", "operator": operator, "values": [value]}]}
    return {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": term}]}


def enabled(point: str, *names: str) -> dict[str, Any]:
    return profile(plugins={point: {"enabled": [{"name": name} for name in names]}})


def faults(config: dict[str, Any]) -> list[str]:
    try:
        build_profiles(config)
    except BadInput as error:
        return [problem.field for problem in error.problems]
    return []


ARGS = "profiles[0].pluginConfig[0].args"


@pytest.mark.parametrize(
    ("config", "field"),
    [
        (strategy(resources=5), "scoringStrategy.resources"),
        (strategy(resources=[5]), "scoringStrategy.resources[0]"),
        (strategy(resources=[{"name": "cpu", "weight": 101}]), "scoringStrategy.resources[0].weight"),
        (strategy(resources=[{"name": "cpu", "weight": -1}]), "scoringStrategy.resources[0].weight"),
        (strategy(type="Foo"), "scoringStrategy.type"),
        (strategy(type="RequestedToCapacityRatio"), "scoringStrategy.requestedToCapacityRatio"),
        (strategy(requestedToCapacityRatio={"shape": SHAPE}), "scoringStrategy.requestedToCapacityRatio"),
        (
            strategy(type="RequestedToCapacityRatio", requestedToCapacityRatio={"shape": []}),
            "scoringStrategy.requestedToCapacityRatio.shape",
        ),
        (
            strategy(type="RequestedToCapacityRatio", requestedToCapacityRatio={"shape": SHAPE[::-1]}),
            "scoringStrategy.requestedToCapacityRatio.shape[1].utilization",
        ),
        (arguments("NodeResourcesFit", scoringStrateg={}), "scoringStrateg"),
        (arguments("NodeResourcesFit", kind="InterPodAffinityArgs"), "kind"),
        (arguments("NodeResourcesFit", ignoredResourceGroups=["a/b"]), "ignoredResourceGroups[0]"),
        (arguments("NodeResourcesBalancedAllocation", resources="cpu"), "resources"),
        (
            arguments("NodeResourcesBalancedAllocation", resources=[{"name": "cpu"}, {"name": "cpu"}]),
            "resources[1].name",
        ),
        (arguments("InterPodAffinity", hardPodAffinityWeight="x"), "hardPodAffinityWeight"),
        (arguments("InterPodAffinity", hardPodAffinityWeight=101), "hardPodAffinityWeight"),
        (
            arguments("InterPodAffinity", ignorePreferredTermsOfExistingPods="false"),
            "ignorePreferredTermsOfExistingPods",
        ),
        (arguments("NodeAffinity", addedAffinity=5), "addedAffinity"),
        (
            arguments("NodeAffinity", addedAffinity={"requiredDuringSchedulingIgnoredDuringExecution": {}}),
            "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
        ),
        (
            arguments("NodeAffinity", addedAffinity=preferring("Gt", "many")),
            "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference"
            ".matchExpressions[0].values[0]",
        ),
        (
            arguments("NodeAffinity", addedAffinity=preferring("In", "no value")),
            "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference"
            ".matchExpressions[0].values[0][gen]",
        ),
        (spread(5), "defaultConstraints[0]"),
        (spread(ZONES | {"maxSkew": 0}), "defaultConstraints[0].maxSkew"),
        (spread(ZONES | {"topologyKey": ""}), "defaultConstraints[0].topologyKey"),
        (spread(ZONES | {"whenUnsatisfiable": "Foo"}), "defaultConstraints[0].whenUnsatisfiable"),
        (spread(ZONES | {"labelSelector": {}}), "defaultConstraints[0].labelSelector"),
        (spread(ZONES, ZONES), "defaultConstraints[1]"),
        (spread(ZONES, defaultingType="System"), "defaultingType"),
        (arguments("DefaultPreemption", minCandidateNodesPercentage=101), "minCandidateNodesPercentage"),
        (arguments("VolumeBinding", shape=SHAPE), "shape"),
        (arguments("VolumeBinding", bindTimeoutSeconds=-1), "bindTimeoutSeconds"),
    ],
)
def test_a_faulty_argument_is_named(config: dict[str, Any], field: str) -> None:
    assert faults(config) == [f"{ARGS}.{field}"]


@pytest.mark.parametrize(
    ("args", "sought"),
    [({}, 100), ({"minCandidateNodesPercentage": 50}, 100), ({"minCandidateNodesAbsolute": 5}, 12)],
)
def test_a_large_cluster_is_told_where_preemption_would_end(args: dict[str, int], sought: int) -> None:
    objects = [node(f"n{number}") for number in range(120)]
    trust = Simulation(RunInput(objects=objects, config=arguments("DefaultPreemption", **args))).trust
    assert trust.not_modelled == [
        f"preemption's search, which ends at {sought} candidates of 120 nodes, from a random one on"
    ]


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"parallelism": 0}, "parallelism"),
        ({"podInitialBackoffSeconds": -1}, "podInitialBackoffSeconds"),
        ({"podInitialBackoffSeconds": 20}, "podMaxBackoffSeconds"),
        ({"leaderElection": {"foo": 1}}, "leaderElection.foo"),
        ({"profiles": [{}, {"schedulerName": "b"}]}, "profiles[0].schedulerName"),
        ({"profiles": [{"schedulerName": "a"}, {"schedulerName": "a"}]}, "profiles[1].schedulerName"),
        (enabled("bind", "Foo"), "profiles[0].plugins.bind.enabled[0].name"),
        (enabled("score", "NodeName"), "profiles[0].plugins.score.enabled[0].name"),
        (enabled("score", "ImageLocality", "ImageLocality"), "profiles[0].plugins.score.enabled[1].name"),
        (profile(plugins={"queueSort": {"disabled": [{"name": "*"}]}}), "profiles[0].plugins.queueSort"),
        (profile(plugins={"bind": {"disabled": [{"name": "DefaultBinder"}]}}), "profiles[0].plugins.bind"),
        (
            profile(plugins={"score": {"enabled": [{"name": "ImageLocality", "weight": 2**31}]}}),
            "profiles[0].plugins.score.enabled[0].weight",
        ),
        (
            profile(plugins={"score": {"enabled": [{"name": "ImageLocality", "weight": -1}]}}),
            "profiles[0].plugins.score.enabled[0].weight",
        ),
    ],
)
def test_what_kube_scheduler_would_not_start_with_is_refused(config: dict[str, Any], field: str) -> None:
    assert faults(config) == [field]


def test_all_faults_are_named_at_once() -> None:
    config = {"parallelism": 0, **enabled("score", "NodeName", "Foo")}
    assert len(faults(config)) == 3


@pytest.mark.parametrize(
    "config",
    [
        strategy(resources=[{"name": "nvidia.com/gpu", "weight": 0}]),
        strategy(type="RequestedToCapacityRatio", requestedToCapacityRatio={"shape": SHAPE}),
        spread(ZONES),
        arguments("DefaultPreemption", minCandidateNodesPercentage=0, minCandidateNodesAbsolute=1),
        arguments("Unknown", anything=True),
        enabled("reserve", "VolumeBinding"),
        enabled("preScore", "NodeResourcesFit"),
        profile(plugins={"multiPoint": {"disabled": [{"name": "*"}], "enabled": [
            {"name": "PrioritySort"}, {"name": "DefaultBinder"}, {"name": "NodeName"}]}}),
    ],
)  # fmt: skip
def test_what_kube_scheduler_takes_is_taken(config: dict[str, Any]) -> None:
    assert faults(config) == []


def test_more_profiles_than_anybody_has_are_refused_before_one_is_built() -> None:
    many = [{"schedulerName": f"scheduler-{number}"} for number in range(MAX_PROFILES + 1)]

    assert len(build_profiles({"profiles": many[:-1]})) == MAX_PROFILES
    assert faults({"profiles": many}) == ["profiles"]
