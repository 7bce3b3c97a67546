"""What another release of kube-scheduler changes for a cluster's pods, in one sentence."""

from collections.abc import Callable, Sequence

from dashboard.queries.comparison_causes import Cause, lands_elsewhere, waits_less, waits_more
from dashboard.queries.comparison_rows import PodDifference
from dashboard.queries.session_words import pods_in_words


def sentence_of_release(one: str, other: str, pods: Sequence[PodDifference], causes: Sequence[Cause]) -> str:
    """Say how many pods land elsewhere and wait under the second release, each time because of what."""
    moved, more, fewer = (sum(map(is_so, pods)) for is_so in (lands_elsewhere, waits_more, waits_less))
    clauses = [f"Under {other} instead of {one}, no pod lands on another node"]
    if moved:
        lands = "lands on another node" if moved == 1 else "land on other nodes"
        because = _because(causes, lambda cause: cause.lands)
        clauses = [f"Under {other} instead of {one}, {pods_in_words(moved)} {lands}{because}"]
    if more:
        because = _because(causes, lambda cause: cause.waits)
        clauses.append(f"{more:,} more {'pod waits' if more == 1 else 'pods wait'}{because}")
    else:
        clauses.append("no more pods wait")
    if fewer:
        because = _because(causes, lambda cause: cause.freed)
        clauses.append(f"{fewer:,} that waited {'does' if fewer == 1 else 'do'} not{because}")
    return f"{'; '.join(clauses)}."


def _because(causes: Sequence[Cause], number: Callable[[Cause], int]) -> str:
    """Return why, with how many pods for each reason where there are several; nothing where none is known."""
    counted = [(cause, number(cause)) for cause in causes if number(cause)]
    if not counted:
        return ""
    if len(counted) == 1:
        return f", {counted[0][0].words}"
    *others, last = [f"{pods:,} {cause.words}" for cause, pods in counted]
    return f": {', '.join(others)} and {last}"
