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


class CardGiven(Event, frozen=True):
    """A card that a container is given, and how much of it; memory in MiB. `slice` is that of a card in MIG
    mode, `profile@start+size`, else empty.
    """

    id: str
    memory: int
    cores: int
    slice: str = ""


class CardsFound(Event, frozen=True):
    """What HAMi found out in a filter.

    `node` and `devices` are what it chose: by vendor, for each container (init containers first) its cards;
    the node is empty where none fits. `score` is the node's, `best_count` how many nodes have it, `fit` how
    many nodes fit at all. `reasons`: how many nodes a reason stands against, by its word.
    """

    node: str
    score: float | None
    fit: int
    best_count: int
    devices: dict[str, list[list[CardGiven]]]
    reasons: dict[str, int]


class Exchange(Event, frozen=True, omit_defaults=True):
    """One question and its answer. `extender` is its urlPrefix, `sent` how many nodes it was asked about.

    filter: the nodes in the answer are `fits`, or, where that is null, all that were sent but `gone`;
    `failed` and `unresolvable` have the nodes by the reason. `whole_nodes`: the answer held nodes and not
    names, and so their scores are those of empty nodes. prioritize: `scores` times weight times 10, by host.
    preempt: `victims` by node. `cards`: what HAMi in process says of a filter. `error`: what went wrong,
    null for an answer that counts.
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
    cards: CardsFound | None = None
    error: str | None = None
