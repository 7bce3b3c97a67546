"""A kind of objects that a scheduler brings, such as its queues, as the checks of an import know it."""

from typing import NamedTuple

from scheduler_core.objects.kinds import Kind


class OwnKind(NamedTuple):
    """One of them. `version`: of its API group; `owns_pods`: pods and their makers may be its own.

    makes_jobs: pods come of it in the end, by way of jobs that it makes.
    """

    kind: Kind
    version: str
    namespaced: bool = True
    owns_pods: bool = False
    makes_jobs: bool = False
