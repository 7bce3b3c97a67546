"""What a scenario would change, found by the engine before anything runs; nothing is stored.

Edits that are switched off take no part, so the engine's numbering is mapped back to places in the list.
Figures compare the snapshot with the state before the first decision.
"""

import re
from collections import Counter
from typing import Any

import msgspec

from dashboard.engine import try_scenario
from dashboard.errors import listed_problems
from dashboard.models import Pod, Scenario
from dashboard.services.by_scheduler import left_alone, served
from dashboard.services.trial_size import too_large_to_try
from scheduler_core.events.state import PodRow, RunState
from scheduler_core.objects.problems import BadInput

EDIT_PLACE = re.compile(r"^edits\[(\d+)\]")
ENDED_PHASES = ["Succeeded", "Failed"]
COMPARED_RESOURCES = 8
UNTRIED: dict[str, Any] = {
    "edits": [], "problems": [], "figures": [], "trust": None, "left_alone": [], "untried": "",
}  # fmt: skip


def validate_scenario(scenario: Scenario) -> dict[str, Any]:
    """Return what each edit changes and every problem, as the engine finds them.

    edits: [{"index", "op", "sentence", "changes", "problems"}]; problems: [{"object", "field", "message"}];
    figures: [{"what", "resource", "before", "after"}], empty if the scenario cannot be played; trust: what
    the answers of a run would rest on, else null; left_alone: [{"scheduler", "pods"}], pending pods that ask
    for another scheduler; untried: why the scenario was not tried at all, else empty.
    Works on an unsaved scenario too.
    """
    untried = too_large_to_try(scenario)
    if untried:
        return {**UNTRIED, "untried": untried}
    places = [place for place, _ in scenario.active_edits()]
    try:
        simulation = try_scenario(scenario)
    except BadInput as error:
        listed = listed_problems(error.problems)
        return {**UNTRIED, "problems": [_placed(problem, places) for problem in listed]}
    results = [msgspec.to_builtins(result) for result in simulation.edit_results]
    return {
        "edits": [{**result, "index": places[result["index"]]} for result in results],
        "problems": [],
        "figures": compare(scenario, simulation.base),
        "trust": msgspec.to_builtins(simulation.trust),
        "left_alone": left_alone(_pending(simulation.base), served(simulation.base)),
        "untried": "",
    }


def compare(scenario: Scenario, base: RunState) -> list[dict[str, Any]]:
    """Return counts and capacity in the snapshot and after the edits."""
    snapshot = scenario.snapshot
    pods = Pod.objects.filter(snapshot=snapshot).exclude(phase__in=ENDED_PHASES).count()
    allocatable: Counter[str] = Counter()
    requested: Counter[str] = Counter()
    nodes, pods_after = base.nodes(), base.pods()
    for node in nodes:
        allocatable.update(node.allocatable)
    for pod in pods_after:
        if pod.node:
            requested.update(pod.requests)
    waiting = sum(1 for _ in base.waiting())
    rows = [
        _row("nodes", "", snapshot.counts.get("Node", 0), len(nodes)),
        _row("pods", "", pods, len(pods_after)),
        _row("pending pods", "", snapshot.pending, waiting),
    ]
    names = [name for name in snapshot.resources if name not in ("pods", "ephemeral-storage")]
    names += [name for name in sorted(allocatable) if name not in snapshot.resources]
    for name in names[:COMPARED_RESOURCES]:
        before = snapshot.resources.get(name, {})
        rows.append(_row(f"{name} allocatable", name, before.get("allocatable", 0), allocatable[name]))
        rows.append(_row(f"{name} requested", name, before.get("requested", 0), requested[name]))
    return [row for row in rows if row["before"] or row["after"]]


def _pending(base: RunState) -> list[PodRow]:
    return [pod for pod in base.pods() if not pod.node and not pod.terminating]


def _row(what: str, resource: str, before: int, after: int) -> dict[str, Any]:
    return {"what": what, "resource": resource, "before": before, "after": after}


def _placed(problem: Any, places: list[int]) -> dict[str, str]:
    """Return the problem as a document, naming the edit by its place in the scenario's list."""
    document: dict[str, str] = msgspec.to_builtins(problem)
    found = EDIT_PLACE.match(document["object"])
    if found and int(found[1]) < len(places):
        document["object"] = f"edits[{places[int(found[1])]}]" + document["object"][found.end() :]
    return document
