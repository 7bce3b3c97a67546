"""Where people were: runs of one scenario are one line, and the newest finished run of it speaks."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, QuerySet

from dashboard.answers.answer import Line
from dashboard.models import Run
from dashboard.services.results.run_lead import run_lead
from dashboard.views.runs import outcome_sums

LOOKED_AT = 400
"""So many of the newest runs are looked through for their scenarios."""
Key = tuple[str, int]


@dataclass(frozen=True)
class ScenarioLine:
    """A scenario with its runs: `run` speaks for them, `newest` is the last one that was started.

    sums: what became of its pods, as parts of a bar. counts: how many runs there are of each status.
    """

    run: Run
    newest: Run
    lead: Line
    sums: list[tuple[str, int, str]]
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return self.counts.total()

    @property
    def cancelled(self) -> int:
        """How many of them were cancelled."""
        return self.counts[Run.Status.CANCELLED]

    @property
    def goes_on(self) -> bool:
        """Whether the newest run is under way, and an older one speaks."""
        return not self.newest.has_ended and self.newest.pk != self.run.pk


@dataclass
class Lines:
    """Lines for those whose runs say something, and apart those of which every run was cancelled."""

    shown: list[ScenarioLine]
    folded: list[ScenarioLine]
    more: int

    @property
    def goes_on(self) -> list[int]:
        """The runs among those shown that are under way."""
        newest = (line.newest for line in self.shown)
        return [run.pk for run in newest if not run.has_ended]


def scenario_lines(runs: QuerySet[Run], most: int) -> Lines:
    """Return a line for each of the scenarios that were run last, at most so many."""
    by_key: dict[Key, list[tuple[int, str]]] = {}
    newest_first = runs.order_by("-created_at", "-pk").values_list("pk", "scenario_id", "status")
    for pk, scenario, status in newest_first[:LOOKED_AT]:
        key = ("scenario", scenario) if scenario is not None else ("run", pk)
        by_key.setdefault(key, []).append((pk, status))
    said = {key: _speaker(entries) for key, entries in by_key.items()}
    shown = [key for key, (_, status) in said.items() if status != Run.Status.CANCELLED]
    folded = [key for key in said if key not in set(shown)]
    wanted = [*shown[:most], *folded[:most]]
    rows = runs.in_bulk([pk for key in wanted for pk in (said[key][0], by_key[key][0][0])])
    counts = _counts(runs, by_key, wanted)

    def line(key: Key) -> ScenarioLine:
        run, newest = rows[said[key][0]], rows[by_key[key][0][0]]
        sums = outcome_sums(run.outcome) if run.outcome else []
        return ScenarioLine(run, newest, run_lead(run), sums, counts[key])

    return Lines([line(key) for key in shown[:most]], [line(key) for key in folded[:most]], len(shown[most:]))


def _speaker(entries: list[tuple[int, str]]) -> tuple[int, str]:
    """Return who speaks of runs, the newest first: a finished one, else one that was not cancelled."""
    for wanted in (
        lambda status: status == Run.Status.FINISHED,
        lambda status: status != Run.Status.CANCELLED,
    ):
        found = next((entry for entry in entries if wanted(entry[1])), None)
        if found is not None:
            return found
    return entries[0]


def _counts(runs: QuerySet[Run], by_key: dict[Key, Any], wanted: Iterable[Key]) -> dict[Key, Counter[str]]:
    """Return for each line how many runs there are of each status, also older ones than were looked at."""
    counts = {key: Counter(status for _, status in by_key[key]) for key in wanted}
    scenarios = [number for kind, number in counts if kind == "scenario"]
    rows = runs.filter(scenario__in=scenarios).order_by().values_list("scenario_id", "status")
    for scenario in scenarios:
        counts["scenario", scenario] = Counter()
    for scenario, status, number in rows.annotate(number=Count("pk")):
        counts["scenario", scenario][status] = number
    return counts
