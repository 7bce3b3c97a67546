"""How many pods a budget wants follows what the controllers of its pods want, as the run goes on."""

import pytest

from scheduler_core.objects.identity import with_identity
from tests.scheduler_core.clusters import node
from tests.scheduler_core.world.controllers.test_workloads import add, on, play, workload


def budget(**spec):
    return with_identity(
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "guard", "namespace": "default", "generation": 1},
            "spec": {"selector": {"matchLabels": {"app": "w"}}, **spec},
            "status": {
                "currentHealthy": 0,
                "desiredHealthy": 0,
                "expectedPods": 0,
                "disruptionsAllowed": 0,
                "observedGeneration": 1,
            },
        }
    )


def counted(simulation):
    """Expected, desired, healthy pods and allowed disruptions."""
    [found] = [item for item in simulation.objects() if item["kind"] == "PodDisruptionBudget"]
    names = ("expectedPods", "desiredHealthy", "currentHealthy", "disruptionsAllowed")
    return tuple(found["status"][name] for name in names)


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicaSet"])
def test_a_share_is_of_the_pods_that_are_wanted_by_then(kind):
    objects = [node("n", cpu="20"), budget(minAvailable="50%")]
    came = add(workload(kind, replicas=2))
    assert counted(play(objects, came, until=30)[0]) == (2, 1, 2, 1)
    grown = on(kind, "scale", 40, replicas=5)
    assert counted(play(objects, came, grown, until=90)[0]) == (5, 3, 5, 2)
    shrunk = on(kind, "scale", 100, replicas=1)
    assert counted(play(objects, came, grown, shrunk, until=400)[0]) == (1, 1, 1, 0)


def test_pods_that_are_wanted_and_not_there_count_among_the_unavailable():
    objects = [node("n", cpu="2"), budget(maxUnavailable=1)]
    came = add(workload("StatefulSet", replicas=3))
    assert counted(play(objects, came, until=50)[0]) == (3, 2, 2, 0)


def test_a_number_is_what_it_is():
    objects = [node("n", cpu="9"), budget(minAvailable=2)]
    came = add(workload("Deployment", replicas=3))
    grown = on("Deployment", "scale", 40, replicas=4)
    assert counted(play(objects, came, grown, until=90)[0]) == (4, 2, 4, 2)


def test_what_a_budget_counts_comes_back_with_a_checkpoint():
    objects = [node("n", cpu="20"), budget(minAvailable="50%")]
    edits = add(workload("Deployment", replicas=2)), on("Deployment", "scale", 40, replicas=5)
    simulation, _ = play(objects, *edits, until=90)
    end = simulation.checkpoint()
    simulation.restore(None)
    assert counted(simulation) == (0, 0, 0, 0)
    simulation.restore(end)
    assert counted(simulation) == (5, 3, 5, 2)
