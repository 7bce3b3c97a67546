"""Where each pod of a manifest lands, who has to go for it, and what its scheduler would say, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dashboard.answers.answer import Column, Table
from dashboard.answers.sentence import Name, Names, Sentence, Words, number, sentence
from dashboard.natural_order import natural_key

LISTED = 200
"""Rows of a table; the rest is counted."""
_NAMED = 3
_LANDS = [Column("pod", "pod"), Column("node", "node"), Column("how", "how")]
_GOES = [Column("pod", "pod"), Column("node", "was on"), Column("for", "for"), Column("then", "then")]
_SAYS = [Column("pods", "pods", number=True), Column("message", "message")]


class Victim(NamedTuple):
    """A pod, `namespace/name`, that has to go: from which node, and where its copy goes, if anywhere.

    back: the copy's node; empty where it waits. is_replaced: whether there is a copy.
    """

    pod: str
    node: str
    back: str
    is_replaced: bool


class Landing(NamedTuple):
    """What became of a pod, `namespace/name`: its node, empty for none, and who has to go for it.

    message: what its scheduler says of its last try, unaltered; empty where it has a node.
    """

    pod: str
    node: str
    victims: Sequence[Victim] = ()
    message: str = ""


def landing_tables(found: Sequence[Landing]) -> list[Table]:
    """Return the tables that have rows, in the order for readers; they fold."""
    pods = sorted(found, key=lambda one: natural_key(one.pod))
    lands = [[sentence(_pod(one.pod)), _node(one.node), _how(one)] for one in pods]
    goes = [
        [sentence(_pod(gone.pod)), _node(gone.node), sentence(_pod(one.pod)), _then(gone)]
        for one in pods
        for gone in one.victims
    ]
    said = Counter(one.message for one in pods if one.message and not one.node)
    says: list[list[Sentence]] = [
        [sentence(number(count)), [Words(message)]] for message, count in said.most_common()
    ]
    tables = [
        _table("lands", "Where each lands", _LANDS, lands),
        _table("goes", "Evicted pods", _GOES, goes),
        _table("messages", "What the cluster would say", _SAYS, says),
    ]
    return [one for one in tables if one.rows]


def _table(name: str, title: str, columns: list[Column], rows: list[list[Sentence]]) -> Table:
    return Table(name, title, columns, rows[:LISTED], folds=True, others=len(rows[LISTED:]))


def _pod(named: str) -> Name:
    space, _, name = named.partition("/")
    return Name("pod", name, space)


def _node(name: str) -> Sentence:
    return sentence(Name("node", name)) if name else []


def _how(one: Landing) -> Sentence:
    if not one.node:
        return sentence("finds no node")
    if not one.victims:
        return sentence("free room")
    named = [_pod(gone.pod) for gone in one.victims[:_NAMED]]
    return sentence("by evicting ", Names(named, len(one.victims) - len(named)))


def _then(gone: Victim) -> Sentence:
    if not gone.is_replaced:
        return sentence("nobody makes it anew")
    return sentence("comes back on ", Name("node", gone.back)) if gone.back else sentence("its copy waits")
