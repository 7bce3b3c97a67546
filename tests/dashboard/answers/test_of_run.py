"""Answers of runs in exact sentences: the engine plays each with its edits and without them."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import msgspec
import pytest

from dashboard.answers.answer import Answer
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.of_run import answer_of_run, so_far
from dashboard.answers.printers.text import text
from dashboard.answers.printers.words import plain
from dashboard.services.results.outcome import Ending, outcome
from dashboard.shapes.outcome import Figures
from dashboard.views.flow import flow_picture
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import budget, node, pod

URGENT = {
    "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "urgent"},
    "value": 1000,
}  # fmt: skip
DRAIN = {"op": "drain", "node": "n1"}
NONE_LEFT = {"expectedPods": 5, "desiredHealthy": 5, "currentHealthy": 5, "disruptionsAllowed": 0}
ONE_LEFT = {"expectedPods": 5, "desiredHealthy": 4, "currentHealthy": 5, "disruptionsAllowed": 1}


def web() -> list[dict[str, Any]]:
    """Two nodes of 4 CPUs with three and two pods of one CPU, which a controller replaces."""
    pods = [pod(f"w{i}", on="n1" if i < 3 else "n2", owner="web", labels={"app": "web"}) for i in range(5)]
    return [URGENT, node("n1"), node("n2"), *pods]


def guard(spec: dict[str, Any], status: dict[str, int]) -> dict[str, Any]:
    selector = {"matchLabels": {"app": "web"}}
    return {**budget("guard", "web", 0), "spec": {"selector": selector, **spec}, "status": status}


def api(replicas: int, **spec: Any) -> dict[str, Any]:
    """An edit that adds a Deployment whose pods ask for one CPU."""
    container = {"name": "main", "image": "main:1", "resources": {"requests": {"cpu": "1"}}}
    template = {"metadata": {"labels": {"app": "api"}}, "spec": {"containers": [container], **spec}}
    wanted = {"replicas": replicas, "selector": {"matchLabels": {"app": "api"}}, "template": template}
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "api"}, "spec": wanted}
    return {"op": "add", "manifest": manifest}


def play(objects: Sequence[Any], edits: Sequence[Any], **more: Any) -> tuple[Figures, Any, Any]:
    simulation = Simulation(RunInput(objects=list(objects), edits=list(edits), **more))
    base, decisions = simulation.base, list(simulation)
    results = msgspec.to_builtins(simulation.edit_results)
    ending = Ending(simulation.ended_by, simulation.until)
    figures = outcome(base, decisions, ending, results, edits)
    return figures, results, {}


def answer(
    objects: Sequence[Any], *edits: Any, alone: bool = False, status: str = "finished", **more: Any
) -> Answer:
    figures, results, trust = play(objects, edits, **more)
    against = None if alone else play(objects, [], **more)[0]
    return answer_of_run(
        EndedRun(7, 2, status, 10, edits, results, trust, figures, against, None if alone else 8)
    )


def said(found: Answer) -> list[str]:
    """Return the lead, and each line with what stands under it."""
    lines = [
        " ".join(filter(None, (plain(line.head), plain(line.says), *map(plain, line.under))))
        for line in found.lines
    ]
    return [plain(found.lead), *lines]


HELD = "Held against run 8, the same cluster without your edits."


def test_a_workload_that_fits_in_free_room() -> None:
    found = answer(web(), api(2))
    assert found.verdict == "fits"
    assert said(found) == [
        "default/api: 2 of 2 fit; nothing more is pending because of it.",
        "default/api: 2 of 2 fit: 2 in free room. The first at decision 1.",
        f"0 more pods are pending because of your edits: 0 wait either way. {HELD}",
    ]


def test_a_workload_for_which_others_have_to_go() -> None:
    found = answer(web(), api(6, priorityClassName="urgent"))
    assert found.verdict == "fits"
    assert said(found) == [
        "default/api: 6 of 6 fit; 3 more pods are pending because of it.",
        "default/api: 6 of 6 fit: 3 in free room and 3 by evicting default/web ×3. The first at decision 1.",
        "3 pods evicted for others: default/web ×3; 3 pending.",
        "1 workload is short of pods: default/web ×3.",
        f"3 more pods are pending because of your edits: 0 wait either way. {HELD}",
    ]
    assert [(pip.state, pip.count) for pip in found.lines[0].pips] == [("done", 3), ("evicting", 3)]


def test_the_lead_names_evictions_also_where_all_have_a_node_again() -> None:
    urgent = pod("urgent", cpu="2")
    urgent["spec"] |= {"priorityClassName": "urgent", "priority": 1000, "nodeSelector": {"at": "n1"}}
    there = [web()[0], node("n1", labels={"at": "n1"}), *web()[2:]]
    found = answer(there, {"op": "add", "manifest": urgent})
    assert said(found) == [
        "default/urgent: 1 of 1 fit; 1 more pod is evicted, nothing more is pending because of it.",
        "default/urgent: 1 of 1 fit: 1 by evicting default/web ×1. The first at decision 2.",
        "1 pod evicted for others: default/web ×1; 1 has a node again.",
        f"0 more pods are pending because of your edits: 0 wait either way. {HELD}",
    ]


def test_where_fewer_are_evicted_than_without_the_edits_these_are_no_part_of_those() -> None:
    there = [*web(), *(pod(f"u{i}", cpu="1", priority=1000) for i in range(6))]
    found = said(answer(there, {"op": "delete", "kind": "Pod", "name": "w0"}))
    assert found[2] == (
        "2 pods evicted for others: default/web ×2; 2 pending. "
        "Without your edits 3 pods are evicted for others."
    )


def test_where_others_wait_instead_as_many_are_pending() -> None:
    """Room for one of two pods; without the taint the other one, which does not tolerate it, has it."""
    taint = [{"key": "a", "effect": "NoSchedule"}]
    tolerant = pod("b", cpu="3", tolerations=[{"key": "a", "operator": "Exists"}])
    there = [node("n1", taints=taint), pod("a", cpu="3"), tolerant]
    assert said(answer(there, {"op": "untaint", "node": "n1", "taints": ["a"]})) == [
        "Remove the taint a from n1; as many pods are pending as without it, 1 other.",
        "Remove the taint a from n1.",
        "As many pods are pending as without your edits, 1: 0 wait either way, 1 is another than without "
        f"them. {HELD}",
    ]


def test_the_lead_names_whom_taints_evict_and_who_is_lost_with_a_node() -> None:
    tainted = answer(web(), {"op": "taint", "node": "n2", "taints": ["a=b:NoExecute"]}, driver="timed")
    assert said(tainted) == [
        "Taint n2 with a=b:NoExecute; 2 pods are evicted by taints, 1 placed again and 1 pending; "
        "1 more pod is pending because of it.",
        "Taint n2 with a=b:NoExecute.",
        "2 pods evicted by taints: default/web ×2; 1 placed again and 1 pending.",
        "1 workload is short of pods: default/web ×1.",
        f"1 more pod is pending because of your edits: 0 wait either way. {HELD}",
    ]
    figures = play(web(), [{"op": "taint", "node": "n2", "taints": ["a=b:NoExecute"]}], driver="timed")[0]
    picture = flow_picture(figures["flows"])
    assert picture is not None
    assert [row["by"] for row in picture.rows] == ["taints (NoExecute)"]
    objects = [*web(), node("n3")]
    lost = answer(objects, {"op": "delete", "kind": "Node", "name": "n2"}, driver="timed", until=300.0)
    assert said(lost)[0] == (
        "Delete Node n2; 2 pods are lost with nodes, all placed again; nothing more is pending because of it."
    )
    assert said(lost)[2] == "2 pods lost with nodes: default/web ×2; all placed again."


def test_with_a_clock_it_is_the_end_of_an_attempt_that_evicts() -> None:
    edit = api(6, priorityClassName="urgent")
    found = said(answer(web(), edit, driver="timed", until=300.0))
    evicted = play(web(), [edit], driver="timed", until=300.0)[0]["evicted"]
    assert evicted >= 3
    assert found[1].startswith(
        f"default/api: 6 of 6 fit: 3 in free room and 3 by evicting default/web ×{evicted}."
    )
    assert found[2].startswith(f"{evicted} pods evicted for others: default/web ×{evicted}")


def test_a_workload_that_fits_in_part_comes_before_what_was_done() -> None:
    found = answer(web(), {"op": "cordon", "node": "n1"}, api(4))
    assert found.verdict == "partly"
    assert said(found) == [
        "1 of 2 things asked is done; 2 more pods are pending because of it.",
        "default/api: 2 of 4 fit, 2 wait: 2 in free room. The first at decision 1.",
        "Cordon n1.",
        f"2 more pods are pending because of your edits: 0 wait either way. {HELD}",
    ]


def test_copies_of_a_pod_are_one_thing() -> None:
    copies = {"op": "add", "manifest": pod("solo"), "replicas": 4}
    assert said(answer(web(), copies))[0] == (
        "default/solo: 3 of 4 fit, 1 waits; 1 more pod is pending because of it."
    )


def test_a_drain_that_empties_its_node() -> None:
    assert said(answer(web(), DRAIN))[:2] == [
        "n1 is empty; 1 more pod is pending because of it.",
        "n1 is empty: 3 pods evicted, 2 placed again and 1 pending.",
    ]


def test_a_drain_that_a_budget_stops_for_ever() -> None:
    objects = [*web(), guard({"maxUnavailable": 0}, NONE_LEFT)]
    found = answer(objects, DRAIN, {"op": "drain", "node": "n2"})
    assert found.verdict == "not"
    assert said(found)[:2] == [
        "0 of 2 nodes are empty; 2 never are; nothing more is pending because of it.",
        "0 of 2 nodes are empty; 2 never are: default/guard allows no eviction, now or ever. "
        "5 evictions asked: 0 done and 5 refused for ever. These nodes are cordoned, not empty.",
    ]
    assert [(pip.state, pip.name.name) for pip in found.lines[0].pips if pip.name] == [
        ("ever", "n1"), ("ever", "n2"),
    ]  # fmt: skip
    [[evictions, lasts, by, whom]] = found.tables[0].rows
    assert [plain(cell) for cell in (evictions, lasts, by, whom)] == [
        "5", "for ever", "default/guard",
        "default/w0 on n1, default/w1 on n1, default/w2 on n1 and 2 others",
    ]  # fmt: skip


def test_a_drain_that_a_budget_stops_for_now() -> None:
    found = answer([*web(), guard({"maxUnavailable": 1}, ONE_LEFT)], DRAIN)
    assert said(found)[1] == (
        "n1 waits for a budget: default/guard allows none for now. "
        "3 evictions asked: 1 done and 2 refused for now. The node is cordoned, not empty."
    )


def test_what_waits_either_way_is_subtracted() -> None:
    found = answer([*web(), pod("big", cpu="8")], {"op": "cordon", "node": "n1"})
    assert said(found) == [
        "Cordon n1; nothing more is pending because of it.",
        "Cordon n1.",
        "No effect on where pods run: each is on the node that it has without your edits.",
        f"0 more pods are pending because of your edits: 1 waits either way. {HELD}",
    ]


def test_pods_that_have_come_and_gone_are_an_effect() -> None:
    job = {"op": "add", "duration": 60.0, "manifest": pod("job", cpu="1")}
    found = said(answer(web(), job, driver="timed", until=300.0))
    assert not [line for line in found if line.startswith("No effect")], found


def test_new_nodes_and_what_goes_there() -> None:
    found = answer([*web(), pod("big", cpu="3")], {"op": "clone-node", "node": "n1", "count": 2})
    assert said(found) == [
        "2 nodes like n1: 1 pod goes there, 1 waits without them; nothing more is pending because of it.",
        "2 nodes like n1: 1 pod goes there, 1 waits without them.",
        "1 fewer pod is pending than without your edits: 0 wait either way. " + HELD,
    ]


def test_a_group_of_new_nodes_is_one_thing_asked() -> None:
    group = {"op": "add-nodes", "namePrefix": "b-", "count": 2, "like": "n1"}
    found = answer([*web(), pod("big", cpu="3")], group)
    assert said(found)[:2] == [
        "2 nodes like n1: 1 pod goes there, 1 waits without them; nothing more is pending because of it.",
        "2 nodes like n1: 1 pod goes there, 1 waits without them.",
    ]
    assert len([line for line in found.lines if line.about == "asked"]) == 1


def deployed(replicas: int) -> list[Any]:
    """Two nodes of 4 CPUs, and a Deployment whose pods of one CPU are on the first."""
    deployment = {**api(replicas)["manifest"], "metadata": {"name": "api", "uid": "api"}}
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "api", "uid": "api", "controller": True}
    pods = [pod(f"a{number}", on="n1", labels={"app": "api"}) for number in range(replicas)]
    for one in pods:
        one["metadata"]["ownerReferences"] = [owner]
    return [node("n1"), node("n2"), deployment, *pods]


API = {"kind": "Deployment", "name": "api"}


def test_a_workload_whose_changed_pods_do_not_all_fit_is_not_done() -> None:
    for edit in (
        {"op": "set-workload", **API, "cpu": "3"},
        {"op": "set-workload", **API, "replicas": 20},
        {"op": "patch", **API, "patch": {"spec": {"replicas": 20}}},
    ):
        found = answer(deployed(3), edit)
        end = play(deployed(3), [edit])[0]["ends"][0]
        assert 0 < end["running"] < end["pods"], edit
        assert found.verdict == "partly", edit
        fit = f"default/api: {end['running']} of {end['pods']} fit, {end['pods'] - end['running']} wait"
        assert said(found)[0].startswith(fit), edit


def test_a_workload_whose_changed_pods_fit_is_done() -> None:
    found = answer(deployed(3), {"op": "set-workload", **API, "cpu": "2"})
    assert found.verdict == "fits"
    assert said(found)[0].startswith("Change Deployment default/api: cpu 1 → 2;")


def test_pods_that_are_not_even_made_are_said_with_their_reason_and_without_comfort() -> None:
    limits = {"limits": [{"type": "Container", "default": {"cpu": "500m"}}]}
    object_ = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "most", "namespace": "default"}}
    found = answer([*web(), {**object_, "spec": limits}], api(4), driver="timed")
    assert found.verdict == "not"
    assert said(found)[0] == (
        "Incomplete: add Deployment default/api: 0 pods: 4 of 4 pods not created: "
        "spec.containers[0].resources.requests.cpu: must not be greater than the limit of 500m, "
        "the default of LimitRange most for container main."
    )


def test_a_gated_pod_is_called_so_where_a_clock_moves() -> None:
    held = pod("held")
    held["spec"]["schedulingGates"] = [{"name": "kueue.x-k8s.io/admission"}]
    figures, _, _ = play([*web(), held], [], driver="timed", until=300.0)
    assert [(row["cause"], row["pods"]) for row in figures["causes"]] == [("gated", 1)]


def test_a_workload_that_is_scaled_counts_the_pods_that_come() -> None:
    objects = [*web(), {**api(2)["manifest"], "metadata": {"name": "api", "uid": "api"}}]
    found = answer(objects, {"op": "scale", "kind": "Deployment", "name": "api", "replicas": 3})
    assert said(found)[1].startswith("default/api: 3 of 3 fit: 3 in free room.")


def test_without_a_run_to_hold_it_against_nothing_is_subtracted() -> None:
    found = answer([*web(), pod("big", cpu="8")], api(1), alone=True)
    assert said(found) == [
        "default/api: 1 of 1 fit.",
        "default/api: 1 of 1 fit: 1 in free room. The first at decision 2.",
        "1 pod is pending.",
    ]
    assert plain(found.trust[-1]) == "No run without these edits was played, so that nothing is subtracted."


def test_a_run_without_edits_keeps_its_sentence() -> None:
    found = answer([*web(), pod("big", cpu="8"), pod("small")])
    assert (found.verdict, said(found)) == (
        "nothing_asked", ["1 pod found a node, and no pod was evicted. 1 pod is still pending."],
    )  # fmt: skip


def test_a_cancelled_run_says_so_first() -> None:
    found = answer(web(), api(1), status="cancelled")
    assert found.verdict == "unsure"
    assert said(found)[0].startswith(
        "Cancelled after decision 1. What follows is not its natural end. default/api: 1 of 1 fit"
    )


def test_a_run_that_a_limit_stopped_says_so_first() -> None:
    found = answer([node("n1"), pod("big", cpu="8")], DRAIN, attempt_limit=1)
    assert found.verdict == "unsure"
    assert said(found)[0].startswith(
        "Stopped: a pod had reached the limit of 10 attempts. What follows is not its natural end. n1 is"
    )


def test_pods_of_a_scheduler_that_the_run_has_not_come_first() -> None:
    found = answer([*web(), pod("other", schedulerName="mine")], api(1))
    assert said(found)[1] == ("1 pod names the scheduler mine, which this run has not: no decision about it.")


def test_refusals_of_a_clock_keep_how_long_they_last() -> None:
    objects = [*web(), guard({"maxUnavailable": 0}, NONE_LEFT)]
    found = answer(objects, DRAIN, driver="timed", until=60.0)
    assert said(found)[1].startswith("n1 never gets empty: default/guard allows no eviction, now or ever.")


def test_an_answer_reads_the_same_twice_and_as_text() -> None:
    one, two = (text(answer(web(), DRAIN, api(6, priorityClassName="urgent"))) for _ in range(2))
    assert one == two
    assert "\n\n" in one


def three() -> list[dict[str, Any]]:
    """Three nodes: a pod that a budget keeps on the first, others on the second, room on the third."""
    kept = pod("kept", on="n1", owner="kept", labels={"app": "web"})
    return [node("n1"), node("n2"), node("n3"), kept, pod("free", on="n2", owner="free")]


def test_one_drain_of_several_nodes_says_which_are_empty() -> None:
    edit = {"op": "drain", "nodes": ["n1", "n2"]}
    found = answer(three(), edit, driver="timed")
    assert said(found)[0].startswith("Both nodes are empty;")
    assert [pip.state for line in found.lines for pip in line.pips] == ["done", "done"]


def test_nodes_that_a_drain_does_not_come_to_are_not_called_empty() -> None:
    never = guard({"minAvailable": 1}, {**NONE_LEFT, "expectedPods": 1})
    edit = {"op": "drain", "nodes": ["n1", "n2"]}
    found = answer([*three(), never], edit, driver="timed")
    assert [pip.state for line in found.lines for pip in line.pips] == ["ever", "waiting"]
    assert "1 was not reached" in " ".join(said(found)), said(found)
    assert found.verdict != "done"


def test_after_its_timeout_a_drain_goes_on_with_the_next_node() -> None:
    never = guard({"minAvailable": 1}, {**NONE_LEFT, "expectedPods": 1})
    edit = {"op": "drain", "nodes": ["n1", "n2"], "timeout": 60}
    found = answer([*three(), never], edit, driver="timed")
    assert [pip.state for line in found.lines for pip in line.pips] == ["ever", "done"]


def test_of_very_many_things_the_last_are_summed_up_in_time() -> None:
    objects = [node("n1", cpu="4", pods="5000")]
    copies = [{"op": "add", "manifest": pod(f"solo-{number}")} for number in range(40)]
    found = answer(objects, *copies, alone=True)
    assert said(found)[0] == "40 pods added: 4 placed, 36 pending."
    assert [line.about for line in found.lines] == ["not_done", "pending"]
    assert [(pip.state, pip.count) for pip in found.lines[0].pips] == [("done", 4), ("waiting", 36)]


@pytest.mark.parametrize("goes_on", [False, True])
def test_what_a_run_came_to_is_said_in_sentences_one_space_apart(*, goes_on: bool) -> None:
    for pending, unserved, deleted, left_out in product((0, 2), (0, 3), (0, 1), (0, 4)):
        failures = [{"count": 1}] if pending else []
        figures: Any = {"placed": 3, "evicted": 0, "pending": pending, "failures": failures}
        figures |= {"unserved": unserved, "deleted": deleted, "left_out": left_out}
        said = plain(so_far(figures, goes_on=goes_on))
        assert said == " ".join(said.split()), said
