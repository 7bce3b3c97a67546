"""What a scenario would change, found by the engine before anything runs.

A small cluster is tried here. A worker tries a large one, in the world that it keeps warm.
Edits that are switched off take no part, so the engine's numbering is mapped back to places in the list.
Figures compare the snapshot with the state before the first decision.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from django.db.models import Count, Sum

from dashboard.engine import input_without_objects, try_scenario
from dashboard.errors import listed_problems
from dashboard.kinds.cards import counts_of_snapshot, with_counts
from dashboard.models import Node, Pod, Scenario
from dashboard.queries.pending import pending_by_scheduler
from dashboard.services.questions.forecast import KIND
from dashboard.services.questions.stored_questions import ask, end, settled
from dashboard.services.results.by_scheduler import left_alone
from dashboard.services.workspace.scenarios import cluster_as_it_stands
from dashboard.services.workspace.trial_size import too_large_to_try
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import LeftAlone
from dashboard.shapes.problems import ProblemDocument
from dashboard.shapes.trial import Figure, Trial
from scheduler_core.objects.identity import ENDED_PHASES
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.object_admission import EDIT_PLACE
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.edits import EditResult as EngineResult
from scheduler_core.world.forecast import Forecast
from scheduler_core.world.reporting.totals import Totals
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.companions import build_all, takes_part
from scheduler_core.world.setting_up.run_checks import check

COMPARED_RESOURCES = 8
OF_OPEN_NODES = ("cpu", "memory")
"""Resources of which it is said how much the nodes have that aren't cordoned."""
_ALTERING = {"taints": ("taint", "untaint"), "labels": ("label",)}
"""What edits make other on nodes, and their kinds."""
LARGE = 2_000
"""A worker tries a cluster of more pods and nodes: here it would take longer than a page may."""
PATIENCE_SECONDS = 0.8
UNTRIED: Trial = {
    "edits": [], "problems": [], "figures": [], "trust": None, "left_alone": [], "untried": "",
    "preparing": False, "ended": False,
}  # fmt: skip
TRIED_BY_A_WORKER = "A worker tries the edits."
ENDED = "Trying the edits was ended: a run checks them."


class _Untried(NamedTuple):
    """Why there is no forecast, whether there will be one soon, and whether somebody has ended it."""

    why: str
    preparing: bool = False
    ended: bool = False


def validate_scenario(scenario: Scenario, *, again: bool = False) -> Trial:
    """Return what each edit changes and every problem, as the engine finds them.

    Works on an unsaved scenario too. `again`: try also what somebody has ended.
    """
    untried = too_large_to_try(scenario)
    if untried:
        return _left_to_a_run(scenario, _Untried(untried))
    places = [place for place, _ in scenario.active_edits()]
    try:
        forecast = _forecast(scenario, again=again)
    except BadInput as error:
        listed = listed_problems(error.problems)
        return {**UNTRIED, "problems": [_placed(problem, places) for problem in listed]}
    if not isinstance(forecast, Forecast):
        return _left_to_a_run(scenario, forecast)
    results: list[EditResult] = msgspec.to_builtins(forecast.edit_results)
    return {
        **UNTRIED,
        "edits": [{**result, "index": places[result["index"]]} for result in results],
        "figures": compare(scenario, forecast.totals, forecast.edit_results),
        "trust": msgspec.to_builtins(forecast.trust),
        "left_alone": left_alone(_by_name(forecast.totals, "pending"), forecast.schedulers),
    }


def end_trying(scenario: Scenario) -> None:
    """Let a worker end what it tries of the scenario."""
    try:
        end(KIND, scenario.snapshot, _world_of(scenario), _asked(scenario))
    except BadInput:
        return  # nobody tries it


def _left_to_a_run(scenario: Scenario, untried: _Untried) -> Trial:
    return {
        **UNTRIED,
        "untried": untried.why,
        "preparing": untried.preparing,
        "ended": untried.ended,
        "left_alone": _left_alone_at_first(scenario),
    }


def _forecast(scenario: Scenario, *, again: bool) -> Forecast | _Untried:
    """Return the engine's forecast, or what to say where there is none. Raises BadInput."""
    if scenario.snapshot.pods_and_nodes <= LARGE:
        return Forecast.of(try_scenario(scenario))
    asked = _asked(scenario)
    told = ask(KIND, scenario.snapshot, _world_of(scenario), asked, PATIENCE_SECONDS, again=again)
    if not told.is_ready:
        return _Untried(told.stage or TRIED_BY_A_WORKER, preparing=True)
    if told.problems:
        raise BadInput(msgspec.convert(told.problems, list[Problem]))
    if told.answer is None:
        return _Untried(ENDED if told.ended else told.fault, ended=told.ended)
    return told.answer


