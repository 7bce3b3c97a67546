"""What a page needs to tell a scheduler's decisions in its own words, as data.

The facts (which plugins in which order with which weights, which criteria, what a node counts at, where a
nomination stands) are read from the engine's own registry and release tables; what is said of them is in
`dashboard/kinds/`, a package for each kind of scheduler. Whoever adds a scheduler adds its words there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dashboard.errors import NotPossibleNow, sentences_of
from dashboard.kinds import kind_named
from dashboard.kinds.card_words import CardTexts
from dashboard.kinds.kind import DashboardKind
from dashboard.kinds.kube.plugin_words import (
    CRITERIA,
    FAILURES,
    FIRST_VICTIM,
    OUTCOMES,
    CriterionWords,
)
from dashboard.kinds.kube.profiles import asked, kube_profiles
from dashboard.kinds.kube.waiting_words import Waits
from dashboard.kinds.session_words import SessionTexts
from dashboard.kinds.words import ProfileWords
from dashboard.models import Run
from dashboard.services.workspace.schedulers import default_driver
from scheduler_core.kube.preemption.candidates import CRITERIA as CRITERIA_OF_TODAY
from scheduler_core.kube.preemption.dry_run import NO_VICTIMS
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.releases.nominations import nominated_by_annotation
from scheduler_core.kube.releases.predicates.pod_fits_resources import PodFitsResources
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import Wording
from scheduler_core.kube.releases.profile import ReleaseProfile
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import versions
from scheduler_core.schedulers.unasked import TEXTS, UnaskedTexts
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.companions import build_all, read_companions
from scheduler_core.world.setting_up.run_checks import check

DIVIDES_BY_ZERO = {"kube-1.8": "SelectorSpreadPriority"}
"""Whose SelectorSpreadPriority gives ZERO_BY_ZERO to nodes with a zone where none has a matching pod."""
ZERO_BY_ZERO = -(2**63)
T = TypeVar("T")


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


def words_of(
    profile: str,
    config: dict[str, Any] | None = None,
    driver: str | None = None,
    beside: Sequence[Any] = (),
) -> SchedulerWords:
    """Return a scheduler's words under a configuration and a driver (None: the default ones).

    `profiles` has those of the schedulers `beside` it too. Raises BadInput for a profile, a driver, a
    configuration or other schedulers that cannot be.
    """
    given = RunInput(
        objects=[], profile=profile, config=config, driver=driver, beside=read_companions(list(beside))
    )
    check(given)
    made = [(kind_named(one.kind.name), one.built) for one in build_all(given).values()]
    main = made[0][0]
    built = [one for _, profiles in made for one in kube_profiles(profiles)]
    release = built[0] if built and isinstance(built[0], ReleaseProfile) else None
    wording = _wording(built[0]) if built else None
    has_priority = release is None or release.pod_priority
    version = profile.rpartition("-")[2]
    return SchedulerWords(
        profile=profile,
        name=f"{main.engine.title} {version}",
        version=version,
        terms=_terms(release),
        profiles=[words for kind, one in _kube_first(made) for words in kind.profiles_in_words(one)],
        counting=_counting(release),
        reasons=[] if wording is None else _reasons(built[0], wording),
        scoring=Scoring(
            ties="picks one at random" if release is None else "takes the equal ones in turn",
            candidate_ties="picks one of them at random",
            of_one=release is not None and release.scores_single,
            zero_by_zero=ZERO_BY_ZERO if profile in DIVIDES_BY_ZERO else None,
            divides_by_zero=DIVIDES_BY_ZERO.get(profile, ""),
        ),
        preemption=Preemption(
            is_possible=has_priority,
            criteria=_criteria(CRITERIA_OF_TODAY if release is None else release.criteria, release),
            incurable=[] if wording is None else _incurable(built[0], wording),
            no_victims=NO_VICTIMS.reasons[0],
        ),
        nomination=_nomination(profile, release),
        events=_event_texts(version, release),
        playing=_playing(driver or default_driver(profile) or "", has_priority),
        waits=main.waits(config) if release is None else None,
        sessions=_first(kind.session_texts() for kind, _ in made),
        cards=_first(kind.card_texts(one) for kind, one in made),
        unasked=TEXTS,
        outcomes=[
            OutcomeRow(kind, outcome, *words)
            for kind, rows in OUTCOMES.items()
            for outcome, words in rows.items()
        ],
    )


def _kube_first(made: list[tuple[DashboardKind, Any]]) -> list[tuple[DashboardKind, Any]]:
    """Return those with a kube-scheduler's profiles before the others."""
    return sorted(made, key=lambda one: not kube_profiles(one[1]))


