"""Why two runs decide alike though they were asked differently: only where the logs show the reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dashboard.answers.ended_run import joined
from dashboard.answers.queues_set import pods_of_queue
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.queries.comparison import Choices
from dashboard.queries.config_differences import Leaf
from dashboard.shapes.outcome import Figures


@dataclass(frozen=True)
class AskedDifferently:
    """What two runs that decide alike differ in: settings by name, values of configurations, edits.

    queues: why what was set of a queue is no use to it in both runs, in words, by name.
    """

    settings: Sequence[str]
    leaves: Sequence[Leaf] = ()
    edits: Sequence[Mapping[str, Any]] = ()
    queues: Mapping[str, Sentence] = field(default_factory=dict)


def no_effect(asked: AskedDifferently, choices: Choices, outcomes: Iterable[Figures]) -> Sentence:
    """Return why that has no effect, as the end of a sentence; empty where it can't be told."""
    match list(asked.settings):
        case ["seed"] if choices.best == 1:
            return sentence("no two nodes were ever equally good: nothing is drawn")
        case ["config"] if _is_of_scores(asked.leaves) and choices.feasible == 1:
            return sentence("no pod had more than one node to choose from: no score decides")
        case ["attempt_limit"] if not any(outcome["limit_reached"] for outcome in outcomes):
            return sentence("neither run reaches its limit of attempts")
        case ["edits"]:
            return _of_queues(asked, list(outcomes))
    return []


def _is_of_scores(leaves: Sequence[Leaf]) -> bool:
    return bool(leaves) and all(leaf.is_of_scores for leaf in leaves)


def queues_set(edits: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the queues that edits set, nothing where edits do anything else."""
    if any(edit.get("op") != "set-queue" for edit in edits):
        return []
    return list(dict.fromkeys(edit.get("name", "") for edit in edits))


def _of_queues(asked: AskedDifferently, outcomes: Sequence[Figures]) -> Sentence:
    """Return why settings of queues are no use to them; last, that each has all that it asks for."""
    names = queues_set(asked.edits)
    parts = []
    for name in names:
        counts = {pods_of_queue(outcome, name) for outcome in outcomes}
        wanted, held = counts.pop() if len(counts) == 1 else (1, 0)
        asks = asked.queues.get(name) or (_asks(name, wanted) if wanted == held else [])
        if not asks:
            return []
        parts.append(asks)
    return joined(parts)


def _asks(queue: str, pods: int) -> Sentence:
    if not pods:
        return sentence(f"no pod group of {queue} asks for a pod")
    return sentence(f"{queue} asks only for ", number(pods, "pod"), " and has all of them")
