"""Two runs compared: the figures of both outcomes beside each other, and where their logs part.

In go two runs that the reader may see; out comes a Comparison, which REST and the page show in their own
ways. Nothing is written.
"""

from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from dashboard.answers.answer import Answer, Table
from dashboard.answers.asked_differently import asked_differently, asked_in_both, called, edits_of_one
from dashboard.answers.compared import Pair, SideSaid, answer_of_two
from dashboard.answers.no_effect import AskedDifferently, no_effect, queues_set
from dashboard.answers.rests_on import Played
from dashboard.kinds.cards import counts_of_run, with_counts
from dashboard.models import Run
from dashboard.queries.comparison import Differences, differences
from dashboard.queries.comparison_releases import Releases, compared_releases
from dashboard.queries.comparison_settings import different_settings, settings_of, settings_sentence
from dashboard.queries.comparison_words import answer as parting
from dashboard.queries.comparison_words import are_alike, cut_short, subject
from dashboard.queries.config_differences import differing_leaves
from dashboard.queries.replay import base_state
from dashboard.queries.resuming import stored_lines
from dashboard.services.results.comparing_figures import Side, figures_of
from dashboard.services.results.outcome import outcome
from dashboard.services.results.queues_compared import of_no_use, queues_compared
from dashboard.services.results.run_answers import waits_for_baseline, without_edits
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.comparison import Figure, Setting, Utilisation
from dashboard.shapes.outcome import Figures
from dashboard.shapes.outcome import Utilisation as UtilisationOfRun
from scheduler_core.events.decisions import decision_decoder


@dataclass(frozen=True)
class Comparison:
    """What two runs have in common and what not.

    pair: what the answer is made from. answer: the whole of it in sentences. figures: instants have the unit
    `ms`. utilisation: at the end. all_figures: both. releases: where nothing but kube-scheduler's release
    differs, what that changes. queue_resources: those that queues may be told by, the scarcest first.
    is_complete: whether both runs have ended.
    """

    a: Run
    b: Run
    pair: Pair
    queue_resources: list[str]
    answer: Answer
    sentence: str
    inputs: str
    settings: list[Setting]
    figures: list[Figure]
    all_figures: list[Figure]
    utilisation: list[Utilisation]
    differences: Differences
    releases: Releases | None
    outcomes: tuple[Figures, Figures]

    @property
    def is_complete(self) -> bool:
        """Whether nothing will be added to either log."""
        return self.a.has_ended and self.b.has_ended


def compare_runs(a: Run, b: Run, queues_by: str = "") -> Comparison:
    """Compare two runs as far as they are stored; raises NotYet while one of them has nothing.

    queues_by: the resource in which queues are told, the scarcest unless it is one of those there are.
    """
    found = differences(a, b)
    releases = compared_releases(a, b, found)
    one, other = _outcome(a), _outcome(b)
    opening, where = releases.sentence if releases else "", parting(a, b, found)
    told = " ".join(filter(None, (*_standing((a, one), (b, other), found), opening, where)))
    sides = (
        Side(a, one, without_edits(a)[1], found.totals[0]),
        Side(b, other, without_edits(b)[1], found.totals[1]),
    )
    figures = figures_of(*sides, found.gangs)
    utilisation = with_counts(_utilisation(one, other), counts_of_run(a), counts_of_run(b))
    all_figures = [*figures, *map(_as_figure, utilisation)]
    if "snapshot" in different_settings(a, b) or not a.status == b.status == Run.Status.FINISHED:
        # Another cluster is neither better nor worse, and no run is for what it has not come to.
        for row in all_figures:
            row.pop("better", None)
    queues = queues_compared(a, b, queues_by)
    pair = _pair(a, b, found, all_figures, (opening, where), (one, other), queues.tables)
    return Comparison(
        a=a,
        b=b,
        pair=pair,
        queue_resources=queues.resources,
        answer=answer_of_two(pair),
        sentence=told,
        inputs=settings_sentence(a, b),
        settings=settings_of(a, b),
        figures=figures,
        all_figures=all_figures,
        utilisation=utilisation,
        differences=found,
        releases=releases,
        outcomes=(one, other),
    )


def _standing(a: tuple[Run, Figures], b: tuple[Run, Figures], found: Differences) -> list[str]:
    """Say where runs stand that came to no natural end, unless what is said of their logs does so."""
    if found.first is None and a[0].has_ended and b[0].has_ended:
        return []
    stand = [(run.pk, cut_short(run, figures)) for run, figures in (a, b)]
    return [f"Run {number} {words}." for number, words in stand if words]


def _pair(
    a: Run,
    b: Run,
    found: Differences,
    figures: list[Figure],
    told: tuple[str, str],
    outcomes: tuple[Figures, Figures],
    queues: list[Table],
) -> Pair:
    """Return what the answer is made from; `told`: what another release changes, and where the runs part."""
    opening, where = told
    names = called(a, b)
    alike = are_alike(a, b, found)
    edits = edits_of_one(a, b) if alike else []
    asked = AskedDifferently(
        different_settings(a, b),
        differing_leaves(a.config, b.config),
        edits,
        {name: of_no_use(a, b, name, edits) for name in queues_set(edits)},
    )
    one, other = (
        _side(run, subject(name), figures) for run, name, figures in zip((a, b), names, outcomes, strict=True)
    )
    return Pair(
        one,
        other,
        figures=figures,
        differently=asked_differently(a, b),
        both=asked_in_both(a, b),
        alike=f"{opening} {where}".strip() if alike else "",
        reason=no_effect(asked, found.choices, outcomes) if alike else [],
        opening=opening,
        parting=where,
        elsewhere=sum(row.elsewhere for row in found.moved),
        moved=found.moved,
        tables=queues,
        rest_on=[Played(run.pk, run.profile, run.trust) for run in (a, b)],
    )


def _side(run: Run, name: str, figures: Figures) -> SideSaid:
    without, _ = without_edits(run)
    return SideSaid(run.pk, name, without, waits_for_baseline(run), cut_short(run, figures))


def _outcome(run: Run) -> Figures:
    """Return the run's outcome; of a run that goes on, that of the decisions which `run` counts."""
    sums = settled_sums(run) if run.has_ended else None
    if sums is not None:
        return sums.outcome
    lines = islice(stored_lines(run.pk, 0), run.decisions)
    return outcome(base_state(run), map(decision_decoder.decode, lines))


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


_COUNTED = {"slots": ", in slots of shared cards", "one card": ", for one card of each container"}


def _as_figure(row: Utilisation) -> Figure:
    """Return what is requested as a figure beside the others."""
    resource = row["resource"]
    name = "pods on nodes" if resource == "pods" else f"{resource} requested"
    return {
        "name": f"{name} at the end{_COUNTED.get(row.get('counts', ''), '')}",
        "a": row["a"],
        "b": row["b"],
        "difference": row["difference"],
        "group": "nodes",
        "resource": resource,
    }


class _AtEnd(NamedTuple):
    """What is requested of a resource at the end of a run, and what the nodes of the end have."""

    requested: int = 0
    allocatable: int = 0


def _at_end(row: UtilisationOfRun | None) -> _AtEnd:
    """Return it; older outcomes know what the nodes of the beginning have only."""
    if row is None:
        return _AtEnd()
    return _AtEnd(row["after"], row.get("allocatable_after", row["allocatable"]))
