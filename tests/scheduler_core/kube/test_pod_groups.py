"""Gangs: a cycle looks and changes nothing, and what it comes to keeps a gang together."""

import copy
import gzip
import json
from pathlib import Path

import pytest

from recorded.decide import decide
from recorded.kube import group_cases
from scheduler_core.kube.gates import GroupGates
from scheduler_core.kube.pod_groups.cycle import run_cycle
from scheduler_core.kube.pod_groups.groups import Groups
from scheduler_core.objects.pod_groups import PodGroup
from scheduler_core.objects.types import convert
from scheduler_core.state.build import build_state
from tests.scheduler_core.clusters import node, pod

VECTORS = Path(__file__).parents[2] / "vectors" / "kube" / "gangs.jsonl.gz"
with gzip.open(VECTORS) as lines:
    ALL = [json.loads(line) for line in lines]
CASES = [case for case in ALL if any("group" in cycle for cycle in case["expect"]["cycles"])]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_cycle_changes_nothing(case, monkeypatch):
    looked = []

    def watched(profile, groups, key, pods, start):
        before = copy.deepcopy(groups.state.dump())
        found = run_cycle(profile, groups, key, pods, start)
        assert groups.state.dump() == before
        looked.append(found)
        return found

    monkeypatch.setattr(group_cases, "run_cycle", watched)
    decide({name: part for name, part in case.items() if name != "expect"})
    assert looked


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_members_are_bound_only_where_enough_of_them_are(case):
    gangs = {
        f"{item['metadata']['namespace']}/{item['metadata']['name']}": item["spec"]["schedulingPolicy"][
            "gang"
        ]
        for item in case["cluster"]["items"]
        if item["kind"] == "PodGroup" and "gang" in item["spec"]["schedulingPolicy"]
    }
    if not case["gates"].get("GangScheduling"):
        return
    placed = dict.fromkeys(gangs, 0)
    for item in case["cluster"]["items"]:
        if item["kind"] == "Pod" and item["spec"].get("nodeName") and item["spec"].get("schedulingGroup"):
            name = f"{item['metadata']['namespace']}/{item['spec']['schedulingGroup']['podGroupName']}"
            if name in placed:
                placed[name] += 1
    for cycle in decide({name: part for name, part in case.items() if name != "expect"})["cycles"]:
        group = cycle.get("group")
        bound = sum(one["result"] == "scheduled" for one in group["outcomes"]) if group else 0
        if bound and group["name"] in gangs:
            placed[group["name"]] += bound
            assert placed[group["name"]] >= gangs[group["name"]]["minCount"]


def test_a_gang_that_is_too_small_waits_before_the_queue():
    group = {
        "apiVersion": "scheduling.k8s.io/v1alpha2",
        "kind": "PodGroup",
        "metadata": {"name": "mpi", "namespace": "default"},
        "spec": {"schedulingPolicy": {"gang": {"minCount": 2}}},
    }
    member = pod("worker-0")
    member["spec"]["schedulingGroup"] = {"podGroupName": "mpi"}
    built = build_state([node("a"), member])
    gates = GroupGates(groups=True, gangs=True)
    [info] = built.state.pods.infos
    missing = Groups(built.state, [], gates).pre_enqueue(info)
    assert missing.reasons == ['waiting for pods\'s pod group "mpi" to appear in scheduling queue']
    small = Groups(built.state, [convert(group, PodGroup)], gates).pre_enqueue(info)
    assert small.reasons == ["waiting for minCount pods from a gang to appear in scheduling queue"]
    assert Groups(built.state, [], GroupGates(groups=True)).pre_enqueue(info) is None
