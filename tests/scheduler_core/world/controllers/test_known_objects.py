"""Objects are found under their controller: those of the start in their order, then those that came."""

from typing import Any

from scheduler_core.objects.kinds import REPLICA_SET
from scheduler_core.state.journal import Journal
from scheduler_core.world.controllers.known_objects import KnownObjects
from tests.builders import cluster_object, owned_by

Object = dict[str, Any]


def deployment(name: str) -> Object:
    return cluster_object("Deployment", name, version="apps/v1", namespace="shop")


def replica_set(name: str, owner: Object | None) -> Object:
    made = cluster_object("ReplicaSet", name, version="apps/v1", namespace="shop")
    if owner is not None:
        made["metadata"]["ownerReferences"] = [owned_by(owner)]
    return made


def test_objects_are_found_under_the_controller_that_they_have_by_now() -> None:
    web, shop = deployment("web"), deployment("shop")
    sets = [replica_set(name, owner) for name, owner in (("c", web), ("b", None), ("a", web), ("d", shop))]
    journal = Journal()
    known = KnownObjects(journal, [web, shop, *sets])

    def names(owner: Object) -> list[str]:
        return [one["metadata"]["name"] for one in known.owned_by(owner, REPLICA_SET)]

    assert (names(web), names(shop)) == (["c", "a"], ["d"])
    mark = journal.mark()
    known.put(replica_set("z", web))
    known.put(replica_set("e", web))
    known.put(replica_set("b", web))  # adopted: it stands where it stood at the start
    known.put(replica_set("a", shop))
    known.drop(sets[3])
    assert (names(web), names(shop)) == (["c", "b", "e", "z"], ["a"])
    journal.undo_to(mark)
    assert (names(web), names(shop)) == (["c", "a"], ["d"])
