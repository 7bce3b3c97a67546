"""The extenders of a scheduler together: who is asked what, one after the other, and what comes of it.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go findNodesThatPassExtenders, prioritizeNodes,
extendersBinding; framework/preemption callExtenders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from scheduler_core.events.cards_tried import NodeCards
from scheduler_core.events.exchanges import Exchange, Verb
from scheduler_core.events.explanation import PolicyChoice
from scheduler_core.go.arithmetic import wrap_int64
from scheduler_core.go.quote import quote
from scheduler_core.kube.extenders.exchanges import Exchanges, call_of, exchange_of, require_small
from scheduler_core.kube.extenders.extender import (
    MAX_NODE_SCORE,
    MAX_PRIORITY,
    Call,
    Extender,
    ExtenderError,
    Filtered,
    Victims,
)
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo


@dataclass(frozen=True)
class Panel:
    """A scheduler's extenders in the order in which they are asked, and the exchanges with them."""

    extenders: Sequence[Extender] = ()
    exchanges: Exchanges = field(default_factory=Exchanges)
    binds_at_once: bool = True
    """Whether an attempt ends with its binding; where a clock moves, that comes later."""
    skips_binders: bool = True
    """Whether an extender that can't bind is passed over if it may be ignored."""

    @property
    def filters(self) -> bool:
        """Whether anybody may leave nodes out."""
        return any(extender.settings.has("filter") for extender in self.extenders)

    @property
    def scores(self) -> bool:
        """Whether anybody may add to scores."""
        return any(extender.settings.has("prioritize") for extender in self.extenders)

    def asked_about(self, pod: PodInfo) -> list[Extender]:
        """Return the extenders that are interested in a pod, whatever they are asked."""
        return [extender for extender in self.extenders if extender.settings.is_interested(pod)]

    def hearing(self, state: ClusterState, pod: PodInfo) -> Hearing:
        """Return what the extenders are asked in one attempt."""
        return Hearing(self, state, pod)


