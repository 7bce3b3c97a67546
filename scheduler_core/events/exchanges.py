"""What an extender was asked in an attempt, and what it answered: all of an answer that decides.

An outside extender is asked once, by the worker that plays a run. Whoever plays the run again reads its
answers from the log, so that an exchange must hold the whole meaning of an answer, and no more of it.
"""

from typing import Literal

from scheduler_core.events.changes import Event

Verb = Literal["filter", "prioritize", "preempt", "bind"]


class Condemned(Event, frozen=True):
    """The victims on a node, by uid, as an extender left them."""

    pods: list[str]
    pdb_violations: int


class Exchange(Event, frozen=True, omit_defaults=True):
    """One question and its answer. `extender` is its urlPrefix, `sent` how many nodes it was asked about.

    filter: the nodes in the answer are `fits`, or, where that is null, all that were sent but `gone`;
    `failed` and `unresolvable` have the nodes by the reason. `whole_nodes`: the answer held nodes and not
    names, and so their scores are those of empty nodes. prioritize: `scores` times weight times 10, by host.
    preempt: `victims` by node. `error`: what went wrong, null for an answer that counts.
    """

    extender: str
    verb: Verb
    sent: int
    fits: list[str] | None = None
    gone: list[str] = []
    failed: dict[str, list[str]] = {}
    unresolvable: dict[str, list[str]] = {}
    whole_nodes: bool = False
    scores: dict[str, int] = {}
    victims: dict[str, Condemned] = {}
    error: str | None = None
