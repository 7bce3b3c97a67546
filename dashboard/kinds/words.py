"""What is said of a scheduler as configured, in the shape in which REST gives it to the pages."""

from dataclasses import dataclass

from dashboard.kinds.card_words import CardTexts
from dashboard.kinds.kube.plugin_words import CriterionWords
from dashboard.kinds.kube.waiting_words import ListenerWords, Waits
from dashboard.kinds.session_words import SessionTexts
from scheduler_core.schedulers.unasked import UnaskedTexts


@dataclass(frozen=True)
class FilterWords:
    """A filter in its place; `parts` are those that it asks all at once, in their order, or none."""

    name: str
    parts: list[str]


@dataclass(frozen=True)
class ScoreWords:
    """A score in its place. `means`: what it prefers. `most`: its highest points, before `weight`.

    successor: the plugin that does its work in the newest version, if it has another name there.
    """

    name: str
    weight: int
    most: int
    means: str
    successor: str


@dataclass(frozen=True)
class ProfileWords:
    """The plugins of one scheduler name, each point in its order, and who listens to what."""

    name: str
    filters: list[FilterWords]
    scores: list[ScoreWords]
    listeners: list[ListenerWords]


@dataclass(frozen=True)
class Criterion:
    """A criterion, in its place. `first_victim` is said where the first victim isn't the highest."""

    key: str
    label: str
    left: str
    before: str
    decisive: str
    figure: str
    noun: str
    first_victim: CriterionWords | None


@dataclass(frozen=True)
class Reason:
    """A reason that is a name: which filter gives it and what it stands for.

    `begins`: all reasons that begin so.
    """

    reason: str
    begins: bool
    filter: str
    means: str


@dataclass(frozen=True)
class Terms:
    """What filters and scores are called, one and many."""

    filter: str
    filters: str
    score: str
    scores: str


@dataclass(frozen=True)
class Counting:
    """At which failures a node counts. `lists_all`: at every one. `note`: in words, if at several."""

    lists_all: bool
    note: str


@dataclass(frozen=True)
class Nomination:
    """Where a nomination stands, whether it keeps others out, and whether its node is asked first."""

    stands_in: str
    is_held: bool
    asked_first: bool


@dataclass(frozen=True)
class Preemption:
    """How a node is chosen for a preemption.

    is_possible: false where the feature gate PodPriority is off. incurable: failures for which evicting is no
    cure, where that is a list. no_victims: the reason of a node on which nobody is less important.
    """

    is_possible: bool
    criteria: list[Criterion]
    incurable: list[str]
    no_victims: str


@dataclass(frozen=True)
class Scoring:
    """How the best is taken: in words what becomes of equal nodes and of equal candidates.

    of_one: a single node that fits is scored too. zero_by_zero: the points that stand for 0÷0 and
    `divides_by_zero` the plugin that gives them, or null and empty.
    """

    ties: str
    candidate_ties: str
    of_one: bool
    zero_by_zero: int | None
    divides_by_zero: str


@dataclass(frozen=True)
class EventTexts:
    """The events as `kubectl` prints them. In braces: `pod`, `namespace`, `uid`, `node`."""

    object: str
    assigned: str
    preempted: str


@dataclass(frozen=True)
class Playing:
    """How a driver plays it.

    in_turn: first in, first out, and `why_in_turn` if not by the driver; has_grace: victims stay for a while.
    """

    driver: str
    in_turn: bool
    why_in_turn: str
    has_grace: bool


@dataclass(frozen=True)
class OutcomeRow:
    """How an outcome of a kind of decision is called: beside its pod, and in the pod's life."""

    kind: str
    outcome: str
    word: str
    life: str


@dataclass(frozen=True)
class SchedulerWords:
    """A scheduler as configured, in words and facts."""

    profile: str
    name: str
    version: str
    terms: Terms
    profiles: list[ProfileWords]
    counting: Counting
    reasons: list[Reason]
    scoring: Scoring
    preemption: Preemption
    nomination: Nomination
    events: EventTexts
    playing: Playing
    waits: Waits | None
    sessions: SessionTexts | None
    cards: CardTexts | None
    unasked: UnaskedTexts
    outcomes: list[OutcomeRow]
