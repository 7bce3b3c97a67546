"""What others published of a cluster that is ours too: curves to lay beside those of a run."""

from typing import Any

from dashboard.models import Node
from samples.openb.published import SOURCE, is_the_cluster, published_curves


def published_beside(snapshot: int) -> dict[str, Any] | None:
    """Return the FGD paper's curves, with their source, if the snapshot's cards are those of its cluster.

    By measure and policy the figures from 0 to 130 percent arrived, in percent of all cards.
    """
    cards = Node.objects.filter(snapshot=snapshot, cards__gt=0).values_list("name", "cards")
    return {"source": SOURCE, **published_curves()} if is_the_cluster(dict(cards)) else None
