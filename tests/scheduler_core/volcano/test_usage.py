"""usage: nodes that are busy by their annotations are refused, and idle ones are preferred."""

import json

import pytest
import yaml

from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.model.node_load import Load, load_of
from scheduler_core.volcano.reporting.unplayed import unplayed_parts
from tests.scheduler_core.volcano.small_sessions import action, group, node, pod, queue, session

USE = {"cpu": "1", "memory": "1Gi"}


def config(metrics="prometheus", **arguments):
    plugins = [{"name": "gang"}, {"name": "predicates"}, {"name": "usage", "arguments": arguments}]
    given = {"actions": "allocate", "tiers": [{"plugins": plugins}]}
    return yaml.safe_dump(given | ({"metrics": {"type": metrics}} if metrics else {}))


def busy(name, cpu, memory="0", **allocatable):
    made = node(name, **allocatable)
    made["status"]["capacity"] = made["status"]["allocatable"]
    made["metadata"]["annotations"] = {"sandtable/cpu-use": cpu, "sandtable/memory-use": memory}
    return made


def asking(*names, requests=None):
    pods = [pod(name, of="j", requests=USE if requests is None else requests) for name in names]
    return [queue("research"), group("j", 1), *pods]


def decisions(items, given):
    return action(session(items, given), "allocate")


@pytest.mark.parametrize(
    ("cpu", "memory", "why"),
    [
        ("80.5", "0", "the CPU load of the node exceeds the upper limit."),
        ("80", "81", "the memory load of the node exceeds the upper limit."),
        ("80", "80", None),
    ],
)
def test_a_node_above_a_threshold_refuses(cpu, memory, why):
    answer = session([busy("n", cpu, memory), *asking("p")], config())
    assert (why is None) == ("binds" in action(answer, "allocate"))
    assert (why or "") in json.dumps(answer.get("fit_errors", {}))


@pytest.mark.parametrize(
    ("given", "binds"),
    [
        (config(thresholds={"cpu": 50}), {}),
        (config(thresholds={"cpu": 95}), {"ml/p": "n"}),
        (config(thresholds={"cpu": 101}), {}),  # out of range: 80 stays
        (config(thresholds={"cpu": "95"}), {}),  # no whole number
        (config(metrics=""), {"ml/p": "n"}),  # nothing is measured
        (config(metrics="influx"), {"ml/p": "n"}),
        (config(metrics="elasticsearch"), {}),
    ],
)
def test_thresholds_hold_where_load_is_measured(given, binds):
    assert decisions([busy("n", "90"), *asking("p")], given).get("binds", {}) == binds


def scores(items, given):
    return decisions(items, given)["decisions"][-1]["scores"]


def test_the_score_is_what_is_idle_of_cpu_and_memory_by_weight():
    items = [busy("a", "20", "60"), busy("b", "70", "10"), node("c"), *asking("p")]
    assert scores(items, config()) == {"a": 300.0, "b": 300.0, "c": 0.0}
    weighted = config(**{"usage.weight": 1, "cpu.weight": 3, "memory.weight": 1})
    assert scores(items, weighted) == {"a": 70.0, "b": 45.0, "c": 0.0}
    assert set(scores(items, config(**{"cpu.weight": 0, "memory.weight": 0})).values()) == {0.0}


def test_pods_that_the_session_has_placed_are_estimated_by_their_requests():
    """0.7 of a core and of a GiB, of 4 cores and 8 GiB."""
    items = [busy("a", "0"), busy("b", "1"), *asking("p-0", "p-1")]
    first, second = decisions(items, config())["decisions"]
    assert first["chosen"] == "a"
    assert second["scores"]["a"] == pytest.approx(((1 - 0.175) + (1 - 0.0875)) / 2 * 500)
    assert second["chosen"] == "b"


def test_under_load_estimates_count_the_risk_factor():
    """Half of 50 and 80 per cent is above 0.6; then 0.7 counts 1.2 times."""
    items = [busy("a", "50", "80"), busy("b", "100", "80"), *asking("p-0", "p-1")]
    given = config(thresholds={"cpu": 100}, estimator={"risk_factor": 1.2})
    _, second = decisions(items, given)["decisions"]
    cpu, memory = 0.5 + 0.84 / 4, 0.8 + 0.84 / 8
    assert second["scores"]["a"] == pytest.approx((1 - cpu + 1 - memory) / 2 * 500)


def test_burst_counts_what_limits_allow_above_requests():
    items = [busy("a", "0"), busy("b", "99"), *asking("p-0", "p-1")]
    for one in items[-2:]:
        one["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "3", "memory": "1Gi"}
    given = config(thresholds={"cpu": 100}, estimator={"request_ratio": 1, "burst_ratio": 0.5})
    _, second = decisions(items, given)["decisions"]
    assert second["scores"]["a"] == pytest.approx((1 - 2 / 4 + 1 - 1 / 8) / 2 * 500)


@pytest.mark.parametrize(
    ("status", "counted"),
    [
        ({"phase": "Running"}, True),
        ({"phase": "Running", "startTime": "1969-12-31T00:00:00Z"}, False),
        ({"phase": "Pending"}, True),
    ],
)
def test_pods_that_have_just_started_are_estimated_too(status, counted):
    """A bound pod, and one of whose start nothing is known; not one that has long been measured."""
    there = pod("old", on="a", requests=USE)
    there["status"] = status
    items = [busy("a", "0"), busy("b", "0"), there, *asking("p")]
    assert (scores(items, config())["a"] < 500) == counted


def test_best_effort_pods_are_estimated_by_the_configuration():
    there = pod("old", on="a", status={"phase": "Running"})
    items = [busy("a", "0"), busy("b", "0"), there, *asking("p")]
    given = config(estimator={"be_cpu": "2", "be_mem": 4096})
    assert scores(items, given)["a"] == pytest.approx((1 - 0.5 + 1 - 0.5) / 2 * 500)


@pytest.mark.parametrize(
    ("texts", "load"),
    [
        ({}, None),
        ({"sandtable/cpu-use": "72.5%"}, Load(72.5, 0)),
        ({"sandtable/cpu-use": "72", "sandtable/memory-use": "much"}, None),
        ({"sandtable/cpu-use": "101"}, None),
        ({"sandtable/cpu-use": "nan"}, None),
    ],
)
def test_what_a_node_says_of_its_load(texts, load):
    assert load_of(texts) == load


LOAD = "plugin usage in part, which goes by nodes' measured load"


@pytest.mark.parametrize(
    ("metrics", "nodes", "matter", "without_effect"),
    [
        (
            "",
            [busy("a", "1")],
            "",
            "plugin usage (metrics.type names no monitoring system that Volcano could ask)",
        ),
        ("prometheus", [node("a")], f"{LOAD}: no node says it", ""),
        ("prometheus", [node("a"), busy("b", "1")], f"{LOAD}: 1 of 2 nodes don't say it", ""),
        ("prometheus", [busy("b", "1")], f"{LOAD}: what nodes say of it stays", ""),
    ],
)
def test_what_is_not_known_of_load_is_told(metrics, nodes, matter, without_effect):
    told = unplayed_parts(read_configuration(config(metrics)), nodes)
    assert "; ".join(told.matter).startswith(matter)
    assert bool(told.matter) == bool(matter)
    assert told.without_effect == ([without_effect] if without_effect else [])
