"""What Volcano's objects name and the cluster lacks is told; the queues that it makes itself are there."""

import pytest

from scheduler_core.volcano.imports.references import REMEDY, missing_references
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.setting_up.companions import read_companions
from tests.scheduler_core.clusters import node, pod

SCHEDULING = "scheduling.volcano.sh/v1beta1"


def queue(name):
    return {"apiVersion": SCHEDULING, "kind": "Queue", "metadata": {"name": name}, "spec": {"weight": 1}}


def below(name, parent):
    return {**queue(name), "spec": {"parent": parent}}


def group(name, queue="", phase="Inqueue"):
    return {
        "apiVersion": SCHEDULING,
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"minMember": 1, **({"queue": queue} if queue else {})},
        "status": {"phase": phase},
    }


def member(name, group="", **spec):
    made = pod(name, cpu="1", schedulerName="volcano", **spec)
    if group:
        made["metadata"].setdefault("annotations", {})["scheduling.k8s.io/group-name"] = group
    return made


def job(name):
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "default"},
    }


def asking(name, queue, **spec):
    """Return a pod without a pod group that names the queue of the one to be made for it."""
    made = member(name, **spec)
    made["metadata"]["annotations"] = {"scheduling.volcano.sh/queue-name": queue}
    return made


def deployment(name, queue):
    template = asking("any", queue)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"replicas": 0, "template": {"metadata": template["metadata"], "spec": template["spec"]}},
    }


def priority_class(name):
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}}


def of_class(name, priority_class):
    made = group(name)
    made["spec"]["priorityClassName"] = priority_class
    return made


OWN = [queue("default"), queue("root")]


@pytest.mark.parametrize(
    ("objects", "phrases"),
    [
        ([*OWN, group("a"), member("p", "a")], []),
        ([pod("p", cpu="1")], []),
        ([*OWN, below("b", "root"), below("a", "b"), group("g", "a")], []),
        (
            [*OWN, below("a", "gone"), group("g", "a")],
            [
                "1 Queue (a below gone) of parents that are missing: "
                "where queues are a tree, nothing can be scheduled"
            ],
        ),
        (
            [*OWN, group("a", "gone")],
            ["1 PodGroup (default/a in gone) of queues that are missing: no session places their pods"],
        ),
        (
            [*OWN, member("p", "b"), member("q", "b")],
            ["2 pods (default/p, default/q) of pod groups that are missing: no session looks at them"],
        ),
        (
            [*OWN, member("p")],
            [
                "1 pod (default/p) without a pod group: no session looks at them, since Volcano's "
                "controller, which makes one for each, doesn't act in this run"
            ],
        ),
        (
            [*OWN, job("j")],
            [
                "1 Job (default/j) of Volcano's without pods: its controller, which makes them, "
                "doesn't act in this run"
            ],
        ),
        (
            [queue("root"), group("a"), member("p", "a")],
            ["no Queue default in the import: made, as Volcano does when it starts"],
        ),
        (
            [group("a"), member("p", "a")],
            ["no Queue default and no Queue root in the import: made, as Volcano does when it starts"],
        ),
    ],
)
def test_gaps_are_told_by_name(objects, phrases):
    assert missing_references(objects, controlled=False) == phrases


@pytest.mark.parametrize(
    ("objects", "phrases"),
    [
        (
            [*OWN, asking("p", "gone"), asking("q", "default"), asking("r", "gone", on="n1")],
            ["1 pod (default/p in gone) of queues that are missing: they stay pending"],
        ),
        (
            [*OWN, deployment("d", "gone"), deployment("e", "default")],
            [
                "1 workload (default/d in gone) of queues that are missing: "
                "their pods stay pending or are not made"
            ],
        ),
        (
            [*OWN, {**job("j"), "spec": {"queue": "gone"}}, job("k")],
            [
                "1 Job (default/j in gone) of queues that are missing: no session places their pods, "
                "and the Job controller may end them and delete their pods"
            ],
        ),
        (
            [*OWN, priority_class("high"), of_class("g", "hihg"), of_class("h", "high")],
            [
                "1 PodGroup (default/g of hihg) of PriorityClasses that are missing: "
                "they have the priority of those without one"
            ],
        ),
    ],
)
def test_queues_and_classes_that_others_name_are_missed_too(objects, phrases):
    assert missing_references(objects) == phrases


def test_what_controllers_make_is_not_missing_where_they_act():
    assert missing_references([*OWN, member("p"), job("j")]) == []


def test_a_job_with_a_pod_is_not_missing_its_pods():
    owned = member("p", "a")
    owned["metadata"]["ownerReferences"] = [
        {
            "apiVersion": "batch.volcano.sh/v1alpha1",
            "kind": "Job",
            "name": "j",
            "uid": "u",
            "controller": True,
        }
    ]
    assert missing_references([*OWN, group("a"), owned, job("j")], controlled=False) == []


@pytest.mark.parametrize("beside", [False, True])
def test_a_gap_stands_in_the_trust_of_a_run_in_which_volcano_takes_part(beside):
    objects = [node("n1"), group("a", "gone"), member("p", "a")]
    scheduler = (
        {"profile": "kube-1.36", "beside": read_companions([{"scheduler": "volcano"}])}
        if beside
        else {"profile": "volcano-1.16"}
    )
    trust = Simulation(RunInput(objects=objects, **scheduler)).trust
    assert (
        "1 PodGroup (default/a in gone) of queues that are missing: no session places their pods"
        in trust.missing
    )
    assert REMEDY in trust.remedies
    alone = Simulation(RunInput(objects=objects, profile="kube-1.36")).trust
    assert not any("PodGroup" in phrase for phrase in alone.missing)


def test_a_group_without_a_queue_is_scheduled_in_the_one_that_volcano_makes():
    simulation = Simulation(
        RunInput(objects=[node("n1"), group("a"), member("p", "a")], profile="volcano-1.16")
    )
    assert sorted(simulation.base.tables["queues"]) == ["default", "root"]
    assert simulation.base.tables["queues"]["root"]["reclaimable"] is False
    assert [one.outcome for one in simulation if one.__struct_config__.tag == "gang"] == ["committed"]
