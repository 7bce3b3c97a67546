"""Pages of runs besides the debugger: the list, what a run came to, and the lives of its pods and nodes."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.of_run import counted, so_far
from dashboard.answers.printers.html import WHOLE
from dashboard.answers.printers.node_names import cut_of
from dashboard.answers.rests_on import about_trust
from dashboard.errors import AlreadyDeleted, HasDependents, Refused, sentence_of, sentences_of
from dashboard.kinds.cards import (
    counts_of_run,
    definition,
    policies_of,
    policy_runs,
    slot_resources,
    with_counts,
)
from dashboard.kinds.kube.plugin_words import OUTCOMES
from dashboard.models import Run
from dashboard.queries import access
from dashboard.queries.counterparts import counterparts
from dashboard.queries.log import counts_by_outcome
from dashboard.queries.published import published_beside
from dashboard.queries.stages import not_begun_words, stage_of
from dashboard.services.results.endings import ending_words
from dashboard.services.results.listed_runs import listed, settle_listed
from dashboard.services.results.outcome import never_tried, unserved
from dashboard.services.results.run_answers import (
    answer_of,
    because_of_edits,
    short_of_replicas,
    waits_for_baseline,
    what_is_missing,
)
from dashboard.services.results.run_sums import Sums, settled_sums, takes_long
from dashboard.services.results.saved_answers import file_of_run
from dashboard.services.workspace import runs as service
from dashboard.services.workspace.schedulers import versions
from dashboard.shapes.outcome import Figures, Group, lacks_pods
from dashboard.shapes.over_time import Answer, Cards
from dashboard.views.before_after import before_after
from dashboard.views.card_charts import CARD_COLUMNS, Side, curves
from dashboard.views.flow import flow_picture
from dashboard.views.htmx import HtmxRequest, drawn_anew, once_ended
from dashboard.views.over_time_charts import (
    queue_chart,
    share_charts,
    unused_pools,
    used_pools,
    without_resources,
)
from dashboard.views.over_time_tables import OVER_TIME_TABLES, queue_rows
from dashboard.views.rehearsing import address_of_drains
from dashboard.views.run_tables import OUTCOME_TABLES, RUNS
from dashboard.views.tables import PAGE_SIZE, TablePage, export, save_page
from scheduler_core.objects.problems import BadInput, Problem

ROWS_SHOWN = 25
COUNTERPARTS_SHOWN = 6
EDITS_SHOWN = 50
_NUMBER = re.compile("[0-9]{1,18}")
_EDIT = re.compile(r"^edits\[(\d+)\]")
EXPORTS = [
    ("workloads", "Workloads"),
    ("schedulers", "Schedulers"),
    ("queues", "Queues"),
    ("gangs", "Gangs"),
    ("namespaces", "Namespaces"),
    ("failures", "Failures"),
    ("jobs-waiting", "Jobs that wait"),
    ("causes", "Pending by cause"),
    ("flows", "Evictions by workload"),
    ("below-replicas", "Below replicas"),
    ("budgets", "Evictions against a budget"),
    ("refused-evictions", "Evictions refused to edits"),
    ("utilisation", "Utilisation"),
    ("pools", "Utilisation by pool"),
    ("requested", "Requested over the run"),
    ("queue", "Queue over the run"),
    ("waits-by-priority", "Waits by priority"),
    ("waits-by-workload", "Waits by workload"),
]
OF_GANGS = ("queues", "gangs", "jobs-waiting")


@require_safe
def runs(request: HtmxRequest) -> HttpResponse:
    """All runs, newest first."""
    access.require_viewer(request.user)
    rows = listed(access.visible_runs(request.user))
    if request.htmx.target == "going":
        return _rows_anew(request, rows)
    page = TablePage(RUNS, rows, request)
    file = page.export(request.GET.get("format", ""), "runs")
    if file is not None:
        return file
    settle_listed(page.page)
    context = {
        "table": page,
        "rows_template": "runs/rows.html",
        "foot_template": "runs/going.html",
        "going": _going(page.page),
        "ticks_by_name": True,
        "statuses": Run.Status.values,
    }
    return render(
        request, "parts/table.html" if request.htmx else "runs/list.html", context, status=page.status
    )


def _rows_anew(request: HttpRequest, rows: QuerySet[Run]) -> HttpResponse:
    """Answer with the rows of the runs that were going on when the list was drawn, however it is narrowed."""
    named = request.GET.get("going", "").split(",")[:PAGE_SIZE]
    numbers = {int(text) for text in named if _NUMBER.fullmatch(text)}
    found = list(rows.filter(pk__in=numbers))
    settle_listed(found)
    context = {
        "rows": {"page": found},
        "going": _going(found),
        "deleted": sorted(numbers - {run.pk for run in found}),
    }
    return render(request, "runs/rows_anew.html", context)


def _going(runs: Iterable[Run]) -> list[int]:
    return [run.pk for run in runs if not run.has_ended]


@require_safe
def outcome(request: HtmxRequest, pk: int) -> HttpResponse:
    """What the run came to: its figures, each a link to the decision behind it."""
    run = access.get_run_or_404(request.user, pk)
    waits = once_ended(request, [not run.has_ended])
    waits = waits or once_ended(request, [waits_for_baseline(run)], "baseline")
    if waits is not None:
        return waits
    sums = settled_sums(run) if _is_summed_now(request, run) else None
    figures = sums.outcome if sums is not None else None
    counts = counts_by_outcome(run) if sums is None and run.decisions else []
    if request.htmx.target == "waiting" and counts:
        return drawn_anew()
    if request.htmx and (figures or run.has_ended):
        return drawn_anew()
    if sums is not None:
        file = _export(request, run, sums)
        if file is not None:
            return file
    others = counterparts(run, access.visible_runs(request.user))
    context: dict[str, Any] = {
        "run": run,
        "stage": stage_of(run),
        "not_begun": not_begun_words(run),
        "faults": faults(run),
        "outcome": figures,
        "counted": counts and counted(_in_words(counts), goes_on=not run.has_ended),
        "tab": "outcome",
        "rows_shown": ROWS_SHOWN,
        "more_edits": len(run.edit_results) - EDITS_SHOWN,
        "exports": _exports(figures),
        "versions": versions(),
        "rehearsal": address_of_drains(run) if run.has_ended else "",
        "counterparts": others[:COUNTERPARTS_SHOWN],
        "more_counterparts": len(others[COUNTERPARTS_SHOWN:]),
    }
    if sums is not None and figures:
        cards = sums.over_time.get("cards")
        slots = slot_resources(run) if cards is not None else frozenset()
        context |= _over_time(run, sums.over_time, slots)
        context |= _cards(request, run, cards)
        context["ended"] = ending_words(figures)
        context["gangs"] = [
            {**row, "lacks_pods": lacks_pods(row)}
            for row in sorted(figures.get("by_group", ()), key=_gang_rank)[:ROWS_SHOWN]
        ]
        context["missing_queues"] = [
            row["queue"] for row in figures.get("by_queue", ()) if row.get("missing")
        ]
        context["never_tried"] = never_tried(figures)
        context["unserved"] = unserved(figures)
        context |= _answer(run, figures)
        if request.GET.get("save") and context["answer"] is not None and not context["baseline_missing"]:
            return save_page(file_of_run(run, context["answer"]), f"run-{run.pk}")
    return render(request, "runs/outcome.html", context)


def _is_summed_now(request: HttpRequest, run: Run) -> bool:
    """Return whether the page has the run's sums: they are there, are soon made, or are asked for."""
    return not takes_long(run) or bool({"sum", "table", "save"} & request.GET.keys())