class Hearing:
    """What the extenders of a panel are asked about one pod, in `calls`."""

    def __init__(self, panel: Panel, state: ClusterState, pod: PodInfo) -> None:
        self._panel = panel
        self._state = state
        self._pod = pod
        self._stored: list[Exchange] = []
        self.calls: list[Call] = []
        self.left: list[tuple[str, Sequence[str]]] = []
        """Each extender that has filtered, and the nodes that it left of those before it."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nobody to ask."""
        return not self._panel.extenders

    @property
    def binds(self) -> bool:
        """Whether somebody is to bind the pod."""
        return any(self._interested("bind"))

    @property
    def preempts(self) -> bool:
        """Whether somebody is to be asked about victims."""
        return any(self._interested("preempt"))

    @property
    def exchanges(self) -> list[Exchange]:
        """What the log says of these calls."""
        return list(self._stored)

    def filter(self, nodes: Sequence[str], said: dict[str, Refusal]) -> Filtered:
        """Return which of the nodes all extenders leave; why others go is added to `said`.

        Raises ExtenderError where one fails that may not be ignored.
        """
        left, whole = nodes, False
        for extender in self._interested("filter"):
            if not left:
                break
            call = self._ask(extender, "filter", left, partial(self._filtered, extender))
            if call is None or call.filtered is None:
                continue
            answer, name = call.filtered, extender.settings.url_prefix
            said.update({node: Refusal(name, why, True) for node, why in answer.unresolvable.items()})
            refusals = {why: Refusal(name, why, False) for why in set(answer.failed.values())}
            for node, why in answer.failed.items():
                if node not in answer.unresolvable:
                    said[node] = refusals[why]
            self.left.append((name, answer.fits))
            left, whole = answer.fits, whole or answer.whole_nodes
        return Filtered(left, whole_nodes=whole)

    def prioritize(self, nodes: Sequence[str]) -> list[Call]:
        """Ask for scores and return the calls; those of who fails have none."""
        before = len(self.calls)
        for extender in self._interested("prioritize"):
            self._ask(extender, "prioritize", nodes, partial(self._prioritized, extender), ignorable=True)
        return self.calls[before:]

    def preempt(self, candidates: Mapping[str, Victims]) -> Mapping[str, Victims]:
        """Return the candidates that all extenders leave, with their victims. Raises ExtenderError."""
        left = candidates
        for extender in self._interested("preempt"):
            put = partial(self._preempted, extender, left)
            call = self._ask(extender, "preempt", sorted(left), put)
            if call is None or call.victims is None:
                continue
            empty = [node for node, victims in sorted(call.victims.items()) if not victims.pods]
            if empty and not extender.settings.ignorable:
                raise ExtenderError(no_victim(empty[0]))
            left = {node: victims for node, victims in call.victims.items() if victims.pods}
            if not left:
                break
        return left

    def choices(self, call: Call) -> list[PolicyChoice]:
        """Return what the extender that was asked would choose under other policies, of the same nodes."""
        asked = (one for one in self._panel.extenders if one.settings.url_prefix == call.extender)
        return (
            []
            if call.verb != "filter"
            else [one for who in asked for one in who.choices(self._pod, call.nodes)]
        )

    def cards_of(self, node: str) -> NodeCards | None:
        """Return what is behind the answers about a node, of the first extender that knows."""
        found = (extender.cards_of(self._pod, node) for extender in self._interested("filter"))
        return next((cards for cards in found if cards is not None), None)

    def bind(self, node: str) -> bool:
        """Let the first extender bind that can; False if it is left to the plugins. Raises ExtenderError."""
        return any(
            self._ask(extender, "bind", [node], partial(self._bound, extender)) is not None
            for extender in self._interested("bind")
        )

    # -- one question --------------------------------------------------------------------------------

    def _interested(self, verb: Verb) -> Iterator[Extender]:
        for extender in self._panel.extenders:
            if extender.settings.has(verb) and extender.settings.is_interested(self._pod):
                yield extender

    def _filtered(self, extender: Extender, call: Call) -> Call:
        return call._replace(filtered=extender.filter(self._state, self._pod, call.nodes))

    def _prioritized(self, extender: Extender, call: Call) -> Call:
        factor = extender.settings.weight * (MAX_NODE_SCORE // MAX_PRIORITY)
        scores = extender.prioritize(self._state, self._pod, call.nodes)
        return call._replace(scores={node: wrap_int64(score * factor) for node, score in scores.items()})

    def _preempted(self, extender: Extender, candidates: Mapping[str, Victims], call: Call) -> Call:
        return call._replace(victims=extender.preempt(self._state, self._pod, candidates))

    def _bound(self, extender: Extender, call: Call) -> Call:
        extender.bind(self._state, self._pod, call.nodes[0])
        return call

    def _ask(
        self,
        extender: Extender,
        verb: Verb,
        nodes: Sequence[str],
        put: Callable[[Call], Call],
        *,
        ignorable: bool = False,
    ) -> Call | None:
        """Put a question, or read its answer from the log, and note the call.

        Returns None where the extender fails and may be ignored. Raises ExtenderError where it may not.
        """
        name, exchanges = extender.settings.url_prefix, self._panel.exchanges
        known = exchanges.next(name, verb) if extender.is_outside else None
        if known is not None:
            call = call_of(known, nodes)
        else:
            call = _answered(Call(name, verb, nodes), put, is_outside=extender.is_outside)
            known = exchange_of(call, is_outside=extender.is_outside)
            if extender.is_outside:
                exchanges.note(known)
        self._stored.append(known)
        self.calls.append(call)
        if call.error is None:
            return call
        if ignorable or (extender.settings.ignorable and (verb != "bind" or self._panel.skips_binders)):
            return None
        raise ExtenderError(call.error)


class Refusal(NamedTuple):
    """Why an extender refuses a node."""

    extender: str
    reason: str
    unresolvable: bool


def no_victim(node: str) -> str:
    """Return what is said of a node on which nobody would have to go."""
    return f"expected at least one victim pod on node {quote(node)}"


def _answered(call: Call, put: Callable[[Call], Call], *, is_outside: bool) -> Call:
    try:
        answered = put(call)
        if is_outside:
            require_small(exchange_of(answered))
    except ExtenderError as error:
        return call._replace(error=str(error))
    return answered