def _asked(scenario: Scenario) -> dict[str, Any]:
    asked: dict[str, Any] = msgspec.to_builtins(input_without_objects(scenario))
    return {"scenario": asked}


def _world_of(scenario: Scenario) -> RunInput:
    """Return what is played in the world that other questions about the cluster are asked of.

    Where the cluster's own schedulers can't be played it is what the scenario plays.
    """
    try:
        return cluster_as_it_stands(scenario.snapshot)
    except BadInput:
        return settled(input_without_objects(scenario))


def _left_alone_at_first(scenario: Scenario) -> list[LeftAlone]:
    """Return whom the scenario's schedulers leave alone of the snapshot's own pods, whatever its edits do.

    A webhook of one may give pods another scheduler; what it does is not known without trying.
    """
    run_input = input_without_objects(scenario)
    try:
        run_input, _ = check(run_input)
        if any(takes_part(run_input, name) for name, kind in kinds().items() if kind.moves_pods):
            return []
        made = build_all(run_input)
    except BadInput:
        return []
    served = {profile: name for name, one in made.items() for profile in one.serves}
    return left_alone(pending_by_scheduler(scenario.snapshot), served)


def compare(scenario: Scenario, totals: Totals, results: Sequence[EngineResult] = ()) -> list[Figure]:
    """Return counts and capacity in the snapshot and after the edits, of which these are the results."""
    snapshot = scenario.snapshot
    pods = Pod.objects.filter(snapshot=snapshot).exclude(phase__in=ENDED_PHASES).count()
    all_pods = snapshot.counts.get("Pod", 0)
    closed = Node.objects.filter(snapshot=snapshot, unschedulable=True).aggregate(
        number=Count("pk"), cpu=Sum("cpu_milli", default=0), memory=Sum("memory_bytes", default=0)
    )
    allocatable, requested = _by_name(totals, "allocatable"), _by_name(totals, "requested")
    rows = [
        _row("nodes", "", snapshot.counts.get("Node", 0), totals["nodes", ""]),
        _row("cordoned nodes", "", closed["number"], totals["cordoned", ""]),
        *(_row(f"nodes with other {what}", "", 0, _altered(results, ops)) for what, ops in _ALTERING.items()),
        _row("evictions asked for", "", 0, sum(one.evictions for one in results)),
        _row("pods evicted by taints", "", 0, sum(one.evicted_by_taints for one in results)),
        _row("pods" if pods == all_pods else "pods that have not ended", "", pods, totals["pods", ""]),
        _row("pending pods", "", snapshot.pending, sum(_by_name(totals, "pending").values())),
    ]
    names = [name for name in snapshot.resources if name not in ("pods", "ephemeral-storage")]
    names += [name for name in sorted(allocatable) if name not in snapshot.resources]
    shown: list[Figure] = []
    for name in names:
        before = snapshot.resources.get(name, {})
        pair = [
            _row(f"{name} {of}", name, before.get(of, 0), after.get(name, 0))
            for of, after in (("allocatable", allocatable), ("requested", requested))
        ]
        if name in OF_OPEN_NODES and (closed["number"] or totals["cordoned", ""]):
            left = allocatable.get(name, 0) - totals.get(("closed", name), 0)
            pair.insert(1, _row(f"{name} on open nodes", name, pair[0]["before"] - closed[name], left))
        shown += [row for row in pair if row["before"] or row["after"]]
    few = list(dict.fromkeys(row["resource"] for row in shown))[:COMPARED_RESOURCES]
    resources = [row for row in shown if row["resource"] in few]
    return [
        *(row for row in rows if row["before"] or row["after"]),
        *with_counts(resources, counts_of_snapshot(snapshot)),
    ]


def _altered(results: Iterable[EngineResult], ops: Iterable[str]) -> int:
    """Return how many nodes these kinds of edits alter, each counted once."""
    return len({name for one in results if one.op in ops for name in one.altered})


def _by_name(totals: Totals, what: str) -> dict[str, int]:
    return {name: amount for (of, name), amount in totals.items() if of == what and amount}


def _row(what: str, resource: str, before: int, after: int) -> Figure:
    return {"what": what, "resource": resource, "before": before, "after": after}


def _placed(problem: Problem, places: list[int]) -> ProblemDocument:
    """Return the problem as a document, naming the edit by its place in the scenario's list."""
    document: ProblemDocument = msgspec.to_builtins(problem)
    found = EDIT_PLACE.match(document["object"])
    if found and int(found[1]) < len(places):
        document["object"] = f"edits[{places[int(found[1])]}]" + document["object"][found.end() :]
    return document
