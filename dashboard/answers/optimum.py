"""How far a run is from the optimum, in sentences: how many more, and whether that is proven."""

from __future__ import annotations

from dashboard.answers.answer import Answer, Column, Table
from dashboard.answers.sentence import Name, Sentence, number, sentence, strong
from scheduler_core.world.optimum.results import Inexact, Optimum

RULES: dict[Inexact, str] = {
    "spread": "a required topology spread",
    "affinity": "a required affinity to other pods",
    "volumes": "volume claims",
}
SHOWN = 200


def answer_of(found: Optimum) -> Answer:
    """Return the answer about a run's end."""
    return Answer("nothing_asked", lead(found), tables=_placed(found), trust=trust(found))


def lead(found: Optimum) -> Sentence:
    """Return the sentence that a reader came for."""
    if not found.pending:
        return sentence("No pod waits for a node: ", strong("nothing better is possible"), ".")
    waits = sentence(" of ", number(found.pending, "pending pod"))
    if found.more:
        parts = [f"priority {priority}: {count:,}" for priority, count in found.by_priority.items()]
        said = sentence(
            "An exact solver would have placed ",
            strong(f"{found.more:,} more"),
            waits,
            f" ({', '.join(parts)})",
        )
        return sentence(said, _how_sure(found))
    if found.proven:
        return sentence(strong("No more"), waits, " could have a node: proven by an exact solver.")
    return sentence("An exact solver found a node for ", strong("no more"), waits, _how_sure(found))


def _how_sure(found: Optimum) -> Sentence:
    if found.proven:
        return sentence(", proven: more than that is impossible.")
    if found.bound is None:
        return sentence(". That is not proven: more may be possible.")
    return sentence("; ", strong(f"at most {found.bound:,} more"), " are possible (not proven).")


def trust(found: Optimum) -> list[Sentence]:
    """Return what the answer rests on, as far as it matters here."""
    if not found.pending:
        return []
    said = [
        sentence(
            "Only pods that this run placed may be on other nodes: ", number(found.movable),
            ". Pods that were there before stay, and no priority gets fewer nodes than it had.",
        ),
    ]  # fmt: skip
    if found.more:
        said.append(
            sentence("The scheduler’s own filters let each of its placements in, one after the other.")
        )
    for rule, count in found.inexact.items():
        said.append(
            sentence(
                number(count, "pod has,pods have"), f" {RULES[rule]}, which the solver only roughly knows."
            )
        )
    for what, count in found.left_out.items():
        whose = what if count == 1 else what.replace("its ", "their ")
        said.append(sentence(number(count, "pod waits,pods wait"), f" for {whose}: not asked about."))
    if found.failed:
        said.append(
            sentence(number(found.failed, "placement"), " of the solver were refused, and are not counted.")
        )
    return said


def _placed(found: Optimum) -> list[Table]:
    if not found.placed:
        return []
    columns = [Column("pod", "pod"), Column("priority", "priority", number=True), Column("node", "node")]
    rows = []
    for one in found.placed[:SHOWN]:
        namespace, _, name = one.pod.partition("/")
        pod, node = Name("pod", name, namespace), Name("node", one.node)
        rows.append([sentence(pod), sentence(number(one.priority)), sentence(node)])
    others = max(0, len(found.placed) - SHOWN)
    return [Table("placed", "Waiting pods that would have a node", columns, rows, folds=True, others=others)]
