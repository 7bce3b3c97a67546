"""Two runs compared: the figures of both outcomes beside each other, and where their logs part.

In go two runs that the reader may see; out comes a Comparison, which REST and the page show in their own
ways. Nothing is written.
"""

from dataclasses import dataclass
from itertools import islice
from typing import Any

from dashboard.kinds.cards import counts_of_run, shares_cards, with_counts
from dashboard.models import Run
from dashboard.queries.comparison import Differences, Totals, differences
from dashboard.queries.comparison_gangs import Gangs
from dashboard.queries.comparison_pods import TRIED, TRIED_IN_A_SESSION
from dashboard.queries.comparison_releases import Releases, compared_releases
from dashboard.queries.comparison_words import answer, settings_of, settings_sentence
from dashboard.queries.replay import base_state
from dashboard.queries.resuming import stored_lines
from dashboard.services.results.outcome import outcome, unserved
from dashboard.services.results.run_sums import settled_sums
from scheduler_core.events.decisions import decision_decoder


@dataclass(frozen=True)
class Comparison:
    """What two runs have in common and what not.

    figures: {"name", "a", "b", "difference"}, instants with "unit": "ms"; utilisation: {"resource", "unit",
    "a", "b", "difference", "allocatable": {"a", "b"}}, at the end, with "counts" of resources by which HAMi
    shares cards ("slots", or "one card" of each container). releases: where nothing but the release of
    kube-scheduler differs, what that changes. is_complete: whether both runs have ended.
    """

    a: Run
    b: Run
    sentence: str
    inputs: str
    settings: list[dict[str, Any]]
    figures: list[dict[str, Any]]
    utilisation: list[dict[str, Any]]
    differences: Differences
    releases: Releases | None
    outcomes: tuple[dict[str, Any], dict[str, Any]]

    @property
    def is_complete(self) -> bool:
        """Whether nothing will be added to either log."""
        return self.a.has_ended and self.b.has_ended


def compare_runs(a: Run, b: Run) -> Comparison:
    """Compare two runs as far as they are stored; raises NotYet while one of them has nothing."""
    found = differences(a, b)
    releases = compared_releases(a, b, found)
    one, other = _outcome(a), _outcome(b)
    sides = _figures(one, found.totals[0]), _figures(other, found.totals[1])
    return Comparison(
        a=a,
        b=b,
        sentence=f"{releases.sentence if releases else ''} {answer(a, b, found)}".strip(),
        inputs=settings_sentence(a, b),
        settings=settings_of(a, b),
        figures=[
            *_gangs(found.gangs),
            *(_pair("name", name, sides[0][name], sides[1][name]) for name in sides[0]),
            *_cards(a, b),
            *_instants(a, b, one, other),
        ],
        utilisation=with_counts(_utilisation(one, other), counts_of_run(a), counts_of_run(b)),
        differences=found,
        releases=releases,
        outcomes=(one, other),
    )


def _outcome(run: Run) -> dict[str, Any]:
    """Return the run's outcome; of a run that goes on, that of the decisions which `run` counts."""
    sums = settled_sums(run) if run.has_ended else None
    if sums is not None:
        return sums.outcome
    lines = islice(stored_lines(run.pk, 0), run.decisions)
    return outcome(base_state(run), map(decision_decoder.decode, lines))


def _figures(figures: dict[str, Any], totals: Totals) -> dict[str, int]:
    counts, tries = figures["counts"], figures.get("tries", {})
    return {
        "placed": figures["placed"],
        "evicted": figures["evicted"],
        "deleted by controllers": figures.get("deleted", 0),
        "pending": figures["pending"],
        "pending without a scheduler": unserved(figures),
        "decisions": figures["decisions"],
        "attempts": sum(counts.get(name, 0) for name in TRIED)
        + sum(tries.get(name, 0) for name in TRIED_IN_A_SESSION),
        "failed attempts": counts.get("unschedulable", 0) + counts.get("error", 0) + tries.get("refused", 0),
        "pods tried": totals.pods_tried,
        "nominations": counts.get("nominated", 0),
        "preemptions": totals.preemptions,
        "evictions by edits": counts.get("evicted", 0),
        "evictions refused": len(figures["evictions_refused"]),
        "evictions against a budget": len(figures["budgets_violated"]),
        "workloads below their replicas": len(figures["below_replicas"]),
        "cascades": figures["cascades"]["count"],
    }


def _gangs(gangs: Gangs) -> list[dict[str, Any]]:
    """Return how many gangs start and how many hold room without starting; nothing where there are none."""
    if not gangs.number:
        return []
    names = {"whole": "gangs that are whole", "half placed": "gangs half placed"}
    return [_pair("name", name, gangs.a[state], gangs.b[state]) for state, name in names.items()]


def _cards(a: Run, b: Run) -> list[dict[str, Any]]:
    """Return how many cards have no pod and how many nodes have used ones, where both runs share them."""
    sums = [settled_sums(run) if run.has_ended and shares_cards(run) else None for run in (a, b)]
    sides = [one.over_time.get("cards") if one is not None else None for one in sums]
    if not all(sides):
        return []
    names = {"idle": "cards without a pod at the end", "nodes": "nodes with used cards at the end"}
    return [
        _pair("name", name, *(int(side[key][-1]) for side in sides if side)) for key, name in names.items()
    ]


def _instants(a: Run, b: Run, one: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the figures in milliseconds of two runs with a clock: when they end, how long pods waited."""
    if one.get("time") is None or other.get("time") is None:
        return []
    sides = [{"the last decision": figures["time"], **_waits(run)} for run, figures in ((a, one), (b, other))]
    return [
        {**_pair("name", name, sides[0][name], sides[1][name]), "unit": "ms"}
        for name in sides[0]
        if sides[0][name] is not None and sides[1].get(name) is not None
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


def _pair(field: str, name: str, a: int, b: int) -> dict[str, Any]:
    return {field: name, "a": a, "b": b, "difference": b - a}


def _utilisation(one: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is requested at the end of each run, by resource."""
    sides = [{row["resource"]: row for row in figures["utilisation"]} for figures in (one, other)]
    rows = []
    for name, row in {**sides[1], **sides[0]}.items():
        here, there = (side.get(name, {"after": 0, "allocatable": 0}) for side in sides)
        allocatable = {"a": _allocatable(here), "b": _allocatable(there)}
        pair = _pair("resource", name, here["after"], there["after"])
        rows.append({**pair, "unit": row["unit"], "allocatable": allocatable})
    return rows


def _allocatable(row: dict[str, Any]) -> int:
    """Return what the nodes of the end have; older outcomes know those of the beginning only."""
    amount: int = row.get("allocatable_after", row["allocatable"])
    return amount
