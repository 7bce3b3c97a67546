"""Pods that their nodes did not keep: whom a taint evicts or a lost node takes, and where they are now."""

from collections import Counter
from collections.abc import Sequence

from dashboard.answers.answer import Line
from dashboard.answers.ended_run import EndedRun, joined
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.shapes.outcome import Figures, Flow, Taker

TAKERS: dict[str, str] = {"taint": "taints (NoExecute)", "node": "nodes that are gone"}
"""How what takes pods is called where who evicts is listed."""
_WORDS: dict[Taker, str] = {"taint": " evicted by taints", "node": " lost with nodes"}


def moved(asked: EndedRun) -> list[Line]:
    """Return whom taints and lost nodes took, and what became of them; a line for each of both."""
    lines = []
    for taker, words in _WORDS.items():
        flows = _by(asked.figures, taker)
        if not flows:
            continue
        counts: Counter[str] = Counter()
        for flow in flows:
            counts[flow["whom"]] += flow["pods"]
        head = sentence(number(counts.total(), "pod"), words, ":")
        says = sentence(asked.counted(counts), "; ", where_now(flows), ".")
        without = 0 if asked.against is None else pods_by(asked.against, taker)
        under = [sentence(number(without), f" go without {asked.by} too, or others.")] if without else []
        lines.append(Line("others", head=head, says=says, under=under))
    return lines


def moved_because(asked: EndedRun) -> Sentence:
    """Return the same for a lead: `1,906 pods are evicted by taints, all placed again`; nothing for nobody.

    Said where none of them goes without the edits; else the lines have both figures.
    """
    parts = []
    for taker, words in _WORDS.items():
        flows = _by(asked.figures, taker)
        if flows and (asked.against is None or not pods_by(asked.against, taker)):
            pods = sum(flow["pods"] for flow in flows)
            parts.append(sentence(number(pods, "pod is,pods are"), words, ", ", where_now(flows)))
    return joined(parts)


def pods_by(figures: Figures, taker: Taker) -> int:
    """Return how many pods of a run a taint, or that their node is gone, takes."""
    return sum(flow["pods"] for flow in _by(figures, taker))


def where_now(flows: Sequence[Flow]) -> Sentence:
    """Return where pods are now: `all placed again`, `3 placed again and 1 pending`."""
    pods = sum(flow["pods"] for flow in flows)
    again = sum(flow["free"] + flow["evicting"] for flow in flows)
    pending = sum(flow["pending"] for flow in flows)
    lost = sum(flow["gone"] for flow in flows)
    parts = [sentence("all placed again") if again == pods > 1 else sentence(number(again), " placed again")]
    parts += [sentence(number(pending), " pending")] if pending else []
    parts += [sentence(number(lost), " not replaced")] if lost else []
    return joined(parts)


def _by(figures: Figures, taker: Taker) -> list[Flow]:
    return [flow for flow in figures.get("flows", ()) if flow.get("taker") == taker]
