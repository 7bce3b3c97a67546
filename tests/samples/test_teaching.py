"""The teaching cluster shows what it promises, at the decisions that its README names."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from samples.teaching.sample import FOLDER
from scheduler_core.events.decisions import Attempt, Candidate, Eviction
from scheduler_core.objects.reading.object_lists import check_objects
from tests.samples.builders import explained, teaching_objects, teaching_simulation
from tests.samples.recording import recorded_case

VECTOR = Path(__file__).parents[1] / "vectors" / "kube" / "teaching.jsonl.gz"


@pytest.fixture(scope="module")
def log() -> list[Any]:
    """Every decision of the first scenario; `log[seq - 1]` is decision seq."""
    return list(teaching_simulation())


def candidates(decision: Any) -> dict[str, Candidate]:
    assert isinstance(decision, Attempt)
    assert decision.preemption is not None
    return {candidate.node: candidate for candidate in decision.preemption.candidates}


def victims(candidate: Candidate) -> list[str]:
    return [victim.name for victim in candidate.victims]


def outcomes(decisions: list[Any]) -> list[tuple[str, str, str]]:
    return [(one.pod.name, one.outcome, one.chosen or one.nominated_after) for one in decisions]


def test_nothing_is_wrong_with_its_objects() -> None:
    assert check_objects(teaching_objects()) == []


def test_its_answers_lack_nothing() -> None:
    trust = teaching_simulation().trust
    assert (trust.missing, trust.not_modelled) == ([], [])


def test_what_is_free_at_the_start_is_what_the_comments_say() -> None:
    state = teaching_simulation().base
    nodes = state.nodes()
    requested = dict.fromkeys((node.name for node in nodes), 0)
    for pod in state.pods():
        if pod.node:
            requested[pod.node] += pod.requests["cpu"]
    free = {node.name: node.allocatable["cpu"] - requested[node.name] for node in nodes}
    assert free == {
        "node-a1": 400,
        "node-a2": 1300,
        "gpu-a3": 1400,
        "node-b1": 300,
        "node-b2": 1300,
        "node-b3": 3900,
        "node-c1": 900,
        "node-c2": 400,
    }


def test_the_ten_decisions(log: list[Any]) -> None:
    assert outcomes(log[:10]) == [
        ("closing-report", "unschedulable", ""),
        ("api-1", "nominated", "node-b1"),
        ("closing-report", "scheduled", "node-b1"),
        ("api-1", "nominated", "node-c1"),
        ("api-1", "scheduled", "node-c1"),
        ("thumbnails-1-r1", "nominated", "node-a1"),
        ("thumbnails-1-r1", "scheduled", "node-a1"),
        ("newsletter-1", "scheduled", "node-a2"),
        ("newsletter-2", "scheduled", "node-b2"),
        ("transcode-2-r1", "scheduled", "node-a2"),
    ]


def test_decision_1_a_pod_that_may_not_preempt_fails(log: list[Any]) -> None:
    assert log[0].pod.priority == 2000
    assert log[0].preemption.eligible is False
    assert "preemptionPolicy=Never" in log[0].message


def test_decision_2_is_a_preemption_with_a_nomination(log: list[Any]) -> None:
    chosen = candidates(log[1])["node-b1"]
    assert chosen.lost_at is None
    assert victims(chosen) == ["transcode-2", "transcode-3"]
    assert log[1].nominated_after == "node-b1"


def test_decision_2_passes_the_node_over_whose_pod_has_a_budget(log: list[Any]) -> None:
    passed_over = candidates(log[1])["node-c2"]
    assert passed_over.lost_at == "pdb_violations"
    assert passed_over.highest_priority < candidates(log[1])["node-b1"].highest_priority


def test_decision_2_reprieves_the_more_important_pod() -> None:
    reprieve = explained(2, "node-b1").reprieve
    assert reprieve is not None
    assert [(step.pod.name, step.outcome) for step in reprieve.steps] == [
        ("search-1", "reprieved"),
        ("transcode-2", "victim"),
        ("transcode-3", "victim"),
    ]


def test_decision_3_steals_the_room(log: list[Any]) -> None:
    assert log[2].pod.uid == log[0].pod.uid
    assert log[2].chosen == log[1].nominated_after


def test_decision_4_the_preemptor_must_go_on(log: list[Any]) -> None:
    assert log[3].pod.uid == log[1].pod.uid
    assert (log[3].nominated_before, log[3].nominated_after) == ("node-b1", "node-c1")
    assert "node-b1" not in candidates(log[3])


def test_decision_4_reprieves_a_less_important_pod_for_its_budget() -> None:
    reprieve = explained(4, "node-c1").reprieve
    assert reprieve is not None
    assert [
        (step.pod.name, step.pod.priority, step.violates_budget, step.outcome) for step in reprieve.steps
    ] == [
        ("recommend-1", 200, True, "reprieved"),
        ("thumbnails-1", 300, False, "victim"),
    ]


def test_decision_6_the_evicted_evicts_in_its_turn(log: list[Any]) -> None:
    assert victims(candidates(log[5])["node-a1"]) == ["transcode-1"]


def test_decision_8_is_a_tie(log: list[Any]) -> None:
    assert log[7].best == ["node-a2", "node-b2"]


def test_decision_11_breaks_a_budget_because_nothing_else_helps(log: list[Any]) -> None:
    found = candidates(log[10])
    assert list(found) == ["node-c2"]
    assert found["node-c2"].pdb_violations == 1


def test_the_run_ends_with_one_pod_that_fits_nowhere(log: list[Any]) -> None:
    assert len(log) == 14
    assert (log[-1].pod.name, log[-1].outcome) == ("queue-0", "unschedulable")


def test_the_drain_skips_refuses_and_evicts() -> None:
    evictions = [one for one in teaching_simulation(1) if isinstance(one, Eviction)]
    assert [(one.pod.name, one.outcome) for one in evictions] == [
        ("agent-node-c1", "skipped"),
        ("recommend-1", "refused"),
        ("thumbnails-1", "evicted"),
    ]


def test_the_second_scenario_scales_and_drains_as_far_as_the_budget_lets_it() -> None:
    results = teaching_simulation(1).edit_results
    refused = (
        "1 of 2 evictions refused by PodDisruptionBudget shop/recommend: shop/recommend-1 stays on node-c1"
    )
    assert [result.problems for result in results] == [[refused], []]
    assert results[1].sentence == "scale Deployment shop/web from 4 to 6 pods"


def test_the_page_follows_the_log(log: list[Any]) -> None:
    page = (FOLDER / "README.md").read_text()
    for decision in log:
        assert f"| {decision.seq} | {decision.pod.namespace}/{decision.pod.name} |" in page


@pytest.mark.parametrize("scenario", [0, 1])
def test_what_the_real_scheduler_was_asked_is_still_this_cluster(scenario: int) -> None:
    with gzip.open(VECTOR, "rt", encoding="utf-8") as lines:
        recorded = [json.loads(line) for line in lines][scenario]
    del recorded["expect"]
    assert recorded_case(scenario) == recorded


def test_the_real_scheduler_took_the_same_first_five_decisions(log: list[Any]) -> None:
    with gzip.open(VECTOR, "rt", encoding="utf-8") as lines:
        cycles = json.loads(next(lines))["expect"]["cycles"]
    recorded = [
        (one["pod"].split("/")[1], one["result"], one["chosen"] or one["nominated_after"]) for one in cycles
    ]
    assert recorded[:5] == outcomes(log[:5])