def _first(found: Iterable[T | None]) -> T | None:
    return next((one for one in found if one is not None), None)


def words_of_run(run: Run) -> SchedulerWords:
    """Return the words of the scheduler that a run froze. Raises NotPossibleNow where it cannot be."""
    try:
        return words_of(run.profile, run.config, run.driver, run.beside)
    except BadInput as error:
        raise NotPossibleNow(f"There is no such scheduler: {sentences_of(error)}") from None


def _terms(release: ReleaseProfile | None) -> Terms:
    if release is None:
        return Terms("filter", "filters", "plugin", "plugins")
    return Terms("predicate", "predicates", "priority function", "priority functions")


def _counting(release: ReleaseProfile | None) -> Counting:
    if release is None:
        return Counting(lists_all=False, note="")
    is_one_conjunction = len(release.filters) == 1
    note = "all that it fails" if is_one_conjunction else "all that its first failing predicate names"
    return Counting(is_one_conjunction, note)


def _wording(profile: Profile) -> Wording | None:
    leaves = (leaf for plugin in profile.filters for leaf in plugin.each)
    return next((leaf.wording for leaf in leaves if isinstance(leaf, Predicate)), None)


def _reasons(profile: Profile, wording: Wording) -> list[Reason]:
    """Return the reasons that a release gives as names; sentences speak for themselves."""
    found = []
    for name, leaves in asked(profile):
        for leaf in leaves:
            if isinstance(leaf, PodFitsResources):
                found.append(Reason("Insufficient ", True, name, ""))
            found += [
                Reason(failure, False, name, words.means)
                for failure, words in FAILURES.get(leaf.name, {}).items()
                if failure not in wording.sentences
            ]
    return found


def _incurable(profile: Profile, wording: Wording) -> list[str]:
    failures = [
        (failure, words)
        for _, leaves in asked(profile)
        for leaf in leaves
        for failure, words in FAILURES.get(leaf.name, {}).items()
    ]
    listed = [words.incurable for failure, words in failures if failure in wording.unresolvable]
    return list(dict.fromkeys(listed))


def _criteria(keys: Sequence[str], release: ReleaseProfile | None) -> list[Criterion]:
    return [
        Criterion(
            key,
            *CRITERIA[key],
            first_victim=FIRST_VICTIM if release is not None and key == "highest_priority" else None,
        )
        for key in (*keys, "name")
    ]


def _nomination(profile: str, release: ReleaseProfile | None) -> Nomination:
    annotated = versions()[profile].nomination_of is nominated_by_annotation
    return Nomination(
        stands_in="the annotation NominatedNodeName" if annotated else "status.nominatedNodeName",
        is_held=release is None or release.counts_nominations,
        asked_first=release is None,
    )


def _event_texts(version: str, release: ReleaseProfile | None) -> EventTexts:
    if release is None:
        return EventTexts(
            object="pod/{pod}",
            assigned="Successfully assigned {namespace}/{pod} to {node}",
            preempted="Preempted by pod {uid} on node {node}",
        )
    who = "{pod}" if version in ("1.8", "1.9") else "{namespace}/{pod}"
    return EventTexts(
        object="Pod {pod}",
        assigned=f"Successfully assigned {who} to {{node}}",
        preempted="by {namespace}/{pod} on node {node}",
    )


def _playing(driver: str, has_priority: bool) -> Playing:
    return Playing(
        driver=driver,
        in_turn=driver == "fifo" or not has_priority,
        why_in_turn="" if has_priority else "podPriority is off",
        has_grace=driver in ("grace", "timed"),
    )
