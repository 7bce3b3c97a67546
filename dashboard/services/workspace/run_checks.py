"""What can be told of a run before a worker takes it: names that the snapshot alone proves wrong.

Only rows of the database are asked, so that it takes no longer for a large cluster. What an earlier edit
could have made is left to the engine, whose faults a failed run carries as `problems`.
"""

from collections import Counter
from collections.abc import Iterator

from dashboard.models import Node, Pod, Scenario
from dashboard.queries.pending import PENDING
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.edits.operations import OPERATIONS, shape_of
from scheduler_core.world.edits.operations.base import listed


def check_run(scenario: Scenario, schedule: list[str] | None) -> None:
    """Raise BadInput with every name in the edits and the schedule that there cannot be."""
    problems = [*_edit_problems(scenario), *_schedule_problems(scenario, schedule or [])]
    if problems:
        raise BadInput(problems)


def _edit_problems(scenario: Scenario) -> Iterator[Problem]:
    edits = [
        (place, typed) for place, edit in scenario.active_edits() if (typed := shape_of(edit)) is not None
    ]
    if not any(edit.named_nodes() for _, edit in edits):
        return
    nodes = set(Node.objects.filter(snapshot=scenario.snapshot).values_list("name", flat=True))
    for place, edit in edits:
        missing = [name for name in dict.fromkeys(edit.named_nodes()) if name not in nodes]
        if missing:
            field = "nodes" if getattr(edit, "nodes", None) else "node"
            yield Problem(f"edits[{place}]", field, f"there is no Node {listed(missing)}")
        if edit.makes_nodes:
            return


def _schedule_problems(scenario: Scenario, schedule: list[str]) -> Iterator[Problem]:
    for name, times in Counter(schedule).items():
        if times > 1:
            yield Problem("schedule", "", f"names {name} {times} times")
    if not schedule or any(OPERATIONS[edit["op"]].makes_pods for _, edit in scenario.active_edits()):
        return
    pods = Pod.objects.filter(PENDING, snapshot=scenario.snapshot).values_list("namespace", "name")
    pending = {f"{namespace}/{name}" for namespace, name in pods}
    for name in dict.fromkeys(schedule):
        if name not in pending:
            yield Problem("schedule", "", f"there is no pending pod {name}")
