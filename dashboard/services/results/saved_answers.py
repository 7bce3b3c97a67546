"""Answers as files to keep or give away, with what each rests on."""

from collections.abc import Sequence
from typing import Any

from dashboard.answers.answer import Answer, Column, Table
from dashboard.answers.printers.file import About, Course, html_file
from dashboard.answers.sentence import Sentence, sentence
from dashboard.models import Run, Snapshot
from dashboard.services.results.run_sums import Sums, settled_sums
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
    name = run.scenario.name if run.scenario else run.snapshot.name
    about = About(
        f"{name}, run {run.pk}",
        _facts(run),
        [result["sentence"] for result in run.edit_results],
        _doubts(run),
        _flows(sums),
        _course(sums),
    )
    return html_file(answer, about)


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


def file_of_preflight(snapshot: Snapshot, answer: Answer) -> str:
    """Return what would come of a manifest as one HTML file."""
    return html_file(answer, About(f"A preflight on {snapshot.name}", _facts_of_snapshot(snapshot)))


def file_of_rehearsal(snapshot: Snapshot, answer: Answer) -> str:
    """Return what comes of an upgrade as one HTML file."""
    return html_file(answer, About(f"A rehearsal on {snapshot.name}", _facts_of_snapshot(snapshot)))


def file_of_consolidation(snapshot: Snapshot, answer: Answer) -> str:
    """Return which nodes can be given back as one HTML file."""
    return html_file(answer, About(f"Nodes to give back on {snapshot.name}", _facts_of_snapshot(snapshot)))


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
    trust: dict[str, Any] = run.trust or {}
    doubts = [trust["release"]] if trust.get("release") else []
    doubts += [f"Not modelled: {phrase}" for phrase in trust.get("not_modelled") or ()]
    doubts += [f"Not known to {run.profile}: {phrase}" for phrase in trust.get("unknown") or ()]
    return [*doubts, *(trust.get("missing") or ())]


def _flows(sums: Sums | None) -> list[Table]:
    flows = [] if sums is None else sums.outcome.get("flows", [])
    if not flows:
        return []
    rows = [_flow(flow) for flow in flows[:FLOWS_SHOWN]]
    others = max(0, len(flows) - FLOWS_SHOWN)
    return [Table("flows", "Who was evicted, and for whom", _FLOWS, rows, others=others)]


def _flow(flow: Flow) -> list[Sentence]:
    numbers = (flow["pods"], flow["free"] + flow["evicting"], flow["pending"], flow["seq"])
    texts = [flow["whom"], flow["by"] or "an edit or a taint", *(f"{number:,}" for number in numbers)]
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