def _in_words(counts: list[tuple[str, str, int]]) -> list[tuple[str, int]]:
    """Return the words of outcomes with their counts; outcomes that are called the same are one."""
    summed: Counter[str] = Counter()
    for kind, outcome, count in counts:
        words = OUTCOMES.get(kind, {}).get(outcome)
        summed[words.word if words else outcome] += count
    return summed.most_common()


def _answer(run: Run, figures: Figures) -> dict[str, Any]:
    """What the page says first, and the pictures that go with it."""
    flows, answer = figures.get("flows", []), answer_of(run)
    short, short_either_way = short_of_replicas(run, figures)
    baseline_missing = what_is_missing(run) == "baseline"
    of_trust = about_trust(run.trust or {}, run.profile)  # the page has these beside the run's settings
    told = [] if answer is None or baseline_missing else answer.trust
    return {
        "short": short,
        "short_either_way": short_either_way,
        "answer": answer,
        "cut": WHOLE if answer is None else cut_of(answer),
        "baseline_missing": baseline_missing,
        "of_this_run": [one for one in told if one not in of_trust],
        "so_far": so_far(figures, goes_on=True),
        "because": because_of_edits(run, figures),
        "flow": flow_picture(flows),
        "placed_again": sum(flow["free"] + flow["evicting"] for flow in flows),
    }


def _exports(figures: Figures | None) -> list[tuple[str, str]]:
    """Return the tables that can be exported; those of queues and gangs where there are any."""
    has_gangs = figures is not None and bool(figures.get("by_group"))
    return [(table, title) for table, title in EXPORTS if has_gangs or table not in OF_GANGS]


def _export(request: HttpRequest, run: Run, sums: Sums) -> HttpResponse | None:
    """Answer with the table that is asked for; None if none is."""
    table, file_format = request.GET.get("table", ""), request.GET.get("format", "")
    if table in OUTCOME_TABLES:
        columns, rows_of_outcome = OUTCOME_TABLES[table]
        outcome: Figures = {
            **sums.outcome,
            "utilisation": with_counts(sums.outcome["utilisation"], counts_of_run(run)),
        }
        return export(rows_of_outcome(outcome), columns, file_format, f"run-{run.pk}-{table}")
    if table in OVER_TIME_TABLES:
        columns, rows_of = OVER_TIME_TABLES[table]
        return export(rows_of(sums.over_time), columns, file_format, f"run-{run.pk}-{table}")
    cards = sums.over_time.get("cards")
    if table == "cards" and cards is not None:
        return export(Side(run, "", cards).rows(), CARD_COLUMNS, file_format, f"run-{run.pk}-cards")
    return None


