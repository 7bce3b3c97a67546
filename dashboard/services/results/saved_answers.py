"""Answers as files to keep or give away, with what each rests on."""

from collections.abc import Sequence

from django.utils import timezone

from dashboard.answers.answer import Answer, Column, Table
from dashboard.answers.moved import TAKERS
from dashboard.answers.printers.file import About, Course, html_file
from dashboard.answers.printers.words import plain
from dashboard.answers.rests_on import about_trust
from dashboard.answers.sentence import Sentence, sentence
from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.results.counted import Counted
from dashboard.services.results.run_sums import Sums, settled_sums
from dashboard.services.workspace.runs import frozen
from dashboard.services.workspace.why_pending import Asking
from dashboard.shapes.outcome import Flow

FLOWS_SHOWN = 100
STEPS = 400
"""A picture has at most so many steps."""
_FLOWS = [
    Column("whom", "Evicted"),
    Column("by", "For"),
    Column("pods", "Pods", True),
    Column("free", "Placed again", True),
    Column("pending", "Pending", True),
    Column("seq", "First at decision", True),
]


def file_of_run(run: Run, answer: Answer) -> str:
    """Return the answer of a run as one HTML file."""
    sums = settled_sums(run)
    flows = [] if sums is None else sums.outcome.get("flows", [])
    return html_file(answer, _about(run, f", run {run.pk}", flows, _course(sums)))


def file_of_played(scenario: Scenario, played: Counted, answer: Answer) -> str:
    """Return the same of a run that this process has played and nobody stores."""
    run = Run(
        scenario=scenario,
        snapshot=scenario.snapshot,
        **frozen(scenario),
        status=Run.Status.FINISHED,
        created_at=timezone.now(),
        trust=dict(played.trust),
        edit_results=played.results,
        decisions=played.figures["decisions"],
    )
    return html_file(answer, _about(run, "", played.figures.get("flows", []), None))


def _about(run: Run, which: str, flows: Sequence[Flow], course: Course | None) -> About:
    name = (run.scenario.name if run.scenario else "") or run.snapshot.name
    edits = [result["sentence"] for result in run.edit_results]
    return About(f"{name}{which}", _facts(run), edits, _doubts(run), _flows(flows), course)


def file_of_runs(runs: Sequence[Run], answer: Answer, inputs: str = "") -> str:
    """Return the answer about several runs as one HTML file; `inputs` says in what they differ."""
    facts = [(f"{term}, run {run.pk}", words) for run in runs for term, words in _facts(run)]
    doubts = list(dict.fromkeys(doubt for run in runs for doubt in _doubts(run)))
    title = " beside ".join(f"run {run.pk}" for run in runs).capitalize()
    differ = [("Inputs", inputs)] if inputs else []
    return html_file(answer, About(title, [*differ, *facts], [], doubts))


def file_of_why(snapshot: Snapshot, asking: Asking, answer: Answer) -> str:
    """Return why pods of a snapshot wait as one HTML file."""
    facts = [*_facts_of_snapshot(snapshot), *([("Scheduler", asking.profile)] if asking.profile else [])]
    return html_file(answer, About(f"Why pods of {snapshot.name} wait", facts))


def file_of_answer(title: str, snapshot: Snapshot, answer: Answer) -> str:
    """Return any other answer about a snapshot as one HTML file; `title` says what it is."""
    return html_file(answer, About(f"{title} on {snapshot.name}", _facts_of_snapshot(snapshot)))


def _facts(run: Run) -> list[tuple[str, str]]:
    scheduler = ", ".join([run.profile, run.driver])
    beside = ", ".join(str(other.get("profile", "")) for other in run.beside)
    facts = [*_facts_of_snapshot(run.snapshot), ("Scheduler", scheduler)]
    if beside:
        facts.append(("Beside it", beside))
    facts.append(("Equal nodes", "the first by name" if run.seed is None else f"drawn with seed {run.seed}"))
    if run.trust:
        nodes = "all are scored" if run.trust.get("nodes_scored") == "all" else "a sample is scored"
        facts.append(("Nodes", nodes))
    played = f"{run.decisions:,} decisions by engine {run.engine_version}"
    facts.append(("Played", f"{played}, {run.created_at:%Y-%m-%d %H:%M} UTC; {run.status}"))
    return facts


def _facts_of_snapshot(snapshot: Snapshot) -> list[tuple[str, str]]:
    taken = f", newest object {snapshot.taken_at:%Y-%m-%d %H:%M} UTC" if snapshot.taken_at else ""
    words = f"{snapshot.name}, imported {snapshot.created_at:%Y-%m-%d %H:%M} UTC{taken}"
    return [("Snapshot", words), ("Content", f"sha256 {snapshot.content_hash[:16]}…")]


def _doubts(run: Run) -> list[str]:
    return [plain(one) for one in about_trust(run.trust or {}, run.profile)]


def _flows(flows: Sequence[Flow]) -> list[Table]:
    if not flows:
        return []
    rows = [_flow(flow) for flow in flows[:FLOWS_SHOWN]]
    others = max(0, len(flows) - FLOWS_SHOWN)
    return [Table("flows", "Who was evicted, and for whom", _FLOWS, rows, others=others)]


def _flow(flow: Flow) -> list[Sentence]:
    numbers = (flow["pods"], flow["free"] + flow["evicting"], flow["pending"], flow["seq"])
    by = TAKERS.get(flow.get("taker", "")) or flow["by"] or "an edit or a taint"
    texts = [flow["whom"], by, *(f"{number:,}" for number in numbers)]
    return [sentence(text) for text in texts]


def _course(sums: Sums | None) -> Course | None:
    """Return how many pods waited; None where there are too few decisions for a picture."""
    if sums is None:
        return None
    queue = sums.over_time["queue"]
    seqs = queue["seq"]
    if len(seqs) < 2:
        return None
    waiting = [sum(part[place] for part in queue["parts"].values()) for place in range(len(seqs))]
    every = -(-len(seqs) // STEPS)
    places = sorted({*range(0, len(seqs), every), len(seqs) - 1})
    return Course("Pods that wait", [(seqs[place], waiting[place]) for place in places])
