"""Two runs compared: the figures of both outcomes beside each other, and where their logs part.

In go two runs that the reader may see; out comes a Comparison, which REST and the page show in their own
ways. Nothing is written.
"""

from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from dashboard.kinds.cards import counts_of_run, shares_cards, with_counts
from dashboard.models import Run
from dashboard.queries.comparison import Differences, Totals, differences
from dashboard.queries.comparison_gangs import Gangs
from dashboard.queries.comparison_pods import TRIED, TRIED_IN_A_SESSION
from dashboard.queries.comparison_releases import Releases, compared_releases
from dashboard.queries.comparison_settings import settings_of, settings_sentence
from dashboard.queries.comparison_words import answer
from dashboard.queries.replay import base_state
from dashboard.queries.resuming import stored_lines
from dashboard.services.results.outcome import outcome, unserved
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.comparison import Figure, Setting, Utilisation
from dashboard.shapes.outcome import Figures
from dashboard.shapes.outcome import Utilisation as UtilisationOfRun
from dashboard.shapes.over_time import Cards
from scheduler_core.events.decisions import decision_decoder


@dataclass(frozen=True)
class Comparison:
    """What two runs have in common and what not.

    figures: instants have the unit `ms`. utilisation: at the end. releases: where nothing but the release of
    kube-scheduler differs, what that changes. is_complete: whether both runs have ended.
    """

    a: Run
    b: Run
    sentence: str
    inputs: str
    settings: list[Setting]
    figures: list[Figure]
    utilisation: list[Utilisation]
    differences: Differences
    releases: Releases | None
    outcomes: tuple[Figures, Figures]

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
            *(_figure(name, sides[0][name], sides[1][name]) for name in sides[0]),
            *_cards(a, b),
            *_instants(a, b, one, other),
        ],
        utilisation=with_counts(_utilisation(one, other), counts_of_run(a), counts_of_run(b)),
        differences=found,
        releases=releases,
        outcomes=(one, other),
    )


def _outcome(run: Run) -> Figures:
    """Return the run's outcome; of a run that goes on, that of the decisions which `run` counts."""
    sums = settled_sums(run) if run.has_ended else None
    if sums is not None:
        return sums.outcome
    lines = islice(stored_lines(run.pk, 0), run.decisions)
    return outcome(base_state(run), map(decision_decoder.decode, lines))


def _figures(figures: Figures, totals: Totals) -> dict[str, int]:
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


def _gangs(gangs: Gangs) -> list[Figure]:
    """Return how many gangs start and how many hold room without starting; nothing where there are none."""
    if not gangs.number:
        return []
    names = {"whole": "gangs that are whole", "half placed": "gangs half placed"}
    return [_figure(name, gangs.a[state], gangs.b[state]) for state, name in names.items()]


def _cards(a: Run, b: Run) -> list[Figure]:
    """Return how many cards have no pod and how many nodes have used ones, where both runs share them."""
    one, other = (_cards_of(run) for run in (a, b))
    if one is None or other is None:
        return []
    return [
        _figure("cards without a pod at the end", one["idle"][-1], other["idle"][-1]),
        _figure("nodes with used cards at the end", one["nodes"][-1], other["nodes"][-1]),
    ]


def _cards_of(run: Run) -> Cards | None:
    sums = settled_sums(run) if run.has_ended and shares_cards(run) else None
    return sums.over_time.get("cards") if sums is not None else None


def _instants(a: Run, b: Run, one: Figures, other: Figures) -> list[Figure]:
    """Return the figures in milliseconds of two runs with a clock: when they end, how long pods waited."""
    if one.get("time") is None or other.get("time") is None:
        return []
    here, there = (
        {"the last decision": figures["time"], **_waits(run)} for run, figures in ((a, one), (b, other))
    )
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


def _figure(name: str, a: int, b: int) -> Figure:
    return {"name": name, "a": a, "b": b, "difference": b - a}


def _utilisation(one: Figures, other: Figures) -> list[Utilisation]:
    """Return what is requested at the end of each run, by resource."""
    a, b = ({row["resource"]: row for row in figures["utilisation"]} for figures in (one, other))
    rows: list[Utilisation] = []
    for name, row in {**b, **a}.items():
        here, there = _at_end(a.get(name)), _at_end(b.get(name))
        rows.append(
            {
                "resource": name,
                "a": here.requested,
                "b": there.requested,
                "difference": there.requested - here.requested,
                "unit": row["unit"],
                "allocatable": {"a": here.allocatable, "b": there.allocatable},
            }
        )
    return rows


class _AtEnd(NamedTuple):
    """What is requested of a resource at the end of a run, and what the nodes of the end have."""

    requested: int = 0
    allocatable: int = 0


def _at_end(row: UtilisationOfRun | None) -> _AtEnd:
    """Return it; older outcomes know what the nodes of the beginning have only."""
    if row is None:
        return _AtEnd()
    return _AtEnd(row["after"], row.get("allocatable_after", row["allocatable"]))
