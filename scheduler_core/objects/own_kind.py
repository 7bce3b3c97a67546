"""A kind of objects that a scheduler brings, such as its queues, as the checks of an import know it."""

from typing import NamedTuple

from scheduler_core.objects.kinds import Kind


class OwnKind(NamedTuple):
    """One of them. `version`: of its API group; `owns_pods`: pods and their makers may be its own."""

    kind: Kind
    version: str
    namespaced: bool = True
    owns_pods: bool = False
