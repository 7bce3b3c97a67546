"""What holds for any answer, asked of mixtures of recorded cases."""

import json
from functools import cache
from itertools import pairwise

import pytest

from recorded.decide import decide
from tests.mixtures.__main__ import VECTORS, are_same, first_difference, recorded
from tests.mixtures.mixing import key_of, mixtures
from tests.mixtures.of_releases import FAMILIES, as_told, without_devices
from tests.mixtures.timelines import timed_cases

COUNT = 40


@cache
def cases_of(folder):
    return recorded(VECTORS / folder)


def mixed(folder, seed=1):
    return list(mixtures(cases_of(folder), seed, COUNT))


def priorities(case):
    added = [entry["add"] for entry in case.get("timeline", ()) if "add" in entry]
    pods = (item for item in [*case["cluster"]["items"], *added] if item["kind"] == "Pod")
    return {key_of(pod): pod["spec"].get("priority", 0) for pod in pods}


def test_a_seed_stands_for_the_same_mixtures():
    assert mixed("kube-1.13") == mixed("kube-1.13")
    assert mixed("kube-1.13") != mixed("kube-1.13", seed=2)


@pytest.mark.parametrize("folder", ["kube", "kube-1.8", "kube-1.9", "kube-1.11", "kube-1.13"])
def test_a_mixture_is_decided_and_the_decision_makes_sense(folder):
    outcomes = set()
    for case in mixed(folder):
        priority = priorities(case)
        for cycle in decide(case).get("cycles", ()):
            outcomes.add(cycle["result"])
            if cycle["result"] == "scheduled" and "group" not in cycle:
                rejected = cycle.get("failed_predicates") or {
                    node for node, verdict in (cycle.get("filter") or {}).items() if verdict
                }
                assert cycle["chosen"] in cycle["best"]
                assert not set(cycle["best"]) & set(rejected)
            for victim in (cycle["preemption"] or {}).get("victims", ()) if "preemption" in cycle else ():
                assert priority[victim] < priority[cycle["pod"]]
    assert {"scheduled", "nominated", "unschedulable"} <= outcomes


def test_cases_without_nodes_or_pods_are_not_mixed():
    [case] = recorded(VECTORS / "kube", "preempt")[:1]
    lacking = [
        {**case, "cluster": {"items": [one for one in case["cluster"]["items"] if one["kind"] != kind]}}
        for kind in ("Node", "Pod")
    ]
    for mixture in mixtures([*lacking, case], 1, COUNT):
        assert {"Node", "Pod"} <= {one["kind"] for one in mixture["cluster"]["items"]}


def test_an_answer_that_differs_is_found_and_shown():
    (case,) = mixtures(cases_of("kube-1.13"), 1, 1)
    answer = json.loads(json.dumps({"expect": decide(case)}))
    other = json.loads(json.dumps(answer))
    other["expect"]["cycles"][0]["result"] = "something else"
    assert are_same(answer, answer)
    assert not are_same(other, answer)
    assert first_difference(other["expect"], answer["expect"]).startswith(
        'cycles[0].result: "something else"'
    )


def test_a_made_up_timeline_is_played_and_nobody_is_placed_twice():
    bases = [case for case in cases_of("kube") if case["family"] in ("timed", "preempt")]
    cases = list(timed_cases(bases, 1, 8))
    assert cases == list(timed_cases(bases, 1, 8))
    outcomes, moves = set(), 0
    for case in cases:
        answer = decide(case)
        outcomes |= {cycle["result"] for cycle in answer.get("cycles", ())}
        moves += len(answer["moves"])
        begins = [cycle["at"] for cycle in answer.get("cycles", ())]
        attempt = case["driver"]["attempt"]
        assert all(later - earlier > attempt - 1e-6 for earlier, later in pairwise(begins))
        assert not set(answer["final"]["placed"]) & set(answer["final"]["pending"])
    assert {"scheduled", "nominated", "unschedulable"} <= outcomes
    assert moves


def test_families_of_other_releases_are_there_and_say_nothing_of_devices():
    for family in FAMILIES:
        for case in recorded(VECTORS / "kube", family) or pytest.fail(family):
            assert without_devices(case) == case


def test_devices_are_left_out_wherever_they_are():
    device = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    case = {
        "cluster": {"items": [node, device]},
        "ops": [
            {"op": "add", "object": device},
            {"op": "delete", "delete": "DeviceClass gpu"},
            {"op": "pop"},
        ],
        "timeline": [{"at": 0, "add": device}, {"at": 1, "update": device}, {"at": 2, "add": node}],
    }
    assert without_devices(case) == {
        "cluster": {"items": [node]},
        "ops": [{"op": "pop"}],
        "timeline": [{"at": 2, "add": node}],
    }


def test_only_what_a_queue_does_not_tell_is_left_out():
    waiting = [{"pod": name, "expires": 1, "gate": "g"} for name in "ba"]
    answer = {"expect": {"steps": [{"events": [], "state": {"backoff": waiting, "errors": 1}}]}}
    assert as_told(answer, 34) == answer
    (told,) = as_told(answer, 33)["expect"]["steps"]
    assert told == {"events": [], "state": {"backoff": [{"pod": name, "expires": 1} for name in "ba"]}}
    (told,) = as_told(answer, 31)["expect"]["steps"]
    assert told == {"state": {"backoff": [{"pod": name, "expires": 1} for name in "ab"]}}