def _over_time(run: Run, recorded: Answer, slots: frozenset[str]) -> dict[str, Any]:
    """What the page says of the run over time; of resources that count `slots` of shared cards, nothing."""
    found = without_resources(recorded, slots)
    sentences = {result["index"]: result["sentence"] for result in run.edit_results}
    marks = {mark["edit"]: mark for mark in found["edits"] if mark["time"] is not None}
    return {
        "edits_done": [
            {**result, "mark": marks.get(result["index"]), "at": _instant_of(run, result["index"])}
            for result in run.edit_results[:EDITS_SHOWN]
        ],
        "over": found,
        "queue_chart": queue_chart(found, sentences),
        "queue_rows": queue_rows(found),
        "share_charts": share_charts(found),
        "dumbbells": before_after(found["pools"]),
        "unused_pools": unused_pools(found),
        "used_pools": used_pools(found),
        "mean_rows": [row for row in found["pools"] if not row["pool"] and row["most"]],
    }


def _cards(request: HttpRequest, run: Run, found: Cards | None) -> dict[str, Any]:
    """What the page says of the cards of a run in which they are shared."""
    if found is None:
        return {}
    side = Side(run, f"run {run.pk}", found)
    published = published_beside(run.snapshot_id)
    return {
        "cards": found,
        "exports": [*_exports(run.outcome), ("cards", "Cards over the run")],
        "card_rows": side.rows(),
        "policies": policies_of(run),
        "other_policies": len(policy_runs(run.snapshot_id, access.visible_runs(request.user))),
        "curves": curves([side], published),
        "published": published,
        "definition": definition(),
        "file_name": f"run-{run.pk}",
    }


def _instant_of(run: Run, index: int) -> int | None:
    """Return the instant of a run's edit in milliseconds, None of one of the start."""
    at = run.edits[index].get("at") if index < len(run.edits) else None
    return None if at is None else round(at * 1000)


def faults(run: Run) -> list[str]:
    """What ended a failed run, each with its place; edits by the numbers that the editor shows."""
    problems = [Problem(**problem) for problem in run.problems]
    sentences = list(map(sentence_of, problems)) or run.error.splitlines()
    places = places_in_editor(run)
    return [_EDIT.sub(lambda found: f"edit {places(int(found[1]))}", sentence) for sentence in sentences]


def places_in_editor(run: Run) -> Callable[[int], int]:
    """Number a run's edits as its scenario does, which counts those that are switched off too.

    A scenario that has been changed since tells nothing: then the run's own edits are counted.
    """
    active = run.scenario.active_edits() if run.scenario else []
    if [edit for _, edit in active] != run.edits:
        return lambda index: index + 1
    return lambda index: active[index][0] + 1 if index < len(active) else index + 1


def _gang_rank(row: Group) -> int:
    """Put who has fewer pods than it needs first, then whose pods wait."""
    if lacks_pods(row):
        return 0
    return 1 if row["pending"] else 2


@require_POST
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Run the scenario as it stands and go to its debugger."""
    access.require_operator(request.user)
    scenario = access.get_scenario_or_404(request.user, pk)
    try:
        run = service.start_run(request.user, scenario)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("scenario", pk=pk)
    except BadInput as error:
        messages.error(request, f"Not run: {sentences_of(error)}")
        return redirect("scenario", pk=pk)
    return redirect("run", pk=run.pk)


@require_POST
def pin(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the run from being pruned by age, or let it go."""
    access.require_operator(request.user)
    run = access.get_run_or_404(request.user, pk)
    service.pin_run(run, not run.pinned)
    return redirect("run-outcome", pk=pk)


@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """End a run that is under way."""
    access.require_operator(request.user)
    try:
        service.request_cancel(access.get_run_or_404(request.user, pk))
    except Refused as refusal:
        messages.warning(request, str(refusal))
    return redirect("run-outcome", pk=pk)


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the run and its log."""
    run = access.get_run_or_404(request.user, pk)
    access.require_deleter(request.user, run)
    try:
        service.delete_run(run, cascade="cascade" in request.POST)
    except HasDependents:
        messages.warning(request, f"Run {pk} is not done. Cancel it first.")
        return redirect("run-outcome", pk=pk)
    except AlreadyDeleted as refusal:
        messages.warning(request, str(refusal))
        return redirect("runs")
    messages.success(request, f"Deleted run {pk}.")
    return redirect("runs")


def outcome_sums(figures: Figures) -> list[tuple[str, int, str]]:
    """What became of pods as the parts of a bar; none that are zero."""
    parts = [
        ("placed", figures["placed"], "is-placed"),
        ("evicted", figures["evicted"], "is-preempt"),
        ("deleted by controllers", figures.get("deleted", 0), "is-preempt"),
        ("pending", figures["pending"], "is-unsched"),
        ("without a scheduler", unserved(figures), "is-unserved"),
    ]
    return [part for part in parts if part[1]]
