"""The figures of two runs, side by side: how full the nodes are, and who waits and who goes.

A figure that one of the runs has not is left out: nothing is compared with a guess.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from dashboard.answers.moved import pods_by
from dashboard.answers.others import held_against
from dashboard.kinds.cards import counts_of_run, shares_cards
from dashboard.models import Run
from dashboard.queries.comparison import Totals
from dashboard.queries.comparison_gangs import Gangs
from dashboard.queries.comparison_pods import TRIED, TRIED_IN_A_SESSION
from dashboard.services.results.outcome import unserved
from dashboard.services.results.packing import MAIN
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.comparison import AT_LEAST, Better, Figure, Without
from dashboard.shapes.outcome import Figures
from dashboard.shapes.over_time import Cards

PENDING, BECAUSE, EVICTED = "pending", "pending because of the edits", "evicted"
UNSERVED = "pending without a scheduler"
EMPTIABLE = "nodes that could be emptied"
LOST = "free but lost"
_BETTER: Mapping[str, Better] = {
    PENDING: "lower",
    BECAUSE: "lower",
    EVICTED: "lower",
    "deleted by controllers": "lower",
    UNSERVED: "lower",
    "evictions against a budget": "lower",
    "workloads below their replicas": "lower",
    "cascades": "lower",
    "gangs that are whole": "higher",
    "gangs half placed": "lower",
    LOST: "lower",
}
"""Where better has a direction; all else is told and not judged."""


class Side(NamedTuple):
    """A run, its outcome, and that of the run without its edits, if there is one."""

    run: Run
    outcome: Figures
    without: Figures | None
    totals: Totals


def figures_of(a: Side, b: Side, gangs: Gangs) -> list[Figure]:
    """Return all figures that both runs have, those of gangs first."""
    found = [
        *_gangs(gangs),
        *_counted(a, b),
        *_because(a, b),
        *_packing(a, b),
        *_cards(a.run, b.run),
        *_instants(a, b),
    ]
    return [*_in_order(_judged(found))]


def _judged(found: list[Figure]) -> list[Figure]:
    """Let no run be the better one for pods that its schedulers never look at, and those of the other do."""
    if any(row["name"] == UNSERVED and row["difference"] for row in found):
        for row in found:
            if row["name"] in (PENDING, BECAUSE, EVICTED):
                row.pop("better", None)
    return found


def _in_order(found: list[Figure]) -> list[Figure]:
    """Let what is pending because of the edits stand beside what is pending."""
    because = [row for row in found if row["name"] == BECAUSE]
    rest = [row for row in found if row["name"] != BECAUSE]
    at = next((place for place, row in enumerate(rest) if row["name"] == PENDING), len(rest) - 1) + 1
    return [*rest[:at], *because, *rest[at:]]


def _figure(name: str, a: int, b: int, group: Literal["nodes", "pods"] = "pods") -> Figure:
    row: Figure = {"name": name, "a": a, "b": b, "difference": b - a, "group": group}
    if name in _BETTER:
        row["better"] = _BETTER[name]
    return row


def _without(a: int | None, b: int | None) -> Without | None:
    return None if a is None and b is None else {"a": a, "b": b}


def _counted(a: Side, b: Side) -> list[Figure]:
    sides = [{**_of_outcome(side.outcome), **_of_log(side)} for side in (a, b)]
    without = [{} if side.without is None else _of_outcome(side.without) for side in (a, b)]
    rows: list[Figure] = []
    for name in sides[0]:
        row = _figure(name, sides[0][name], sides[1][name])
        if before := _without(without[0].get(name), without[1].get(name)):
            row["without"] = before
        rows.append(row)
    return rows


def _of_outcome(figures: Figures) -> dict[str, int]:
    counts, tries = figures["counts"], figures.get("tries", {})
    return {
        "placed": figures["placed"],
        EVICTED: figures["evicted"],
        "deleted by controllers": figures.get("deleted", 0),
        PENDING: figures["pending"],
        UNSERVED: unserved(figures),
        "decisions": figures["decisions"],
        "attempts": sum(counts.get(name, 0) for name in TRIED)
        + sum(tries.get(name, 0) for name in TRIED_IN_A_SESSION),
        "failed attempts": counts.get("unschedulable", 0) + counts.get("error", 0) + tries.get("refused", 0),
        "nominations": counts.get("nominated", 0),
        "evictions by edits": counts.get("evicted", 0),
        "evictions by taints": counts.get("tainted", 0),
        "lost with nodes": pods_by(figures, "node"),
        "evictions refused": len(figures["evictions_refused"]),
        "evictions against a budget": len(figures["budgets_violated"]),
        "workloads below their replicas": len(figures["below_replicas"]),
        "cascades": figures["cascades"]["count"],
    }


def _of_log(side: Side) -> dict[str, int]:
    return {"pods tried": side.totals.pods_tried, "preemptions": side.totals.preemptions}


def _because(a: Side, b: Side) -> list[Figure]:
    """Return how many pods are pending that are not without the edits, where both runs have such a run."""
    if a.without is None or b.without is None:
        return []
    one, other = (held_against(side.outcome, side.without)[0] for side in (a, b) if side.without is not None)
    return [_figure(BECAUSE, one, other)]


def _gangs(gangs: Gangs) -> list[Figure]:
    """Return how many gangs start and how many hold room without starting; nothing where there are none."""
    if not gangs.number:
        return []
    names = {"whole": "gangs that are whole", "half placed": "gangs half placed"}
    return [_figure(name, gangs.a[state], gangs.b[state]) for state, name in names.items()]


# -- how full the nodes are ------------------------------------------------------------------------------


class _Packed(NamedTuple):
    """A figure of how nodes are packed. resource: whose units it has. means: the term that says how."""

    value: int
    resource: str = ""
    better: Better | None = None
    means: str = ""


def _packing(a: Side, b: Side) -> list[Figure]:
    shared = counts_of_run(a.run).keys() | counts_of_run(b.run).keys()
    one, other = (_packed(side.outcome, shared) for side in (a, b))
    without = [{} if side.without is None else _packed(side.without, shared) for side in (a, b)]
    rows: list[Figure] = []
    for name in (name for name in one if name in other):
        packed = one[name]
        before = [side[name].value if name in side else None for side in without]
        row = _figure(name, packed.value, other[name].value, "nodes")
        if packed.better:
            row["better"] = packed.better
        if packed.resource:
            row["resource"] = packed.resource
        if packed.means:
            row["means"] = packed.means
        if found := _without(*before):
            row["without"] = found
        rows.append(row)
    for row in rows:
        if row["name"] == EMPTIABLE and not (_tried_all(a.outcome) and _tried_all(b.outcome)):
            row["name"] = f"{EMPTIABLE}{AT_LEAST}"
            row.pop("better", None)
    return rows


def _tried_all(figures: Figures) -> bool:
    emptied = figures.get("emptiable")
    return emptied is None or emptied["tried"] == emptied["of"]


def _packed(figures: Figures, shared: set[str]) -> dict[str, _Packed]:
    """Return how nodes are packed; resources that are `shared` cards say nothing by what is free of them."""
    found: dict[str, _Packed] = {}
    if (emptied := figures.get("emptiable")) is not None:
        found[EMPTIABLE] = _Packed(emptied["nodes"], "", "higher", "emptiable")
    packing = figures.get("packing")
    if packing is None:
        return found
    for resource in MAIN:
        found[f"nodes over 90 % of {resource}"] = _Packed(packing["over"][resource])
    for resource, free in packing["stranded"].items():
        if resource not in shared:
            found[f"{resource} stranded"] = _Packed(free, resource, "lower", "stranded")
    if packing["largest"] is not None:
        found["largest pod that fits, by cpu"] = _Packed(packing["largest"], "cpu", "higher", "largest pod")
    return found


def _cards(a: Run, b: Run) -> list[Figure]:
    """Return how many cards have no pod, how many nodes have used ones, and what of the free room is lost."""
    one, other = (_cards_of(run) for run in (a, b))
    if one is None or other is None or not one["idle"] or not other["idle"]:
        return []
    here, there = (round(10 * side["fragmentation"][-1]) for side in (one, other))
    lost = _figure(LOST, here, there, "nodes")
    lost["unit"], lost["means"] = "‰", LOST
    return [
        _figure("cards without a pod at the end", one["idle"][-1], other["idle"][-1], "nodes"),
        _figure("nodes with used cards at the end", one["nodes"][-1], other["nodes"][-1], "nodes"),
        lost,
    ]


def _cards_of(run: Run) -> Cards | None:
    sums = settled_sums(run) if run.has_ended and shares_cards(run) else None
    return sums.over_time.get("cards") if sums is not None else None


# -- where a clock moves -----------------------------------------------------------------------------------


def _instants(a: Side, b: Side) -> list[Figure]:
    """Return the figures in milliseconds of two runs with a clock: when they end, how long pods waited."""
    if a.outcome.get("time") is None or b.outcome.get("time") is None:
        return []
    here, there = ({"the last decision": side.outcome["time"], **_waits(side.run)} for side in (a, b))
    pairs = [(name, instant, there.get(name)) for name, instant in here.items()]
    return [
        {**_figure(name, instant, of_other), "unit": "ms"}
        for name, instant, of_other in pairs
        if instant is not None and of_other is not None
    ]


def _waits(run: Run) -> dict[str, int | None]:
    """Return how long pods waited for their nodes; nothing of a run that goes on."""
    sums = settled_sums(run) if run.has_ended else None
    if sums is None:
        return {}
    placed = sums.over_time["waits"]["all"]["placed"]
    longest = placed["longest"]
    return {
        "half of those placed waited at most": placed["median"],
        "nine in ten waited at most": placed["p90"],
        "the longest wait of one placed": longest["wait"] if longest else None,
    }
