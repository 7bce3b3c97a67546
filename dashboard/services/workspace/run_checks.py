"""What can be told of a run before a worker takes it: names that the snapshot alone proves wrong.

Only rows of the database are asked, so that it takes no longer for a large cluster. What an earlier edit
could have made is left to the engine, whose faults a failed run carries as `problems`.
"""

from collections import Counter
from collections.abc import Iterator

from dashboard.models import Node, Pod, Scenario
from dashboard.queries.pending import PENDING
from scheduler_core.objects.problems import BadInput, Problem

MAKING_NO_PODS = {"cordon", "uncordon", "drain", "evict", "stop-kubelet", "start-kubelet"}
ABOUT_A_NODE = {"cordon", "uncordon", "drain", "clone-node", "stop-kubelet", "start-kubelet"}
MAKING_NODES = {"add", "clone-node"}


def check_run(scenario: Scenario, schedule: list[str] | None) -> None:
    """Raise BadInput with every name in the edits and the schedule that there cannot be."""
    problems = [*_edit_problems(scenario), *_schedule_problems(scenario, schedule or [])]
    if problems:
        raise BadInput(problems)


def _edit_problems(scenario: Scenario) -> Iterator[Problem]:
    edits = scenario.active_edits()
    named = {edit["node"] for _, edit in edits if edit["op"] in ABOUT_A_NODE}
    if not named:
        return
    nodes = set(Node.objects.filter(snapshot=scenario.snapshot).values_list("name", flat=True))
    for place, edit in edits:
        if edit["op"] in ABOUT_A_NODE and edit["node"] not in nodes:
            yield Problem(f"edits[{place}]", "node", f"there is no Node {edit['node']}")
        if edit["op"] in MAKING_NODES:
            return


def _schedule_problems(scenario: Scenario, schedule: list[str]) -> Iterator[Problem]:
    for name, times in Counter(schedule).items():
        if times > 1:
            yield Problem("schedule", "", f"names {name} {times} times")
    if not schedule or any(edit["op"] not in MAKING_NO_PODS for _, edit in scenario.active_edits()):
        return
    pods = Pod.objects.filter(PENDING, snapshot=scenario.snapshot).values_list("namespace", "name")
    pending = {f"{namespace}/{name}" for namespace, name in pods}
    for name in dict.fromkeys(schedule):
        if name not in pending:
            yield Problem("schedule", "", f"there is no pending pod {name}")
