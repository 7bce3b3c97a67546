"""What a release of kube-scheduler calls its parts, how it counts and chooses: facts of the engine's tables.

`release` is a release from before the framework; None for all others, which have plugins and answer in
sentences.
"""

from collections.abc import Iterator

from dashboard.kinds.kube.plugin_words import CRITERIA, FAILURES, FIRST_VICTIM, FailureWords
from dashboard.kinds.kube.profiles import asked
from dashboard.kinds.words import (
    Counting,
    Criterion,
    EventTexts,
    Nomination,
    Preemption,
    Reason,
    Scoring,
    Terms,
)
from scheduler_core.kube.preemption.candidates import CRITERIA as CRITERIA_OF_TODAY
from scheduler_core.kube.preemption.dry_run import NO_VICTIMS
from scheduler_core.kube.releases.nominations import nominated_by_annotation
from scheduler_core.kube.releases.predicates.pod_fits_resources import PodFitsResources
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.profile import ReleaseProfile
from scheduler_core.schedulers.registry import versions

DIVIDES_BY_ZERO = {"kube-1.8": "SelectorSpreadPriority"}
"""Whose SelectorSpreadPriority gives ZERO_BY_ZERO to nodes with a zone where none has a matching pod."""
ZERO_BY_ZERO = -(2**63)


def terms(release: ReleaseProfile | None) -> Terms:
    """Return what filters and scores are called."""
    if release is None:
        return Terms("filter", "filters", "plugin", "plugins")
    return Terms("predicate", "predicates", "priority function", "priority functions")


def counting(release: ReleaseProfile | None) -> Counting:
    """Return at which failures a node counts."""
    if release is None:
        return Counting(lists_all=False, note="")
    is_one_conjunction = len(release.filters) == 1
    note = "all that it fails" if is_one_conjunction else "all that its first failing predicate names"
    return Counting(is_one_conjunction, note)


def reasons(release: ReleaseProfile | None) -> list[Reason]:
    """Return the reasons that a release gives as names; sentences speak for themselves."""
    found = []
    for name, leaf in _predicates(release):
        if isinstance(leaf, PodFitsResources):
            found.append(Reason("Insufficient ", True, name, ""))
        found += [
            Reason(failure, False, name, words.means)
            for failure, words in _failures(leaf)
            if failure not in leaf.wording.sentences
        ]
    return found


def scoring(profile: str, release: ReleaseProfile | None) -> Scoring:
    """Return how the best node and the best candidate are taken."""
    return Scoring(
        ties="picks one at random" if release is None else "takes the equal ones in turn",
        candidate_ties="picks one of them at random",
        of_one=release is not None and release.scores_single,
        zero_by_zero=ZERO_BY_ZERO if profile in DIVIDES_BY_ZERO else None,
        divides_by_zero=DIVIDES_BY_ZERO.get(profile, ""),
    )


def preemption(release: ReleaseProfile | None) -> Preemption:
    """Return how a node is chosen for a preemption."""
    keys = CRITERIA_OF_TODAY if release is None else release.criteria
    return Preemption(
        is_possible=release is None or release.pod_priority,
        criteria=[_criterion(key, release) for key in (*keys, "name")],
        incurable=_incurable(release),
        no_victims=NO_VICTIMS.reasons[0],
    )


def _criterion(key: str, release: ReleaseProfile | None) -> Criterion:
    takes_first = release is not None and key == "highest_priority"
    return Criterion(key, *CRITERIA[key], first_victim=FIRST_VICTIM if takes_first else None)


def _incurable(release: ReleaseProfile | None) -> list[str]:
    listed = [
        words.incurable
        for _, leaf in _predicates(release)
        for failure, words in _failures(leaf)
        if failure in leaf.wording.unresolvable
    ]
    return list(dict.fromkeys(listed))


def _predicates(release: ReleaseProfile | None) -> Iterator[tuple[str, Predicate]]:
    """Yield the predicates in order, each with how a rejection names it."""
    for name, leaves in asked(release) if release is not None else ():
        for leaf in leaves:
            if isinstance(leaf, Predicate):
                yield name, leaf


def _failures(leaf: Predicate) -> Iterator[tuple[str, FailureWords]]:
    yield from FAILURES.get(leaf.name, {}).items()


def nomination(profile: str, release: ReleaseProfile | None) -> Nomination:
    """Return where a nomination stands and what it is good for."""
    annotated = versions()[profile].nomination_of is nominated_by_annotation
    return Nomination(
        stands_in="the annotation NominatedNodeName" if annotated else "status.nominatedNodeName",
        is_held=release is None or release.counts_nominations,
        asked_first=release is None,
    )


def event_texts(version: str, release: ReleaseProfile | None) -> EventTexts:
    """Return the events as `kubectl` prints them."""
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
