"""What answers rest on is told of the import: edits fill none of its gaps, and make none."""

from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod


def test_what_edits_add_or_take_away_is_no_matter_of_the_import():
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "guard", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "w"}}, "minAvailable": 1},
    }
    said = "no PodDisruptionBudgets in the import"
    objects = [node("n"), pod("p", on="n", priority=10), pod("q", priority=1000)]
    for known, edit, is_said in (
        (objects, {"op": "add", "manifest": budget}, True),
        ([*objects, budget], {"op": "delete", "kind": "PodDisruptionBudget", "name": "guard"}, False),
        (objects, {"op": "cordon", "node": "n"}, True),
    ):
        missing = Simulation(RunInput(objects=known, edits=[edit])).trust.missing
        assert any(said in phrase for phrase in missing) is is_said, edit
