"""Answers of outside extenders: asked once, told to the log, and read from there ever after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from scheduler_core.events.exchanges import Condemned, Exchange, Verb
from scheduler_core.kube.extenders.body import Documents
from scheduler_core.kube.extenders.extender import Call, ExtenderError, Filtered, Victims
from scheduler_core.kube.extenders.source import NoSource, Source

MAX_MEANING = 4 * 1024 * 1024
"""An answer that comes to more bytes of the log than this does not count."""
Recorded = Callable[[int], Sequence[Exchange]]
"""Returns what a decision's log entry holds of exchanges, by the decision's number; none for a new one."""


def nothing_recorded(seq: int) -> Sequence[Exchange]:
    """Return that no exchange is known of a decision."""
    return ()


class Diverged(Exception):
    """What is asked is not what was asked when the log was written."""


class Exchanges:
    """The exchanges of the decision that is being taken; `source` is whom to ask what is not recorded."""

    def __init__(self, source: Source | None = None, recorded: Recorded = nothing_recorded) -> None:
        self.source = source or NoSource()
        self.documents: Documents | None = None
        """What outside extenders are told of the cluster; the tables of recorded cases need nothing."""
        self._recorded = recorded
        self._seq: int | None = None
        self._known: list[Exchange] = []
        self._place = 0

    def expect(self, seq: int) -> None:
        """Begin a decision, or begin it once more: then everybody says the same again."""
        if seq != self._seq:
            self._seq, self._known = seq, list(self._recorded(seq))
        self._place = 0

    def next(self, extender: str, verb: Verb) -> Exchange | None:
        """Return the stored answer to the decision's next question; None if it has to be asked.

        Raises Diverged if the stored question is another one.
        """
        if self._place >= len(self._known):
            return None
        known = self._known[self._place]
        if (known.extender, known.verb) != (extender, verb):
            raise Diverged(f"{verb} of {extender}: the log has {known.verb} of {known.extender}")
        self._place += 1
        return known

    def note(self, exchange: Exchange) -> None:
        """Take note of an answer that was asked for just now."""
        self._known.append(exchange)
        self._place += 1


# -- between an answer and what the log says of it ------------------------------------------------------


def exchange_of(call: Call, *, is_outside: bool = True) -> Exchange:
    """Return what the log says of a call.

    Nobody has to read the answers of extenders in process from there: their reasons stand in `cards`.
    """
    filtered = call.filtered or Filtered(())
    fits, gone = _shorter(filtered.fits, call.nodes) if call.filtered is not None else (None, [])
    return Exchange(
        extender=call.extender,
        verb=call.verb,
        sent=len(call.nodes),
        fits=fits,
        gone=gone,
        failed=_by_reason(filtered.failed) if is_outside else {},
        unresolvable=_by_reason(filtered.unresolvable),
        whole_nodes=filtered.whole_nodes,
        scores=dict(sorted((call.scores or {}).items())),
        victims={
            node: Condemned(list(left.pods), left.pdb_violations)
            for node, left in sorted((call.victims or {}).items())
        },
        cards=filtered.cards,
        error=call.error,
    )


def call_of(exchange: Exchange, nodes: Sequence[str]) -> Call:
    """Return the call that the log tells of; `nodes` are those that were sent."""
    call = Call(exchange.extender, exchange.verb, nodes, error=exchange.error)
    if exchange.error is not None:
        return call
    match exchange.verb:
        case "filter":
            gone = set(exchange.gone)
            fits = exchange.fits
            return call._replace(
                filtered=Filtered(
                    [node for node in nodes if node not in gone] if fits is None else fits,
                    _by_node(exchange.failed),
                    _by_node(exchange.unresolvable),
                    exchange.whole_nodes,
                )
            )
        case "prioritize":
            return call._replace(scores=exchange.scores)
        case "preempt":
            left = {node: Victims(one.pods, one.pdb_violations) for node, one in exchange.victims.items()}
            return call._replace(victims=left)
    return call


def require_small(exchange: Exchange) -> None:
    """Raise ExtenderError for an answer that says more than the log takes."""
    size = len(msgspec.json.encode(exchange))
    if size > MAX_MEANING:
        raise ExtenderError(f"the answer comes to {size:,} bytes of the log, which takes {MAX_MEANING:,}")


def _shorter(fits: Sequence[str], sent: Sequence[str]) -> tuple[list[str] | None, list[str]]:
    """Return those that stay, or, if they are fewer and say it all, None and those that go."""
    if len(sent) >= 2 * len(fits):
        return list(fits), []
    staying = set(fits)
    gone = [node for node in sent if node not in staying]
    if len(gone) < len(fits) and len(fits) + len(gone) == len(sent):
        return None, gone
    return list(fits), []


def _by_reason(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the nodes of each reason: there are few reasons, and many nodes."""
    nodes: dict[str, list[str]] = {}
    for node, reason in sorted(reasons.items()):
        nodes.setdefault(reason, []).append(node)
    return nodes


def _by_node(reasons: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {node: reason for reason, nodes in reasons.items() for node in nodes}
