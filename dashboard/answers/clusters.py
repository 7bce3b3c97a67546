"""How new what is known of connected clusters is, in a sentence."""

from collections.abc import Sequence

from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Sentence, number, sentence, strong
from dashboard.queries.clusters import ClusterSeen

_NAMED = 3


def lead(clusters: Sequence[ClusterSeen]) -> Sentence:
    """Return how many clusters were read lately, and which were not."""
    if not clusters:
        return sentence(strong("No cluster is connected."))
    late = [one for one in clusters if one.is_late]
    counted = plain([number(len(clusters), "cluster")])
    if not late:
        one = f"{clusters[0].cluster.name} is as new as it should be."
        return sentence(strong(one if len(clusters) == 1 else f"All {counted} are as new as they should be."))
    named = ", ".join(one.cluster.name for one in late[:_NAMED])
    more = f" and {len(late) - _NAMED:,} more" if len(late) > _NAMED else ""
    verb = "was" if len(late) == 1 else "were"
    return sentence(
        strong(f"{len(late):,} of {counted} {verb} not read in time: {named}{more}."),
    )
