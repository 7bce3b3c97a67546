"""The hyper nodes of a snapshot in sentences: how many there are, and where most is free."""

from __future__ import annotations

from dashboard.answers.answer import Answer, Column, Table
from dashboard.answers.sentence import Sentence, Text, amount, number, sentence, strong
from dashboard.kinds.volcano.services.hyper_nodes import HyperNodes, Line

_ROWS = 500
_DEVICES = 2
"""So many devices are told; rows over REST have all."""


def answer_of(told: HyperNodes) -> Answer:
    """Return the answer about a snapshot's hyper nodes."""
    table = _table(told)
    return Answer("nothing_asked", lead(told), tables=[table] if table.rows else [], trust=[_under()])


def lead(told: HyperNodes) -> Sentence:
    """Return a sentence about the tree, and one about the emptiest hyper node of the lowest tier."""
    if not told.lines:
        return sentence(strong("No hyper nodes"), " are in the snapshot.")
    tiers = sorted({line.tier for line in told.lines})
    head = sentence(
        number(len(told.lines), "hyper node", strong=True), " in ", number(len(tiers), "tier"), ". "
    )
    if not told.ready:
        return sentence(
            head, "Their members contradict each other: Volcano tries no job with a network topology."
        )
    what = told.devices[0] if told.devices else "cpu"
    lowest = [line for line in told.lines if line.tier == tiers[0]]
    best = max(lowest, key=lambda line: line.free.get(what, 0))
    free, whole = best.free.get(what, 0), best.whole.get(what, 0)
    room = sentence(amount(free, what)[:1], " of ", amount(whole, what))
    return sentence(head, f"Of tier {tiers[0]}, ", strong(best.name), " has most free: ", room, ".")


def resources_of(told: HyperNodes) -> list[str]:
    """Return the resources that are told of each hyper node."""
    return ["cpu", "memory", *told.devices[:_DEVICES]]


def _under() -> Sentence:
    return sentence(
        "Free is what no pod asks for, on nodes that are ready and not cordoned. "
        "A job with a hard topology needs it within one hyper node."
    )


def _table(told: HyperNodes) -> Table:
    resources = resources_of(told)
    columns = [
        Column("hyper_node", "Hyper node"),
        Column("tier", "Tier", number=True),
        Column("within", "Within"),
        Column("nodes", "Nodes", number=True),
        *(Column(f"free_{name}", f"{name} free", number=True) for name in resources),
    ]
    rows = [_row(line, resources) for line in told.lines[:_ROWS]]
    others = max(len(told.lines) - _ROWS, 0)
    return Table("hyper_nodes", "Hyper nodes, the lowest tier first", columns, rows, others=others)


def _row(line: Line, resources: list[str]) -> list[Sentence]:
    nodes = sentence(number(line.nodes))
    if line.missing:
        nodes = sentence(nodes, " + ", number(line.missing), " missing")
    return [
        [Text(line.name)],
        sentence(number(line.tier), f" {line.tier_name}" if line.tier_name else ""),
        [Text(", ".join(line.parents))] if line.parents else [],
        nodes,
        *(
            sentence(
                amount(line.free.get(name, 0), name)[:1], " of ", amount(line.whole.get(name, 0), name)[:1]
            )
            for name in resources
        ),
    ]
