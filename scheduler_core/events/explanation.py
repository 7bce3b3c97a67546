"""Explanations: what the log leaves out of an attempt, computed again on demand; a schema of their own.

The log counts nodes by reason and names the first of many; an explanation has every node's verdict, every
score, and each step of a dry run. Units are those of `decisions.py`. Nodes are named by name.
"""

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from scheduler_core.events.cards_tried import CardsInShort, NodeCards
from scheduler_core.events.changes import Event
from scheduler_core.events.decisions import Code, Outcome, PodRef, Status
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.events.exchanges import CardsFound, Verb
from scheduler_core.events.session_explanation import OrderInFull, StepInFull

SCHEMA_VERSION = 1


class Figure(Event, frozen=True, omit_defaults=True):
    """How much of something an answer found asked for and free, of how much in all if that is known.

    `unit` is `m` (thousandths of a CPU), `bytes`, `volumes`, or empty for whole units.
    """

    what: str
    asked: int
    free: int
    unit: str
    size: int | None = None


class NodeScores(Event, frozen=True):
    """A feasible node's points by plugin, weighted, and their sum."""

    plugins: dict[str, int]
    total: int


class DryRunCandidate(Event, frozen=True):
    """Whom evicting makes room, and how many of them their disruption budgets guard."""

    victims: list[PodRef]
    pdb_violations: int


class DryRun(Event, frozen=True):
    """A preemption with all potential nodes by name; the other fields are those of the log's `Preemption`."""

    eligible: bool | None
    reason: str
    candidates: dict[str, DryRunCandidate]
    not_candidates: dict[str, Status | None]
    best: list[str]
    nominated: str
    victims: list[PodRef]
    cleared: list[PodRef]
    status: str


class PolicyChoice(Event, frozen=True):
    """What HAMi would choose under two policies: the node and the cards' ids; empty where nothing fits.

    `own`: they are those that counted.
    """

    node_policy: str
    gpu_policy: str
    own: bool
    node: str
    score: float | None
    cards: list[str]


class ExtenderCall(Event, frozen=True):
    """What an extender (its urlPrefix) was asked about which nodes, and what was made of its answer.

    filter: the nodes that stay, and reasons by node. prioritize: points by host, times weight times 10.
    preempt: the candidates that are left. `cards` and `policies`: what HAMi in process chose, and what it
    would choose under other policies. `error`: the answer does not count.
    """

    extender: str
    verb: Verb
    nodes: list[str]
    fits: list[str] = []
    failed: dict[str, str] = {}
    unresolvable: dict[str, str] = {}
    scores: dict[str, int] = {}
    victims: dict[str, DryRunCandidate] = {}
    cards: CardsFound | None = None
    policies: list[PolicyChoice] = []
    error: str | None = None


class WebhookReview(Event, frozen=True):
    """What HAMi's webhook was asked when the pod was created, and answered, as AdmissionReviews.

    Their uid is the pod's: nobody knows the one that an API server would draw. `patch` is the response's
    (RFC 6902), empty where the pod was complete.
    """

    request: dict[str, Any]
    response: dict[str, Any]
    patch: list[dict[str, Any]]


class AttemptInFull(Event, frozen=True):
    """An attempt as it was before it was carried out, with all nodes by name.

    `filter` has the visited nodes, null for one that fits, as plugins alone said; `extenders` are the
    questions to extenders in their order; `scores` has the feasible nodes, where any were scored.
    `prefilter_nodes` are those that PreFilter left, null for all. `reserve` is the rejection that came after
    the choice. `webhook` is what HAMi's webhook did to the pod before, null if it never saw it. The other
    fields are those of the log's `Attempt`.
    """

    pod: PodRef
    attempt: int
    profile: str
    outcome: Outcome
    nominated_before: str
    preenqueue: Status | None = None
    prefilter: Status | None = None
    prefilter_nodes: list[str] | None = None
    filter: dict[str, Status | None] = {}
    scores: dict[str, NodeScores] = {}
    best: list[str] = []
    chosen: str | None = None
    message: str | None = None
    reserve: Status | None = None
    dry_run: DryRun | None = None
    extenders: list[ExtenderCall] = []
    webhook: WebhookReview | None = None


class VisitedNode(Event, frozen=True):
    """A node that the filters looked at: its rejection or null, the figures behind it, and its points.

    `cards` is null unless they were asked for, and where HAMi has nothing to say of the node.
    """

    node: str
    status: Status | None
    numbers: list[Figure]
    scores: dict[str, int | float] | None
    total: int | float | None
    cards: CardsInShort | None = None


class FilterAnswer(Event, frozen=True):
    """What one filter says of a node when it is asked alone; `code` is null where the pod fits."""

    plugin: str
    code: Code | None
    reasons: list[str]
    numbers: list[Figure]


class ScoreAnswer(Event, frozen=True):
    """What one plugin's score of a node comes to."""

    plugin: str
    raw: int | float
    normalized: int | float
    weight: int
    weighted: int | float


class ReprieveStep(Event, frozen=True):
    """A pod that is put back: reprieved if the preemptor still fits, else a victim, and why."""

    pod: PodRef
    violates_budget: bool
    outcome: Literal["reprieved", "victim"]
    plugin: str | None
    reasons: list[str]
    numbers: list[Figure]


class Reprieve(Event, frozen=True):
    """A dry run on one node: all of lower priority are removed, then put back one by one.

    `status` is why the node is no candidate, null if it is one.
    """

    removed: list[PodRef]
    steps: list[ReprieveStep]
    status: Status | None


class NodeInFull(Event, frozen=True):
    """Why this node, or why not: all filters, all scores, the nominated pods that counted, the dry run."""

    node: str
    filters: list[FilterAnswer] = []
    first_failure: str | None = None
    scores: list[ScoreAnswer] = []
    total: int | float | None = None
    nominated_pods_counted: list[PodRef] = []
    reprieve: Reprieve | None = None
    cards: NodeCards | None = None
    devices: DevicesTried | None = None


@dataclass(frozen=True)
class Chosen:
    """Which visited nodes to list: those rejected with a reason or by a plugin (also among others)."""

    reason: str | None = None
    plugin: str | None = None
    status: Literal["fits", "rejected"] | None = None

    def accepts(self, verdict: Status | None) -> bool:
        """Return whether a node with this verdict is listed; None fits."""
        if self.status is not None and (verdict is None) != (self.status == "fits"):
            return False
        if self.plugin is not None and (verdict is None or self.plugin not in rejecters_of(verdict)):
            return False
        return self.reason is None or (verdict is not None and self.reason in verdict.reasons)


ALL_NODES = Chosen()


def rejecters_of(verdict: Status) -> list[str]:
    """Return who rejected a node, each alone and together: a release may name all that failed."""
    return [*verdict.plugin.split(", "), verdict.plugin]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an attempt and a step in full, of nodes, and of an order."""
    schemas, components = msgspec.json.schema_components(
        [AttemptInFull, StepInFull, VisitedNode, NodeInFull, OrderInFull], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sandtable explanations",
        "version": SCHEMA_VERSION,
        "oneOf": list(schemas),
        "$defs": components,
    }
