"""Steps of sessions in full: every node's refusal and points, and why one comes before another."""

import pytest
import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.events.decisions import encoder
from scheduler_core.events.explanation import Chosen
from scheduler_core.events.session_explanation import OrderAnswer
from scheduler_core.world import RunInput, Simulation


def simulation_of(cluster, **changed):
    scenario = volcano_scenarios(cluster)[0]
    return Simulation(
        RunInput(
            objects=list(yaml.safe_load_all(volcano_files(cluster)[0][1])),
            profile=scenario["profile"],
            config=scenario.get("config"),
            **{"controllers": "none", **changed},
        )
    )


def explained(simulation, seq):
    while simulation.seq < seq - 1:
        simulation.step()
    return simulation.explain()


@pytest.mark.parametrize("cluster", ["gang", "queues", "priority"])
def test_explaining_every_step_decides_nothing_else(cluster):
    whole = [encoder.encode(decision) for decision in simulation_of(cluster)]
    simulation = simulation_of(cluster)
    assert [encoder.encode(simulation.explain().decision) for _ in whole] == whole
    with pytest.raises(LookupError):
        simulation.explain()


@pytest.mark.parametrize("cluster", ["gang", "queues"])
def test_points_by_plugin_come_to_the_total_of_the_best_and_refusals_to_the_counts_of_the_log(cluster):
    simulation, scored, refused = simulation_of(cluster), 0, 0
    while simulation.seq < 36:
        try:
            found = simulation.explain()
        except LookupError:
            break
        decision = found.decision
        if type(decision).__name__ != "Placement":
            assert found.nodes() == []
            continue
        rows = found.nodes(sort="-total")
        for row in rows:
            if row.total is not None:
                assert sum(row.scores.values()) == pytest.approx(row.total, abs=1e-5)
        if decision.total is not None:
            scored += 1
            assert rows[0].total == decision.total
            assert rows[0].node in decision.best
            assert found.count(Chosen(status="fits")) >= decision.best_count
        counted = {
            reason.reason: found.count(Chosen(reason=reason.reason))
            for reason in decision.reasons
            if ", " not in reason.reason
        }
        assert counted == {one.reason: one.nodes for one in decision.reasons if ", " not in one.reason}, (
            decision.seq
        )
        refused += found.count(Chosen(status="rejected"))
    assert scored or refused


def test_a_refused_pod_has_each_nodes_reason_in_volcanos_words():
    found = explained(simulation_of("queues"), 3)
    assert [row.node for row in found.nodes()] == ["gpu-1", "gpu-2", "gpu-3", "gpu-4"]
    assert found.node("gpu-2").filters[0].reasons == ["Insufficient nvidia.com/gpu"]
    assert found.step.filter["gpu-1"].code == "Unschedulable"


def test_every_plugin_is_listed_in_the_order_asked_and_who_decides():
    simulation = simulation_of("priority")
    simulation.step()
    found = simulation.order_of("job", "ml/nightly", "ml/hotfix")
    assert (found.comes_first, found.decided_by) == ("ml/hotfix", "priority")
    assert found.answers == [
        OrderAnswer(0, "priority", "second"),
        OrderAnswer(0, "gang", "not asked"),
        OrderAnswer(1, "drf", "not asked"),
    ]
    turned = simulation.order_of("job", "ml/hotfix", "ml/nightly")
    assert (turned.comes_first, turned.answers[0].says) == ("ml/hotfix", "first")


def test_what_all_plugins_take_for_equal_is_told_apart_by_number_creation_or_name():
    simulation = simulation_of("gang")
    simulation.step()
    bert = simulation.order_of("job", "ml/bert", "ml/gpt")
    assert {answer.says for answer in bert.answers} == {"neutral"}
    assert (bert.comes_first, bert.decided_by) == ("ml/bert", "creation")
    uids = {pod.name: pod.uid for pod in simulation.state().pods()}
    second = simulation.order_of("pod", uids["bert-worker-2"], uids["bert-worker-1"])
    assert (second.comes_first, second.decided_by) == (uids["bert-worker-1"], "number")
    with pytest.raises(KeyError):
        simulation.order_of("queue", "default", "root")  # which has no jobs


def test_an_order_is_asked_of_an_open_session_about_those_who_take_part():
    simulation = simulation_of("gang")
    with pytest.raises(LookupError, match="no session is open"):
        simulation.order_of("job", "ml/bert", "ml/gpt")
    simulation.step()
    with pytest.raises(KeyError):
        simulation.order_of("job", "ml/bert", "ml/nobody")


def test_the_queue_with_the_smaller_share_comes_first():
    simulation = simulation_of("queues")
    simulation.step()
    found = simulation.order_of("queue", "research", "prod")
    assert (found.comes_first, found.decided_by) == ("prod", "proportion")
