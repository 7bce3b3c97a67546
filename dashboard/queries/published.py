"""What others published of a cluster that is ours too: curves to lay beside those of a run."""

from dashboard.models import Node
from dashboard.shapes.over_time import Published
from samples.openb.published import SOURCE, is_the_cluster, published_curves


def published_beside(snapshot: int) -> Published | None:
    """Return the FGD paper's curves, with their source, if the snapshot's cards are those of its cluster.

    By measure and policy the figures from 0 to 130 percent arrived, in percent of all cards.
    """
    cards = Node.objects.filter(snapshot=snapshot, cards__gt=0).values_list("name", "cards")
    if not is_the_cluster(dict(cards)):
        return None
    curves = published_curves()
    return {
        "source": SOURCE,
        "allocated": curves["allocated"],
        "fragmentation": curves["fragmentation"],
    }
